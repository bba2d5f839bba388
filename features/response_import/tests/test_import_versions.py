"""Files that this site wrote come back the same, those of before numbers left as numbers, and those since."""

import csv
import io

import numpy as np
import pytest

from features.response_import.tests.import_files import problems, send, tally
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.definition.parsing import parse_instrument
from surveys.export import decoded
from surveys.export.columns import all_columns
from surveys.fieldwork import lifecycle
from surveys.fieldwork.responses.records import wire_reports
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid
from tests.factories import import_surveys, surveys
from tests.factories.import_surveys import add_import_questions
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import export_file

pytestmark = pytest.mark.django_db
DECLINED = {"kind": "number", "minimum": "18", "maximum": "97", "decline": True}


def asked(*, marks: bool = True) -> Survey:
    """With numbers that may be declined, and with marks or without."""
    survey = create_survey(
        owner=surveys.create_researcher(f"ada{Survey.objects.count()}"),
        title="Here",
        import_only=True,
    )
    if marks:
        add_import_questions(survey)
    else:
        save_question(
            survey=survey,
            text="Taxes?",
            key="tax",
            kind="yes-no",
            design="warner",
            parameters={"p": "3/4"},
        )
    save_question(survey=survey, text="Since?", key="since", **DECLINED)
    lifecycle.lock_questions(survey, survey.owner)
    survey.refresh_from_db()
    return survey


@pytest.fixture
def filled() -> Instrument:
    instrument = asked().instrument
    add_invented_responses(instrument, 500, missing=0.05)
    return instrument


def older(instrument: Instrument) -> bytes:
    """responses.csv as it was written when its codebook had no version."""
    frozen, file = parse_instrument(instrument), io.StringIO(newline="")
    rows = np.concatenate(list(decoded(instrument)))
    table = csv.writer(file)
    table.writerow(item.key for item in frozen.items)
    table.writerows(zip(*(wire_reports(frozen, rows, item) for item in frozen.items), strict=True))
    return file.getvalue().encode()


@pytest.mark.parametrize(
    "name",
    [
        *("responses.csv", "responses-excel.csv", "responses.xlsx"),
        *("responses.parquet", "responses-packed.parquet", "responses.sav", "responses.dta"),
    ],
)
def test_every_table_comes_back_without_a_question(filled: Instrument, name: str) -> None:
    again = asked()
    has_bare_codes = name == "responses.csv"
    send(again, export_file(filled, name), {"version": 3} if has_bare_codes else None)
    assert tally(again) == Instrument.objects.get(pk=filled.pk).tally


def test_a_file_of_before_comes_back_too(filled: Instrument) -> None:
    again = asked()
    send(again, older(filled), {"version": 1})
    assert tally(again) == Instrument.objects.get(pk=filled.pk).tally


def test_numbers_are_the_value_unless_the_codebook_is_of_version_1() -> None:
    """Ages from 18 to 79 can be codes of 36 to 97, too."""
    source = asked(marks=False).instrument
    add_invented_responses(source, 300)
    before, now = older(source), export_file(source, "responses-excel.csv")
    assert before.splitlines()[0] == b"tax,since"
    for data, mapping in ((before, {"version": 1}), (now, {"version": 2}), (now, None)):
        again = asked(marks=False)
        send(again, data, mapping)
        assert tally(again)["counts"] == Instrument.objects.get(pk=source.pk).tally["counts"]


@pytest.mark.parametrize(("version", "code"), [(None, 2), (2, 2), (1, 20)])
def test_no_header_makes_codes_of_numbers(version: int | None, code: int) -> None:
    """Picked marks have had columns of their own since ever, so that both versions have the same names of columns."""
    survey = surveys.create_draft(surveys.create_researcher("eve"), import_only=True)
    surveys.add_choice(survey, "fruit", surveys.FRUIT, design="marks", parameters={"epsilon": "1"})
    surveys.add_background(survey, "age", ())
    survey.questions.filter(key="fruit").update(kind="any")
    survey.questions.filter(key="age").update(kind="number", minimum=18, maximum=99)
    lifecycle.lock_questions(survey, survey.owner)
    survey.refresh_from_db()
    frozen = parse_instrument(survey.instrument)
    marks = ",".join(
        "1" if place < frozen.items[0].report_format.pick else "" for place in range(4)
    )
    names = ",".join(column.name for column in all_columns(frozen))
    send(survey, f"{names}\n{marks},20\n{marks},40\n".encode(), version and {"version": version})
    assert tally(survey)["counts"]["age"][code] == 1


@pytest.mark.parametrize("name", ["responses.csv", "responses.parquet"])
def test_a_codebook_says_whether_cells_have_codes_from_0_or_values(
    name: str,
) -> None:
    """Neither a missing 0 nor −99 for “Prefer not to say” is asked for. A Parquet file has its codebook inside."""
    choices = {"kind": "background", "choices": ["North", "East", "South"], "decline": True}
    source, again = (
        import_surveys.create_one_question_survey(surveys.create_researcher(reader), **choices)
        for reader in ("ada", "eve")
    )
    send(source, b"q\n1\n2\n3\n3\n", {"version": 2})
    assert tally(source)["counts"] == {"q": [0, 1, 1, 2]}
    send(
        again,
        export_file(source.instrument, name),
        None if name.endswith("parquet") else {"version": 3},
    )
    assert tally(again) == tally(source)


@pytest.mark.parametrize("name", ["responses.csv", "responses.parquet"])
def test_values_that_are_labels_of_other_answers_stay_values(name: str) -> None:
    """Answers called 0, 1 and 2 have the values 1, 2 and 3."""
    choices = {"kind": "background", "choices": ["0", "1", "2"], "decline": False}
    source, again = (
        import_surveys.create_one_question_survey(surveys.create_researcher(reader), **choices)
        for reader in ("ada", "eve")
    )
    send(source, b"q\n0\n1\n1\n", {"version": 2})
    mapping = None if name.endswith("parquet") else {"version": 3}

    send(again, export_file(source.instrument, name), mapping)

    assert tally(again)["counts"] == {"q": [1, 2, 0]}


@pytest.mark.parametrize("number", [4, "2", True])
def test_another_version_is_refused(number: object) -> None:
    with pytest.raises(Invalid, match="1, 2 or 3"):
        send(asked(), b"", {"version": number})


def test_a_number_beside_declining_is_wrong() -> None:
    survey = asked(marks=False)
    data = b"tax,since,since_declined\n1,30,0\n0,,1\n1,,\n0,30,1\n1,x,1\n1,99,0\n1,30,2\n"
    assert problems(survey, data) == [
        (
            5,
            "since",
            "This row has the number “30”, but since_declined is 1: the person gave none.",
        ),
        (6, "since", "“x” is not a whole number from 18 to 97, or “Prefer not to say”."),
        (7, "since", "“99” is not a whole number from 18 to 97, or “Prefer not to say”."),
        (8, "since_declined", "“2” is not a whole number from 18 to 97, or “Prefer not to say”."),
    ]


def test_labels_with_a_sign_come_back_without_their_apostrophe() -> None:
    asked = {"kind": "background", "choices": ["+2", "-3", "x"], "decline": False}
    source, again = (
        import_surveys.create_one_question_survey(surveys.create_researcher(name), **asked)
        for name in ("ada", "eve")
    )
    add_invented_responses(source.instrument, 30)
    data = export_file(source.instrument, "responses-excel.csv")
    assert b"'+2" in data
    assert b"'-3" in data
    send(again, data)
    assert tally(again)["counts"] == Instrument.objects.get(survey=source).tally["counts"]
