"""A setting that a question type does not have is refused by its name, wherever a survey comes from."""

from typing import Any

import pytest
from django.test import Client

from surveys.authoring.files import survey_file
from surveys.definition import fields
from surveys.definition.kinds import KINDS
from surveys.models import Question, Survey
from surveys.site.errors import Unreadable
from tests.api.test_reading import client_of
from tests.factories.surveys import create_draft, create_researcher

pytestmark = pytest.mark.django_db

# A value of each setting that only some question types have. Nothing else about the question is wrong.
VALUES: dict[str, Any] = {
    "aim": "mean",
    "anchor": 0.25,
    "choices": ["North", "South"],
    "cut": True,
    "design": "two-coin",
    "everyone": True,
    "harmless": "Was your mother born in May?",
    "maximum": 60,
    "minimum": 0,
    "mode": "spinner",
    "none": "North",
    "opposite": "I have never done it.",
    "parameters": {"p": "3/4"},
    "statement": "I have done it.",
    "step": 5,
    "unit": "hours",
    "values": ["1", "2"],
}
# What a question of each type needs.
NEEDED: dict[str, dict[str, Any]] = {
    "choice": {"choices": ["North", "South"]},
    "any": {"choices": ["North", "South"]},
    "quantity": {"minimum": 0, "maximum": 50, "step": 5},
    "scale": {"choices": ["Never", "Sometimes", "Often"]},
    "background": {"choices": ["North", "South"]},
    "number": {"minimum": 18, "maximum": 60},
}
SETTINGS = (*fields.names(Question), "choices")
FOREIGN = [(kind, name) for kind in KINDS for name in SETTINGS if not KINDS[kind].has_setting(name)]


def question(kind: str, **settings: Any) -> dict[str, Any]:
    return {"kind": kind, "key": "it", "text": "How is it?"} | NEEDED.get(kind, {}) | settings


def as_json(*questions: dict[str, Any]) -> dict[str, Any]:
    return {"title": "Settings", "protection": "balanced", "questions": list(questions)}


@pytest.fixture
def program() -> Client:
    return client_of(create_researcher())


@pytest.fixture
def address(program: Client) -> str:
    made = program.post("/api/v1/surveys/", as_json(), content_type="application/json").json()
    return f"/api/v1/surveys/{made['slug']}/"


def test_each_type_lacks_what_only_other_types_have() -> None:
    of_some = set(VALUES)
    assert {name for _, name in FOREIGN} == of_some
    assert {
        ("background", "design"),
        ("background", "everyone"),
        ("number", "mode"),
        ("yes-no", "cut"),
    } < {*FOREIGN}
    for kind, traits in KINDS.items():
        own = traits.special_settings | (
            {"choices", "none"} if traits.choices == "author" else set()
        )
        own |= {"choices"} if traits.is_written else set()
        own |= {"values"} if traits.choices in ("author", "fixed") else set()
        assert {name for other, name in FOREIGN if other == kind} == of_some - own


@pytest.mark.parametrize(("kind", "name"), FOREIGN)
def test_a_foreign_setting_is_refused_and_nothing_is_stored(
    program: Client, address: str, kind: str, name: str
) -> None:
    wrong = as_json(question(kind, **{name: VALUES[name]}))
    expected = {
        "questions.0." + name: f"A question of type “{kind}” has no setting “{name}”. Leave it out."
    }
    send = {"content_type": "application/json"}
    answers = [
        program.post("/api/v1/surveys/", wrong, **send),
        program.patch(address, {"questions": wrong["questions"]}, **send),
        program.put(address, wrong, **send),
    ]
    for answer in answers:
        assert answer.status_code == 422, answer.content
        assert answer.json()["errors"] == expected
    with pytest.raises(Unreadable) as unreadable:
        survey_file.read({"candor": 1} | wrong, owner=Survey.objects.get().owner)
    assert f"Question 1, {name}: A question of type “{kind}” has no setting “{name}”." in str(
        unreadable.value
    )
    assert Survey.objects.count() == 1
    assert not Question.objects.exists()


@pytest.mark.parametrize(("kind", "name"), FOREIGN)
def test_a_foreign_setting_at_its_default_is_taken(
    program: Client, address: str, kind: str, name: str
) -> None:
    default = [] if name == "choices" else fields.field_of(Question, name).default
    whole = as_json(question(kind, **{name: default}))
    answer = program.put(address, whole, content_type="application/json")
    assert answer.status_code == 200, answer.content
    file = survey_file.read({"candor": 1} | whole, owner=Survey.objects.get().owner)
    assert file.questions.get().kind == kind


def test_what_a_program_reads_can_be_sent_again_and_what_is_exported_imported(
    program: Client, address: str
) -> None:
    questions = [question(kind) | {"key": f"it{place}"} for place, kind in enumerate(KINDS)]
    whole = as_json(*questions) | {"protection": None, "languages": ["en", "de"]}
    for each in questions:
        if KINDS[each["kind"]].sensitive:
            each |= {"design": "automatic", "parameters": {"epsilon": "1"}}
    sent = program.put(address, whole, content_type="application/json")
    assert sent.status_code == 200, sent.content
    settings = (*fields.names(Survey), "languages", "draw", "questions")
    first = {name: value for name, value in program.get(address).json().items() if name in settings}
    again = program.put(address, first, content_type="application/json")
    assert again.status_code == 200, again.content
    assert program.get(address).json()["questions"] == first["questions"]
    survey = Survey.objects.get()
    copy = survey_file.read(survey_file.write(survey), owner=survey.owner)
    assert survey_file.write(copy) == survey_file.write(survey)


def test_a_wrong_type_of_question_says_only_that() -> None:
    survey = create_draft()
    answer = client_of(survey.owner).patch(
        f"/api/v1/surveys/{survey.slug}/",
        {"questions": [{"kind": "riddle", "text": "What?", "design": "two-coin"}]},
        content_type="application/json",
    )
    assert list(answer.json()["errors"]) == ["questions.0.kind"]
