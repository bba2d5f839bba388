"""Stages of the contract of kinds: what an author asks, on pages, in files and by program."""

import html
import json
import re

from django.http import HttpResponse

from features.xlsform import reader
from features.xlsform.writer import as_xlsx
from surveys.authoring.drafts.question_plan import plan_question
from surveys.authoring.files.survey_file import new_version
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.freezing import answer_labels, build_definition
from surveys.definition.grids import NOT_OF_A_KIND
from surveys.definition.parsing import DEFINITION_CACHE, parse
from surveys.models import Survey
from surveys.web.workspace.kind_forms import KIND_FORMS, needs
from tests.definition.test_settings import (
    AS_JSON,
    by_copy,
    by_file,
    by_new_version,
    by_post,
    by_put,
    settings,
)
from tests.factories.surveys import publish_survey
from tests.helpers.html_forms import Form
from tests.whole_site.question_kinds.cases import KEY, TEXT, Case, Stages, World, every_kind

PAGES = ("", "preview/", "publish/", "ethics/", "texts.csv", "survey.json", "survey.xlsx")


def form_of_a_question(world: World) -> None:
    """Open the page, type, save; open it again; save it unchanged."""
    survey, case = world.empty(), world.case
    form = world.form(survey, "questions/new/")
    assert case.kind in kinds_offered(form)
    assert html.escape(KIND_FORMS[case.kind].hint) in form.text
    for kinds in needs(in_grid=False).values():
        assert f'data-when="kind" data-is="{kinds}"' in form.text
    world.save(survey, "questions/new/", form, case.typed)
    question = world.question(survey)
    assert [question.kind, question.text] == [case.kind, TEXT]
    assert settings(survey) == settings(
        world.new(decline=question.decline, cut=question.cut)
    )  # as services write it
    world.reopen(survey, "questions/it/", case.typed)


def kinds_offered(form: Form) -> list[str]:
    return re.findall(r'name="kind" value="([^"]+)"', form.text)


def pages_of_a_draft(world: World) -> None:
    for path in PAGES:
        world.page(world.draft, path)
    (line,) = survey_overview(world.draft).lines
    assert (line.kind, line.problem, *line.ordered_choices) == (
        world.case.kind,
        "",
        *world.traits.in_order(world.item.choices),
    )
    assert line.kind_short
    assert html.escape(line.kind_short) in world.page(world.draft)


def freezing(world: World) -> None:
    """Freeze, parse, freeze: the same bytes, which publishing stores."""
    first = build_definition(world.draft)
    DEFINITION_CACHE.clear()
    again = parse(first.sha256, first.content)
    assert (again, build_definition(world.draft).content) == (first, first.content)
    instrument = publish_survey(world.draft)
    assert (instrument.content, instrument.sha256) == (first.content, first.sha256)
    (item,), question = again.items, world.question(world.draft)
    assert (item.key, item.kind, item.text) == (KEY, world.case.kind, TEXT)
    assert (item.choices, item.unit) == (answer_labels(question), question.unit)
    assert item.mechanism == plan_question(**world.case.answering).mechanism
    assert (item.mechanism is not None) == world.traits.sensitive
    assert (item.step, item.mode) == (question.step or 1, question.mode)
    assert not world.traits.is_number or [*map(str, item.answer_values)] == [*item.choices]
    later = build_definition(new_version(world.draft, world.owner))
    assert json.loads(later.content)["questions"] == json.loads(first.content)["questions"]


def copies(world: World) -> None:
    """The survey's own file, a copy, and a new version."""
    before = settings(world.draft)
    for way in (by_file, by_copy, by_new_version):
        assert settings(way(world.draft, world.owner)) == before, way.__name__


def becomes_a_choice(case: Case) -> bool:
    """XLSForm knows no scale."""
    return case.traits.is_ordered and case.traits.choices == "author"


def as_workbook(world: World) -> None:
    assert_workbook(world, without=("step", "unit", "values"))


def as_workbook_of_choices(world: World) -> None:
    assert_workbook(world, without=("kind", "design", "parameters", "values"))


def assert_workbook(world: World, without: tuple[str, ...]) -> None:
    """Default values are written out in a workbook, and are the same values when they come back."""
    again, notes = reader.bring(as_xlsx(world.draft), world.owner)
    assert notes == []
    kept = [
        {place: value for place, value in settings(survey).items() if place[-1] not in without}
        for survey in (world.draft, again)
    ]
    assert kept[0] == kept[1]
    # Numbers are their own values, and XLSForm knows no step between them.
    if not world.traits.is_number:
        drafts = [build_definition(survey).items[0] for survey in (world.draft, again)]
        assert drafts[0].values.texts == drafts[1].values.texts


def by_program(world: World) -> None:
    """POST what GET gives, and PUT it back; and what a program writes itself."""
    before = settings(world.draft)
    for way in (by_post, by_put):
        assert settings(way(world.draft, world.owner)) == before, way.__name__
    whole = {
        "title": "A survey",
        "protection": None,
        "questions": [world.case.as_json | {"decline": False}],
    }
    answer = world.api.post("/api/v1/surveys/", json.dumps(whole), **AS_JSON)
    assert answer.status_code == 201, answer.content
    read = world.api.get(f"/api/v1/surveys/{answer.json()['slug']}/").json()
    assert read == answer.json()
    assert settings(Survey.objects.get(slug=read["slug"])) == before


def rows_of_a_grid(world: World) -> None:
    survey, typed = world.empty(), grid(world)
    form = world.form(survey, "grids/new/")
    assert world.case.kind in kinds_offered(form)
    world.save(survey, "grids/new/", form, typed)
    first, second = survey.questions.all()
    assert [(each.kind, each.grid, each.text) for each in (first, second)] == [
        (world.case.kind, "How often?", text) for text in ("At home", "At work")
    ]
    world.reopen(survey, f"grids/{first.key}/", typed)
    (alone,) = build_definition(world.new(decline=first.decline)).items
    assert [(each.choices, each.mechanism) for each in build_definition(survey).items] == [
        (alone.choices, alone.mechanism)
    ] * 2
    assert "How often?" in world.page(survey, "preview/")


def in_no_grid(world: World) -> None:
    survey = world.empty()
    assert world.case.kind not in kinds_offered(world.form(survey, "grids/new/"))
    refuse(world, survey, NOT_OF_A_KIND)


def too_long_for_a_grid(world: World) -> None:
    refuse(world, world.empty(), "A grid has at most 11 answers")


def refuse(world: World, survey: Survey, message: str) -> None:
    answer: HttpResponse = world.client.post(world.at(survey, "grids/new/"), grid(world))
    assert answer.status_code == 422
    assert message in html.unescape(answer.content.decode())
    assert not survey.questions.exists()


def grid(world: World) -> dict[str, str]:
    typed = {name: text for name, text in world.case.typed.items() if name not in ("text", "key")}
    return typed | {"heading": "How often?", "rows": "At home\r\nAt work"}


QUESTIONS: Stages = {
    "form": {"alike": (every_kind, form_of_a_question)},
    "overview and pages": {"alike": (every_kind, pages_of_a_draft)},
    "freezing": {"alike": (every_kind, freezing)},
    "copies": {"alike": (every_kind, copies)},
    "XLSForm": {
        "same kind": (lambda case: not becomes_a_choice(case), as_workbook),
        "becomes a choice": (becomes_a_choice, as_workbook_of_choices),
    },
    "API": {"alike": (every_kind, by_program)},
    "grid": {
        "rows": (lambda case: case.traits.in_grid and not case.is_long, rows_of_a_grid),
        "refused": (lambda case: not case.traits.in_grid, in_no_grid),
        "too long": (lambda case: case.traits.in_grid and case.is_long, too_long_for_a_grid),
    },
}
