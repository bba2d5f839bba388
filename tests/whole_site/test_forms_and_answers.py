"""A form of another tool becomes a survey for files, and the codes of its answers are asked for."""

from pathlib import Path

import pytest

from features.response_import.tests.import_files import tally
from features.response_import.tests.response_uploads import (
    DOORS,
    Meanings,
    Refused,
    Send,
    door,
    nothing_is_stored,
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


HOUSE_VISIT: Meanings = {
    "electric": {"1": 0, "0": 1},
    "owns_land": {"1": 0, "0": 1},
    "sex": {"1": 0, "2": 1},
    "late": {"1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "0": 5},
}


def test_a_form_with_1_for_yes_and_0_for_no_is_never_turned_round(send: Send) -> None:
    survey, data = form_of_house_visit(), (FILES / "yesno_codes.csv").read_bytes()
    with pytest.raises(Refused) as refused:
        send(survey, data, "codes.csv", {})
    assert refused.value.asked == {
        "electric": {"0": 65, "1": 120},
        "owns_land": {"0": 24, "1": 161},
        "sex": {"1": 90, "2": 95},
        "late": {"0": 20, "1": 30, "2": 40, "3": 50, "4": 25, "5": 20},
    }
    assert nothing_is_stored(survey)

    send(survey, data, "codes.csv", HOUSE_VISIT)
    counts = tally(survey)["counts"]
    answers = {key: counts[key][: len(meanings)] for key, meanings in HOUSE_VISIT.items()}
    assert answers == {
        "electric": [120, 65],
        "owns_land": [161, 24],
        "sex": [90, 95],
        "late": [30, 40, 50, 25, 20, 20],
    }
