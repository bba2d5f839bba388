"""Adjusted p-values as every door shows them, against an independent implementation."""

import csv
import io

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from surveys.models import Instrument
from tests.factories.analysis_surveys import get_api, get_report_page, owner_client
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGIONS = ("North", "East", "South", "West", "Isles")


@pytest.fixture
def made() -> Instrument:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "region", REGIONS)
    add_background(survey, "sex", ("Female", "Male"))
    add_background(survey, "phone", ("Old", "New", "None"))
    made, rng = publish_survey(survey), np.random.default_rng(3)
    region, sex = rng.integers(0, 5, 4000), rng.integers(0, 2, 4000)
    add_responses(
        made,
        4000,
        region=region,
        sex=sex,
        tax=(rng.random(4000) < 0.2 + 0.08 * region + 0.1 * sex).astype(int),
    )
    return Instrument.objects.get(pk=made.pk)


def adjusted(values: list[float], method: str) -> list[float]:
    return multipletests(values, method=method)[1].tolist()


@pytest.mark.parametrize("kind", ["logit", "shares"])
def test_all_terms_of_a_model_are_allowed_for_by_holm(made: Instrument, kind: str) -> None:
    asked = f"outcome=tax:1&explain=region,sex,phone&model={kind}"
    terms = [
        term
        for term in get_api(owner_client(made), made, f"model/?{asked}").json()["terms"]
        if term["p"] is not None
    ]
    assert len(terms) == 4 + 1 + 2
    assert [term["p_holm"] for term in terms] == pytest.approx(
        adjusted([term["p"] for term in terms], "holm")
    )
    assert any(term["p_holm"] != term["p"] for term in terms)
    text = get_report_page(
        owner_client(made), made, f"model.csv?{asked.replace(',', '&explain=')}"
    ).content.decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["p"]]
    assert [float(row["p_holm"]) for row in rows] == pytest.approx(
        adjusted([float(row["p"]) for row in rows], "holm")
    )


def test_all_pairs_of_groups_are_allowed_for_by_holm_and_by_benjamini_and_hochberg(
    made: Instrument,
) -> None:
    pairs = get_api(owner_client(made), made, "groups/?by=region&outcome=tax:1").json()[
        "comparison"
    ]["pairs"]
    values = [pair["p"] for pair in pairs]
    assert len(values) == 10
    assert [pair["p_holm"] for pair in pairs] == pytest.approx(adjusted(values, "holm"))
    assert [pair["p_bh"] for pair in pairs] == pytest.approx(adjusted(values, "fdr_bh"))
    assert len({round(pair["p_holm"], 12) for pair in pairs}) > 3
