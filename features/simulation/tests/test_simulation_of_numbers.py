"""A sensitive number is simulated before it is asked."""

from django.test import Client
from django.urls import reverse

from tests.definition.test_numbers_and_scales import made


def test_a_rehearsal_assumes_a_mean_and_a_spread(db: None) -> None:
    survey, client = made(), Client()
    client.force_login(survey.owner)
    address = reverse("workspace:simulation", args=[survey.slug])
    page = client.get(
        address, {"n": "2000", "hours-mean": "20", "hours-spread": "5"}
    ).content.decode()
    assert "Standard deviation" in page
    assert "Mean (hours)" in page
    refused = client.get(address, {"hours-mean": "60"})
    assert refused.status_code == 422
    assert "Write a number from 0 to 50." in refused.content.decode()
