"""Every kind of question and design has a whole report: no page, figure, table or sentence fails on one."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client

from mechanisms import Crosswise, Mangat, Matrix, Triangular
from surveys.authoring.drafts import drafts
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.values import NO_VALUES
from surveys.models import Instrument, Survey
from surveys.results.estimates.report import summarize
from surveys.results.figures.histogram import distribution, number_figure
from surveys.results.report.figures import png, shares_file
from surveys.results.report.headlines import finding
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts
from tests.factories.responses import add_responses
from tests.factories.surveys import create_draft, publish_survey
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CHOICES = ["Never", "Once", "Often", "Always"]


def ask(survey: Survey, key: str, **question: object) -> None:
    drafts.save_question(survey=survey, key=key, text=f"About {key}?", **question)


@pytest.fixture
def survey() -> Survey:
    return create_draft()


def look(client: Client, made: Instrument, rest: str = "") -> str:
    client.force_login(made.survey.owner)
    response = client.get(f"/surveys/{made.survey.slug}/report/{rest}")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("design", [key for key in DESIGNS if DESIGNS[key].select != "text"])
def test_every_design_that_authors_can_choose(client: Client, survey: Survey, design: str) -> None:
    kinds = {"one": "choice", "ordered": "scale"}
    select = DESIGNS[design].select
    kind = "yes-no" if DESIGNS[design].two_answers_only else kinds.get(select, select)
    ask(survey, "it", kind=kind, choices=CHOICES, design=design, parameters=DESIGNS[design].start)
    made = publish_survey(survey)
    size = parse_instrument(made).items[0].size
    truths = np.eye(size, dtype=int)[[0, 1] * 100] if kind == "any" else [0, 1] * 100
    add_responses(made, 200, it=truths)
    page = look(client, made, "?interval=exact&order=size&everything=yes")
    assert "n = 200. Scrambled by the method" in page
    assert "nan" not in re.sub(r"<[^>]*>", "", page)
    assert (
        "Add up the shares" not in page
        if kind in ("yes-no", "any", "scale")
        else "Add up the shares" in page
    )
    assert "About it?" in look(client, made, "it/shares.svg")
    assert "Observed shares" in look(client, made, "quality/")
    assert "epsilon = " in look(client, made, "methods.txt")


def test_a_yes_no_question_with_a_third_answer(client: Client, survey: Survey) -> None:
    ask(survey, "it", kind="yes-no", decline=True, design="direct", parameters={"epsilon": "2"})
    made = publish_survey(survey)
    add_responses(made, 300)
    page = look(client, made)
    assert re.search(r"about|at most|uncertain", page, re.IGNORECASE)
    assert page.index(">Yes<") < page.index(">No<") < page.index(">Prefer not to say<")
    assert "Log-likelihood" not in page


def test_a_background_number_is_a_median_an_average_and_a_distribution(
    client: Client, survey: Survey
) -> None:
    ask(survey, "age", kind="number", minimum="18", maximum="97")
    made = publish_survey(survey)
    add_responses(made, 100, age=[2] * 50 + [12] * 50)
    page = look(client, made, "?everything=yes")
    assert "Age: <strong>25.0 on average</strong> (95% range 24.0 to 26.0)." in page
    assert "The median is 20." in page
    assert page.count("<tr") == 3
    cards = re.findall(r'<dt class="small">(.*?)</dt> <dd><strong><bdi>(.*?)</bdi>', page)
    assert cards == [
        *(("Average", "25.0"), ("Median", "20"), ("Middle half (25% to 75%)", "20 to 30")),
    ]
    assert "How often each number was given" not in page  # the histogram is in its file
    file = client.get(f"/surveys/{made.survey.slug}/report/age/shares.svg").content.decode()
    assert "median 20; shaded: the middle half" in file
    assert client.get(f"/surveys/{made.survey.slug}/report/age/shares.png").content.startswith(
        b"\x89PNG"
    )


@pytest.mark.parametrize(
    ("least", "most", "given", "expected"),
    [
        (0, 9, [3, 3, 4], [(3, 3, 2 / 3), (4, 4, 1 / 3)]),
        (18, 97, [20, 59], [(20, 20, 0.5), (59, 59, 0.5)]),  # 40 numbers: a column each
        (18, 97, [20, 20, 21, 60], [(20, 21, 3 / 8), (60, 61, 1 / 8)]),
        (18, 97, [19, 97], [(18, 19, 1 / 4), (96, 97, 1 / 4)]),
        (
            1,
            97,
            [1, 97],
            [(1, 4, 1 / 8), (95, 97, 1 / 6)],
        ),  # of fewer allowed numbers, so each has more
        (-7, 992, [-7, 992], [(-7, -1, 1 / 14), (950, 992, 1 / 86)]),
    ],
)
def test_many_numbers_stand_in_columns_of_several(
    survey: Survey, least: int, most: int, given: list[int], expected: list[tuple[int, int, float]]
) -> None:
    """Areas are how often: the shares of all numbers of all columns sum to 1."""
    ask(survey, "it", kind="number", minimum=str(least), maximum=str(most), decline=False)
    counts = np.bincount(np.array(given) - least, minlength=most - least + 1).tolist()
    (question,) = summarize(
        parse_instrument(publish_survey(survey)), {"n": len(given), "counts": {"it": counts}}
    ).questions
    found = distribution(question)
    assert found.columns == [(first, last, pytest.approx(share)) for first, last, share in expected]
    assert sum((last - first + 1) * share for first, last, share in found.columns) == pytest.approx(
        1
    )
    assert len(found.columns) <= 40
    figure = number_figure(question)
    assert figure.over.count("plot__count") == len(found.columns)
    assert figure.axis.low <= found.columns[0][0] <= found.columns[-1][1] <= figure.axis.high
    assert (f"in steps of {found.step}," in figure.over) == (found.step > 1)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("spinner", "A person who loads the page again can turn again, and nothing shows it."),
        ("by-hand", "People used coins or dice and entered the outcome."),
    ],
)
def test_who_drew_is_named(client: Client, survey: Survey, mode: str, words: str) -> None:
    ask(survey, "it", kind="yes-no", design="warner", parameters={"p": "2/3"}, mode=mode)
    made = publish_survey(survey)
    add_responses(made, 100)
    assert words in look(client, made, "it/details/")
    assert "relies on" in look(client, made, "methods.txt")


def with_mechanism(mechanism: object, choices: tuple[str, ...], kind: str) -> SurveyDefinition:
    """An instrument whose answers came from elsewhere; such a design cannot be published here."""
    survey = create_draft()
    ask(survey, "it", kind="yes-no", design="two-coin")
    frozen = parse_instrument(publish_survey(survey))
    own = {"mechanism": mechanism, "choices": choices, "kind": kind, "values": NO_VALUES}
    item = replace(frozen.items[0], **own)
    return replace(frozen, items=(item,))


@pytest.mark.parametrize(
    ("mechanism", "choices", "counts"),
    [
        (Mangat("2/3"), ("No", "Yes"), [240, 160]),
        (Triangular("1/4"), ("No", "Yes"), [240, 160]),
        (Crosswise("1/4"), ("No", "Yes"), [240, 160]),
        (Matrix([[6, 1, 1], [1, 5, 2], [1, 2, 5]], 8), ("a", "b", "c"), [180, 120, 100]),
    ],
)
def test_designs_of_imported_answers(
    mechanism: object, choices: tuple[str, ...], counts: list[int]
) -> None:
    frozen = with_mechanism(mechanism, choices, "yes-no" if len(choices) == 2 else "choice")
    result = summarize(frozen, {"n": 400, "counts": {"it": counts}})
    (question,) = result.questions
    assert finding(question).sentence
    assert png(shares_file(result, question)).startswith(b"\x89PNG")
    assert check_counts(frozen, result)[0].p_value is not None
    assert methods(frozen, result).references
    travelling = json.loads(json.dumps(report_json(result), allow_nan=False))
    assert (travelling["questions"][0]["epsilon"] is None) == (not mechanism.publishable)
    assert question.interval_kind == ("wilson" if len(choices) == 2 else "wald")
