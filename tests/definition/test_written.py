"""A question with written answers, from its author to the report."""

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from mechanisms.designs.texts import TextMechanism
from surveys.authoring.drafts.question_plan import plan_question
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import record_dtype
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Instrument, Question, Survey
from surveys.site.errors import Invalid
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db
DRUGS = ("Heroin", "Cocaine", "Crack")
SHARES = (0.3, 0.2, 0.0)


def answer(instrument: Instrument, n: int = 4000, seed: int = 1) -> None:
    """So many people write one of DRUGS with SHARES, and the others something of their own."""
    frozen, rng = parse_instrument(instrument), np.random.default_rng(seed)
    rows = np.zeros(n, record_dtype(frozen))
    texts = rng.choice([*DRUGS, "nothing"], n, p=[*SHARES, 1 - sum(SHARES)]).tolist()
    for item in frozen.items:
        if isinstance(item.mechanism, TextMechanism):
            rows[item.key] = item.mechanism.randomize_stored(texts, rng)
    add_to_report(Instrument.objects.get(pk=instrument.pk), rows.tobytes())


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = surveys.create_draft(ada, title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish_survey(survey)


def asked(**more: object) -> dict:
    return {"kind": "written", "design": "balanced"} | more


def test_a_level_becomes_the_hash_with_its_epsilon() -> None:
    plan = plan_question(**asked(choices=["A", "", "b"]))
    assert (plan.design, plan.parameters, plan.labels) == (
        "written",
        {"epsilon": "1.0987"},
        ("A", "b"),
    )
    assert plan.mechanism.spec()["order"] == 5


@pytest.mark.parametrize(
    ("more", "field", "message"),
    [
        (
            {"choices": ["Crack", "x", " CRACK "]},
            "choices",
            "“Crack” on line 1 and “CRACK” on line 3 are the same",
        ),
        ({"choices": ["x" * 101]}, "choices", "line 1 has 101 characters. At most 100"),
        (
            {"choices": [str(number) for number in range(10_001)]},
            "choices",
            "10,001 texts. At most 10,000",
        ),
        ({"decline": True}, "decline", "they can write it in a text answer"),
        (
            {"design": "subset", "parameters": {"epsilon": "1"}},
            "design",
            "doesn’t fit this question type",
        ),
        ({"mode": "spinner"}, "mode", "works for yes/no questions"),
    ],
)
def test_what_cannot_be_asked_is_refused_where_it_stands(
    more: dict, field: str, message: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        plan_question(**asked(**more))
    assert message in wrong.value.errors[field]


def test_the_hash_is_for_written_answers_only() -> None:
    with pytest.raises(Invalid, match="doesn’t fit"):
        plan_question(
            kind="choice", choices=["a", "b"], design="written", parameters={"epsilon": "1"}
        )


def test_the_question_form_saves_and_shows_candidates(client: Client, ada: User) -> None:
    survey = surveys.create_draft(ada, title="New")
    typed = {
        "kind": "written",
        "text": "Which drug?",
        "design": "balanced",
        "candidates": "Heroin\nCrack",
    }
    assert client.post(f"/surveys/{survey.slug}/questions/new/", typed).status_code == 302
    question = Question.objects.get(survey=survey)
    page = client.get(f"/surveys/{survey.slug}/questions/{question.key}/").content.decode()
    assert "Heroin\nCrack" in page
    assert "can’t be distinguished from 0" in page
