"""The codebook as archives take it: DDI-Codebook 2.5, https://ddialliance.org/Specification/DDI-Codebook/2.5/."""

from collections.abc import Iterable
from fractions import Fraction
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mechanisms import Mechanism
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.codebook import codebook
from surveys.export.columns import Column, all_columns, columns, one_line
from surveys.export.format import About

SPACE = "ddi:codebook:2_5"
SCRAMBLED = "Answers to sensitive questions were randomized on the respondents’ devices before they were sent."


def ddi(frozen: SurveyDefinition, tally: dict) -> str:
    root = Element("codeBook", {"xmlns": SPACE, "version": "2.5", "xml:lang": frozen.language})
    _study(root, frozen)
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
        _variable(data, column, identifiers[column.name], how[column.item.key])
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add(parent: Element, name: str, text: str, **attributes: str) -> Element:
    made = SubElement(parent, name, attributes)
    made.text = one_line(text)
    return made


def _study(root: Element, frozen: SurveyDefinition) -> None:
    study = SubElement(root, "stdyDscr")
    title = SubElement(SubElement(study, "citation"), "titlStmt")
    _add(title, "titl", frozen.title)
    _add(title, "IDNo", frozen.sha256, agency="SHA-256 of the instrument")
    if frozen.introduction:
        _add(SubElement(study, "stdyInfo"), "abstract", frozen.introduction)
    _add(SubElement(SubElement(study, "method"), "dataColl"), "collMode", SCRAMBLED)


def _file(root: Element, frozen: SurveyDefinition, tally: dict) -> None:
    text = SubElement(SubElement(root, "fileDscr", {"ID": "F1"}), "fileTxt")
    _add(text, "fileName", "responses.csv")
    size = SubElement(text, "dimensns")
    _add(size, "caseQnty", str(tally["n"]))
    _add(size, "varQnty", str(len(all_columns(frozen))))
    _add(text, "fileType", "text/csv", charset="UTF-8")


def _variable(data: Element, column: Column, identifier: str, how: str) -> None:
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
    _add(made, "labl", column.label())
    question = SubElement(made, "qstn")
    _add(question, "qstnLit", column.item.full_text)
    if column.item.help:
        _add(question, "ivuInstr", column.item.help)
    first, last = column.ends
    SubElement(SubElement(made, "valrng"), "range", {"min": str(first), "max": str(last)})
    if column.item.condition_text:
        _add(made, "universe", f"Asked only if {column.item.condition_text}")
    _add(made, "txt", _told(column.item, how))
    for value, label in column.labels.items():
        category = SubElement(made, "catgry")
        _add(category, "catValu", str(value))
        _add(category, "labl", label)
    SubElement(made, "varFormat", {"type": "numeric"})


def _nature(column: Column) -> str:
    return "interval" if column.level == "scale" else column.level


def _told(item: QuestionDefinition, how: str) -> str:
    """How it was made, and how to correct for it; the numbers stand in codebook.json. Archives show Markdown unread."""
    told = f"{item.mechanism.title}. {_chances(item.mechanism)} {how}" if item.mechanism else how
    return told.replace("`", "")


def _chances(mechanism: Mechanism) -> str:
    """In sentences: a row of a table becomes one."""
    lines = mechanism.describe_probabilities()
    if any(line.startswith("|") for line in lines):
        rows = enumerate(mechanism.probabilities())
        lines = [f"For the true code {truth}: {_row(row)}." for truth, row in rows]
    return " ".join(lines)


def _row(chances: Iterable[Fraction]) -> str:
    return ", ".join(
        f"{code} is reported with probability {chance}" for code, chance in enumerate(chances)
    )


class Ddi(About):
    name = "codebook.xml"
    title = "Codebook for archives: DDI-Codebook 2.5"
    media_type = "application/xml"
    text = staticmethod(ddi)
