"""Analyses refuse the same filters as the report: those that leave out only a few people."""

import pytest
from django.test import Client

from tests.results.test_subgroups import expect_filter_of_nearly_all_refused

pytestmark = pytest.mark.django_db
WEIGHTED = "weighted/?margins=sex:0.5,0.5"


@pytest.mark.parametrize("left_out", [1, 29])
@pytest.mark.parametrize(
    "asked", ["model/?outcome=tax:1&explain=sex", "table/?rows=tax&columns=sex", WEIGHTED]
)
def test_an_analysis_refuses_the_same_filters(client: Client, asked: str, left_out: int) -> None:
    expect_filter_of_nearly_all_refused(client, asked, left_out)
