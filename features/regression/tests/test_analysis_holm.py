"""Adjusted p-values as every door shows them, against an independent implementation."""

import csv
import io

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from surveys.models import Instrument
from tests.factories.analysis_surveys import api, owner, page
from tests.factories.responses import answered
from tests.factories.surveys import background, draft, publish, yes_no

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGIONS = ("North", "East", "South", "West", "Isles")


@pytest.fixture
def made() -> Instrument:
    survey = draft()
    yes_no(survey)
    background(survey, "region", REGIONS)
    background(survey, "sex", ("Female", "Male"))
    background(survey, "phone", ("Old", "New", "None"))
    made, rng = publish(survey), np.random.default_rng(3)
    region, sex = rng.integers(0, 5, 4000), rng.integers(0, 2, 4000)
    answered(
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
        for term in api(owner(made), made, f"model/?{asked}").json()["terms"]
        if term["p"] is not None
    ]
    assert len(terms) == 4 + 1 + 2
    assert [term["p_holm"] for term in terms] == pytest.approx(
        adjusted([term["p"] for term in terms], "holm")
    )
    assert any(term["p_holm"] != term["p"] for term in terms)
    text = page(owner(made), made, f"model.csv?{asked.replace(',', '&explain=')}").content.decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["p"]]
    assert [float(row["p_holm"]) for row in rows] == pytest.approx(
        adjusted([float(row["p"]) for row in rows], "holm")
    )


def test_all_pairs_of_groups_are_allowed_for_by_holm_and_by_benjamini_and_hochberg(
    made: Instrument,
) -> None:
    pairs = api(owner(made), made, "groups/?by=region&outcome=tax:1").json()["comparison"]["pairs"]
    values = [pair["p"] for pair in pairs]
    assert len(values) == 10
    assert [pair["p_holm"] for pair in pairs] == pytest.approx(adjusted(values, "holm"))
    assert [pair["p_bh"] for pair in pairs] == pytest.approx(adjusted(values, "fdr_bh"))
    assert len({round(pair["p_holm"], 12) for pair in pairs}) > 3
