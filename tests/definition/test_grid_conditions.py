"""Grids of which only some people are asked: the rows share one condition, wherever it is written."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.grids import save_grid, take_out
from surveys.authoring.files import survey_file
from surveys.authoring.planning.grids import listed
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.freezing import build_definition
from surveys.models import Question, Survey
from surveys.site.errors import Invalid, Refused
from tests.factories.surveys import add_background, add_yes_no, create_draft

WOMEN = {"of": "sex", "in": ["Female"]}
ASKED = {
    "heading": "How often …",
    "rows": ["At work", "At home", "Elsewhere"],
    "kind": "choice",
    "design": "balanced",
}


@pytest.fixture
def survey(db: None) -> Survey:
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male"))
    return survey


def made(survey: Survey, **changes: object) -> list[Question]:
    return save_grid(
        survey=survey, by=survey.owner, **(ASKED | {"choices": ["Never", "Often"]} | changes)
    )


def conditions(survey: Survey) -> list[tuple[str, str, dict | None, bool]]:
    found = survey.questions.exclude(grid="")
    return [
        (question.key, question.section, question.when, question.when_section) for question in found
    ]


def conditional(survey: Survey) -> list[str]:
    return [
        question["key"]
        for question in json.loads(build_definition(survey).content)["questions"]
        if "when" in question
    ]


def test_all_rows_have_the_condition_of_the_grid(survey: Survey) -> None:
    rows = made(survey, when=WOMEN)
    assert [row.when for row in rows] == [WOMEN] * 3
    assert conditional(survey) == [row.key for row in rows]
    (head,) = [each.head for each in listed(survey_overview(survey)) if each.head]
    assert head.when == "“About sex?” is “Female”"
    made(survey, first=rows[0])
    assert conditional(survey) == []


def test_a_condition_of_the_section_stays_with_its_first_row(survey: Survey) -> None:
    rows = made(survey, section="Health", when=WOMEN, when_section=True)
    add_yes_no(survey, "tax")
    keys = [row.key for row in rows]
    assert conditions(survey) == [
        (keys[0], "Health", WOMEN, True),
        (keys[1], "", None, False),
        (keys[2], "", None, False),
    ]
    assert conditional(survey) == [*keys, "tax"]
    drafts.move_question(survey=survey, question=rows[0], steps=2)
    assert conditional(survey) == [keys[1], keys[2], keys[0], "tax"]
    drafts.delete_question(survey=survey, question=rows[1])
    assert conditional(survey) == [keys[2], keys[0], "tax"]
    take_out(survey=survey, question=survey.questions.get(key=keys[2]))
    assert conditional(survey) == [keys[0], keys[2], "tax"]


def test_a_row_with_a_condition_of_its_own_is_refused_by_its_place(survey: Survey) -> None:
    rows = made(survey)
    survey.questions.filter(pk=rows[1].pk).update(when=WOMEN)
    with pytest.raises(Refused, match=r"Question 3 \(“At home”\): .*has its own condition"):
        build_definition(survey)
    made(survey, first=rows[0], when=WOMEN)
    build_definition(survey)


def test_a_condition_that_looks_ahead_is_refused_at_its_field(survey: Survey) -> None:
    rows = made(survey)
    add_background(survey, "region")
    with pytest.raises(Invalid) as told:
        made(survey, first=rows[0], when={"of": "region", "in": ["North"]})
    assert "asked after it" in told.value.errors["when"]


def test_a_row_names_its_heading_in_conditions_on_it(survey: Survey) -> None:
    rows = made(survey, kind="background", design="", decline=False)
    add_yes_no(survey, "tax", when={"of": rows[0].key, "in": ["Often"]})
    assert build_definition(survey).items[-1].condition_text == "“How often … – At work” is “Often”"
    assert survey_overview(survey).lines[-1].when == "“How often … – At work” is “Often”"


def test_background_rows_offer_prefer_not_to_say_as_one_more_column(survey: Survey) -> None:
    made(survey, kind="background", design="")
    assert [item.choices[-1] for item in build_definition(survey).items if item.grid] == [
        "Prefer not to say"
    ] * 3
    with pytest.raises(Invalid, match="at most 11"):
        made(
            survey,
            heading="Too many",
            kind="background",
            design="",
            choices=[str(n) for n in range(11)],
        )


@pytest.mark.parametrize("section", ["", "Health"])
def test_a_condition_comes_back_from_a_file(survey: Survey, section: str) -> None:
    keys = [
        row.key for row in made(survey, when=WOMEN, section=section, when_section=bool(section))
    ]
    back = survey_file.read(data=survey_file.write(survey), owner=survey.owner)
    assert conditional(back) == keys
    assert [question.grid for question in back.questions.all()] == ["", *["How often …"] * 3]


def test_the_page_of_a_grid_writes_its_condition(client: Client, survey: Survey) -> None:
    rows = made(survey)
    client.force_login(survey.owner)
    address = reverse("workspace:grid", args=[survey.slug, rows[0].key])
    assert 'name="when-of-sex"' in client.get(address).content.decode()
    typed = {
        "heading": "How often …",
        "rows": "At work\nAt home",
        "kind": "choice",
        "choices": "Never\nOften",
    }
    typed |= {"design": "balanced", "when-of-sex": "Female", "edition": ""}
    started = client.get(address).context["edition"]
    assert client.post(address, typed | {"edition": started}).status_code == 302
    assert [question.when for question in survey.questions.exclude(grid="")] == [WOMEN] * 2
    assert (
        "Asked only if “About sex?” is “Female”"
        in client.get(reverse("workspace:survey", args=[survey.slug])).content.decode()
    )
