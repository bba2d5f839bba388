"""What the respondent's templates need to know of a question. The numbers come from odds and modes."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from math import cos, pi, sin

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext, pgettext

import mechanisms
from surveys.definition import grids, help_lines, protection, protection_wording
from surveys.definition.designs import modes
from surveys.definition.designs.wording import statement_answers
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.kinds import Kind
from surveys.definition.odds import Odds, odds as odds_of
from surveys.models import Survey
from surveys.results.estimates.report import SurveyReport

register = template.Library()
CONTROLS = {  # kind -> the part with which it is answered; a long list has its own
    Kind.YES_NO: "choices",
    Kind.CHOICE: "choices",
    Kind.ANY: "choices",
    Kind.QUANTITY: "number",
    Kind.SCALE: "choices",
    Kind.WRITTEN: "written",
    Kind.BACKGROUND: "choices",
    Kind.NUMBER: "number",
}
REASON = 160  # characters of an introduction that stand on the first screen of a phone
REASON_WITH_CONSENT = 120  # where it has a consent question too
REASON_WITH_BOTH = 90  # and a title above LONG_TITLE
CONSENT = 160
LONG_TITLE = 26  # characters; above it a title takes two lines, and is set smaller
SENTENCE_END = re.compile(r"(?<=[.!?…。؟])[\"”»’)\]]*\s+(?=[^\sa-zà-öø-ÿ])")
LONGEST_ABBREVIATION = 8  # characters, with its point and what stands before it, and more
ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:\w|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|bzw|ca|etc|vgl|inkl|Mme|Mlle|Sr|Sra|Ud|Uds)\.\s*$",
    re.I,
)


@register.filter
def in_order(item: QuestionDefinition) -> list[tuple[int, str]]:
    """The answers as shown, each with its index. People expect Yes before No, though Yes has index 1.

    Of a list the first two: no page shows all of it.
    """
    shown = list(enumerate(item.choices[:2] if item.is_list else item.choices))
    return item.traits.in_order(shown)


@register.filter
def reports(item: QuestionDefinition) -> list[tuple[int, str]]:
    """What can be recorded, in the order of in_order. A statement, as Warner's, is True or False, not Yes or No."""
    if modes.is_statement(item.mode, item.mechanism):
        return statement_answers()
    return in_order(item)


@register.filter
def odds(item: QuestionDefinition) -> Odds:
    return odds_of(item, first=in_order(item)[0][0] if item.choices else 0)


@register.filter
def distinct_explanations(items: list[QuestionDefinition]) -> list[QuestionDefinition]:
    """Return one question for each different explanation of the odds."""
    seen: dict[tuple, QuestionDefinition] = {}
    for item in items:
        own = (
            ()
            if odds(item).shape != "pair"
            else (tuple(item.choices), reports(item)[0][1], item.mode == "automatic")
        )
        seen.setdefault((odds(item), *own), item)
    return list(seen.values())


register.filter("runs", grids.group_by_grid)


@register.filter
def sensitive(paper: SurveyDefinition) -> list[QuestionDefinition]:
    return [item for item in paper.items if item.mechanism]


@register.filter
def in_all_languages(paper: SurveyDefinition) -> list[SurveyDefinition]:
    """Return the survey in each of its languages."""
    return [paper.in_language(code) for code in paper.languages]


@register.filter
def background(paper: SurveyDefinition) -> list[QuestionDefinition]:
    return [item for item in paper.items if not item.mechanism]


@register.filter
def in_mode(items: list[QuestionDefinition], mode: str) -> list[QuestionDefinition]:
    return [item for item in items if item.mode == mode]


register.filter("help_lines", help_lines.split_links)
register.filter("hint", protection_wording.grade_text)
register.filter("bound", protection_wording.guess_rate_bound)
register.filter("claim", protection_wording.scrambling_text)
register.filter("in_numbers", protection_wording.guess_rates_text)
register.filter("loss", protection.definition_losses)


@register.filter
def protection_of(report: SurveyReport) -> protection.Losses:
    each = [
        (question.key, question.epsilon)
        for question in report.questions
        if question.epsilon is not None
    ]
    return protection.summarize_losses(each, report.epsilon)


@register.simple_tag
def said(loss: protection.Losses, as_it_is: bool, bold: bool = False) -> list[str]:
    """What respondents read of the whole survey. bold: with its numbers stressed, as HTML."""
    if not bold:
        return protection_wording.respondent_sentences(loss, as_it_is=as_it_is)
    stressed = partial(format_html, "<strong>{}</strong>")
    return [
        SafeString(each)
        for each in protection_wording.respondent_sentences(
            loss, as_it_is=as_it_is, stressed=stressed
        )
    ]


@register.filter
def picked(paper: SurveyDefinition) -> str:
    return protection_wording.subset_text(paper.draw, paper.items) if paper.draw else ""


@dataclass(frozen=True)
class Spoken:
    """A language of a survey, and the survey in it."""

    code: str
    name: str  # as it calls itself
    dir: str
    paper: SurveyDefinition


@register.filter
def languages(paper: SurveyDefinition) -> list[Spoken]:
    """All in which it can be answered, the first one first."""
    dirs = {code: "rtl" if get_language_info(code)["bidi"] else "ltr" for code in paper.languages}
    return [
        Spoken(code, Survey.Language(code).label, dirs[code], paper.in_language(code))
        for code in dirs
    ]


@register.filter
def is_long_title(title: str) -> bool:
    return len(title) > LONG_TITLE


@register.filter
def reason(paper: SurveyDefinition) -> str:
    """Why somebody asks: whole sentences of the first paragraph of the introduction, as many as the first screen holds.

    Nothing where the first sentence is too long.
    """
    most = REASON
    if paper.asks_consent:
        most = REASON_WITH_BOTH if is_long_title(paper.title) else REASON_WITH_CONSENT
    return _whole_sentences(paper.introduction.strip().partition("\n")[0].strip(), most)


@register.filter
def after_reason(paper: SurveyDefinition) -> str:
    return paper.introduction.strip().removeprefix(reason(paper)).strip()


@register.filter
def short_consent(consent: str) -> str:
    """Whole sentences, at least the first; all of it can be read below."""
    return _whole_sentences(consent.strip(), CONSENT) or _sentences(consent.strip())[0]


def _whole_sentences(text: str, most: int) -> str:
    beginnings = (beginning.rstrip() for beginning in accumulate(_sentences(text)))
    return max(
        (beginning for beginning in beginnings if len(beginning) <= most), key=len, default=""
    )


def _sentences(text: str) -> list[str]:
    """With the space behind each. An abbreviation ends none."""
    sentences, start = [], 0
    for match in SENTENCE_END.finditer(text):
        before = text[max(match.start() - LONGEST_ABBREVIATION, 0) : match.start()]
        if not ABBREVIATION.search(before + " "):
            sentences.append(text[start : match.end()])
            start = match.end()
    return [*sentences, text[start:]]


@register.filter
def moment(time: datetime) -> SafeString:
    """A time in UTC, which times.js writes in the zone and the language of the reader."""
    utc = time.astimezone(UTC)
    return format_html(
        '<time datetime="{}">{} UTC</time>', f"{utc:%Y-%m-%dT%H:%MZ}", f"{utc:%Y-%m-%d %H:%M}"
    )


@register.filter
def some_as_it_is(items: list) -> bool:
    """Whether some of these questions are sent as they are."""
    return any(item.epsilon is None for item in items)


@register.filter
def any_number(item: QuestionDefinition) -> bool:
    """Whether any number of answers may be chosen, not just one."""
    return item.mechanism is not None and item.mechanism.select == "any"


@register.filter
def control(item: QuestionDefinition) -> str:
    """The part of the page with which it is answered."""
    return f"respondent/parts/{'list' if item.is_list else CONTROLS[item.kind]}.html"


@register.filter
def declining(item: QuestionDefinition) -> str:
    """Of a list, the last answer where that is “Prefer not to say”, which stands beside the field; else nothing."""
    last = item.choices[-1]
    return last if item.aside or last == pgettext("answer", "Prefer not to say") else ""


@register.filter
def searched(item: QuestionDefinition) -> int:
    """How many answers of a list are found by typing."""
    return item.size - bool(declining(item))


@register.filter
def bounds(item: QuestionDefinition) -> dict[str, str | bool]:
    """The smallest and the largest number that may be answered, and the step between two, without grouping."""
    low, high = item.choices[0], str(item.answer_values[-1])
    return {
        "low": low,
        "high": high,
        "step": str(item.step),
        "in_steps": item.step > 1,
        "negative": low[0] == "-",
    }


@register.filter
def check_number(sha256: str) -> str:
    """The first 16 digits of the hash of the questions, to be compared by eye."""
    return "-".join(re.findall("....", sha256[:16]))


@register.filter
def before(value: int) -> int:
    """Return the number before this one."""
    return value - 1


@register.filter
def count(value: int) -> str:
    """A whole number, grouped as the language of the page does."""
    return number_format(value, use_l10n=True, force_grouping=True)


@register.filter
def people(value: int, about: bool) -> str:
    """A number of people; one that was rounded is called so."""
    return gettext("about %(number)s") % {"number": count(value)} if about else count(value)


@register.filter
def people_in_bold(value: int, about: bool) -> SafeString:
    """Return a number of people in bold, for the page's script to check."""
    return format_html("<b>{}</b>", people(value, about))


@register.filter
def privacy_loss(value: float) -> str:
    """A privacy loss with two digits, never rounded down."""
    return number_format(mechanisms.round_up(value, 2), decimal_pos=2, use_l10n=True)


@register.filter
def spinner_sectors(item: QuestionDefinition) -> list[dict[str, str | int]]:
    """Return the sectors of the spinner, with their SVG paths."""
    parts, total, before, found = (
        modes.sections(item.mechanism),
        item.mechanism.spec()["den"],
        0,
        [],
    )
    for part in parts:
        (x1, y1), (x2, y2) = (
            _on_circle(before / total, 95),
            _on_circle((before + part.weight) / total, 95),
        )
        x, y = _on_circle((before + part.weight / 2) / total, 74)
        wide = int(2 * part.weight > total)
        found.append(
            {
                "act": part.act,
                "weight": part.weight,
                "path": f"M0 0L{x1:.2f} {y1:.2f}A95 95 0 {wide} 1 {x2:.2f} {y2:.2f}Z",
                "x": f"{x:.1f}",
                "y": f"{y:.1f}",
            }
        )
        before += part.weight
    return found


def _on_circle(turn: float, radius: float) -> tuple[float, float]:
    """A point, so far round the circle clockwise from the top."""
    return radius * sin(2 * pi * turn), -radius * cos(2 * pi * turn)


@register.filter
def throw_instructions(item: QuestionDefinition) -> list[tuple[modes.Outcome, bool]]:
    """Return the instructions for answering by hand."""
    parts = modes.sections(item.mechanism, by_hand=True)
    return [
        (line, len(line.throws) < len(modes.dice_needed(parts)))
        for line in modes.throw_outcomes(parts)
    ]


@register.filter
def devices(item: QuestionDefinition) -> list[tuple[int, int]]:
    """What is needed to answer by hand: sides, and how often."""
    return sorted(Counter(modes.dice_needed(modes.sections(item.mechanism, by_hand=True))).items())
