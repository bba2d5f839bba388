"""What somebody with every right finds out from outside by looking again and again: nothing about fewer than 20.

Every address, page, file, list, header and command is read, then 19 responses come, one at a time, with the timer after
each, and all is read again: byte for byte the same. In every state that a published survey can be in.
"""

import io
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from surveys.accounts.tokens import issue_token
from surveys.export import files as all_files
from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.models import Event, Instrument, Survey
from surveys.results.estimates.report import report
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import create_published, create_researcher
from tests.whole_site.route_permissions import RULES

pytestmark = pytest.mark.django_db
PARTS = {"slug:key": "tax", "path:rest": "nobody", "str:secret": "none"}
TOKEN_OF_A_FORM = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture(autouse=True)
def _token(settings: object) -> None:
    settings.METRICS_TOKEN = "a-token-of-more-than-twenty-characters"


@pytest.fixture
def _one_moment(monkeypatch) -> None:
    """The pages show the hour of the last update, which passes whether anybody answers."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)


def opened(instrument: Instrument) -> None:
    pass


def paused(instrument: Instrument) -> None:
    pause(instrument.survey)


def scheduled(instrument: Instrument) -> None:
    Survey.objects.update(opens=timezone.now() + timedelta(days=1))


def closed(instrument: Instrument) -> None:
    close_survey(instrument.survey)


def closed_by_the_clock(instrument: Instrument) -> None:
    Survey.objects.update(closes=timezone.now() - timedelta(minutes=1))
    run_next_timer()


def reopened(instrument: Instrument) -> None:
    close_survey(instrument.survey)
    reopen_survey(instrument.survey)


STATES = (opened, paused, scheduled, closed, closed_by_the_clock, reopened)
SOON = (opened, closed_by_the_clock)  # the others in the long run


class Looking:
    """One person who may do everything: owner, operator, and whoever has the server's shell."""

    def __init__(self, instrument: Instrument) -> None:
        self.survey = instrument.survey
        self.owner: User = self.survey.owner
        User.objects.filter(pk=self.owner.pk).update(is_staff=True, is_superuser=True)
        self.page, self.visitor = Client(), Client()
        self.page.force_login(User.objects.get(pk=self.owner.pk))
        self.program = Client(headers={"Authorization": f"Token {issue_token(self.owner, 'all')}"})

    def everything(self, *, pictures: bool = True) -> dict[str, tuple]:
        """pictures: PNGs too, which are drawn from the same SVGs and take half of the time."""
        found = {
            one: self.read(one) for one in self.addresses() if pictures or not one.endswith(".png")
        }
        for file in all_files():
            found[f"export {file.name}"] = tuple(file.stream(Instrument.objects.get()))
        found["readyz"] = self.told("/readyz")
        found["metrics"] = self.told("/metrics")
        found["export"] = self.command(
            "export", self.survey.slug, "codebook.md", "--output", "codebook.md"
        )
        found["seal"] = self.command("seal")
        return found

    def addresses(self) -> Iterator[str]:
        models = ("survey", "question", "choice", "instrument", "event", "accesstoken")
        yield from (f"/admin/surveys/{model}/" for model in models)
        yield f"/admin/surveys/survey/{self.survey.pk}/change/"
        yield f"/admin/surveys/instrument/{self.survey.instrument.pk}/change/"
        parts = PARTS | {
            "slug:slug": self.survey.slug,
            "slug:sha256": self.survey.instrument.sha256,
        }
        for route in RULES:
            address = re.sub(r"<([^>]+)>", lambda part: parts.get(part[1], "<>"), route)
            if "<>" not in address and not address.startswith(
                ("logout", "api/v1/schema", "api/v1/docs")
            ):
                if address.endswith(("rehearsal/", "simulation/")):
                    continue  # invented people, drawn anew at each look; test_simulation.py: it reads no response
                yield f"/{address}"
        yield f"/surveys/{self.survey.slug}/report/?only-region=0"

    def read(self, address: str) -> tuple:
        visitor = self.visitor if address.startswith("/s/") else self.page
        answer = (self.program if address.startswith("/api/") else visitor).get(address)
        content = answer.getvalue() if answer.streaming else answer.content
        Event.objects.filter(what=Event.What.EXPORTED)._raw_delete(
            "default"
        )  # what this very look has written
        own = (
            "Set-Cookie",
            "Content-Length",
            "Expires",
        )  # of the session, its form and the moment of this look
        headers = {name: value for name, value in answer.items() if name not in own}
        return answer.status_code, headers, TOKEN_OF_A_FORM.sub(b"", content)

    def told(self, address: str) -> tuple:
        """What a program with the token is told."""
        answer = self.visitor.get(
            address, headers={"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
        )
        return answer.status_code, answer.content

    def command(self, *arguments: str) -> tuple:
        output = io.StringIO()
        call_command(*arguments, stdout=output)
        return (output.getvalue(),)


def come(instrument: Instrument, n: int, first: int) -> None:
    """Responses that arrive, also where they slip in while a survey closes."""
    survey = Survey.objects.get(pk=instrument.survey_id)
    Survey.objects.filter(pk=survey.pk).update(status="open", opens=None, closes=None)
    submit_responses(instrument, n, first)
    Survey.objects.filter(pk=survey.pk).update(
        status=survey.status, opens=survey.opens, closes=survey.closes
    )


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(each, id=each.__name__, marks=() if each in SOON else pytest.mark.long)
        for each in STATES
    ],
)
@pytest.mark.usefixtures("_one_moment")
@pytest.mark.once
def test_nineteen_responses_change_nothing_that_can_be_read(state, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    instrument = create_published(create_researcher("ada"))
    submit_responses(instrument, 80)
    run_next_timer()
    state(instrument)
    instrument.refresh_from_db()
    looking = Looking(instrument)
    report_address = f"/api/v1/surveys/{looking.survey.slug}/report/"
    looking.read(report_address)  # the first look of a token is noted
    run_next_timer()
    before = looking.everything(pictures=state is opened)
    for number in range(19):
        come(instrument, 1, first=200 + number)
        run_next_timer()
    after = looking.everything(pictures=state is opened)
    assert [name for name in before if before[name] != after[name]] == []
    assert before.keys() == after.keys()
    assert report(instrument).n >= 60
    come(instrument, 21, first=300)
    run_next_timer()
    assert (
        looking.read(report_address) != before[report_address]
    )  # the looking sees what there is to see


TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:(?:\d\d)(?::\d\d[.\d]*)?|\b\d\d?:\d\d\b")


def times(found: dict[str, tuple]) -> set[bytes]:
    return {
        time
        for shown in found.values()
        for part in shown
        if isinstance(part, bytes)
        for time in TIME.findall(part)
    }


def test_a_release_leaves_no_time_finer_than_an_hour(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    instrument = create_published(create_researcher("ada"))
    Survey.objects.update(target=20)
    instrument.survey.webhooks.create(
        pk="11111111-1111-4111-8111-111111111111", url="https://example.org/", name="ada"
    )
    instrument.survey.webhooks.update(events=["survey.target_reached"])
    looking = Looking(instrument)
    before = times(looking.everything(pictures=False))
    submit_responses(instrument, 40)
    run_next_timer()
    seen = looking.everything(pictures=False)
    hook = "/surveys/{}/webhooks/11111111-1111-4111-8111-111111111111/"
    for address in (
        hook.format(looking.survey.slug),
        f"/api/v1{hook.format(looking.survey.slug)}deliveries/",
    ):
        seen[address] = looking.read(address)
    assert report(instrument).n == 20
    assert instrument.survey.webhooks.get().deliveries.count() == 1
    later = {time for time in times(seen) - before if not re.search(rb":00(:00)?$", time)}
    assert later == set()
