"""Weighting to known shares: published figures, the same at every door, and every impossible margin by its name."""

import csv
import html
import io

import numpy as np
import pytest

from features.weighting import known_margins
from features.weighting.weighting import weight_results
from mechanisms import Warner, rake, weighted_estimate
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.site.errors import Invalid
from tests.factories.analysis_surveys import (
    analyst_client,
    get_analysis_page,
    get_api,
    get_report_page,
    owner_client,
    publish_with_counts,
)
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
T, YES = ((90, 60), (120, 95), (70, 55)), ((36, 28), (50, 45), (33, 30))
POPULATION = ((0.12, 0.10), (0.20, 0.22), (0.16, 0.20))


def table() -> Instrument:
    people = {(a, b): (T[a][b], YES[a][b]) for a in range(3) for b in range(2)}
    return publish_with_counts(people, age=("young", "middle", "old"), sex=("Female", "Male"))


def weighted(made: Instrument, text: str, seen: ReaderView | None = None, **more: object):
    seen = seen or ReaderView(made)
    return weight_results(seen, known_margins.margins(seen, known_margins.read(text)), **more)


def yes(found):
    return found.questions[0].answers[1]


def test_post_stratified_shares_are_the_published_ones() -> None:
    people = {
        (place,): pair
        for place, pair in enumerate(zip(np.ravel(T).tolist(), np.ravel(YES).tolist(), strict=True))
    }
    made = publish_with_counts(people, cell=tuple("abcdef"))
    found = yes(weighted(made, f"cell:{','.join(map(str, np.ravel(POPULATION)))}")).weighted
    assert found.share == pytest.approx(0.4334600137, abs=1e-10)
    assert found.standard_error == pytest.approx(0.0473499765, abs=1e-10)


def test_raked_shares_are_the_librarys_row_by_row() -> None:
    made = table()
    found = weighted(made, "age:0.22,0.42,0.36;sex:0.48,0.52", confidence=0.9)
    weights = rake(np.array(T), [[0.22, 0.42, 0.36], [0.48, 0.52]])
    at = [(a, b) for a in range(3) for b in range(2) for _ in range(T[a][b])]
    reports = [int(i < YES[a][b]) for a in range(3) for b in range(2) for i in range(T[a][b])]
    each = [weights[place] for place in at]
    expected = weighted_estimate(Warner("3/4"), reports, each, margins=np.array(at), confidence=0.9)
    assert yes(found).weighted[:2] == pytest.approx(expected[:2], rel=1e-10)
    assert yes(found).weighted.interval == pytest.approx(expected.interval, rel=1e-10)
    assert found.effective_n == pytest.approx(expected.effective_n)
    assert found.design_effect == pytest.approx(expected.design_effect)
    assert yes(found).plain.estimate == pytest.approx((sum(map(sum, YES)) / found.n - 0.25) / 0.5)


def test_known_shares_of_the_respondents_change_nothing() -> None:
    here = ",".join(str(sum(row) / 490) for row in T)
    found = yes(weighted(table(), f"age:{here}"))
    assert found.weighted.share == pytest.approx(found.plain.estimate, abs=1e-12)
    assert found.weighted.design_effect == pytest.approx(1)


def test_every_kind_of_question_is_weighted() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_choice(survey, "way", design="direct", parameters={"epsilon": "1"})
    add_background(survey)
    made = publish_survey(survey)
    add_responses(made, 400, region=[0, 0, 0, 1] * 100, fruit=[0, 0, 0, 1] * 100)
    tax, fruit, way = weighted(made, "region:0.5,0.5").questions
    assert (
        fruit.answers[1].weighted.share > fruit.answers[1].plain.estimate + 0.1
    )  # only the south likes pears
    assert sum(answer.weighted.share for answer in way.answers) == pytest.approx(1)
    assert (len(tax.shown), len(fruit.shown), len(way.shown)) == (1, 4, 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "one to 3 background questions"),
        ("age:0.3,0.3,0.3;sex:0.5,0.5", "“About age[?]” sum to 90"),
        ("sex:0.5", "sum to 50"),
        ("sex:0.2,0.3,0.5", "“Female” and “Male”; there are 3"),
        ("sex:1.5,-0.5", "from 0 to 1"),
        ("sex:nan,0.5", "from 0 to 1"),
        ("sex:a,b", "sex:0.49,0.51"),
        ("tax:0.5,0.5", "There is no question “tax” to choose here"),
        ("sex:0,1", "280 people are in “Female” of “About sex[?]”, whose known share is 0"),
    ],
)
def test_impossible_margins_are_named(text: str, said: str) -> None:
    with pytest.raises(Invalid, match=said) as wrong:
        weighted(table(), text)
    assert list(wrong.value.errors) == ["margins"]


def test_rounded_shares_are_taken() -> None:
    assert weighted(table(), "age:0.333,0.333,0.333").n == 490


def test_an_empty_group_is_refused_by_its_name() -> None:
    made = publish_with_counts(
        {(0,): (100, 40), (1,): (100, 50)}, region=("North", "East", "South")
    )
    with pytest.raises(
        Invalid, match=r"No one here is in “South” of “About region[?]”, whose known share is 20"
    ):
        weighted(made, "region:0.4,0.4,0.2")
    assert weighted(made, "region:0.4,0.6,0").n == 200


def test_margins_that_cannot_be_met_together_name_the_empty_combinations() -> None:
    people = {(0, 0): (100, 40), (1, 1): (100, 50)}
    made = publish_with_counts(people, region=("North", "South"), sex=("Female", "Male"))
    with pytest.raises(Invalid, match="“North” with “Male” and “South” with “Female”"):
        weighted(made, "region:0.7,0.3;sex:0.3,0.7")


def test_weights_far_apart_are_warned_of() -> None:
    made = publish_with_counts({(0,): (380, 150), (1,): (20, 10)}, region=("North", "South"))
    assert "Take care: the largest weight is 19 times" in " ".join(
        weighted(made, "region:0.5,0.5").sentences
    )
    assert "Take care" not in " ".join(weighted(made, "region:0.9,0.1").sentences)


def test_too_few_are_refused() -> None:
    with pytest.raises(TooFew, match="99 people"):
        weighted(
            publish_with_counts({(0,): (50, 20), (1,): (49, 20)}, region=("North", "South")),
            "region:0.5,0.5",
        )


def test_without_the_right_to_rows_groups_are_those_of_the_cut() -> None:
    """South has 20 people and is one group with East: its known shares are summed, which is said."""
    made = publish_with_counts(
        {(0,): (200, 80), (1,): (180, 90), (2,): (20, 10)}, region=("North", "East", "South")
    )
    close_survey(made.survey)
    seen = view_for_reader(Instrument.objects.get(pk=made.pk), has_rows=False)
    found = weighted(made, "region:0.4,0.4,0.2", seen)
    assert found.margins[0].known == pytest.approx((0.4, 0.6))
    assert "added up for “East or South”" in " ".join(found.sentences)
    alone = yes(weighted(made, "region:0.4,0.6", seen)).weighted.share
    assert yes(found).weighted.share == pytest.approx(alone)
    expected = 0.4 * 80 / 200 + 0.6 * 100 / 200
    assert yes(found).weighted.share == pytest.approx((expected - 0.25) / 0.5)


def test_of_a_group() -> None:
    found = weighted(table(), "sex:0.5,0.5", group=Group((("age", (0, 1)),)))
    assert found.n == 365


def test_page_api_and_files_say_the_same() -> None:
    made = table()
    client = owner_client(made)
    told = get_api(
        client, made, "weighted/?margins=age:0.22,0.42,0.36;sex:0.48,0.52&confidence=0.9"
    )
    assert told.status_code == 200, told.content
    (question,) = told.json()["questions"]
    weighted_yes = question["choices"][1]
    typed = "age-0=22&age-1=42&age-2=36%25&sex-0=48&sex-1=52&confidence=90"
    (row,) = [
        row
        for row in csv.DictReader(
            io.StringIO(get_report_page(client, made, f"weighted.csv?{typed}").content.decode())
        )
        if row["answer"] == "Yes"
    ]
    assert float(row["weighted"]) == weighted_yes["share"]
    assert [float(row["low"]), float(row["high"])] == weighted_yes["interval"]
    assert float(row["unweighted"]) == weighted_yes["unweighted"]["share"]
    shown = get_analysis_page(client, made, f"weighting/?{typed}")
    assert shown.status_code == 200
    assert html.escape(told.json()["sentence"].split(".")[0]) in shown.content.decode()
    for form in ("csv", "svg", "png"):
        by_program = get_api(
            client, made, f"weighted.{form}?margins=age:0.22,0.42,0.36;sex:0.48,0.52&confidence=0.9"
        )
        assert (
            by_program.content == get_report_page(client, made, f"weighted.{form}?{typed}").content
        )


def test_what_is_wrong_is_said_at_its_field() -> None:
    made = table()
    client = owner_client(made)
    for typed, field, said in (
        ("sex-0=50", "sex-1", "Enter the share of “Male” too"),
        ("sex-0=50&sex-1=20", "sex-0", "The shares of “About sex?” sum to 70"),
        ("sex-0=x&sex-1=20", "sex-0", "Enter a number from 0 to 100"),
        ("age-0=", "age-0", "one to 3 background questions"),
    ):
        shown = get_analysis_page(client, made, f"weighting/?{typed}")
        assert shown.status_code == 422
        assert said in " ".join(shown.context["form"].errors[field])
    wrong = get_api(client, made, "weighted/?margins=sex:0.5,0.2")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["margins"])


def test_without_the_right_to_rows_nothing_is_weighted_before_the_closing() -> None:
    made = table()
    client = analyst_client(made)
    early = get_api(client, made, "weighted/?margins=sex:0.5,0.5")
    assert (early.status_code, early.json()["type"]) == (422, "/problems/not-of-the-cut")
    close_survey(made.survey)
    told = get_api(client, made, "weighted/?margins=sex:0.5,0.5").json()
    assert told["n"] == 490
    assert "As of the closing" in told["note"]
    assert (
        get_api(owner_client(made), made, "weighted/?margins=sex:0.5,0.5").json()["questions"]
        == told["questions"]
    )
