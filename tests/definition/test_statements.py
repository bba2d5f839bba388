"""Warner's question as two statements of the author's own, for those who spin or throw."""

import json

import pytest
from django.test import Client

from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files.survey_file import duplicate
from surveys.models import Survey
from surveys.site.errors import Invalid
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db
PAIR = {"statement": "I have evaded taxes.", "opposite": "I have never evaded taxes."}
WARNER = {"kind": "yes-no", "text": "Taxes?", "design": "warner", "parameters": {"p": "3/4"}}


@pytest.mark.parametrize("mode", ["spinner", "by-hand"])
@pytest.mark.parametrize("language", Survey.Language.values)
def test_statements_of_an_authors_own_are_read_instead_of_ours(mode: str, language: str) -> None:
    survey = surveys.create_draft(language=language)
    save_question(survey=survey, **WARNER, mode=mode, **PAIR)
    instrument = publish_survey(survey)
    assert [json.loads(instrument.content)["questions"][0][name] for name in PAIR] == [
        *PAIR.values()
    ]
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    for text in PAIR.values():
        assert f"<bdi>{text}</bdi>" in page
    assert "My true answer" not in page


def test_without_them_the_instrument_is_as_before() -> None:
    survey = surveys.create_draft()
    save_question(survey=survey, **WARNER, mode="spinner")
    assert not PAIR.keys() & json.loads(publish_survey(survey).content)["questions"][0].keys()
    assert (
        "True or false? “My true answer is Yes.”"
        in Client().get(f"/s/{survey.slug}/").content.decode()
    )


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"statement": "I have."}, "opposite", "Write both statements"),
        ({"opposite": "I have never."}, "statement", "Write both statements"),
        (
            {"statement": "I have.", "opposite": "I have."},
            "opposite",
            "Both statements are the same",
        ),
        ({"statement": "x" * 501, "opposite": "I have never."}, "statement", "500"),
    ],
)
def test_half_a_pair_is_refused(typed: dict[str, str], field: str, said: str) -> None:
    with pytest.raises(Invalid) as wrong:
        save_question(survey=surveys.create_draft(), **WARNER, mode="spinner", **typed)
    assert said in wrong.value.errors[field]


def test_they_belong_to_warners_design_drawn_by_a_person() -> None:
    survey = surveys.create_draft()
    for mode, design, parameters in (
        ("automatic", "warner", {"p": "3/4"}),
        ("spinner", "two-coin", {}),
    ):
        asked = WARNER | {"design": design, "parameters": parameters}
        question = save_question(survey=survey, **asked, mode=mode, **PAIR)
        assert (question.statement, question.opposite) == ("", "")


def test_they_travel_with_the_survey(client: Client) -> None:
    survey = surveys.create_draft()
    save_question(survey=survey, **WARNER, mode="spinner", **PAIR)
    copy = duplicate(survey, survey.owner).questions.get()
    assert {name: getattr(copy, name) for name in PAIR} == PAIR
    client.force_login(survey.owner)
    question = client.get(f"/api/v1/surveys/{survey.slug}/").json()["questions"][0]
    assert {name: question[name] for name in PAIR} == PAIR
    made = client.post(
        "/api/v1/surveys/", {"title": "x", "questions": [question]}, "application/json"
    )
    assert made.status_code == 201, made.content
    page = client.get(f"/surveys/{survey.slug}/questions/{question['key']}/").content.decode()
    assert all(f'value="{text}"' in page for text in PAIR.values())
