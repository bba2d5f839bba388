"""Files of a survey in which each person is asked some of the questions."""

import pytest

from features.response_import.preview import look
from features.response_import.reader import read
from features.response_import.tests.import_files import csv, problems, send
from surveys.authoring.drafts import question_subset
from surveys.authoring.drafts.drafts import create_survey
from surveys.authoring.files.survey_file import duplicate
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.results.report.methods import methods
from tests.factories import surveys
from tests.factories.import_surveys import add_import_questions
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import csv_of
from tests.results.test_question_subset import asking
from tests.results.test_question_subset_on_paths import OF, mixed

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def filled() -> Instrument:
    instrument = asking()
    add_invented_responses(instrument, 3000)
    return Instrument.objects.get()


def on_paper(count: int = 1) -> Instrument:
    survey = add_import_questions(
        create_survey(owner=surveys.create_researcher(), title="On paper", import_only=True)
    )
    question_subset.set_draw(survey=survey, count=count, of=["tax", "fruit"])
    survey.refresh_from_db()
    return lifecycle.lock_questions(survey)


HEADER = "tax,fruit,region,age"
LABELS = {"questions": {"age": {"as": "labels"}}}


def test_files_come_in_with_empty_cells_for_what_was_not_asked() -> None:
    survey = on_paper().survey
    send(
        survey,
        "\n".join([HEADER, "1,,North,30", ",010,South,99", "0,,North,18", ""]).encode(),
        LABELS,
    )
    found = Instrument.objects.get().tally
    assert found["n"] == 3
    assert found["answered"] == {"tax": 2, "fruit": 1, "region": 3, "age": 3}
    found = report(instrument := Instrument.objects.get(), seen=ReaderView(instrument))
    text = str(methods(parse_instrument(Instrument.objects.get()), found))
    assert "Each respondent was asked 1 of 2 sensitive questions, picked uniformly" in text
    assert "missing completely at random" not in text


@pytest.mark.parametrize("row", ["1,010,North,30", ",,North,30"])
def test_a_row_with_another_number_of_reports_is_refused(row: str) -> None:
    survey = on_paper().survey
    number = 2 if "1,010" in row else 0
    (problem,) = problems(
        survey, "\n".join([HEADER, "1,,North,30", row, "0,,North,18", ""]).encode(), LABELS
    )
    assert problem[:2] == (3, "")
    assert (
        f"reports to {number} of these 2 questions. Each person got 1 of them, picked at random (tax, fruit)"
        in problem[2]
    )


def test_a_row_without_anything_is_no_response_where_a_lot_is() -> None:
    survey = on_paper().survey
    (problem,) = problems(
        survey, "\n".join([HEADER, "1,,North,30", ",,,", "0,,North,18", ""]).encode(), LABELS
    )
    assert problem == (
        3,
        "",
        "The row has reports to 0 of these 2 questions. Each person got 1 of them, picked at random "
        "(tax, fruit). Leave exactly the others empty.",
    )


def test_what_we_export_comes_back(filled: Instrument) -> None:
    data = csv_of(filled).encode()
    copy = duplicate(filled.survey, filled.survey.owner, import_only=True)
    instrument = lifecycle.lock_questions(copy)
    copy.refresh_from_db()
    send(copy, data, {"version": 3})
    there = Instrument.objects.get(pk=instrument.pk).tally
    assert there["counts"] == filled.tally["counts"]
    assert there["answered"] == filled.tally["answered"] | {"region": 3000}


def test_files_come_in_as_the_page_would_send() -> None:
    frozen = build_definition(mixed(import_only=True))
    rows = [
        "Female,North,1,,,0",
        "Male,South,,,,",
        "Male,North,1,,,",
        "Female,South,,,,",
        "Male,North,1,1,1,",
    ]
    data = csv(*rows, header="sex,area,tax,spun,care,far")
    plan, cells, _ = look(
        frozen, {"questions": {key: {"as": "codes"} for key in OF}}, data, last=True
    )
    problems = read(frozen, plan, cells).problems
    assert [each.row for each in problems] == [5, 6, 6]
    assert "reports to 0 of these 4 questions" in problems[0].message
    assert problems[0].message.endswith(
        "Leave exactly the others empty, and what its background answers do not ask for."
    )
