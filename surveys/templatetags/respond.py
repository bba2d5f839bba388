"""What the respondent's templates need to know of a question. The numbers come from odds and modes."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import cos, pi, sin

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext, pgettext

import mechanisms
from mechanisms.planning.privacy import total_epsilon
from surveys.definition import grids, help_lines, protection, protection_wording
from surveys.definition.designs import modes
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.kinds import Kind
from surveys.definition.odds import Odds, is_beyond, often
from surveys.definition.odds import odds as odds_of
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
OPENING = 120  # characters of an introduction that stand on the first screen of a phone


@register.filter
def in_order(item: FrozenQuestion) -> list[tuple[int, str]]:
    """The answers as shown, each with its index. People expect Yes before No, though Yes has index 1.

    Of a list the first two: no page shows all of it.
    """
    shown = list(enumerate(item.choices[:2] if item.is_list else item.choices))
    return item.traits.in_order(shown)


@register.filter
def reports(item: FrozenQuestion) -> list[tuple[int, str]]:
    """What can be recorded, in the order of in_order. A statement, as Warner's, is True or False, not Yes or No."""
    if modes.is_statement(item.mode, item.mechanism):
        return [(1, pgettext("answer", "True")), (0, pgettext("answer", "False"))]
    return in_order(item)


@register.filter
def odds(item: FrozenQuestion) -> Odds:
    return odds_of(item, first=in_order(item)[0][0] if item.choices else 0)


@register.filter
def explained(items: list[FrozenQuestion]) -> list[FrozenQuestion]:
    """Of questions whose odds read the same, the first one."""
    seen: dict[tuple, FrozenQuestion] = {}
    for item in items:
        own = () if odds(item).shape != "pair" else (tuple(item.choices), reports(item)[0][1], item.mode == "automatic")
        seen.setdefault((odds(item), *own), item)
    return list(seen.values())


register.filter("runs", grids.runs)


@register.filter
def have_grids(items: list[FrozenQuestion]) -> bool:
    """Whether some of these may stand together on one screen."""
    return any(len(rows) > 1 for rows in grids.runs(items))


@register.filter
def sensitive(paper: FrozenSurvey) -> list[FrozenQuestion]:
    return [item for item in paper.items if item.mechanism]


@register.filter
def lasting(paper: FrozenSurvey) -> float:
    """What all reports together reveal of the answers whose scrambled form a device may keep; 0 where there is none."""
    return total_epsilon(item.epsilon or 0.0 for item in paper.items if item.lasts)


@register.filter
def spoken(paper: FrozenSurvey) -> list[FrozenSurvey]:
    """The same in each of its languages."""
    return [paper.in_language(code) for code in paper.languages]


@register.filter
def background(paper: FrozenSurvey) -> list[FrozenQuestion]:
    return [item for item in paper.items if not item.mechanism]


@register.filter
def in_mode(items: list[FrozenQuestion], mode: str) -> list[FrozenQuestion]:
    return [item for item in items if item.mode == mode]


@register.filter
def practice_item(items: list[FrozenQuestion]) -> FrozenQuestion:
    """A harmless item with the chances of the first yes/no question; where there is none, of the first of which marks
    are picked; else with two coins.
    """
    pairs, picked = ([item for item in items if odds(item).shape == shape] for shape in ("pair", "picked"))
    if picked and not pairs:
        return _practice_marks(picked[0])
    answers = pgettext("answer", "No"), pgettext("answer", "Yes")
    return FrozenQuestion(
        "practice", Kind.YES_NO, "", "", answers, pairs[0].mechanism if pairs else mechanisms.TwoCoin()
    )


def _practice_marks(item: FrozenQuestion) -> FrozenQuestion:
    """Three marks of which one is picked, turned over as often as one of this question."""
    turned = item.mechanism.contrast().other
    mechanism = mechanisms.Marks.from_integers(3, 1, 0, turned.denominator - turned.numerator, turned.numerator)
    answers = gettext("Chocolate"), gettext("Cheese"), gettext("Fruit")
    return FrozenQuestion("practice", Kind.ANY, "", "", answers, mechanism)


@register.filter
def spec(item: FrozenQuestion) -> str:
    """The mechanism as the script reads it."""
    return json.dumps(item.mechanism.spec())


register.filter("help_lines", help_lines.pieces)
register.filter("often", often)
register.filter("hint", protection_wording.hint)
register.filter("is_beyond", is_beyond)
register.filter("claim", protection_wording.claim)
register.filter("in_numbers", protection_wording.in_numbers)
register.filter("loss", protection.losses_of)


@register.filter
def protection_of(report: SurveyReport) -> protection.Losses:
    each = [(question.key, question.epsilon) for question in report.questions if question.epsilon is not None]
    return protection.losses(each, report.epsilon)


@register.simple_tag
def said(loss: protection.Losses, as_it_is: bool, bold: bool = False) -> list[str]:
    """What respondents read of the whole survey. bold: with its numbers stressed, as HTML."""
    if not bold:
        return protection_wording.for_respondents(loss, as_it_is=as_it_is)
    stressed = partial(format_html, "<strong>{}</strong>")
    return [SafeString(each) for each in protection_wording.for_respondents(loss, as_it_is=as_it_is, stressed=stressed)]


@register.filter
def picked(paper: FrozenSurvey) -> str:
    return protection_wording.picked(paper.draw, paper.items) if paper.draw else ""


@dataclass(frozen=True)
class Spoken:
    """A language of a survey, and the survey in it."""

    code: str
    name: str  # as it calls itself
    dir: str
    paper: FrozenSurvey


@register.filter
def languages(paper: FrozenSurvey) -> list[Spoken]:
    """All in which it can be answered, the first one first."""
    dirs = {code: "rtl" if get_language_info(code)["bidi"] else "ltr" for code in paper.languages}
    return [Spoken(code, Survey.Language(code).label, dirs[code], paper.in_language(code)) for code in dirs]


@register.filter
def opening(introduction: str) -> str:
    """The first line of an introduction, if it is short; the rest is folded."""
    first = introduction.strip().partition("\n")[0].strip()
    return first if len(first) <= OPENING else ""


@register.filter
def after_opening(introduction: str) -> str:
    return introduction.strip().removeprefix(opening(introduction)).strip()


@register.filter
def moment(time: datetime) -> SafeString:
    """A time in UTC, which times.js writes in the zone and the language of the reader."""
    utc = time.astimezone(UTC)
    return format_html('<time datetime="{}">{} UTC</time>', f"{utc:%Y-%m-%dT%H:%MZ}", f"{utc:%Y-%m-%d %H:%M}")


@register.filter
def some_as_it_is(items: list) -> bool:
    """Whether some of these questions are sent as they are."""
    return any(item.epsilon is None for item in items)


@register.filter
def ask_yes_no(items: list[FrozenQuestion]) -> bool:
    return any(item.traits.has_yes for item in items)


@register.filter
def any_number(item: FrozenQuestion) -> bool:
    """Whether any number of answers may be chosen, not just one."""
    return item.mechanism is not None and item.mechanism.select == "any"


@register.filter
def control(item: FrozenQuestion) -> str:
    """The part of the page with which it is answered."""
    return f"respondent/parts/{'list' if item.is_list else CONTROLS[item.kind]}.html"


@register.filter
def declining(item: FrozenQuestion) -> str:
    """Of a list, the last answer where that is “Prefer not to say”, which stands beside the field; else nothing."""
    last = item.choices[-1]
    return last if item.aside or last == pgettext("answer", "Prefer not to say") else ""


@register.filter
def searched(item: FrozenQuestion) -> int:
    """How many answers of a list are found by typing."""
    return item.size - bool(declining(item))


@register.filter
def bounds(item: FrozenQuestion) -> dict[str, str | bool]:
    """The smallest and the largest number that may be answered, and the step between two, without grouping."""
    low, high = item.choices[0], str(item.numbers[-1])
    return {"low": low, "high": high, "step": str(item.step), "in_steps": item.step > 1, "negative": low[0] == "-"}


@register.filter
def check_number(sha256: str) -> str:
    """The first 16 digits of the hash of the questions, to be compared by eye."""
    return "-".join(re.findall("....", sha256[:16]))


@register.filter
def before(value: int) -> int:
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
def stated(value: int, about: bool) -> SafeString:
    """The same in bold, which the page's script compares with what it works out itself."""
    return format_html("<b>{}</b>", people(value, about))


@register.filter
def privacy_loss(value: float) -> str:
    """A privacy loss with four digits, never rounded down."""
    return number_format(mechanisms.round_up(value), decimal_pos=4, use_l10n=True)


@register.filter
def squares(number: int) -> str:
    """The path through the first so many icons of a 10x10 array, line by line. Dashes make icons of it."""
    return _rows(0, number)


@register.filter
def dots(number: int) -> str:
    """The path through the other icons."""
    return _rows(number, 100)


def _rows(start: int, end: int) -> str:
    pieces = []
    while start < end:
        row, column = divmod(start, 10)
        last = min(end, 10 * row + 10)
        pieces.append(f"M{10 * column} {10 * row + 5}H{10 * (last - 10 * row)}")
        start = last
    return "".join(pieces)


@register.filter
def sections(item: FrozenQuestion) -> list[dict[str, str | int]]:
    """The parts of a spinner: what each asks for, its weight, its path around the origin, where its number stands."""
    parts, total, before, found = modes.sections(item.mechanism), item.mechanism.spec()["den"], 0, []
    for part in parts:
        (x1, y1), (x2, y2) = _on_circle(before / total, 95), _on_circle((before + part.weight) / total, 95)
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
def thrown(item: FrozenQuestion) -> list[tuple[modes.Outcome, bool]]:
    """The instructions by hand, each with whether it is decided before the last throw. All throws are made anyway."""
    parts = modes.sections(item.mechanism, by_hand=True)
    return [(line, len(line.throws) < len(modes.throws(parts))) for line in modes.outcomes(parts)]


@register.filter
def devices(item: FrozenQuestion) -> list[tuple[int, int]]:
    """What is needed to answer by hand: sides, and how often."""
    return sorted(Counter(modes.throws(modes.sections(item.mechanism, by_hand=True))).items())
