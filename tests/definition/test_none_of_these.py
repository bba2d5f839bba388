"""Which answer means none of the others: named by the author, never known by its words, and fixed at publishing."""

import pytest

from surveys.authoring.drafts import content
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files import survey_file
from surveys.definition.parsing import DEFINITION_CACHE, parse_instrument
from surveys.fieldwork.lifecycle import publish
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid
from tests.factories.surveys import create_researcher

ANSWERS = ["Copied", "No rule broken", "None of these"]


@pytest.fixture
def survey(db: None) -> Survey:
    questions = [
        {
            "kind": "choice",
            "key": "rule",
            "text": "Which rule?",
            "choices": ANSWERS,
            "none": "No rule broken",
        },
        {"kind": "choice", "key": "drug", "text": "Which drug?", "choices": ["Wine", "None"]},
    ]
    data = {"title": "Rules", "contact": "Ada", "protection": "balanced", "questions": questions}
    return content.create(data, owner=create_researcher())


def test_what_the_author_names_is_fixed_in_no_hash(survey: Survey) -> None:
    instrument = publish(survey)
    codes = {item.key: item.none for item in parse_instrument(instrument).items}
    assert codes == {"rule": 1, "drug": None}
    assert "none" not in instrument.content
    survey.questions.update(none="Copied")
    DEFINITION_CACHE.clear()
    assert {
        item.key: item.none for item in parse_instrument(Instrument.objects.get()).items
    } == codes
    assert [each.get("none") for each in survey_file.write(survey)["questions"]] == [
        "Copied",
        "Copied",
    ]


def test_it_is_one_of_the_answers(survey: Survey) -> None:
    question = survey.questions.get(key="rule")
    typed = {"survey": survey, "question": question, "text": "Which rule?", "choices": ANSWERS}
    with pytest.raises(Invalid) as wrong:
        save_question(**typed, kind="choice", none="Nothing at all")
    assert "is not one of the answers" in wrong.value.errors["none"]
    assert save_question(**typed | {"choices": ()}, kind="yes-no", none="Copied").none == ""
