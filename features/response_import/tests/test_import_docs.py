"""The examples in docs/importing.md are taken as they stand there."""

import json
import re
from pathlib import Path

import pytest

from features.response_import.tests.import_files import send, tally
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
TEXT = (Path(__file__).resolve().parents[3] / "docs" / "importing.md").read_text()
QUESTIONS = (
    [
        {
            "key": "drunk",
            "text": "Drunk?",
            "kind": "yes-no",
            "design": "crosswise",
            "parameters": {"prevalence": "1/4"},
        },
        {
            "key": "region",
            "text": "Where?",
            "kind": "background",
            "choices": ["North", "South"],
            "decline": False,
        },
    ],
    [
        {
            **{"key": "drugs", "text": "Which?", "kind": "any", "design": "unary-any"},
            **{"parameters": {"epsilon": "2"}, "choices": ["Cannabis", "Cocaine", "Speed"]},
        }
    ],
)
COUNTS = ({"drunk": [2, 1], "region": [2, 1]}, {"drugs": [1, 1, 1]})


@pytest.mark.parametrize("number", [0, 1])
def test_an_example_is_imported(number: int) -> None:
    survey = create_survey(owner=create_researcher(), title="Example", import_only=True)
    for question in QUESTIONS[number]:
        save_question(survey=survey, **question)
    lifecycle.lock_questions(survey)
    survey.refresh_from_db()
    data = re.findall(r"```csv\n(.*?)```", TEXT, re.DOTALL)[number]
    mapping = json.loads(re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)[number])
    send(survey, data.encode(), mapping)
    assert tally(survey) == {
        "n": 3,
        "counts": COUNTS[number],
        "answered": dict.fromkeys(COUNTS[number], 3),
    }
