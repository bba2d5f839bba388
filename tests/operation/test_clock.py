"""A clock that is wrong destroys nothing: neither ahead nor behind, on a new site or an old one, on one node or two."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.progress import is_neglected
from surveys.models import Batch, Delivery, Held, Instrument, Mail, Response, Run, Survey, Webhook
from surveys.site import clock
from surveys.site.errors import Refused
from tests.factories.inbox import submit_responses
from tests.factories.surveys import create_published, create_researcher
from tests.factories.ticket_surveys import create_survey_with_tickets
from tests.helpers.machine_clock import TWO_YEARS, Machine

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
NOT_BELIEVED = "The clock shows"
TOKEN = "a-token-of-more-than-twenty-characters"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def surveys() -> tuple[Instrument, Instrument]:
    """Two open surveys with 100 responses each, of which the first is deleted in a year."""
    first, second = (
        create_published(create_researcher("ada")),
        create_published(create_researcher("bob")),
    )
    day = timezone.now().date() + timedelta(days=340)
    Survey.objects.filter(pk=first.survey_id).update(
        delete_on=day, closes=timezone.now() + timedelta(days=30)
    )
    for instrument in (first, second):
        submit_responses(instrument, 100)
    call_command("seal")
    return first, second


def seal_in_vain() -> None:
    with pytest.raises(CommandError, match=NOT_BELIEVED):
        call_command("seal")


def stored(instrument: Instrument) -> int:
    """How many responses the database still has of a survey."""
    sealed = 0
    for model in (Held, Batch):
        sealed += sum(row.n for row in model.objects.filter(instrument=instrument))
    return sealed + Response.objects.filter(instrument=instrument, record__isnull=False).count()


def released(instrument: Instrument) -> int:
    return Instrument.objects.get(pk=instrument.pk).tally["n"]


def test_one_run_two_years_ahead_destroys_nothing_and_freezes_no_report(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS)
    seal_in_vain()
    machine.set_ahead(timedelta())
    call_command("seal")
    for instrument in surveys:
        assert (stored(instrument), released(instrument)) == (100, 80)
        assert Survey.objects.get(pk=instrument.survey_id).status == "open"

    for instrument in surveys:
        submit_responses(instrument, 60)
    machine.run_on(2 * HOUR)
    call_command("seal")
    assert [released(instrument) for instrument in surveys] == [140, 140]


def test_runs_within_the_same_hour_confirm_nothing(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS)
    for _ in range(3):
        seal_in_vain()
        machine.run_on(29 * MINUTE)
    machine.ahead += 5 * HOUR  # somebody sets the clock on; the machine has not run for longer
    seal_in_vain()
    assert [stored(instrument) for instrument in surveys] == [100, 100]
    assert Response.objects.count() == 200  # their bare keys


def test_machine_that_was_off_for_two_years_works_again_after_an_hour(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    """Both surveys are closed by then, and the day of deletion of one has come."""
    Survey.objects.filter(pk=surveys[1].survey_id).update(
        closes=timezone.now() + timedelta(days=30)
    )
    machine.restart()
    machine.set_ahead(TWO_YEARS)
    seal_in_vain()
    machine.run_on(61 * MINUTE)
    call_command("seal")
    assert [stored(instrument) for instrument in surveys] == [0, 100]
    assert [released(instrument) for instrument in surveys] == [100, 100]
    assert Run.objects.get(command="seal").sights == {}

    machine.run_on(5 * MINUTE)
    call_command("seal")


def test_restart_begins_the_hour_again(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS)
    seal_in_vain()
    machine.run_on(50 * MINUTE)
    machine.restart()
    seal_in_vain()
    machine.run_on(50 * MINUTE)
    seal_in_vain()
    machine.run_on(11 * MINUTE)
    call_command("seal")


def test_clock_that_jumps_again_is_confirmed_by_nothing_before(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS / 4)
    seal_in_vain()
    machine.run_on(2 * HOUR)
    machine.set_ahead(TWO_YEARS)
    seal_in_vain()
    assert [stored(instrument) for instrument in surveys] == [100, 100]


def test_node_with_a_right_clock_goes_on_beside_one_that_is_ahead(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    """Each run of the right one makes the other wait anew."""
    right, wrong = (timedelta(), "right"), (TWO_YEARS, "wrong")
    for _ in range(4):
        (machine.ahead, machine.boot) = wrong
        seal_in_vain()
        (machine.ahead, machine.boot) = right
        call_command("seal")
        machine.running += 3_000
    assert [stored(instrument) for instrument in surveys] == [100, 100]


def test_two_nodes_that_were_off_confirm_their_clocks_side_by_side(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS)
    for boot in ("one", "other"):
        machine.boot = boot
        seal_in_vain()
    machine.run_on(61 * MINUTE)
    machine.boot = "one"
    call_command("seal")
    machine.boot = "other"
    call_command("seal")


def test_first_run_ever_and_first_run_after_an_upgrade_believe_the_clock(machine: Machine) -> None:
    machine.set_ahead(TWO_YEARS)
    assert not Run.objects.exists()
    call_command("seal")
    assert Run.objects.get(command="seal").finished > timezone.now() - MINUTE


@pytest.mark.parametrize("behind", [3 * HOUR, timedelta(days=400)])
def test_clock_that_is_behind_releases_nothing_before_it_is_confirmed(
    surveys: tuple[Instrument, Instrument], machine: Machine, behind: timedelta
) -> None:
    submit_responses(surveys[0], 60)
    machine.set_ahead(-behind)
    seal_in_vain()
    assert released(surveys[0]) == 80
    machine.run_on(61 * MINUTE)
    call_command("seal")
    assert (released(surveys[0]), stored(surveys[0])) == (140, 160)


def test_clock_that_is_put_back_by_minutes_does_not_release_twice_in_an_hour(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    Run.objects.update(finished=hour)
    Instrument.objects.update(looked=hour)
    machine.set_ahead(hour - timezone.now() - MINUTE)
    submit_responses(surveys[0], 60)
    call_command("seal")
    assert released(surveys[0]) == 80


def test_last_run_that_lies_in_the_future_deletes_nothing(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    """As an earlier version left it."""
    Run.objects.update(finished=timezone.now() + TWO_YEARS)
    Instrument.objects.update(looked=timezone.now() + TWO_YEARS)
    for instrument in surveys:
        submit_responses(instrument, 60)
    seal_in_vain()
    machine.run_on(61 * MINUTE)
    call_command("seal")
    assert [(stored(instrument), released(instrument)) for instrument in surveys] == [
        (160, 140)
    ] * 2


def test_mails_and_messages_survive_a_clock_that_is_ahead(
    surveys: tuple[Instrument, Instrument], machine: Machine, settings: object
) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    invited = create_survey_with_tickets(1, steps="one")
    Survey.objects.update(closes=timezone.now() + timedelta(days=30))
    Mail.objects.create(invitee=invited.invitees.first(), kind=Mail.Kind.INVITATION)
    webhook = Webhook.objects.create(
        survey=invited, url="https://example.org/", events=["survey.closed"]
    )
    Delivery.objects.create(
        webhook=webhook, event="ping", body="{}", state=Delivery.State.DELIVERED
    )
    machine.set_ahead(TWO_YEARS)
    call_command("deliver")
    assert (Mail.objects.count(), Delivery.objects.count()) == (1, 1)
    assert Webhook.objects.get().told_closing is None


def test_nobody_destroys_a_survey_that_only_a_wrong_clock_has_closed(
    surveys: tuple[Instrument, Instrument], machine: Machine
) -> None:
    machine.set_ahead(TWO_YEARS)
    survey = Survey.objects.get(pk=surveys[0].survey_id)
    with pytest.raises(Refused, match="clock has jumped"):
        destroy(survey, confirm=survey.title)
    assert stored(surveys[0]) == 100


def test_doctor_and_readyz_name_both_times(
    surveys: tuple[Instrument, Instrument],
    machine: Machine,
    client: Client,
    capsys: pytest.CaptureFixture,
    settings: object,
) -> None:
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/readyz").status_code == 200
    right = f"{timezone.now():%Y-%m-%d}"
    machine.set_ahead(timedelta(hours=25))
    answer = client.get("/readyz", headers={"Authorization": f"Bearer {TOKEN}"})
    said = {check["name"]: check["said"] for check in answer.json()["checks"] if not check["ok"]}
    assert answer.status_code == 503
    assert f"{timezone.now():%Y-%m-%d %H:%M} UTC" in said["clock"]
    assert right in said["clock"]
    assert client.get("/readyz?exclude=clock&exclude=seal").status_code == 200
    with pytest.raises(SystemExit):
        call_command("doctor")
    assert "FAIL  clock: The clock shows" in capsys.readouterr().out


def test_report_that_a_wrong_clock_froze_goes_on(surveys: tuple[Instrument, Instrument]) -> None:
    """What an earlier version stored with a clock that was ahead counts as missing."""
    Instrument.objects.update(looked=timezone.now() + TWO_YEARS)
    submit_responses(surveys[1], 60)
    call_command("seal")
    assert released(surveys[1]) == 140
    assert Instrument.objects.get(pk=surveys[1].pk).looked <= timezone.now()
    assert not is_neglected(Survey.objects.get(pk=surveys[1].survey_id))


def test_running_time_goes_on() -> None:
    first = clock.running_time()
    assert 0 < first <= clock.running_time()


@pytest.mark.skipif(not clock.BOOT_ID.exists(), reason="This system gives its starts no names.")
def test_the_start_has_the_name_that_the_system_gave_it() -> None:
    assert clock.boot_id() == clock.BOOT_ID.read_text().strip()
