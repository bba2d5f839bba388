"""Rehearsals: what is assumed has a field for each answer, the result comes first, and nothing is stored."""

import re

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from features.simulation import simulation
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.models import Batch, Question, Response, Survey
from surveys.results.estimates.report import report
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)
from tests.helpers.html_forms import Form, errors

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def survey(client: Client) -> Survey:
    """A question of each kind."""
    survey = create_draft(create_researcher(), language="de")
    add_yes_no(survey)
    add_yes_no(survey, "work", decline=True, design="unary", parameters={"p": "3/4", "q": "1/4"})
    add_choice(survey, decline=True)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    add_background(survey)
    survey.questions.create(
        key="age", position=9, kind="number", text="How old?", minimum=-5, maximum=99
    )
    client.force_login(survey.owner)
    return survey


def look(client: Client, survey: Survey, **typed: str) -> HttpResponse:
    return client.get(
        f"/surveys/{survey.slug}/simulation/",
        {name.replace("__", "-"): of for name, of in typed.items()},
    )


def test_the_result_is_there_at_once_with_as_many_people_as_are_wanted(
    client: Client, survey: Survey
) -> None:
    assert Form(look(client, survey)).values["n"] == "1000"
    Survey.objects.update(target=2500)
    page = look(client, survey)
    assert Form(page).values["n"] == "2500"
    assert "Report of 2,500 invented people" in page.content.decode()
    assert page.content.decode().index("invented people</h2>") < page.content.decode().index(
        "What is assumed"
    )
    assert "autofocus" not in page.content.decode()
    Survey.objects.update(target=9_000_000)
    assert Form(look(client, survey)).values["n"] == "100000"


def test_each_answer_has_a_field(client: Client, survey: Survey) -> None:
    values = Form(look(client, survey)).values
    assert values["tax-1"] == "20"
    assert "tax-0" not in values  # the rest
    assert [name for name in values if name.startswith("work-")] == ["work-1", "work-0", "work-2"]
    assert [values[f"any-{answer}"] for answer in range(4)] == ["30"] * 4
    assert [values[f"fruit-{answer}"] for answer in range(5)] == [""] * 5
    assert sum(name.startswith("age-") for name in values) == 105


def test_a_rehearsal_shows_the_report_and_stores_nothing(client: Client, survey: Survey) -> None:
    shares = dict(
        zip((f"fruit__{answer}" for answer in range(5)), ("40", "30", "20", "5", "5"), strict=True)
    )
    page = look(client, survey, n="20000", tax__1="10", **shares)
    text = page.content.decode()
    assert page.status_code == 200
    assert "Invented answers" in text
    assert "20,000 invented people" in text
    assert "40.0%" in text  # what was assumed, beside what came out
    assert not Response.objects.exists()
    assert not Batch.objects.exists()
    found = {question.key: question for question in page.context["report"].questions}
    for key, answer, truth in (
        ("tax", 1, 0.1),
        ("fruit", 0, 0.4),
        ("fruit", 4, 0.05),
        ("any", 2, 0.3),
    ):
        shown = found[key].choices[answer]
        assert abs(shown.estimate - truth) < 5 * shown.standard_error
    assert page.context["ranges"] == 1 + 3 + 5 + 4
    assert page.context["ranges_with_truth"] >= page.context["ranges"] - 5


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"n": "0"}, "n", "whole number from 1 to 100,000"),
        ({"n": "1000000"}, "n", "whole number from 1 to 100,000"),
        ({"n": ""}, "n", "whole number from 1 to 100,000"),
        ({"tax__1": "101"}, "tax-1", "a number from 0 to 100"),
        ({"tax__1": "x"}, "tax-1", "a number from 0 to 100"),
        ({"fruit__3": "-1"}, "fruit-3", "a number from 0 to 100"),
        ({"age__7": "20 30"}, "age-7", "a number from 0 to 100"),
        ({"fruit__0": "50", "fruit__4": "60"}, "fruit-0", "must sum to 100, not to 110"),
        ({f"fruit__{answer}": "5" for answer in range(5)}, "fruit-0", "must sum to 100, not to 25"),
        ({"work__1": "90", "work__2": "20"}, "work-1", "must sum to 100, not to 110"),
    ],
)
def test_what_cannot_be_rehearsed_is_said_at_its_field_and_nothing_typed_is_lost(
    client: Client, survey: Survey, typed: dict[str, str], field: str, message: str
) -> None:
    page = look(client, survey, any__2="12,5", **typed)
    found = errors(page)
    assert list(found) == [field]
    assert message in found[field]
    values = Form(page).values
    sent = {name.replace("__", "-"): value for name, value in typed.items()} | {"any-2": "12,5"}
    assert {name: values[name] for name in sent} == sent
    assert "invented people</h2>" not in page.content.decode()


def test_all_mistakes_are_said_at_once(client: Client, survey: Survey) -> None:
    assert set(errors(look(client, survey, n="x", tax__1="x", any__0="x", any__1="200"))) == {
        *("n", "tax-1", "any-0", "any-1")
    }


@pytest.mark.parametrize(
    ("key", "typed", "expected"),
    [
        ("tax", {"tax-1": "12.5 %"}, [0.875, 0.125]),
        ("tax", {}, [0.5, 0.5]),
        ("work", {"work-1": "30", "work-2": "10"}, [0.6, 0.3, 0.1]),
        ("fruit", {"fruit-0": "40"}, [0.4, 0.15, 0.15, 0.15, 0.15]),
        ("fruit", {f"fruit-{answer}": "20,0" for answer in range(5)}, [0.2] * 5),
        ("any", {"any-0": "90", "any-3": "90"}, [0.9, 0, 0, 0.9]),
        ("region", {"region-0": "33.3", "region-1": "66.6"}, [1 / 3, 2 / 3]),
    ],
)
def test_empty_fields_share_what_is_left(
    survey: Survey, key: str, typed: dict[str, str], expected: list[float]
) -> None:
    item = next(item for item in build_definition(survey).items if item.key == key)
    assert simulation.parse_shares(item, typed) == pytest.approx(expected)


def test_the_invented_are_randomized_as_real_ones_are(survey: Survey) -> None:
    """Observed shares are those of the design, for every kind; what is sent as it is, is as it was assumed."""
    frozen, n = build_definition(survey), 100_000
    shares = {item.key: [1 / item.size] * item.size for item in frozen.items}
    found = simulation.rehearse(frozen, shares, n, seed=3).report
    for item, question in zip(frozen.items, found.questions, strict=True):
        truth = np.array(shares[item.key])
        line = item.mechanism.line() if item.mechanism else None
        expected = line.offset + line.slope * truth if line else truth
        observed = np.array([each.observed for each in question.choices])
        assert np.abs(observed - expected).max() < 5 * 0.5 / n**0.5
    of_numbers = {
        Question.Kind.QUANTITY,
        Question.Kind.SCALE,
    }  # test_numbers_and_scales.py has them
    assert {item.kind for item in frozen.items} == set(Question.Kind.values) - of_numbers - {
        Question.Kind.WRITTEN
    }


def test_a_rehearsal_leaves_quartiles_out(client: Client) -> None:
    """They are of 200 more samples for each question, at each look."""
    asked = create_draft()
    add_quantity(asked, "hours")
    instrument = publish_survey(asked)
    add_invented_responses(instrument, 300)
    assert len(report(instrument).questions[0].average.quartiles) == 3
    frozen = parse_instrument(instrument)
    shares = {"hours": np.full(frozen.items[0].size, 1 / frozen.items[0].size)}
    (hours,) = simulation.rehearse(frozen, shares, 300, seed=1).report.questions
    assert hours.average.quartiles == ()
    assert hours.average.curve
    client.force_login(asked.owner)
    assert "Half answer" not in look(client, asked).content.decode()


def test_a_rehearsal_reads_nothing_that_anybody_answered(client: Client) -> None:
    """So it may draw chance anew at each look, while pages with results must not change for a few who answer."""
    survey = create_published(create_researcher()).survey
    client.force_login(survey.owner)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"/surveys/{survey.slug}/simulation/").status_code == 200
    tables = set(re.findall(r'"(surveys_\w+)"', " ".join(query["sql"] for query in asked)))
    assert "surveys_survey" in tables
    assert not tables & {"surveys_response", "surveys_held", "surveys_batch"}


def test_a_rehearsal_leaves_it_out_by_page_and_by_program(client: Client, ada: User) -> None:
    survey = surveys.create_draft(ada, title="Both")
    surveys.add_text_question(survey)
    surveys.add_yes_no(survey)
    assert client.get(f"/surveys/{survey.slug}/simulation/").status_code == 200
    found = client.post(
        f"/api/v1/surveys/{survey.slug}/rehearsal/", {}, content_type="application/json"
    )
    assert found.status_code == 200
    assert found.json()["questions"][0]["choices"] == []
