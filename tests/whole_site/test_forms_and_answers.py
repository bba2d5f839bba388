"""A form of another tool becomes a survey for files, whose answers are matched by their values."""

from pathlib import Path

import pytest

from features.response_import.tests.import_files import tally
from features.response_import.tests.response_uploads import (
    DOORS,
    Send,
    door,
)
from features.response_import.tests.test_import_foreign_codes import FILES
from features.xlsform.reader import bring
from surveys.authoring.files import survey_file
from surveys.fieldwork import lifecycle
from surveys.models import Survey
from tests.factories.surveys import create_researcher

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
]  # the statements are those of test_import_staging.py


@pytest.fixture(params=DOORS)
def send(request: pytest.FixtureRequest, tmp_path: Path) -> Send:
    return door(request, tmp_path)


def form_of_house_visit() -> Survey:
    """The shared form, as a survey that takes files."""
    form, _ = bring((FILES / "yesno_form.xlsx").read_bytes(), create_researcher())
    copy = survey_file.duplicate(form, form.owner, import_only=True)
    lifecycle.lock_questions(copy, copy.owner)
    copy.refresh_from_db()
    return copy


# The answers by the value that stands for each in the file, in the order of the form.
VALUES = {
    "electric": ["1", "0"],
    "owns_land": ["1", "0"],
    "sex": ["1", "2"],
    "late": ["1", "2", "3", "4", "5", "0"],
}


def test_a_form_with_1_for_yes_and_0_for_no_is_never_turned_round(send: Send) -> None:
    """The form says what each value means, so nobody is asked."""
    survey, data = form_of_house_visit(), (FILES / "yesno_codes.csv").read_bytes()
    assert {question.key: question.values for question in survey.questions.all()} == VALUES
    send(survey, data, "codes.csv", {})
    counts = tally(survey)["counts"]
    answers = {key: counts[key][: len(values)] for key, values in VALUES.items()}
    assert answers == {
        "electric": [120, 65],
        "owns_land": [161, 24],
        "sex": [90, 95],
        "late": [30, 40, 50, 25, 20, 20],
    }
