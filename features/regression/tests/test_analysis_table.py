"""Two questions together: the published table at every door, identities, refusals, and who sees what."""

import csv
import html
import io
import re

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from features.regression.table.counts import cross_tabulate
from features.regression.table.result import CrossTabulation
from mechanisms import Matrix, UnaryEncoding, Warner, cross, pair_tally
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import has_report
from surveys.fieldwork.responses.released import iter_batches
from surveys.models import Instrument
from surveys.results.analysis import selection
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import NotAReportGroup, ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.site.errors import Invalid
from surveys.site.number_format import format_p_value
from surveys.statements.sentences import ASSOCIATION_NOTE
from tests.factories.analysis_surveys import (
    MATRIX,
    analyst_client,
    get_analysis_page,
    get_api,
    get_report_page,
    owner_client,
    publish_import_survey,
    publish_with_counts,
)
from tests.factories.import_surveys import create_import_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses, make_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TABLE = ((210, 140), (120, 160), (90, 180))
SHARES = (0.326984127, 0.085714286, 0.096825397, 0.204761905, 0.009523810, 0.276190476)


def published_table() -> Instrument:
    """A matrix of three answers and Warner's design, with 900 reports."""
    fruit = {
        "key": "fruit",
        "kind": "choice",
        "choices": ["A", "B", "C"],
        "design": "matrix",
        "parameters": MATRIX,
    }
    made = publish_import_survey(
        fruit, {"key": "tax", "kind": "yes-no", "design": "warner", "parameters": {"p": "3/4"}}
    )
    reports = [
        {"fruit": u, "tax": v} for u in range(3) for v in range(2) for _ in range(TABLE[u][v])
    ]
    release_reports(made, reports)
    return made


def crossed(seen: ReaderView, first: str, second: str, **more: object) -> CrossTabulation:
    parts = [
        selection.parse_variable(seen, text, side)
        for text, side in ((first, "rows"), (second, "columns"))
    ]
    return cross_tabulate(seen, *parts, **more)


def test_the_published_table_at_every_door() -> None:
    made = published_table()
    client = owner_client(made)
    told = get_api(client, made, "table/?rows=fruit&columns=tax")
    assert told.status_code == 200, told.content
    found = told.json()
    cells = [cell for row in found["cells"] for cell in row]
    assert [cell["share"] for cell in cells] == pytest.approx(SHARES, abs=5e-10)
    assert cells[0]["standard_error"] == pytest.approx(0.030511673, abs=5e-10)
    assert cells[0]["interval"] == pytest.approx([0.2701934196, 0.3896889855], abs=1e-8)
    assert cells[4]["interval"] == pytest.approx([-0.0315610099, 0.0584587512], abs=1e-8)
    assert (found["n"], found["phi"], found["rows"]["labels"]) == (900, None, ["A", "B", "C"])
    assert found["independence"]["statistic"] == pytest.approx(chi2_contingency(TABLE).statistic)
    assert found["independence"]["statistic"] == pytest.approx(45.9183673469)
    file = list(
        csv.DictReader(
            io.StringIO(
                get_report_page(client, made, "table.csv?rows=fruit&columns=tax").content.decode()
            )
        )
    )
    assert [float(row["share"]) for row in file] == [cell["share"] for cell in cells]
    assert [float(row["constrained"]) for row in file] == [cell["constrained"] for cell in cells]
    assert float(file[0]["of_row"]) == found["of_rows"][0][0]["share"]
    shown = get_analysis_page(client, made, "linked/?rows=fruit&columns=tax").content.decode()
    for sentence in crossed(ReaderView(made), "fruit", "tax").sentences:
        assert html.escape(sentence) in shown
        assert sentence in found["sentence"]
    for form in ("csv", "svg", "png"):
        both = [
            door(client, made, f"table.{form}?rows=fruit&columns=tax").content
            for door in (get_api, get_report_page)
        ]
        assert both[0] == both[1]


def two_by_two(*, related: bool, seed: int = 1) -> Instrument:
    survey = create_draft()
    add_yes_no(survey)
    add_yes_no(survey, "other", design="two-coin")
    made = publish_survey(survey)
    truths = np.random.default_rng(seed).integers(2, size=4000)
    add_responses(made, 4000, tax=truths, other=truths if related else np.roll(truths, 7))
    return made


def test_answers_that_are_associated_are_said_to_be_with_phi_and_its_range() -> None:
    found = crossed(ReaderView(two_by_two(related=True)), "tax", "other")
    said = " ".join(found.sentences)
    range_ = r"\(phi 0\.\d\d, 95% range 0\.\d\d to \d\.\d\d\)\."
    assert re.search(rf"Tax and Other are associated {range_}|strongly associated", said)
    share = (
        r"Among people who answered “Yes” to Tax: “Yes” to Other, at least \d+(\.\d+)?% "
        r"\(95% range [^)]+\)\."
    )
    assert re.search(share, said)
    assert "farther from independence" not in said  # of two answers and two both are told
    assert ASSOCIATION_NOTE in said
    assert "significant" not in said


def test_without_a_clear_association_no_phi_is_said() -> None:
    made = two_by_two(related=False)
    table = crossed(ReaderView(made), "tax", "other")
    assert "No clear association between Tax and Other." in table.sentences
    assert table.phi.interval[0] < 0 < table.phi.interval[1]
    shown = get_analysis_page(
        owner_client(made), made, "linked/?rows=tax&columns=other"
    ).content.decode()
    assert (
        "phi"
        not in re.sub(r"<form.*?</form>|<script.*?</script>", "", shown, flags=re.DOTALL).lower()
    )


def by_counts(counts: list[list[int]]) -> Instrument:
    """Reports to Warner’s question with 3/4 and to a forced response with 2/3, so often together."""
    made = publish_import_survey(
        {"key": "tax", "kind": "yes-no", "design": "warner", "parameters": {"p": "3/4"}},
        {
            "key": "other",
            "kind": "yes-no",
            "design": "forced-response",
            "parameters": {"truth": "2/3", "yes": "1/6", "no": "1/6"},
        },
    )
    release_reports(
        made,
        [{"tax": u, "other": v} for u in range(2) for v in range(2) for _ in range(counts[u][v])],
    )
    return made


def test_a_phi_beyond_one_is_said_as_its_bound() -> None:
    """The estimate is 1.10 with an interval from 0.89 to 1.32, so only its lower end is told."""
    made = by_counts([[700, 190], [260, 250]])
    said = crossed(ReaderView(made), "tax", "other").sentences
    assert "Tax and Other are strongly associated (phi at least 0.88)." in said
    client = owner_client(made)
    phi = get_api(client, made, "table/?rows=tax&columns=other").json()["phi"]
    assert (phi["value"], phi["interval"][1]) == (None, 1)
    assert (phi["standard_error"], phi["interval"][0]) == pytest.approx(
        (0.1089656778, 0.8890615180), abs=1e-9
    )
    shown = html.unescape(
        get_analysis_page(client, made, "linked/?rows=tax&columns=other").content.decode()
    )
    assert "Tax and Other are strongly associated (phi at least 0.88)." in shown
    assert "1.10" not in " ".join(said)
    turned = crossed(ReaderView(by_counts([[190, 700], [250, 260]])), "tax", "other").sentences
    assert "Tax and Other are strongly associated (phi at most −0.88)." in turned


@pytest.mark.parametrize(
    "counts", [[[340, 60], [40, 260]], [[35, 25], [22, 20]]], ids=["below 0", "too few"]
)
def test_what_cannot_measure_an_association_says_so(counts: list[list[int]]) -> None:
    """A decoded cell far below 0; an interval of phi that is longer than 1."""
    made = by_counts(counts)
    table = crossed(ReaderView(made), "tax", "other")
    assert table.phi is None
    assert table.sentences[0] == "Too few responses to measure the association."
    assert table.missing_reason.startswith(
        "Too few responses to measure the association. There is no phi: the "
    )


def test_no_odds_where_a_cell_is_not_above_zero() -> None:
    found = crossed(
        ReaderView(publish_with_counts({(0,): (200, 90), (1,): (200, 40)}, sex=("Female", "Male"))),
        "sex",
        "tax",
    )
    assert found.table.shares[1, 1] < 0
    assert found.odds_ratio is None
    assert "There is no odds ratio: the share of both is" in found.missing_reason


def test_every_kind_together_is_the_librarys(settings) -> None:
    """Marks and marks; a background question and marks; one answer against all others."""
    settings.SEAL_SLICE = 70
    survey = create_draft()
    add_choice(survey, "a")
    add_choice(survey, "b", ("X", "Y", "Z"), "unary-any", kind="any", parameters={"epsilon": "1"})
    add_background(survey)
    made = publish_survey(survey)
    add_responses(made, 300, b=np.eye(3, dtype=int)[np.arange(300) % 3])
    stored = np.concatenate(list(iter_batches(made)))
    a, b = (np.unpackbits(stored[key], axis=1, count=size) for key, size in (("a", 4), ("b", 3)))
    marks = [item.mechanism for item in parse_instrument(made).items[:2]]
    found = crossed(ReaderView(made), "a", "b").table
    expected = cross(marks[0], marks[1], pair_tally(marks[0], a, marks[1], b))
    assert found.shares == pytest.approx(expected.shares)
    assert found.independence() == pytest.approx(expected.independence())
    single = crossed(ReaderView(made), "a:2", "region")
    assert single.rows == ("not Plum", "Plum")
    assert single.table.shares[1] == pytest.approx(
        crossed(ReaderView(made), "a", "region").table.shares[2]
    )


def create_survey_of_few_people() -> Instrument:
    """Create a survey of 120 people with two direct questions, one that sends bits, and regions."""
    survey = create_draft()
    add_choice(survey, "way", list("ABCD"), design="direct", parameters={"epsilon": "4"})
    add_choice(survey, "place", list("ABCD"), design="direct", parameters={"epsilon": "4"})
    add_choice(
        survey, "pets", ["Cat", "Dog"], kind="any", design="unary-any", parameters={"epsilon": "3"}
    )
    add_background(survey, labels=("North", "East", "South"), cut=True)
    made = publish_survey(survey)
    rng = np.random.default_rng(21)
    region, way = np.arange(120) % 3, rng.choice(4, 120, p=[0.7, 0.1, 0.1, 0.1])
    pets = rng.integers(0, 2, (120, 2))
    place = np.where(rng.random(120) < 0.6, way, rng.integers(0, 4, 120))
    add_responses(made, 120, region=region, way=way, place=place, pets=pets)
    return Instrument.objects.get(pk=made.pk)


def test_the_permutation_test_is_named_at_every_door() -> None:
    made = create_survey_of_few_people()
    client = owner_client(made)

    told = get_api(client, made, "table/?rows=way&columns=place").json()
    turned = get_api(client, made, "table/?rows=place&columns=way").json()
    shown = html.unescape(
        get_analysis_page(client, made, "linked/?rows=way&columns=place").content.decode()
    )
    drawing = html.unescape(
        get_report_page(client, made, "table.svg?rows=way&columns=place").content.decode()
    )

    test = told["independence"]
    assert (test["method"], test["draws"]) == ("permutation", 1999)
    assert turned["independence"]["p_value"] == test["p_value"] <= 0.01
    sentence = f"{format_p_value(test['p_value'])}."
    assert f"Way and Place are associated. Permutation test, {sentence}" in told["sentence"]
    assert f"Permutation test, {sentence}" in shown
    assert "(permutation test, 1,999 draws)" in shown
    assert "Permutation test" in drawing
    methods = "by a permutation test (1,999 random tables with the margins of the reports"
    assert methods in told["methods"]
    assert methods in shown
    assert any(reference.startswith("Agresti, A., Wackerly") for reference in told["references"])


def test_bits_are_permuted_for_readers_of_rows_only() -> None:
    """Whoever reads report groups alone has counts, which say only what chi-square needs."""
    made = create_survey_of_few_people()
    owner, analyst = owner_client(made), analyst_client(made)
    close_survey(made.survey)

    told = get_api(owner, made, "table/?rows=region&columns=pets:1").json()
    by_counts = get_api(analyst, made, "table/?rows=region&columns=pets:1").json()
    bits = get_api(owner, made, "table/?rows=region&columns=pets").json()

    # One bit is a question of two answers, whose counts are enough for all readers.
    assert told["independence"] == by_counts["independence"]
    assert told["independence"]["method"] == "permutation"
    assert bits["independence"]["method"] == "permutation"
    assert "1,999 permutations of the reports to one question" in bits["methods"]


def test_only_those_who_were_asked_both_count() -> None:
    made = Instrument.objects.get(survey=create_import_survey())
    add_invented_responses(made, 500, missing=0.2)
    found = crossed(ReaderView(made), "tax", "fruit")
    stored = np.concatenate(list(iter_batches(made)))
    there = has_report(parse_instrument(made), stored, "tax") & has_report(
        parse_instrument(made), stored, "fruit"
    )
    assert (found.n, found.left_out) == (int(there.sum()), 500 - int(there.sum()))
    fruit = np.unpackbits(stored["fruit"][there], axis=1, count=3)
    expected = pair_tally(
        Warner("3/4"), stored["tax"][there], UnaryEncoding(3, "3/4", "1/4"), fruit
    )
    assert found.table.tally == expected


def test_of_a_group() -> None:
    made = publish_with_counts(
        {(0, 0): (100, 60), (0, 1): (100, 30), (1, 0): (90, 10), (1, 1): (80, 9)},
        a=("x", "y"),
        b=("u", "v"),
    )
    assert crossed(ReaderView(made), "tax", "b", group=Group((("a", (0,)),))).n == 200


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ("rows=tax&columns=tax", "columns"),
        ("rows=tax&columns=tax:1", "columns"),
        ("rows=tax&columns=nobody", "columns"),
        ("rows=tax:5&columns=sex", "rows"),
        ("columns=sex", "rows"),
    ],
)
def test_what_is_no_table_is_named_at_its_place(rest: str, field: str) -> None:
    made = publish_with_counts({(0,): (100, 60), (1,): (100, 30)}, sex=("Female", "Male"))
    answer = get_api(owner_client(made), made, f"table/?{rest}")
    assert (answer.status_code, list(answer.json()["errors"])) == (422, [field])
    shown = get_analysis_page(owner_client(made), made, f"linked/?{rest}")
    form = shown.context["form"]
    assert (shown.status_code, list(form.errors)) == (422, [form.place(field)])


def test_too_few_and_too_many() -> None:
    made = publish_with_counts({(0,): (50, 20), (1,): (49, 20)}, sex=("Female", "Male"))
    with pytest.raises(TooFew, match="99 people"):
        crossed(ReaderView(made), "sex", "tax")
    survey = create_draft(made.survey.owner)
    add_choice(survey, "wide", [f"{number}" for number in range(40)])
    add_background(survey, "town", [f"Town {number}" for number in range(70)])
    with pytest.raises(TooMuch, match="70 × 40 cells; at most 2,500"):
        crossed(ReaderView(publish_survey(survey)), "town", "wide")


def test_without_the_right_to_rows_there_is_background_with_scrambled_from_the_closing_on() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_background(survey, cut=True)
    add_background(survey, "colour", ("Red", "Blue"))
    made = publish_survey(survey)
    add_responses(made, 600, region=[0] * 250 + [1] * 350)
    client = analyst_client(made)
    for rest in ("rows=tax&columns=fruit", "rows=region&columns=tax"):
        early = get_api(client, made, f"table/?{rest}")
        assert (early.status_code, early.json()["type"]) == (422, "/problems/not-of-the-cut")
    close_survey(made.survey)
    assert (
        "Two scrambled questions together need row access"
        in get_api(client, made, "table/?rows=tax&columns=fruit").json()["detail"]
    )
    assert get_api(client, made, "table/?rows=colour&columns=fruit").status_code == 422
    for rest in (
        "rows=region&columns=tax",
        "rows=tax&columns=region",
        "rows=region&columns=fruit:2",
    ):
        told, whole = (
            get_api(each, made, f"table/?{rest}").json() for each in (client, owner_client(made))
        )
        assert told["cells"] == whole["cells"]
        assert told["phi"] == whole["phi"]
        assert told["independence"]["p_value"] == pytest.approx(whole["independence"]["p_value"])
    marks, whole = (
        get_api(each, made, "table/?rows=region&columns=fruit").json()
        for each in (client, owner_client(made))
    )
    assert marks["cells"] == whole["cells"]
    assert marks["independence"]["degrees"] == 3
    assert marks["independence"]["method"] == "chi-square"
    # From the counts alone: the errors of marks are then those that the design has.
    assert marks["independence"]["statistic"] == pytest.approx(
        whole["independence"]["statistic"], rel=0.2
    )


def test_groups_of_the_cut_are_named() -> None:
    """South has 20 people and is one group with East."""
    made = publish_with_counts(
        {(0,): (200, 80), (1,): (180, 90), (2,): (20, 10)}, region=("North", "East", "South")
    )
    close_survey(made.survey)
    seen = view_for_reader(Instrument.objects.get(pk=made.pk), has_rows=False)
    found = crossed(seen, "region", "tax")
    assert found.rows == ("North", "East or South")
    assert found.table.tally.counts.tolist() == [[120, 80], [100, 100]]
    with pytest.raises(NotAReportGroup):
        crossed(seen, "region", "tax", group=Group((("region", (1,)),)))
    with pytest.raises(Invalid):
        crossed(seen, "region:2", "tax")


def test_small_groups_are_together_for_readers_of_rows_too() -> None:
    """30 people or more in each group, and no few people outside of all of them."""
    places = {(0,): (200, 80), (1,): (180, 90), (2,): (20, 10), (3,): (15, 5)}
    made = publish_with_counts(places, region=("North", "East", "South", "West"))
    table = crossed(ReaderView(made), "region", "tax")
    assert table.rows == ("North", "East", "Other")
    assert table.table.tally.counts.tolist() == [[120, 80], [90, 90], [20, 15]]
    turned = crossed(ReaderView(made), "tax", "region")
    assert turned.columns == table.rows
    assert (table.table.shares == turned.table.shares.T).all()
    told = get_api(owner_client(made), made, "table/?rows=region&columns=tax").json()
    assert told["rows"]["labels"] == ["North", "East", "Other"]


@pytest.mark.parametrize(
    ("rows", "columns"), [("region:1", "tax"), ("region", "tax"), ("tax", "region:1")]
)
def test_a_table_with_a_small_group_beside_one_other_is_refused(rows: str, columns: str) -> None:
    made = publish_with_counts({(0,): (200, 80), (1,): (20, 10)}, region=("North", "South"))
    with pytest.raises(TooSmall, match="At least two need 30"):
        crossed(ReaderView(made), rows, columns)


def test_a_table_of_two_background_questions_has_no_small_group() -> None:
    made = publish_with_counts(
        {(0, 0): (100, 60), (0, 1): (100, 30), (1, 0): (12, 2), (1, 1): (90, 9), (2, 1): (10, 5)},
        a=("x", "y", "z"),
        b=("u", "v"),
    )
    table = crossed(ReaderView(made), "a", "b")
    assert table.rows == ("x", "Other")
    assert table.table.tally.first.counts.tolist() == [200, 112]


@pytest.mark.parametrize("declines", [False, True])
def test_marks_keep_their_test_beside_small_groups(declines: bool) -> None:
    """Which marks come together is counted of the people in the table alone, where some are left out too."""
    survey = create_draft()
    add_choice(
        survey,
        "pets",
        ["Cat", "Dog", "Fish"],
        kind="any",
        design="unary-any",
        parameters={"epsilon": "3"},
    )
    add_background(survey, labels=("North", "East", "South", "West"))
    survey.questions.filter(key="region").update(decline=declines)
    made = publish_survey(survey)
    people = [0] * 300 + [1] * 200 + [2] * 20 + [3] * 15 + [4] * 60 * declines
    reports = make_responses(
        made, len(people), region=people, pets=np.array([[v % 2, v > 0, v > 1] for v in people])
    )
    release_reports(made, reports)
    crosses = (
        crossed(ReaderView(made), "region", "pets"),
        crossed(ReaderView(made), "pets", "region"),
    )
    kept = [each for each in reports if each["region"] < 4]
    groups = [min(each["region"], 2) for each in kept]
    marks = np.array([[int(mark) for mark in each["pets"]] for each in kept])
    (mechanism,) = [item.mechanism for item in parse_instrument(made).items if item.key == "pets"]
    direct = Matrix.identity(3)
    tally = pair_tally(direct, groups, mechanism, marks)
    expected = cross(direct, mechanism, tally).independence((np.array(groups), marks))
    assert crosses[0].rows == crosses[1].columns == ("North", "East", "Other")
    for each in crosses:
        assert each.table.tally.n == len(kept)
        assert each.independence[:3] == pytest.approx(expected[:3])
        assert each.independence.method == "permutation"
    assert expected.p_value == 1 / 2000
