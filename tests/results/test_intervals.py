"""A report says which intervals it shows, gives none that were not asked for, and can make them hold together."""

import csv
import io
import math

import numpy as np
import pytest
from django.test import Client

from mechanisms import Matrix, Tally
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.models import Instrument
from surveys.results.estimates.report import report, summarize
from surveys.site.errors import Invalid
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import create_published, create_researcher
from tests.helpers.html_forms import errors
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TALLY = {
    "n": 400,
    "counts": {"tax": [240, 160], "fruit": [160, 132, 116, 104, 100], "region": [200, 200]},
}
MATRIX = Matrix([[5, 0, 0], [1, 4, 0], [0, 1, 4]], 5)


@pytest.fixture
def fruit() -> Instrument:
    made = create_published()
    Instrument.objects.update(tally=TALLY)
    return Instrument.objects.get(pk=made.pk)


@pytest.fixture
def matrix() -> Instrument:
    """A yes/no question, and one with a matrix of three answers, for which there are Wald's intervals only."""
    survey = create_survey(owner=create_researcher(), title="On paper", import_only=True)
    save_question(survey=survey, text="Taxes?", key="tax", kind="yes-no", design="two-coin")
    rows = {"rows": "1 0 0; 1/5 4/5 0; 0 1/5 4/5"}
    how_often = {
        "kind": "choice",
        "choices": ["Never", "Once", "Often"],
        "design": "matrix",
        "parameters": rows,
    }
    save_question(survey=survey, text="100% often?", key="often", **how_often)
    instrument = lifecycle.lock_questions(survey)
    often = [0] * 91 + [1] * 8 + [2]
    release_reports(
        instrument, [{"tax": int(number < 40), "often": often[number]} for number in range(100)]
    )
    return instrument


def look(client: Client, instrument: Instrument, rest: str = ""):
    client.force_login(instrument.survey.owner)
    return client.get(f"/surveys/{instrument.survey.slug}/report/{rest}")


def ask(client: Client, instrument: Instrument, query: str = ""):
    client.force_login(instrument.survey.owner)
    return client.get(f"/api/v1/surveys/{instrument.survey.slug}/report/{query}")


def words(response) -> str:
    return " ".join(response.content.decode().replace("\N{NO-BREAK SPACE}", " ").split())


def test_unless_asked_each_question_has_what_its_design_allows(
    client: Client, matrix: Instrument
) -> None:
    found = ask(client, matrix).json()
    assert (found["confidence"], found["simultaneous"]) == (0.95, False)
    assert [question["interval_kind"] for question in found["questions"]] == ["wilson", "wald"]
    expected = MATRIX.estimate(Tally(100, [91, 8, 1])).intervals
    assert np.array(
        [each["interval"] for each in found["questions"][1]["choices"]]
    ) == pytest.approx(expected)
    page = words(look(client, matrix, "?everything=yes"))
    assert "95% Wilson interval" in page
    assert "95% Wald interval" in page


@pytest.mark.parametrize("kind", ["wilson", "exact", "likelihood"])
def test_an_interval_that_a_design_does_not_have_is_refused_and_never_replaced(
    client: Client, matrix: Instrument, kind: str
) -> None:
    with pytest.raises(Invalid, match="only Wald intervals"):
        report(matrix, interval=kind)
    answer = ask(client, matrix, f"?interval={kind}")
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["errors"]["interval"].startswith(
        "For “100% often?” there are only Wald intervals"
    )
    page = look(client, matrix, f"?interval={kind}&order=size")
    message = errors(page)["interval"]
    assert message.startswith(
        f"“{kind}” is not available here. For “100% often?” there are only Wald intervals"
    )
    assert '<option value="size" selected>' in page.content.decode()
    assert look(client, matrix, f"shares.csv?interval={kind}").status_code == 422


def test_it_is_refused_while_there_is_no_response_too(matrix: Instrument) -> None:
    with pytest.raises(Invalid):
        summarize(parse_instrument(matrix), {"n": 0, "counts": {}}, interval="exact")
    empty = report_json(summarize(parse_instrument(matrix), {"n": 0, "counts": {}}))
    assert [question["interval_kind"] for question in empty["questions"]] == ["wilson", "wald"]


def test_walds_may_be_asked_for_everywhere(client: Client, matrix: Instrument) -> None:
    assert {
        each["interval_kind"] for each in ask(client, matrix, "?interval=wald").json()["questions"]
    } == {"wald"}
    assert look(client, matrix, "?interval=wald").status_code == 200


def test_a_saved_report_says_what_its_intervals_are(client: Client, fruit: Instrument) -> None:
    found = ask(client, fruit, "?confidence=0.8&interval=exact&simultaneous=true").json()
    assert (found["confidence"], found["simultaneous"]) == (0.8, True)
    assert {question["interval_kind"] for question in found["questions"]} == {"exact"}
    assert [question["constrained_by"] for question in found["questions"]] == [
        "maximum likelihood",
        "Norm-Sub",
        None,
    ]


def test_intervals_that_hold_together_are_the_librarys(client: Client, fruit: Instrument) -> None:
    mechanism, counts = parse_instrument(fruit).items[1].mechanism, TALLY["counts"]["fruit"]
    expected = mechanism.estimate(Tally(400, counts), 0.95, "exact", simultaneous=True).intervals
    named = mechanism.estimate(Tally(400, counts), 0.95, "wilson", simultaneous=True).intervals
    alone = mechanism.estimate(Tally(400, counts)).intervals
    assert (expected[:, 0] < alone[:, 0]).all()
    found = ask(client, fruit, "?simultaneous=true").json()["questions"]
    assert np.array([choice["interval"] for choice in found[1]["choices"]]) == pytest.approx(
        expected
    )
    by_itself = ask(client, fruit).json()["questions"]
    assert [question["interval_kind"] for question in found] == ["wilson", "exact", "exact"]
    asked = ask(client, fruit, "?simultaneous=true&interval=wilson").json()["questions"][1]
    assert asked["interval_kind"] == "wilson"  # what is asked for by name is kept
    assert np.array([choice["interval"] for choice in asked["choices"]]) == pytest.approx(named)
    assert found[0] == by_itself[0]  # of yes and no only one share is free
    assert found[1] != by_itself[1]
    page = words(look(client, fruit, "?simultaneous=yes&everything=yes"))
    low, high = math.floor(100 * expected[0][0]), math.ceil(100 * expected[0][1])
    assert f"{low}% to {high}%" in page
    assert "95% simultaneous Clopper–Pearson interval" in page
    first = next(
        row
        for row in rows(look(client, fruit, "shares.csv?simultaneous=yes"))
        if row["variable"] == "fruit"
    )
    assert (first["low"], first["simultaneous"], first["interval"]) == (
        str(expected[0, 0]),
        "yes",
        "exact",
    )
    assert "simultaneous Clopper–Pearson" in words(
        look(client, fruit, "fruit/shares.svg?simultaneous=yes")
    )


def rows(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_every_page_and_text_says_whether_intervals_hold_one_by_one(
    client: Client, fruit: Instrument
) -> None:
    page = words(look(client, fruit))
    assert "All ranges are 95% intervals, each for one share alone." in page
    assert "Each interval counts separately: of 100 surveys like this one, about 95 have" in page
    assert "All intervals of a question hold at once less often" in page
    assert "Each interval holds at this level separately" in words(
        look(client, fruit, "methods.txt")
    )
    page = words(look(client, fruit, "?simultaneous=yes&confidence=90"))
    assert "All ranges are 90% intervals that hold together for the answers of a question." in page
    assert (
        "Of 100 surveys like this one, about 90 or more have intervals that hold all true shares"
        in page
    )
    assert "simultaneously at this level (Bonferroni" in words(
        look(client, fruit, "methods.txt?simultaneous=yes")
    )
    assert rows(look(client, fruit, "shares.csv"))[0]["simultaneous"] == "no"


def test_whoever_looks_at_groups_is_told_how_often_one_of_them_misses(client: Client) -> None:
    made = create_published()
    add_responses(made, 200, region=[0, 1] * 100)
    said = "There is no correction for groups: if you look at about 20 groups, expect one interval to miss by chance."
    assert said in words(look(client, made, "?only-region=0"))
    assert said not in words(look(client, made))


@pytest.mark.parametrize("value", ["yes", "1", "True", ""])
def test_a_program_says_true_or_false(client: Client, fruit: Instrument, value: str) -> None:
    assert ask(client, fruit, f"?simultaneous={value}").status_code == 400


def test_another_meaning_is_another_version(client: Client, fruit: Instrument) -> None:
    tags = {
        ask(client, fruit, query)["ETag"] for query in ("", "?simultaneous=true", "?interval=exact")
    }
    assert len(tags) == 3
