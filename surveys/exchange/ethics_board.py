"""What an ethics board or a data protection officer asks for, of a draft as of a published survey: one object, which
a page prints and the API gives as JSON.

What respondents read is taken from the very templates of their page, so that it cannot say something else.
"""

import json
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

from surveys.definition import fields
from surveys.definition.freezing import LEAST_IN_A_CELL
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.protection import Losses, losses_of
from surveys.definition.protection_wording import (
    NOT_SCRAMBLED,
    hint,
    in_numbers,
    not_scrambled,
    row_of_correlations,
    who_gets,
)
from surveys.fieldwork.link import frozen_paper
from surveys.fieldwork.responses.progress import LEAST
from surveys.models import Question, Survey
from surveys.site.number_format import day_of, finite, listed
from surveys.site.shape import Result, of

PARTS = ("introduction", "protection", "begin", "sent")  # of a respondent's page, in the order in which they are read
INLINE = {"a", "b", "bdi", "code", "em", "i", "q", "span", "strong", "wbr"}  # all other tags begin a line
BETWEEN = {"span": " ", "td": " · ", "th": ""}  # what parts words of one line
SILENT = {"svg", "script", "style", "title"}
VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


@dataclass(frozen=True)
class Asked(Result):
    """A question."""

    key: str = of()
    text: str = of()
    help: str = of()
    kind: str = of()
    choices: tuple[str, ...] = of("as respondents see them")
    design: str = of("in words")
    epsilon: float | None = of("null where there is no limit, or no design")
    consequence: str = of("what its report amounts to")
    odds: str = of("as respondents read it; empty where it is not scrambled")
    chances: tuple[str, ...] = of("of every report, in Markdown")
    whom: str = of("where it is asked; empty: everywhere")


@dataclass(frozen=True)
class Passage(Result):
    """A fold of the page with its heading, or what stands before the first."""

    heading: str = of()
    lines: tuple[str, ...] = of()


@dataclass(frozen=True)
class Ethics(Result):
    survey: str = of()
    title: str = of()
    is_published: bool = of()
    sha256: str = of("of the questions as frozen, or as a draft would be")
    epsilon: float | None = of("total privacy loss per respondent; null: no limit")
    questions: tuple[Asked, ...] = of()
    consequences: tuple[str, ...] = of()
    wording: dict[str, tuple[Passage, ...]] = of("language -> what respondents read, passage by passage")
    storage: tuple[str, ...] = of()
    data_protection: dict[str, str] = of()
    instrument: dict[str, Any] = of("all that respondents get, or would get")


def bundle(survey: Survey) -> Ethics:
    """Raises surveys.site.errors.Refused for a draft that could not be published as it is."""
    frozen = frozen_paper(survey)
    spoken = [frozen.in_language(code) for code in frozen.languages]
    reason = "" if survey.is_draft else survey.reason
    return Ethics(
        survey=frozen.survey,
        title=frozen.title,
        is_published=not survey.is_draft,
        sha256=frozen.sha256,
        epsilon=finite(frozen.epsilon),
        questions=tuple(_asked(item, import_only=frozen.import_only) for item in frozen.items),
        consequences=(*_consequences(frozen), *([f"The reason for this protection: {reason}"] if reason else [])),
        wording={each.language: wording(each) for each in spoken},
        storage=tuple(_storage(frozen)),
        data_protection=_data_protection(frozen),
        instrument=json.loads(frozen.content),
    )


def _asked(item: FrozenQuestion, *, import_only: bool) -> Asked:
    asked = item.key, item.whole, item.help, Question.Kind(item.kind).label, _shown(item)
    if item.mechanism is None:
        return Asked(*asked, NOT_SCRAMBLED.lower(), None, "It may identify a person.", "", (), item.whom)
    sentence = "" if import_only else _odds(item)
    chances = tuple(line for line in item.mechanism.chances() if line)
    told = (_consequence(item), sentence, chances, item.whom)
    return Asked(*asked, item.mechanism.title, finite(item.epsilon), *told)


def _consequence(item: FrozenQuestion) -> str:
    if not item.mechanism.publishable:
        return "Some reports prove what a person answered."
    loss = Losses(item.epsilon, item.epsilon)
    return f"Whoever gets the report alone has {hint(item.epsilon)}. {in_numbers(loss)}"


def _odds(item: FrozenQuestion) -> str:
    html = render_to_string("respondent/parts/odds.html", {"item": item})
    return " ".join(line for passage in _read(html) for line in passage.lines)


def _shown(item: FrozenQuestion) -> tuple[str, ...]:
    """The answers as respondents see them: Yes before No."""
    return tuple(item.traits.in_order(item.choices))


def _consequences(frozen: FrozenSurvey) -> list[str]:
    if frozen.import_only:
        return ["The responses come from files: how they were asked, and what was said then, is not known here."]
    loss, sensitive = losses_of(frozen), [(item.key, item.whole) for item in frozen.items if item.mechanism]
    open_to_all = [not_scrambled(nothing_is=not sensitive)] if len(sensitive) < len(frozen.items) else []
    if not sensitive:
        return open_to_all
    gets = [who_gets(frozen.draw, sensitive, frozen.conditional)] if frozen.draw else []
    together = [row_of_correlations(loss.one)] if loss.several else []
    return [in_numbers(loss), *gets, *together, *open_to_all]


def wording(frozen: FrozenSurvey) -> tuple[Passage, ...]:
    """What respondents read before and after the questions, in the first language of these."""
    if frozen.import_only:
        return ()
    with override(frozen.language):
        context = {"paper": frozen, "preview": False}
        parts = PARTS + (("declined",) if frozen.asks_consent else ())
        found = [
            passage for part in parts for passage in _read(render_to_string(f"respondent/parts/{part}.html", context))
        ]
    return tuple(passage for passage in found if passage.lines)


def _read(html: str) -> list[Passage]:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [Passage(heading, tuple(lines)) for heading, lines in reader.found]


class _Reader(HTMLParser):
    """The text of a page, a line for each block of it, in passages that begin where a fold does.

    Pictures are left out: the sentences around them say the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = [("", [])]
        self._words, self._heads = "", False
        self._hidden: list[str] = []  # open tags that nobody is read

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if self._hidden or tag in SILENT or has.get("aria-hidden") == "true":
            self._hidden += [] if tag in VOID else [tag]
        elif tag in BETWEEN and "data-when" not in has:  # of several sentences one is shown
            self._words += BETWEEN[tag] if self._words.strip() else ""
        elif tag not in INLINE or tag in BETWEEN:
            self._end()
        self._heads = self._heads or tag == "summary"

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if self._hidden[-1] == tag:
                self._hidden.pop()
        elif tag == "summary":
            self.found.append((" ".join(self._words.split()), []))
            self._words, self._heads = "", False
        elif tag in BETWEEN:
            self._words += " "
        elif tag not in INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._words += data

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        if (line := " ".join(self._words.split())) and not self._heads:
            self.found[-1][1].append(line)
            self._words = ""


def _storage(frozen: FrozenSurvey) -> list[str]:
    """What becomes of a response, from sending to its end."""
    return [
        *(_of_files() if frozen.import_only else _of_sending(frozen)),
        "Whoever has the right to rows may filter by background answers as they like and download the stored "
        "responses, row by row, in no order of arrival.",
        *_of_tickets(frozen),
        *_groups(frozen),
        _end(frozen),
        "Backups of the site are kept and deleted by whoever runs it.",
    ]


def _of_files() -> list[str]:
    return ["Responses are imported from files, and stored shuffled without the order of the file."]


def _of_sending(frozen: FrozenSurvey) -> list[str]:
    release = f"Responses are read once the survey is closed, if they are {LEAST} or more."
    if not frozen.results_after_closing:
        release = (
            f"While the survey is open results appear from {2 * LEAST} responses on and grow by {LEAST} or more at a "
            f"time; after it closes from {LEAST}."
        )
    known_by = "the ticket" if frozen.tickets else "a random key drawn for it alone"
    bare = "ticket is kept until the tickets are finished" if frozen.tickets else "key is kept for a day"
    return [
        f"A response is sent in one message: the SHA-256 of the questions, {known_by}, and a report for each question. "
        "Scrambled answers were scrambled on the device; the true ones never leave it. The message has the same length "
        "whatever was answered, and carries no cookie.",
        "It is stored without a name, account, address, browser or time. Until it is sealed it lies beside "
        f"{'its ticket' if frozen.tickets else 'its random key'}. From {LEAST} waiting on, and at a closing, responses "
        f"are shuffled and stored together without their keys; the bare {bare}, so that a message that comes twice "
        "counts once.",
        f"{release} What stays below that is never read.",
        "A single response cannot be found again, so it can neither be shown to its sender nor withdrawn.",
    ]


def _of_tickets(frozen: FrozenSurvey) -> list[str]:
    """What is stored of people who are invited, where only these can answer."""
    if frozen.tickets is None:
        return []
    steps = {
        "one": "People may answer right after they have taken a ticket: whoever watches or logs connections can then "
        "guess by time and address which response is whose. The site’s operator could also match a ticket with its "
        "answers until others have answered.",
        "two": "Tickets are given out until answers open, and none after that, so that no time of taking one leads to "
        "a response.",
    }
    return [
        "Only invited people can answer, each with a ticket, once. The list of invited people holds what the "
        "researchers put there, a label and an e-mail address at most, and a digest of each person’s code; and that a "
        "ticket was taken with it, without a time. It holds nothing about answers.",
        "The device draws the ticket, and the site signs it unseen (blind RSA, RFC 9474). Nobody can tell from a "
        "ticket whose it is, not even with the site’s keys, database and backups; so nobody can see who has answered.",
        steps[frozen.tickets.steps],
        "Mails to invited people are made while they are sent; of those that wait only recipient and kind are stored. "
        "After the closing the list, the codes and the key can be deleted for good.",
    ]


def _groups(frozen: FrozenSurvey) -> list[str]:
    background = [item for item in frozen.items if item.mechanism is None]
    if not background:
        return []
    if not frozen.cut:
        return ["Everybody else sees no groups by background answers, and no counts of them."]
    questions = listed([f"“{item.whole}”" for item in background if item.key in frozen.cut])
    return [
        f"Everybody else sees background answers only once the survey is closed, and only of {questions}, in groups of "
        f"{LEAST_IN_A_CELL} people or more."
    ]


def _end(frozen: FrozenSurvey) -> str:
    if frozen.delete_on is None:
        return "No day is named on which responses are deleted: they stay until the owner destroys the survey."
    return (
        f"On {day_of(frozen.delete_on)}, from 00:00 UTC on, the site closes the survey, if it is still open, and "
        "deletes every response by itself. The counts, the groups of the closing and the results computed by then stay."
    )


def _data_protection(frozen: FrozenSurvey) -> dict[str, str]:
    names = ("contact", "consent", "sender", *fields.names(Survey, part="data_protection", translatable=True))
    told = {name: str(text) for name in names if (text := getattr(frozen, name))}
    return told | ({"delete_on": frozen.delete_on.isoformat()} if frozen.delete_on else {})
