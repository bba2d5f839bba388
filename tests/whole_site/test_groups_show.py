"""Before the closing, people without row access find out nothing of background answers: whatever these are, every
address, page, file, list and header is the same byte for byte.
"""

import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Batch, Instrument, Membership
from tests.factories.responses import release_reports
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.whole_site.test_release_shows import Looking

pytestmark = [pytest.mark.django_db, pytest.mark.once]
N = 120
ONE, HALVES, FEW = (
    [0] * N,
    [0, 1] * (N // 2),
    [0] * (N - 3) + [1, 1, 2],
)  # the region of each person


class Colleague(Looking):
    """On the team, or an operator of the site."""

    def __init__(self, instrument: Instrument, person: User) -> None:
        self.survey = instrument.survey
        self.page, self.visitor = Client(), Client()
        self.page.force_login(person)
        self.program = Client(headers={"Authorization": f"Token {issue_token(person, 'all')}"})

    def everything(self) -> dict[str, tuple]:
        addresses = [
            *self.addresses(),
            f"/api/v1/surveys/{self.survey.slug}/report/?where=region:0",
        ]
        return {one: self.read(one) for one in addresses if not one.endswith(".png")}


def asked() -> Instrument:
    survey = create_draft()
    add_background(survey, "region", ("North", "East", "South"), cut=True)
    add_yes_no(survey)
    add_yes_no(survey, "care", when={"of": "region", "in": ["North"]})
    return publish_survey(survey)


def fill(instrument: Instrument, regions: list[int]) -> None:
    """As if these people had answered, and no one else."""
    Batch.objects.all().delete()
    Instrument.objects.update(tally={})
    reports = [
        {"tax": place % 2, "care": None if region else 1, "region": region}
        for place, region in enumerate(regions)
    ]
    release_reports(Instrument.objects.get(pk=instrument.pk), reports)


def analyst(instrument: Instrument) -> User:
    person = create_researcher(f"grace{uuid.uuid4().hex}")
    Membership.objects.create(survey=instrument.survey, user=person, role="analyst")
    return person


def operator(instrument: Instrument) -> User:
    return create_researcher("root", is_staff=True, is_superuser=True)


@pytest.mark.parametrize("who", [analyst, operator])
def test_before_the_closing_no_background_answer_changes_what_is_read(
    who: Callable[[Instrument], User],
) -> None:
    instrument = asked()
    fill(instrument, ONE)
    looking = Colleague(instrument, who(instrument))
    report = f"/api/v1/surveys/{instrument.survey.slug}/report/"
    looking.read(report)  # the first look of a token is noted
    before = looking.everything()
    for regions in (HALVES, FEW):
        fill(instrument, regions)
        after = looking.everything()
        assert [address for address in before if before[address] != after[address]] == []
    fill(instrument, HALVES)
    close_survey(instrument.survey)
    of_halves = looking.read(f"{report}?where=region:0")
    assert of_halves != before[f"{report}?where=region:0"]  # the looking sees what there is to see
