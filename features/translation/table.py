"""The texts of a draft as a table for whoever translates: place, key, field, choice, a column for each language."""

import csv
import io
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.drafts.languages import Address, translate
from surveys.definition.status import require_draft
from surveys.definition.text_places import Place, iter_texts
from surveys.models import Survey
from surveys.site.errors import Invalid, Unreadable
from surveys.site.files import untrusted
from surveys.site.files.formulas import escape_formulas, unescape_formulas
from surveys.site.files.rows import rows
from surveys.site.files.sizes import too_large_message

BOM = "\ufeff"  # by which some spreadsheets know UTF-8
LARGEST = 1_900_000  # bytes: 20,000 choices, in a few languages
NAMED = ("place", "key", "field", "choice")


def as_csv(survey: Survey) -> str:
    file = io.StringIO(newline="")
    table = csv.DictWriter(file, [*NAMED, *survey.languages])
    table.writeheader()
    for place in iter_texts(survey):
        table.writerow(_csv_row(survey, place))
    return BOM + file.getvalue()


def _csv_row(survey: Survey, place: Place) -> dict[str, object]:
    row: dict[str, object] = {
        "place": str(place),
        "key": place.key,
        "field": place.name,
        "choice": place.choice or "",
        survey.language: escape_formulas(str(place.text)),
    }
    for language in survey.further_languages:
        row[language] = escape_formulas(place.text.others.get(language, ""))
    return row


def take(survey: Survey, content: bytes, by: AbstractBaseUser | None = None) -> int:
    """The texts of a table that as_csv() made and somebody filled in; how many are new.

    All or nothing: raises Unreadable, whose lines name each row and column that is wrong. An empty cell leaves what is
    there.
    """
    require_draft(survey)
    if len(content) > LARGEST:
        raise Unreadable(too_large_message(LARGEST))
    header, *lines = untrusted.read_in_child(rows, content)
    columns = _columns(survey, header["cells"])
    places_by_address = {place.address: place for place in iter_texts(survey)}
    texts: dict[Address, dict[str, str]] = {}
    numbers: dict[Address, int] = {}
    wrong = []
    for line in lines:
        said = dict(zip(columns, line["cells"], strict=False))
        address, problem = _address(said), ""
        place = places_by_address.get(address)
        if place is None:
            problem = "the survey has no such text"
        elif address in texts:
            problem = f"this text is already in row {numbers[address]}"
        elif _changed(place, said.get(survey.language, "")):
            problem = f"column {survey.language}: the survey says “{place.text[:60]}” here. Download the table again"
        if problem:
            wrong.append(
                f"Row {line['row']}, {' '.join(str(each) for each in address if each)[:80]}: {problem}."
            )
        texts[address] = {
            code: unescape_formulas(said[code])
            for code in survey.further_languages
            if said.get(code)
        }
        numbers[address] = line["row"]
    if wrong:
        raise Unreadable(*wrong)
    return _taken(survey, texts, numbers, by)


def _taken(
    survey: Survey,
    texts: dict[Address, dict[str, str]],
    numbers: dict[Address, int],
    by: AbstractBaseUser | None,
) -> int:
    try:
        return translate(survey=survey, texts=texts, by=by)
    except Invalid as error:
        rows = {
            place.id(code): f"Row {numbers[place.address]}, column {code}"
            for place in iter_texts(survey)
            for code in texts.get(place.address, ())
        }
        raise Unreadable(
            *(f"{rows[where]}: {said}" for where, said in error.errors.items())
        ) from None


def _columns(survey: Survey, header: list[str]) -> list[str]:
    """What each column holds. Raises Unreadable where one is missing, twice, or of nothing here."""
    columns = [heading.strip().lower() for heading in header]
    allowed = {*NAMED, *survey.languages}
    wrong = [f"Row 1: there is no column “{name}”." for name in NAMED[1:] if name not in columns]
    for name in dict.fromkeys(name for name in columns if name):
        if columns.count(name) > 1:
            wrong.append(f"Row 1: the column “{name[:40]}” appears twice.")
        elif name not in allowed:
            why = (
                "is a language that the survey does not have; add it first"
                if name in Survey.Language.values
                else "is not a known column"
            )
            wrong.append(f"Row 1: the column “{name[:40]}” {why}.")
    if not set(columns) & {*survey.further_languages}:
        wrong.append(
            f"Row 1: there is no column of a further language ({', '.join(survey.further_languages)})."
        )
    if wrong:
        raise Unreadable(*wrong)
    return columns


def _address(said: dict[str, Any]) -> Address:
    number = said.get("choice", "").strip().removesuffix(".0")
    choice = (
        int(number)
        if number.isascii() and number.isdecimal() and len(number) < 6
        else -1
        if number
        else 0
    )
    return said.get("key", "").strip(), said.get("field", "").strip(), choice


def _changed(place: Place, first: str) -> bool:
    """Whether a text in the first language, which may be left empty, is another than the survey's."""
    return bool(first) and unescape_formulas(first).split() != place.text.split()
