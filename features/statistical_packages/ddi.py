"""The codebook as archives take it: DDI-Codebook 2.5.

See https://ddialliance.org/Specification/DDI-Codebook/2.5/.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mechanisms import Mechanism
from surveys.accounts.history import What
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import definition_for_readers
from surveys.export.codebook import answered, codebook
from surveys.export.columns import Column, Holds, all_columns, columns, one_line
from surveys.export.format import About
from surveys.export.scrambled import NOTE, has_scrambled, marked_label
from surveys.fieldwork.responses import packed_counts
from surveys.fieldwork.tickets.invitees import counts
from surveys.models import Event, Instrument, Survey

if TYPE_CHECKING:
    from django.db.models import QuerySet

SPACE = "ddi:codebook:2_5"
SCRAMBLED = "Answers to sensitive questions were randomized on the respondents’ devices before they were sent."


@dataclass(frozen=True)
class Fieldwork:
    """When and from whom the responses came.

    first_day, last_day: the days on which the survey opened and closed, or None.
    invited: how many people were invited; None if anyone with the link could answer.
    """

    first_day: date | None = None
    last_day: date | None = None
    invited: int | None = None


def fieldwork_of(survey: Survey) -> Fieldwork:
    """Return when and from whom the responses of a published survey came."""
    events = Event.objects.filter(survey=survey)
    opened = survey.opens or _event_time(events.filter(what=What.PUBLISHED))
    closed = _event_time(events.filter(what=What.CLOSED).order_by("-pk"))
    closed = closed if survey.status == Survey.Status.CLOSED else survey.closes
    invited = counts(survey).invited if survey.tickets else None
    return Fieldwork(first_day=_day(opened), last_day=_day(closed), invited=invited)


def ddi(
    frozen: SurveyDefinition,
    tally: dict,
    fieldwork: Fieldwork | None = None,
    *,
    has_counts: bool = False,
) -> str:
    """Return the codebook in XML.

    tally: of the responses that it goes with.
    fieldwork: when and from whom they came.
    has_counts: the received counts of categories are included.
    """
    root = Element("codeBook", {"xmlns": SPACE, "version": "2.5", "xml:lang": frozen.language})
    _study(root, frozen, fieldwork or Fieldwork(), tally["n"])
    _file(root, frozen, tally)
    data = SubElement(root, "dataDscr")
    own = all_columns(frozen)
    identifiers = {column.name: f"V{number}" for number, column in enumerate(own, 1)}
    several = [
        (item, each)
        for item, each in zip(frozen.items, columns(frozen).values(), strict=True)
        if each[1:]
    ]
    for number, (item, each) in enumerate(several, 1):
        kind = "multipleResp" if item.is_string else "other"
        members = " ".join(identifiers[column.name] for column in each)
        _add(
            SubElement(data, "varGrp", {"ID": f"G{number}", "type": kind, "var": members}),
            "labl",
            item.full_text,
        )
    how = {each["name"]: each["how_to_correct"] for each in codebook(frozen)["variables"]}
    for column in own:
        variable = _variable(data, column, identifiers[column.name], how[column.item.key])
        if has_counts:
            _add_counts(variable, column, tally)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add(parent: Element, name: str, text: str, **attributes: str) -> Element:
    made = SubElement(parent, name, attributes)
    made.text = one_line(text)
    return made


def _study(root: Element, frozen: SurveyDefinition, fieldwork: Fieldwork, n: int) -> None:
    """Add what is said of the study. Elements come in the order of the schema.

    n: the number of responses.
    """
    study = SubElement(root, "stdyDscr")
    _citation(study, frozen)
    if frozen.introduction or fieldwork.first_day:
        _about_content(study, frozen, fieldwork)
    method = SubElement(study, "method")
    collection = SubElement(method, "dataColl")
    if fieldwork.invited is not None:
        target = SubElement(collection, "targetSampleSize")
        _add(target, "sampleSize", str(fieldwork.invited))
    if has_scrambled(frozen):
        _add(collection, "collMode", SCRAMBLED)
    else:
        _add(collection, "collMode", "Web survey")
    if fieldwork.invited:
        rate = f"{n:,} of {fieldwork.invited:,} invited people ({n / fieldwork.invited:.1%})"
        _add(SubElement(method, "anlyInfo"), "respRate", rate)
    if has_scrambled(frozen):
        _add(study, "notes", NOTE, type="randomized response")


def _citation(study: Element, frozen: SurveyDefinition) -> None:
    """Add title, author, producer and contact of the study."""
    citation = SubElement(study, "citation")
    title = SubElement(citation, "titlStmt")
    _add(title, "titl", frozen.title)
    _add(title, "IDNo", frozen.sha256, agency="SHA-256 of the instrument")
    if frozen.sender:
        _add(SubElement(citation, "rspStmt"), "AuthEnty", frozen.sender)
        _add(SubElement(citation, "prodStmt"), "producer", frozen.sender)
    if frozen.contact:
        _add(SubElement(citation, "distStmt"), "contact", frozen.contact)


def _about_content(study: Element, frozen: SurveyDefinition, fieldwork: Fieldwork) -> None:
    """Add the introduction, and the days on which the survey opened and closed."""
    info = SubElement(study, "stdyInfo")
    if frozen.introduction:
        _add(info, "abstract", frozen.introduction)
    days = {"start": fieldwork.first_day, "end": fieldwork.last_day}
    days = {event: day for event, day in days.items() if day is not None}
    if days:
        summary = SubElement(info, "sumDscr")
        for event, day in days.items():
            _add(summary, "collDate", day.isoformat(), date=day.isoformat(), event=event)


def _event_time(events: "QuerySet[Event]") -> datetime | None:
    event = events.first()
    return event.when if event else None


def _day(time: datetime | None) -> date | None:
    return time.date() if time else None


def _add_counts(variable: Element, column: Column, tally: dict) -> None:
    """Add to each category how often it was received."""
    item = column.item
    counts_of_item = packed_counts.unpack(tally["counts"][item.key]) if tally["n"] else []
    if not len(counts_of_item):
        return
    if column.holds is Holds.CODE:
        frequencies = counts_of_item.tolist()
    elif column.holds is Holds.MARK and not item.report_format.spreads:
        marked = int(counts_of_item[column.place])
        frequencies = [answered(item, tally) - marked, marked]
    else:
        return
    for category, frequency in zip(variable.findall("catgry"), frequencies, strict=False):
        _add(category, "catStat", str(frequency), type="freq")


def _file(root: Element, frozen: SurveyDefinition, tally: dict) -> None:
    text = SubElement(SubElement(root, "fileDscr", {"ID": "F1"}), "fileTxt")
    _add(text, "fileName", "responses.csv")
    size = SubElement(text, "dimensns")
    _add(size, "caseQnty", str(tally["n"]))
    _add(size, "varQnty", str(len(all_columns(frozen))))
    _add(text, "fileType", "text/csv", charset="UTF-8")


def _variable(data: Element, column: Column, identifier: str, how: str) -> Element:
    """Add what is said of a column, and return it."""
    kind = "contin" if column.level == "scale" else "discrete"
    about = {
        "ID": identifier,
        "name": column.name,
        "files": "F1",
        "dcml": "0",
        "intrvl": kind,
        "nature": _nature(column),
    }
    made = SubElement(data, "var", about)
    _add(made, "labl", marked_label(column))
    question = SubElement(made, "qstn")
    _add(question, "qstnLit", column.item.full_text)
    if column.item.help:
        _add(question, "ivuInstr", column.item.help)
    if not column.is_text:
        first, last = column.ends
        SubElement(SubElement(made, "valrng"), "range", {"min": str(first), "max": str(last)})
    if column.item.condition_text:
        _add(made, "universe", f"Asked only if {column.item.condition_text}")
    _add(made, "txt", _told(column, how))
    for value, label in column.labels.items():
        category = SubElement(made, "catgry")
        _add(category, "catValu", str(value))
        _add(category, "labl", label)
    value_type = "character" if column.is_text else "numeric"
    SubElement(made, "varFormat", {"type": value_type})
    return made


def _nature(column: Column) -> str:
    return "interval" if column.level == "scale" else column.level


def _told(column: Column, how: str) -> str:
    """How it was made, and how to correct for it; the numbers stand in codebook.json. Archives show Markdown unread."""
    mechanism = column.item.mechanism
    if mechanism is None:
        return how.replace("`", "")
    return f"{mechanism.title}. {_chances(column, mechanism)} {how}".replace("`", "")


def _chances(column: Column, mechanism: Mechanism) -> str:
    """In sentences: a row of a table becomes one."""
    lines = mechanism.describe_probabilities()
    if any(line.startswith("|") for line in lines):
        rows = mechanism.probabilities()
        values: Sequence[int | str] = range(len(rows))
        if column.holds is Holds.CODE:
            values = column.answer_values
        lines = []
        for truth, row in zip(values, rows, strict=True):
            lines.append(f"For the true answer {truth}: {_row(values, row)}.")
    return " ".join(lines)


def _row(values: Iterable[int | str], chances: Iterable[Fraction]) -> str:
    """The probability with which each value is reported."""
    pairs = zip(values, chances, strict=True)
    return ", ".join(f"{value} is reported with probability {chance}" for value, chance in pairs)


class Ddi(About):
    name = "codebook.xml"
    title = "Codebook for archives: DDI-Codebook 2.5"
    media_type = "application/xml"
    text = staticmethod(ddi)

    @classmethod
    def content(cls, instrument: Instrument, tally: dict, *, has_rows: bool) -> str:
        return ddi(
            definition_for_readers(instrument),
            tally,
            fieldwork_of(instrument.survey),
            has_counts=has_rows,
        )
