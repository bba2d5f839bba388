"""Shares within a table of two questions: groups as Compare shows them, nothing of too few reports, at every door."""

import csv
import html
import io
from itertools import chain
from pathlib import Path

import pytest

from features.regression.table.conditionals import TOO_FEW_REPORTS
from features.regression.tests.test_analysis_r import run
from surveys.models import Instrument
from tests.factories.analysis_surveys import (
    get_analysis_page,
    get_api,
    get_report_page,
    owner_client,
    publish_import_survey,
)
from tests.factories.responses import release_reports
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey
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
    """Reports to two scrambled questions, of which 3 say Yes to both."""
    instrument = publish_import_survey(
        {"key": "tax", "kind": "yes-no", **NEARLY_CERTAIN},
        {"key": "other", "kind": "yes-no", **NEARLY_CERTAIN},
    )
    counts = {(0, 0): 250, (0, 1): 20, (1, 0): 57, (1, 1): 3}
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
    assert "0% (95% range 0 to 4%)" in shown
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

    assert "answered “South” to Region: “Yes” to Tax, 0% (95% range 0 to 4%)." in sentence
    assert "at most 0%" not in sentence


def test_too_few_reports_of_a_scrambled_row_are_told_at_no_door(two_scrambled: Instrument) -> None:
    """Neither number nor range, and why. The other row has enough of both answers."""
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

    withheld = {"share": None, "standard_error": None, "interval": None, "reason": TOO_FEW_REPORTS}
    assert table["of_rows"][1] == [withheld, withheld]
    assert all(cell["interval"] and not cell["reason"] for cell in table["of_rows"][0])
    assert table["of_columns"][1][1] == withheld
    cell = next(row for row in rows if (row["row"], row["column"]) == ("Yes", "Yes"))
    assert (cell["of_row"], cell["of_row_low"], cell["of_row_high"]) == ("", "", "")
    assert cell["of_row_reason"] == cell["of_column_reason"] == TOO_FEW_REPORTS
    why = (
        "“Too few to tell” means: of the reports with the one answer, fewer than 5 also "
        "have the other answer, or fewer"
    )
    sentence = "Among people who answered “Yes” to Tax: “Yes” to Other, too few to tell."
    for text in (shown, table["sentence"]):
        assert sentence in text
        assert why in text
    assert ">too few to tell<" in drawing
    assert "means: of the reports with the one answer" in " ".join(drawing.split())


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
    assert "fewer than 5 also have the other answer" in scrambled["note"]
    assert grouped["cells"]["of_row_high"][3] == pytest.approx(0.0418017791, abs=1e-8)
