"""What an ethics board or a data protection officer asks for, of a draft as of a published survey: one object, which
a page prints and the API gives as JSON.

What respondents read is taken from the very templates of their page, so that it cannot say something else.
"""

import json
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import override

from features.ethics_document.page_text import Passage, read
from mechanisms import odds_percent
from surveys.authoring.planning.uniqueness import sentences_for_a_board
from surveys.definition import fields
from surveys.definition.freezing import LEAST_IN_A_CELL
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.protection import Losses, definition_losses
from surveys.definition.protection_wording import (
    NOT_SCRAMBLED,
    grade_text,
    guess_rates_text,
    not_scrambled_text,
    row_of_correlations,
    who_gets,
)
from surveys.fieldwork.link import current_definition
from surveys.fieldwork.responses.release import LEAST_IN_A_RELEASE as LEAST
from surveys.models import Question, Survey
from surveys.site.number_format import day_of, epsilon_in_view, finite_or_none, join_with_and
from surveys.site.shape import ApiResult, api_field

PARTS = (
    "introduction",
    "protection",
    "begin",
    "sent",
)  # of a respondent's page, in the order in which they are read
INVENTED = "Some or all of the responses are invented: a simulation sent them."
LONGEST_ANSWERS = 32  # characters of a cell


@dataclass(frozen=True)
class Asked(ApiResult):
    """A question."""

    key: str = api_field()
    text: str = api_field()
    help: str = api_field()
    kind: str = api_field()
    choices: tuple[str, ...] = api_field("as respondents see them")
    design: str = api_field("in words")
    epsilon: float | None = api_field("null where there is no limit, or no design")
    consequence: str = api_field("what its scrambled answer means")
    odds: str = api_field("as respondents read it; empty where it is not scrambled")
    chances: tuple[str, ...] = api_field("of every scrambled answer, in Markdown")
    whom: str = api_field("who gets it; empty: everyone")
    short: str = api_field("its short name")
    answers: str = api_field("the answers in a few words")
    times: int | None = api_field(
        "in 100, a guess from this answer alone is right at most; null: no limit, or not scrambled"
    )
    codes: tuple[str, ...] = api_field(
        "the answers in the order of their codes, by which the chances name them"
    )

    @property
    def blocks(self) -> list["Block"]:
        """The chances without Markdown: sentences, and tables."""
        return _blocks(self.chances, self.codes)


@dataclass(frozen=True)
class Block:
    """A sentence, or a table with its head."""

    sentence: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Fact(ApiResult):
    """A row of the summary for the board."""

    name: str = api_field()
    lines: tuple[str, ...] = api_field()


@dataclass(frozen=True)
class Ethics(ApiResult):
    survey: str = api_field()
    title: str = api_field()
    is_published: bool = api_field()
    sha256: str = api_field("of the published questions, or of those of the draft")
    epsilon: float | None = api_field("total privacy loss per respondent; null: no limit")
    questions: tuple[Asked, ...] = api_field()
    consequences: tuple[str, ...] = api_field()
    wording: dict[str, tuple[Passage, ...]] = api_field(
        "language -> what respondents read, passage by passage"
    )
    storage: tuple[str, ...] = api_field()
    data_protection: dict[str, str] = api_field()
    instrument: dict[str, Any] = api_field("all that respondents get, or would get")
    about: tuple[Fact, ...] = api_field("who asks, what for, who answers, deletion, help")
    privacy_loss: str = api_field(
        "the total, and of one answer, in words; empty where nothing is scrambled"
    )
    first_screen: tuple[str, ...] = api_field("what respondents read first, in the first language")


def bundle(survey: Survey) -> Ethics:
    """Raises surveys.site.errors.Refused for a draft that could not be published as it is."""
    frozen = current_definition(survey)
    spoken = [frozen.in_language(code) for code in frozen.languages]
    reason = "" if survey.is_draft else survey.reason
    return Ethics(
        survey=frozen.survey,
        title=frozen.title,
        is_published=not survey.is_draft,
        sha256=frozen.sha256,
        epsilon=finite_or_none(frozen.epsilon),
        questions=tuple(_asked(item, import_only=frozen.import_only) for item in frozen.items),
        consequences=(
            *_consequences(frozen),
            *sentences_for_a_board(survey, frozen),
            *([f"The reason for this protection: {reason}"] if reason else []),
        ),
        wording={each.language: wording(each) for each in spoken},
        storage=(*_storage(frozen), *([INVENTED] if survey.invented else [])),
        data_protection=_data_protection(frozen),
        instrument=json.loads(frozen.content),
        about=tuple(Fact(name, lines) for name, lines in _about(frozen).items() if any(lines)),
        privacy_loss=_privacy_loss(definition_losses(frozen)),
        first_screen=() if frozen.import_only else _first_screen(spoken[0]),
    )


def _asked(item: QuestionDefinition, *, import_only: bool) -> Asked:
    scrambled: dict[str, Any] = {
        "design": NOT_SCRAMBLED.lower(),
        "epsilon": None,
        "consequence": "It could identify someone.",
        "odds": "",
        "chances": (),
        "times": None,
    }
    if mechanism := item.mechanism:
        scrambled = {
            "design": mechanism.title,
            "epsilon": finite_or_none(item.epsilon),
            "consequence": _consequence(item),
            "odds": "" if import_only else _odds(item),
            "chances": tuple(line for line in mechanism.describe_probabilities() if line),
            "times": odds_percent(item.epsilon) if mechanism.publishable else None,
        }
    return Asked(
        key=item.key,
        text=item.full_text,
        help=item.help,
        kind=Question.Kind(item.kind).label,
        choices=_shown(item),
        whom=item.condition_text,
        short=item.short,
        answers=_answers(item),
        codes=tuple(item.choices),
        **scrambled,
    )


def _answers(item: QuestionDefinition) -> str:
    """All of them where they are few and short, the ends of a number or scale, else how many."""
    choices = _shown(item)
    if item.is_written:
        return "Short text"
    if len(all_ := ", ".join(choices)) <= LONGEST_ANSWERS:
        return all_
    if item.traits.is_number:
        numbers = [choice for code, choice in enumerate(item.choices) if code != item.decline_code]
        return f"{numbers[0]} to {numbers[-1]}"
    return f"{len(choices)} answers"


def _consequence(item: QuestionDefinition) -> str:
    if not item.mechanism.publishable:
        return "Some answers received prove the true answer."
    loss = Losses(item.epsilon, item.epsilon)
    return f"Someone who sees this answer alone has {grade_text(item.epsilon)}. {guess_rates_text(loss)}"


def _odds(item: QuestionDefinition) -> str:
    html = render_to_string("respondent/parts/odds.html", {"item": item})
    return " ".join(line for passage in read(html) for line in passage.lines)


def _shown(item: QuestionDefinition) -> tuple[str, ...]:
    """The answers as respondents see them: Yes before No."""
    return tuple(item.traits.in_order(item.choices))


def _consequences(frozen: SurveyDefinition) -> list[str]:
    if frozen.import_only:
        return [
            "The responses come from files. Candor doesn’t know how people were asked, or what they read."
        ]
    loss, sensitive = (
        definition_losses(frozen),
        [(item.key, item.full_text) for item in frozen.items if item.mechanism],
    )
    open_to_all = (
        [not_scrambled_text(nothing_is=not sensitive)] if len(sensitive) < len(frozen.items) else []
    )
    if not sensitive:
        return open_to_all
    gets = [who_gets(frozen.draw, sensitive, frozen.keys_with_condition)] if frozen.draw else []
    together = [row_of_correlations(loss.one)] if loss.has_several_answers else []
    return [guess_rates_text(loss), *gets, *together, *open_to_all]


def _privacy_loss(loss: Losses) -> str:
    if not loss.one:
        return ""
    one, together = (epsilon_in_view(each, 2) for each in (loss.one, loss.together))
    if not loss.has_several_answers:
        return f"Privacy loss ε = {one}."
    return f"One answer: privacy loss ε = {one}. All answers together: privacy loss ε = {together}."


def _blocks(lines: tuple[str, ...], codes: tuple[str, ...]) -> list[Block]:
    """The chances of a mechanism, which are lines of Markdown; each row of a table says which answer its code means."""
    blocks: list[Block] = []
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        if not is_table:
            blocks += [Block(line) for line in group]
            continue
        head, _, *rows = (
            tuple(cell.strip() for cell in line.strip("|").split("|")) for line in group
        )
        named = [
            (f"{row[0]} = {answer}", *row[1:]) for row, answer in zip(rows, codes, strict=True)
        ]
        blocks.append(Block(head=head, rows=tuple(named)))
    return blocks


def _about(frozen: SurveyDefinition) -> dict[str, tuple[str, ...]]:
    anyone = (
        "Invited people, each once, with a ticket." if frozen.tickets else "Anyone with the link."
    )
    agree = "People agree before they start, or do not take part." if frozen.asks_consent else ""
    answers = ("The responses come from files.",) if frozen.import_only else (anyone, agree)
    end = f"{day_of(frozen.delete_on)}. Results stay." if frozen.delete_on else "No date is set."
    facts = {
        "Who asks": (frozen.sender, frozen.controller, frozen.contact),
        "What for": (frozen.purpose or frozen.introduction,),
        "Legal basis": (frozen.legal_basis,),
        "Data protection officer": (frozen.officer,),
        "Rights": (frozen.rights,),
        "Who answers": answers,
        "Consent": (frozen.consent,),
        "Deletion": (end,),
        "Help": (frozen.help_lines,),
    }
    return {
        name: tuple(dict.fromkeys(line for line in lines if line)) for name, lines in facts.items()
    }


def _first_screen(frozen: SurveyDefinition) -> tuple[str, ...]:
    scrambled = [item for item in frozen.items if item.mechanism]
    overview = {
        "protection": definition_losses(frozen),
        "has_background": len(scrambled) < len(frozen.items),
    }
    context = {"survey": frozen, "overview": overview, "claimed": scrambled}
    html = render_to_string("workspace/parts/first_screen.html", context)
    return tuple(line for passage in read(html) for line in passage.lines)


def wording(frozen: SurveyDefinition) -> tuple[Passage, ...]:
    """What respondents read before and after the questions, in the first language of these."""
    if frozen.import_only:
        return ()
    with override(frozen.language):
        context = {"paper": frozen, "preview": False}
        parts = PARTS + (("declined",) if frozen.asks_consent else ())
        pages = [render_to_string(f"respondent/parts/{part}.html", context) for part in parts]
    return tuple(passage for html in pages for passage in read(html) if passage.lines)


def _storage(frozen: SurveyDefinition) -> list[str]:
    """What becomes of a response, from sending to its end."""
    return [
        *(_of_files() if frozen.import_only else _of_sending(frozen)),
        "People with row access may filter by any background answer. They may download the stored responses row by "
        "row, in no order of arrival.",
        *_of_tickets(frozen),
        *_groups(frozen),
        _end(frozen),
        "The site’s operator keeps and deletes backups of the site.",
    ]


def _of_files() -> list[str]:
    return [
        "Responses are imported from files. They are stored shuffled, without the order of the file."
    ]


def _of_sending(frozen: SurveyDefinition) -> list[str]:
    release = f"Responses are read once the survey is closed, if they are {LEAST} or more."
    if not frozen.results_after_closing:
        release = (
            f"While the survey is open results appear from {2 * LEAST} responses on and grow by {LEAST} or more at a "
            f"time; after it closes from {LEAST}."
        )
    known_by = "the ticket" if frozen.tickets else "a random key drawn for it alone"
    bare = (
        "ticket is kept until the tickets are finished"
        if frozen.tickets
        else "key is kept for a day"
    )
    return [
        f"A response is sent in one message: the SHA-256 of the questions, {known_by}, and a report for each question. "
        "Scrambled answers are scrambled on the device, which does not send the true ones. The message has the same "
        "length for all answers, and carries no cookie.",
        "It is stored without a name, account, address, browser or time. Until it is sealed it lies beside "
        f"{'its ticket' if frozen.tickets else 'its random key'}. From {LEAST} waiting on, and at a closing, responses "
        f"are shuffled and stored together without their keys. The bare {bare}: a message that comes twice counts "
        "once.",
        f"{release} If fewer than {LEAST} came last, they stay hidden.",
        "A single response cannot be found again. It cannot be shown to its sender, and it cannot be withdrawn.",
    ]


def _of_tickets(frozen: SurveyDefinition) -> list[str]:
    """What is stored of people who are invited, where only these can answer."""
    if frozen.tickets is None:
        return []
    steps = {
        "one": "People may answer right after they take a ticket. Someone who watches or logs connections can then "
        "guess by time and address which response is whose. The site’s operator could also match a ticket with its "
        "answers until others have answered.",
        "two": "Tickets are given out until answers open, and none after that. The time at which someone takes one "
        "does not lead to a response.",
    }
    return [
        "Only invited people can answer, each with a ticket, once. The list of invited people holds what the "
        "researchers enter, a label and an e-mail address at most, and a digest of each person’s code. It says that a "
        "ticket was taken, without a time. It holds nothing about answers.",
        "The device draws the ticket, and the site signs it unseen (blind RSA, RFC 9474). A ticket does not show "
        "whose it is, even to someone with the site’s keys, database and backups. Who has answered is not stored.",
        steps[frozen.tickets.steps],
        "Mails to invited people are made while they are sent. Of those that wait, recipient and kind are stored. "
        "After the closing the list, the codes and the key can be deleted for good.",
    ]


def _groups(frozen: SurveyDefinition) -> list[str]:
    background = [item for item in frozen.items if item.mechanism is None]
    if not background:
        return []
    if not frozen.cut:
        return ["Everyone else sees no groups by background answers, and no counts of them."]
    questions = join_with_and(
        [f"“{item.full_text}”" for item in background if item.key in frozen.cut]
    )
    return [
        f"Everyone else sees background answers only after the survey closes, and only of {questions}, in groups of "
        f"{LEAST_IN_A_CELL} people or more."
    ]


def _end(frozen: SurveyDefinition) -> str:
    if frozen.delete_on is None:
        return "No date of deletion is set. Responses stay until the owner deletes the survey."
    return (
        f"On {day_of(frozen.delete_on)}, from 00:00 UTC, the site closes the survey if it is still open, and deletes "
        "every response. The counts, report groups and results computed by then stay."
    )


def _data_protection(frozen: SurveyDefinition) -> dict[str, str]:
    names = (
        "contact",
        "consent",
        "sender",
        *fields.names(Survey, part="data_protection", translatable=True),
    )
    told = {name: str(text) for name in names if (text := getattr(frozen, name))}
    return told | ({"delete_on": frozen.delete_on.isoformat()} if frozen.delete_on else {})
