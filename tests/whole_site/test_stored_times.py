"""Every stored time: what it decides, and that one of a clock that was two years ahead decides nothing."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import models
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from features.invitations import delivery, sender_lock
from features.response_import import staging
from features.webhooks import deliveries
from surveys.accounts import identities, login_delays, tokens
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.progress import is_neglected
from surveys.fieldwork.responses.release import release
from surveys.fieldwork.responses.sealing import forget_keys, seal
from surveys.models import (
    Delay,
    Delivery,
    Event,
    Identity,
    Import,
    Instrument,
    Mail,
    Response,
    Run,
    Survey,
    Turn,
    Webhook,
)
from surveys.operation import timers
from tests.factories.inbox import submit_responses
from tests.factories.surveys import add_yes_no, create_draft, create_published, create_researcher
from tests.factories.ticket_surveys import create_survey_with_tickets
from tests.helpers.machine_clock import TWO_YEARS

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)

# When something happened, where that decides what is done. One that lies in the future counts as missing.
HAPPENED = {
    "auth.User.date_joined",
    "auth.User.last_login",
    "migrations.Migration.applied",
    "surveys.Delivery.created",
    "surveys.Event.when",
    "surveys.Import.day",
    "surveys.Instrument.looked",
    "surveys.Response.sealed_on",
    "surveys.Run.finished",
    "surveys.Survey.created",
}
# The end of a wait. One that is further away than the longest wait counts as missing.
WAITS = {
    "sessions.Session.expire_date",
    "surveys.Delay.until",
    "surveys.Delivery.due",
    "surveys.Mail.due",
    "surveys.Turn.until",
}
# Days and times that somebody chose, and that may lie in the future.
CHOSEN = {
    "surveys.AccessToken.expires",
    "surveys.Invitation.expires",
    "surveys.ReportLink.until",
    "surveys.Survey.closes",
    "surveys.Survey.delete_on",
    "surveys.Survey.opens",
    "surveys.Webhook.told_closing",  # a copy of the closing time that was announced
}
# Only shown or sorted by, or it counts only that there is one. The second factor’s are of a lock that is switched off.
SHOWN = {
    "admin.LogEntry.action_time",
    "otp_static.StaticDevice.created_at",
    "otp_static.StaticDevice.last_used_at",
    "otp_static.StaticDevice.throttling_failure_timestamp",
    "otp_totp.TOTPDevice.created_at",
    "otp_totp.TOTPDevice.last_used_at",
    "otp_totp.TOTPDevice.throttling_failure_timestamp",
    "surveys.AccessToken.created",
    "surveys.AccessToken.last_used",
    "surveys.Cut.on",
    "surveys.Instrument.deleted_on",
    "surveys.Instrument.released_on",
    "surveys.Removal.day",
    "surveys.ReportLink.created",
    "surveys.Round.given",
    "surveys.Webhook.created",
}


def time_columns() -> Iterator[str]:
    for model in (*apps.get_models(), MigrationRecorder.Migration):
        for field in model._meta.local_fields:
            if isinstance(field, models.DateField | models.TimeField | models.DurationField):
                yield f"{model._meta.label}.{field.name}"


def test_each_stored_time_is_of_one_kind() -> None:
    """A new column belongs to one of the lists above; with the first two, a test below belongs to it."""
    kinds = [*HAPPENED, *WAITS, *CHOSEN, *SHOWN]
    assert sorted(kinds) == sorted(time_columns())
    assert {column.__name__ for column in DECIDING} == {
        name.replace(".", "_") for name in HAPPENED | WAITS
    }


def later() -> object:
    return timezone.now() + TWO_YEARS


def surveys_Instrument_looked() -> None:
    instrument = create_published()
    submit_responses(instrument, 60)
    seal(instrument)
    Instrument.objects.update(looked=later())
    assert release(instrument) == 40


def surveys_Response_sealed_on() -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    seal(instrument)
    timers.note("seal")
    Response.objects.update(sealed_on=later().date())
    assert forget_keys() == 0
    assert set(Response.objects.values_list("sealed_on", flat=True)) == {timezone.now().date()}


def surveys_Run_finished() -> None:
    for command in timers.PATIENCE:
        timers.note(command)
        Run.objects.filter(command=command).update(finished=later())
    answer = Client().get("/readyz", REMOTE_ADDR="127.0.0.1")
    assert answer.status_code == 503
    with pytest.raises(CommandError, match="The clock shows"):
        call_command("seal")


def surveys_Survey_created() -> None:
    survey = create_published().survey
    Survey.objects.update(created=later())
    Event.objects.filter(survey=survey)._raw_delete("default")
    assert is_neglected(Survey.objects.get())


def surveys_Event_when() -> None:
    create_published()
    Survey.objects.update(created=timezone.now() - DAY)
    models.QuerySet(Event).update(when=later())
    assert is_neglected(Survey.objects.get())


def surveys_Import_day() -> None:
    survey = create_draft(import_only=True)
    add_yes_no(survey)
    lock_questions(survey)
    survey.refresh_from_db()
    staging.begin(survey, survey.owner)
    Import.objects.update(day=later().date())
    assert staging.forget_imports() == 0
    assert Import.objects.get().day == timezone.now().date()


def _delivery() -> None:
    webhook = Webhook.objects.create(survey=create_published().survey, url="https://example.org/")
    Delivery.objects.create(webhook=webhook, event="ping", body="{}")


def surveys_Delivery_created() -> None:
    _delivery()
    Delivery.objects.update(created=later())
    assert deliveries.forget_old() == 0
    assert Delivery.objects.get().created <= timezone.now()


def surveys_Delivery_due() -> None:
    _delivery()
    Delivery.objects.update(due=later(), attempts=deliveries.MOST_ATTEMPTS)
    deliveries.deliver_due()
    assert Delivery.objects.get().state == Delivery.State.GIVEN_UP


def surveys_Delay_until() -> None:
    assert login_delays.reserve_attempt("lane") == 0
    Delay.objects.update(until=later(), failures=9)
    assert login_delays.reserve_attempt("lane") == 0
    Delay.objects.update(until=later())
    assert login_delays.forget_old(10) == 1


def surveys_Mail_due() -> None:
    invitee = create_survey_with_tickets(1, steps="one").invitees.get()
    Mail.objects.create(invitee=invitee, kind=Mail.Kind.INVITATION, attempts=1, due=later())
    assert delivery._next() is not None


def surveys_Turn_until() -> None:
    Turn.objects.create(name="mails", holder=uuid.uuid4(), until=later())
    with sender_lock.sender_lock("mails") as held:
        assert held is not None


def sessions_Session_expire_date() -> None:
    Client().force_login(create_researcher())
    Session.objects.update(expire_date=later())
    call_command("seal")
    assert not Session.objects.exists()


def _member_of_an_organization() -> User:
    user = create_researcher()
    user.set_unusable_password()
    user.save()
    Identity.objects.create(user=user, issuer="https://login.example.org", subject="ada")
    assert identities.is_connected(user)
    return user


def auth_User_last_login() -> None:
    user = _member_of_an_organization()
    user.last_login, user.date_joined = later(), timezone.now()
    assert tokens.last_day(user) == timezone.now().date() + tokens.DAYS_WITHOUT_LOGIN * DAY


def auth_User_date_joined() -> None:
    user = _member_of_an_organization()
    user.last_login, user.date_joined = None, later()
    assert tokens.last_day(user) < timezone.now().date()


def migrations_Migration_applied() -> None:
    MigrationRecorder.Migration.objects.filter(app="surveys").update(applied=later())
    assert "backup" in timers.expected_commands()


DECIDING: tuple[Callable[[], None], ...] = (
    auth_User_date_joined,
    auth_User_last_login,
    migrations_Migration_applied,
    sessions_Session_expire_date,
    surveys_Delay_until,
    surveys_Delivery_created,
    surveys_Delivery_due,
    surveys_Event_when,
    surveys_Import_day,
    surveys_Instrument_looked,
    surveys_Mail_due,
    surveys_Response_sealed_on,
    surveys_Run_finished,
    surveys_Survey_created,
    surveys_Turn_until,
)


@pytest.mark.parametrize("column", DECIDING, ids=lambda column: column.__name__)
def test_a_time_two_years_ahead_decides_nothing(column: Callable[[], None]) -> None:
    column()
