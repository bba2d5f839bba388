"""Shares within a table: groups as Compare shows them, others by the score test."""

import csv
import html
import io
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from features.regression.table.conditionals import TOO_FEW_REASON
from features.regression.tests.test_analysis_r import run
from surveys.models import Instrument
from tests.factories.analysis_surveys import (
    get_analysis_page,
    get_api,
    get_report_page,
    owner_client,
    publish_import_survey,
)
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.servers.r import needs_r

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NEARLY_CERTAIN = {"design": "warner", "parameters": {"p": "19/20"}}
REGIONS = {"North": (200, 14), "South": (40, 0), "East": (40, 4), "West": (40, 3)}


@pytest.fixture
def regions() -> Instrument:
    """A survey of a rare answer, whose reports in one region are all No."""
    survey = create_draft()
    add_yes_no(survey, **NEARLY_CERTAIN)
    add_background(survey, labels=tuple(REGIONS), cut=True)
    instrument = publish_survey(survey)
    responses = []
    for region, (people, yes) in enumerate(REGIONS.values()):
        responses += [{"region": region, "tax": int(number < yes)} for number in range(people)]
    release_reports(instrument, responses)
    return Instrument.objects.get(pk=instrument.pk)


@pytest.fixture
def two_scrambled() -> Instrument:
    """Reports to two scrambled questions, of which the share of Yes to tax is estimated below 0."""
    instrument = publish_import_survey(
        {"key": "tax", "kind": "yes-no", **NEARLY_CERTAIN},
        {"key": "other", "kind": "yes-no", **NEARLY_CERTAIN},
    )
    counts = {(0, 0): 280, (0, 1): 38, (1, 0): 10, (1, 1): 2}
    responses = []
    for (tax, other), people in counts.items():
        responses += [{"tax": tax, "other": other}] * people
    release_reports(instrument, responses)
    return instrument


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_group_has_one_interval_in_the_table_and_in_compare(regions: Instrument) -> None:
    """Of South’s 40 reports none is Yes, and its interval still ends above 0."""
    client = owner_client(regions)

    table = get_api(client, regions, "table/?rows=region&columns=tax").json()
    turned = get_api(client, regions, "table/?rows=tax&columns=region").json()
    groups = get_api(client, regions, "groups/?by=region").json()["groups"]
    compared = get_api(client, regions, "compare/?by=region").json()["questions"][0]["answers"][0][
        "groups"
    ]

    for place, group in enumerate(groups):
        choices = group["questions"][0]["choices"]
        expected = [choice["interval"] for choice in choices]
        in_turned = [row[place]["interval"] for row in turned["of_columns"]]
        assert [cell["interval"] for cell in table["of_rows"][place]] == expected
        assert in_turned == expected
        assert table["of_rows"][place][1]["interval"] == compared[place]["interval"]
    south = table["of_rows"][1][1]
    assert south["interval"] == pytest.approx([-0.0555555556, 0.0418017791], abs=1e-8)
    assert south["reason"] == ""


@pytest.mark.parametrize("confidence", ["0.95", "0.9"])
def test_every_share_of_a_group_is_the_one_of_compare(confidence: str) -> None:
    """Whatever the design, of all answers and of one alone, with a small group in “Other”."""
    survey = create_draft()
    labels = ["A", "B", "C"]
    add_yes_no(survey, **NEARLY_CERTAIN)
    add_yes_no(survey, "other", design="two-coin")
    add_choice(survey, "fruit", labels)
    add_choice(survey, "way", labels, design="direct", parameters={"epsilon": "2"})
    add_choice(survey, "pets", labels, kind="any", design="unary-any", parameters={"epsilon": "3"})
    add_background(survey, labels=tuple(REGIONS))
    instrument = publish_survey(survey)
    rng = np.random.default_rng(17)
    n = 330
    region = rng.choice(4, n, p=[0.5, 0.25, 0.2, 0.05])
    add_responses(
        instrument,
        n,
        region=region,
        tax=(rng.random(n) < 0.02).astype(int),
        other=rng.integers(0, 2, n),
        fruit=rng.integers(0, 3, n),
        way=rng.integers(0, 3, n),
        pets=rng.integers(0, 2, (n, 3)),
    )
    instrument = Instrument.objects.get(pk=instrument.pk)
    client = owner_client(instrument)
    asked = f"confidence={confidence}"

    compared = get_api(client, instrument, f"compare/?by=region&{asked}").json()["questions"]

    assert [question["key"] for question in compared] == ["tax", "other", "fruit", "way", "pets"]
    for question in compared:
        address = f"table/?rows=region&columns={question['key']}"
        whole = get_api(client, instrument, f"{address}&{asked}").json()
        for answer in question["answers"]:
            code = answer["choice"]
            single = get_api(client, instrument, f"{address}:{code}&{asked}")
            of_one = [row[1] for row in single.json()["of_rows"]]
            of_all = [row[code] for row in whole["of_rows"]]
            expected = [[group["estimate"], *group["interval"]] for group in answer["groups"]]
            for cells in (of_one, of_all):
                found = [[cell["share"], *cell["interval"]] for cell in cells]
                assert np.array(found) == pytest.approx(np.array(expected), rel=0, abs=1e-15)
            names = [group["group"] for group in answer["groups"]]
            assert names == whole["rows"]["labels"]


def test_no_door_says_at_most_nothing_of_a_group(regions: Instrument) -> None:
    client = owner_client(regions)

    shown = html.unescape(
        get_analysis_page(client, regions, "linked/?rows=region&columns=tax").content.decode()
    )
    drawing = get_report_page(client, regions, "table.svg?rows=region&columns=tax").content.decode()
    rows = read_csv(
        get_report_page(client, regions, "table.csv?rows=region&columns=tax").content.decode()
    )

    assert "at most 0%" not in shown
    assert "at most 4.2% (95% range 0 to 4.2%)" in shown
    assert "at most 0%" not in drawing
    south = next(row for row in rows if (row["row"], row["column"]) == ("South", "Yes"))
    assert (float(south["of_row_low"]), float(south["of_row_high"])) == pytest.approx(
        (-0.05556, 0.04180), abs=1e-5
    )
    assert south["of_row_reason"] == ""


def test_two_groups_are_told_in_the_sentences_as_compare_has_them() -> None:
    """A table of two by two answers has its shares in sentences."""
    survey = create_draft()
    add_yes_no(survey, **NEARLY_CERTAIN)
    add_background(survey, labels=("North", "South"), cut=True)
    instrument = publish_survey(survey)
    release_reports(
        instrument,
        [{"region": int(number < 40), "tax": int(number >= 226)} for number in range(240)],
    )

    sentence = get_api(
        owner_client(instrument), instrument, "table/?rows=region&columns=tax"
    ).json()["sentence"]

    share = "at most 4.2% (95% range 0 to 4.2%)."
    assert f"answered “South” to Region: “Yes” to Tax, {share}" in sentence
    assert "at most 0%" not in sentence


def test_a_row_whose_share_is_below_zero_is_told_at_no_door(two_scrambled: Instrument) -> None:
    """Neither number nor range, and why. The other row has both."""
    client = owner_client(two_scrambled)

    table = get_api(client, two_scrambled, "table/?rows=tax&columns=other").json()
    rows = read_csv(
        get_report_page(client, two_scrambled, "table.csv?rows=tax&columns=other").content.decode()
    )
    shown = html.unescape(
        get_analysis_page(client, two_scrambled, "linked/?rows=tax&columns=other").content.decode()
    )
    drawing = html.unescape(
        get_report_page(client, two_scrambled, "table.svg?rows=tax&columns=other").content.decode()
    )

    withheld = {
        "share": None,
        "standard_error": None,
        "interval": None,
        "reason": TOO_FEW_REASON,
        "state": "too_few",
        "method": "score",
        "family": {"size": 1, "confidence": 0.95},
        "printed": {"number": None, "low": None, "high": None, "decimals": 0, "unit": "%"},
    }
    assert table["of_rows"][1] == [withheld, withheld]
    assert all(cell["interval"] and not cell["reason"] for cell in table["of_rows"][0])
    assert [cell["state"] for cell in table["of_rows"][0]] == ["shown", "shown"]
    cell = next(row for row in rows if (row["row"], row["column"]) == ("Yes", "Yes"))
    assert (cell["of_row"], cell["of_row_low"], cell["of_row_high"]) == ("", "", "")
    assert cell["of_row_reason"] == TOO_FEW_REASON
    assert cell["of_column_reason"] == ""
    sentence = "Too few answers for a statement about people who answered “Yes” to Tax."
    why = "“Too few to tell” means: the share of people with the one answer is estimated as 0"
    for text in (shown, table["sentence"]):
        assert sentence in text
        assert why in text
    assert ">too few to tell<" in drawing
    assert "means: the share of people with the one answer" in " ".join(drawing.split())


@pytest.mark.parametrize(
    ("counts", "interval", "state"),
    [
        ([[250, 20], [30, 0]], (0, 0.1173923060), "at_most"),
        ([[250, 15], [25, 10]], (0.2003581477, 0.7867835760), "withheld"),
    ],
)
def test_a_scrambled_row_has_the_interval_of_the_score_test(
    counts: list[list[int]], interval: tuple[float, float], state: str
) -> None:
    instrument = publish_import_survey(
        {"key": "tax", "kind": "yes-no", **NEARLY_CERTAIN},
        {"key": "other", "kind": "yes-no", **NEARLY_CERTAIN},
    )
    responses = []
    for (tax, other), people in np.ndenumerate(counts):
        responses += [{"tax": tax, "other": other}] * people
    release_reports(instrument, responses)

    table = get_api(owner_client(instrument), instrument, "table/?rows=tax&columns=other").json()

    cell = table["of_rows"][1][1]
    assert cell["interval"] == pytest.approx(interval, abs=1e-8)
    assert cell["state"] == state
    assert "invert a score test (Mee 1984; Miettinen & Nurminen 1985)" in table["methods"]
    assert any(reference.startswith("Mee, R. W. (1984)") for reference in table["references"])


def test_a_share_is_never_given_without_its_interval_or_a_reason(two_scrambled: Instrument) -> None:
    table = get_api(
        owner_client(two_scrambled), two_scrambled, "table/?rows=tax&columns=other"
    ).json()

    for side in ("of_rows", "of_columns"):
        for row in table[side]:
            for cell in row:
                assert (cell["interval"] is None) == bool(cell["reason"])


@needs_r
def test_the_r_script_leaves_out_what_the_table_leaves_out(
    regions: Instrument, two_scrambled: Instrument, tmp_path: Path
) -> None:
    scrambled = run(two_scrambled, tmp_path, {"table": 'crosstab("tax", "other")'})["table"]
    grouped = run(regions, tmp_path, {"table": 'crosstab("region", "tax")'})["table"]

    table = get_api(
        owner_client(two_scrambled), two_scrambled, "table/?rows=tax&columns=other"
    ).json()
    for side in ("of_row", "of_column"):
        left_out = [cell["share"] is None for cell in chain.from_iterable(table[f"{side}s"])]
        assert [share is None for share in scrambled["cells"][side]] == left_out
        assert [low is None for low in scrambled["cells"][f"{side}_low"]] == left_out
    assert "is estimated as 0 or less" in scrambled["note"]
    assert grouped["cells"]["of_row_high"][3] == pytest.approx(0.0418017791, abs=1e-8)
