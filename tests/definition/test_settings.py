"""No setting is lost: what an author set stays the same on every way that a draft can go, column by column."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.drafts.grids import save_grid
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.files import survey_file
from surveys.definition import fields
from surveys.definition.field import Field
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Choice, Question, Survey
from tests.api.test_reading import client_of
from tests.factories import images
from tests.factories.surveys import add_translations, create_researcher, publish_survey
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db
SERVER = (
    "slug",
    "status",
    "created",
    "edition",
    "invented",
    "instrument",
)  # in the API’s object, and set by the server
AS_JSON = {"content_type": "application/json"}


def settings(
    survey: Survey, only: dict[type[Model], set[str]] | None = None
) -> dict[tuple[object, ...], Any]:
    """(model, where, column) -> its value, of everything that is no state."""
    survey = Survey.objects.get(pk=survey.pk)
    rows = [(survey, ""), *((question, question.key) for question in survey.questions.all())]
    rows += [
        (choice, f"{choice.question.key}.{choice.position}")
        for choice in Choice.objects.filter(question__survey=survey).select_related("question")
    ]
    return {
        (type(row).__name__, where, field.name): getattr(row, field.attname)
        for row, where in rows
        for field in type(row)._meta.concrete_fields
        if field.name not in fields.STATE[type(row)]
        and (only is None or field.name in only[type(row)])
    }


CHOSEN = {  # what is neither a switch nor any text
    **{
        "language": "de",
        "protection": "",
        "accent": "#7a1f3d",
        "accent_dark": "#ff9fb8",
        "logo": images.create_png(),
    },
    **{
        "delete_on": "2099-01-31",
        "tickets": "one",
        "target": 321,
        "expected_asked": "40",
        "none": "South",
        "help_lines": "Help, tel:116-006",
    },
}


def chosen(row: Field) -> Any:
    return CHOSEN.get(row.name, row.is_switch or f"The {row.label}")


def for_people(owner: User) -> Survey:
    """For invited people, with a value for each row."""
    survey = create_survey(
        owner=owner, **{row.name: chosen(row) for row in fields.SURVEY if row.part != "new"}
    )
    _questions(survey, owner)
    return add_translations(Survey.objects.get(pk=survey.pk), "en", "fr")


def _questions(survey: Survey, owner: User) -> None:
    by_hand = {"kind": "yes-no", "mode": "by-hand"}
    warner = {
        "design": "warner",
        "parameters": {"p": "3/4"},
        "statement": "I did.",
        "opposite": "I did not.",
    }
    unrelated = {
        "design": "unrelated-question",
        "parameters": {"p": "3/4", "prevalence": "1/4"},
        "harmless": "May?",
    }
    north = {"when": {"of": "region", "in": ["North"]}, "when_section": True}
    hours = {"minimum": "0", "maximum": "50", "step": "5", "unit": "hours"}
    more = {
        row.name: chosen(row)
        for row in fields.rows(Question, part="question")
        if row.name not in drafts.TEXTS
    }
    by_hand["values"] = ["2", "1"]
    asked: list[dict[str, Any]] = [
        {
            "key": "region",
            "kind": "background",
            "section": "You",
            "cut": True,
            "choices": ["North", "South"],
            "values": ["N", "-99"],
        }
        | more,
        {"key": "age", "kind": "number", "minimum": "18", "maximum": "99", "decline": False},
        {"key": "tax"} | by_hand | warner,
        {"key": "birth", "anchor": "24.6"} | by_hand | unrelated,
        {
            "key": "fruit",
            "kind": "choice",
            "decline": True,
            "design": "balanced",
            "choices": ["Apple", "Pear", "Plum"],
        }
        | {"section": "Food", "help": "The last one", "values": ["3", "2", "-99"]}
        | north,
        {"key": "hours", "kind": "quantity", "design": "balanced", "aim": "mean"} | hours,
        {
            "key": "agrees",
            "kind": "scale",
            "design": "light",
            "choices": ["No", "Rather = 7", "Yes"],
        },
        {
            "key": "drugs",
            "kind": "any",
            "design": "light",
            "choices": ["A", "B"],
            "section": "Last",
        },
        {"key": "words", "kind": "written", "design": "light", "choices": ["Coffee", "Tea"]},
    ]
    for each in asked:
        save_question(survey=survey, text=f"About {each['key']}?", by=owner, **each)
    grid = {
        "kind": "choice",
        "choices": ["Never", "Often"],
        "values": ["0", "4"],
        "design": "direct",
        "parameters": {"epsilon": "1"},
    }
    save_grid(
        survey=survey,
        heading="How often?",
        rows=["Wine", "Beer"],
        section="Drinks",
        help="Last year",
        **grid,
    )
    keys = list(survey.questions.filter(grid="How often?").values_list("key", flat=True))
    set_draw(survey=survey, count=1, of=keys)


def for_files(owner: User) -> Survey:
    survey = create_survey(owner=owner, title="On paper", import_only=True)
    save_question(
        survey=survey,
        kind="yes-no",
        text="Tax?",
        key="tax",
        design="warner",
        parameters={"p": "3/4"},
    )
    return survey


def for_a_level(owner: User) -> Survey:
    """With one choice of protection, one question asked of everyone, and one with a method of its own."""
    survey = create_survey(owner=owner, title="One dial", protection="light")
    asked: list[dict[str, Any]] = [
        {"key": "tax", "kind": "yes-no", "everyone": True},
        {"key": "agrees", "kind": "scale", "aim": "shares", "choices": ["No", "Rather", "Yes"]},
        {
            "key": "birth",
            "kind": "yes-no",
            "mode": "spinner",
            "statement": "I did.",
            "opposite": "I did not.",
        },
        {
            "key": "fruit",
            "kind": "choice",
            "design": "direct",
            "parameters": {"epsilon": "1"},
            "choices": ["A", "B"],
        },
        {"key": "work", "kind": "yes-no", "mode": "by-hand"},
    ]
    for each in asked:
        save_question(survey=survey, text=f"About {each['key']}?", by=owner, **each)
    return survey


FULL = (for_people, for_files, for_a_level)


@pytest.fixture
def ada() -> User:
    return create_researcher()


@pytest.mark.parametrize("model", fields.TABLES)
def test_every_column_is_a_setting_or_says_why_not(model: type[Model]) -> None:
    """A new column fails here: give it a row, or say why it is no setting."""
    tables = (fields.names(model), fields.STATE[model], fields.COPIED_WITH[model])
    assert sorted(name for table in tables for name in table) == sorted(
        field.name for field in model._meta.concrete_fields
    )


def test_each_setting_has_a_value_here(ada: User) -> None:
    """Else the tests below would not see that it is lost."""
    blank = {model.__name__: model() for model in fields.TABLES}
    differing = {
        (model, column)
        for make in FULL
        for (model, _, column), value in settings(make(ada)).items()
        if value != getattr(blank[model], column, None)
    }
    for model in fields.TABLES:
        columns = {column for name, column in differing if name == model.__name__}
        assert columns == {*fields.names(model), *fields.COPIED_WITH[model]}


def by_file(survey: Survey, owner: User) -> Survey:
    return survey_file.read(survey_file.parse(survey_file.as_text(survey)), owner=owner)


def by_copy(survey: Survey, owner: User) -> Survey:
    copy = survey_file.duplicate(survey, owner)
    assert copy.title == f"{survey.title} (copy)"
    copy.title, copy.translations = survey.title, survey.translations | _untitled(copy, survey)
    copy.save()
    return copy


def _untitled(copy: Survey, survey: Survey) -> dict[str, dict[str, str]]:
    """The copy’s translations with the title of the other."""
    return {
        code: texts | {"title": survey.translations[code]["title"]}
        for code, texts in copy.translations.items()
    }


def by_new_version(survey: Survey, owner: User) -> Survey:
    lock_questions(survey) if survey.import_only else publish_survey(survey)
    return survey_file.new_version(Survey.objects.get(pk=survey.pk), owner)


def _object(survey: Survey, owner: User) -> dict[str, Any]:
    got = client_of(owner).get(f"/api/v1/surveys/{survey.slug}/").json()
    return {name: value for name, value in got.items() if name not in SERVER}


def by_post(survey: Survey, owner: User) -> Survey:
    sent = client_of(owner).post("/api/v1/surveys/", json.dumps(_object(survey, owner)), **AS_JSON)
    assert sent.status_code == 201, sent.content
    return Survey.objects.get(slug=sent.json()["slug"])


def by_put_elsewhere(survey: Survey, owner: User) -> Survey:
    other = create_survey(owner=owner, title="Other", import_only=survey.import_only)
    return _put(other, _object(survey, owner), owner)


def by_put(survey: Survey, owner: User) -> Survey:
    return _put(survey, _object(survey, owner), owner)


def _put(survey: Survey, data: dict[str, Any], owner: User) -> Survey:
    sent = client_of(owner).put(f"/api/v1/surveys/{survey.slug}/", json.dumps(data), **AS_JSON)
    assert sent.status_code == 200, sent.content
    return survey


def by_patch(survey: Survey, owner: User) -> Survey:
    sent = client_of(owner).patch(
        f"/api/v1/surveys/{survey.slug}/", json.dumps({"edition": survey.edition}), **AS_JSON
    )
    assert sent.status_code == 200, sent.content
    return survey


WAYS = (by_file, by_copy, by_new_version, by_post, by_put, by_put_elsewhere, by_patch)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("make", FULL, ids=lambda make: make.__name__)
def test_every_setting_survives(make: Any, way: Any, ada: User) -> None:
    survey = make(ada)
    before = settings(survey)
    after = settings(way(Survey.objects.get(pk=survey.pk), ada))
    assert {place: value for place, value in after.items() if value != before.get(place)} == {}
    assert after.keys() == before.keys()


def _pages(survey: Survey) -> Iterator[str]:
    yield from ("welcome", "settings")
    yield from () if survey.import_only else ("after",)
    yield from (f"languages/?in={code}" for code in survey.further_languages)
    yield from () if survey.import_only else ("tickets",)
    for question in survey.questions.all():
        yield f"{'grids' if question.grid else 'questions'}/{question.key}"


@pytest.mark.parametrize("make", FULL, ids=lambda make: make.__name__)
def test_a_form_that_is_saved_unchanged_changes_no_column(make: Any, ada: User) -> None:
    survey, client = make(ada), Client()
    client.force_login(ada)
    before = settings(survey)
    for page in _pages(survey):
        path, _, query = page.partition("?")
        address = f"/surveys/{survey.slug}/{path.rstrip('/')}/" + (f"?{query}" if query else "")
        part = {"part": "dates"} if page == "settings" else {}
        answer = client.post(address, Form(client.get(address)).data | part)
        assert (page, answer.status_code) == (page, 302), Form(answer).errors
        after = settings(survey)
        assert {
            (page, *place): value for place, value in after.items() if value != before.get(place)
        } == {}
        assert after.keys() == before.keys()
