"""What is it linked to?: sentence, verdict and range on the page are one interval; no direction without it."""

import html
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.fieldwork.responses.deletion import delete_responses
from tests.factories.analysis_surveys import get_analysis_page, owner_client, publish_with_counts
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey
from tests.fieldwork.test_deletion import comes

pytestmark = pytest.mark.django_db
PEOPLE = {
    (region, colour): (400, 100 + 120 * (region == 1) + 25 * (region == 2) + 3 * colour)
    for region in range(3)
    for colour in range(2)
}


@pytest.fixture
def shown() -> str:
    made = publish_with_counts(PEOPLE, region=("North", "South", "West"), colour=("Red", "Blue"))
    return html.unescape(
        get_analysis_page(
            owner_client(made), made, "linked/?outcome=tax:1&explain=region&explain=colour"
        ).text
    )


def test_sentence_verdict_and_range_are_one_interval(shown: str) -> None:
    table = shown[shown.index("As a table") : shown.index("Method and checks")]
    rows = re.findall(r'rowheader" dir="auto">(\w+)</th>(.*?)</tr>', table, flags=re.DOTALL)
    verdicts = []
    for group, cells in rows:
        *_, difference, range_, _, verdict = re.findall(
            r"data-label=\"[^\"]+\">(.*?)</td>", cells, flags=re.DOTALL
        )
        if not (ends := re.findall(r"[−+]?\d+(?:\.\d+)?", range_)):
            continue
        low, high = (float(end.replace("−", "-")) for end in ends)
        is_clear = low > 0 or high < 0
        verdicts.append(verdict)
        assert (verdict in {"Higher", "Lower"}) is is_clear
        sentence = re.search(
            rf"Tax: ([\d.]+) points (higher|lower) in “{group}” than in “\w+”, adjusted for Colour (\(.*?\))",
            shown,
        )
        assert (sentence is not None) is is_clear
        if sentence:
            near, far = sorted((end.lstrip("+−") for end in ends), key=float)
            assert sentence[3] == f"(95% range {near} to {far})"
            assert sentence[2] == verdict.lower()
            assert sentence[1] in difference
        else:
            assert "–" in difference
            assert not re.search(r"\d", difference)
    assert {"Higher", "No clear difference"} <= set(verdicts)


def test_a_factor_without_a_clear_difference_says_how_large_one_could_be(shown: str) -> None:
    assert re.search(
        r"Tax: no clear difference by Colour\. Differences of up to \d+ points are still possible\.",
        shown,
    )


def test_one_group_factor_leads_to_the_groups(client: Client) -> None:
    made = publish_with_counts(PEOPLE, region=("North", "South", "West"), colour=("Red", "Blue"))
    response = get_analysis_page(
        owner_client(made), made, "linked/?outcome=tax:1&explain=region&confidence=90"
    )
    assert response.status_code == 302
    assert re.search(r"\?confidence=90&by=region$", response["Location"])


def test_more_than_four_factors_are_refused_at_their_field() -> None:
    made = publish_with_counts(PEOPLE, region=("North", "South", "West"), colour=("Red", "Blue"))
    response = get_analysis_page(
        owner_client(made),
        made,
        "linked/?outcome=tax:1" + "".join(f"&explain=x{place}" for place in range(5)),
    )
    assert response.status_code == 422
    assert response.context["form"].errors["explain"] == ["Choose at most 4 factors."]


def test_page_opens_after_the_responses_were_deleted() -> None:
    survey = create_draft(purpose="To know.", delete_on=timezone.now().date() + timedelta(days=1))
    add_yes_no(survey)
    add_background(survey, cut=True)
    made = publish_survey(survey)
    add_responses(made, 120, region=[0] * 70 + [1] * 50)
    delete_responses(comes(made))
    assert get_analysis_page(owner_client(made), made, "linked/").status_code == 200
