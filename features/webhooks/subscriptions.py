"""What the people of a survey do with its webhooks: add, try, send again, remove."""

from collections.abc import Iterable

import httpx
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.webhooks.addresses import check
from features.webhooks.announcements import queue_ping
from features.webhooks.deliveries import deliver, send_again
from surveys.accounts import history
from surveys.models import Delivery, Occasion, Survey, Webhook
from surveys.site.errors import Invalid, Refused
from surveys.site.rate_limits import Limit

MOST = 10  # of one survey
SHOWN = 20  # of the last deliveries
# Trying holds a thread of the server for as long as the receiver takes, at most ten seconds.
TRIES = Limit(times=6, seconds=60)


@transaction.atomic
def add(*, survey: Survey, by: AbstractBaseUser, url: str, events: Iterable[str]) -> Webhook:
    """Raises surveys.site.errors.Invalid at "url" or "events", Refused where there are many already."""
    survey, errors, address = survey.locked(), {}, ""
    try:
        address = check(url)
    except Invalid as wrong:
        errors |= wrong.errors
    chosen = [occasion for occasion in Occasion.values if occasion in set(events)]
    if not chosen:
        errors["events"] = "Choose at least one event for the webhook."
    if address and survey.webhooks.filter(url=address).exists():
        errors["url"] = (
            "This survey already has a webhook with this address. To change it, remove it first."
        )
    if errors:
        raise Invalid(errors)
    if survey.webhooks.count() >= MOST:
        raise Refused(f"Remove a webhook first. A survey can have at most {MOST}.")
    made = Webhook.objects.create(
        survey=survey,
        url=address,
        events=chosen,
        name=by.get_username(),
        told_closing=survey.closes if survey.is_over else None,
    )
    history.record(survey, by, history.What.CONNECTED, host_of(made))
    return made


@transaction.atomic
def remove(*, webhook: Webhook, by: AbstractBaseUser) -> None:
    """With all that was still to be sent to it."""
    history.record(webhook.survey, by, history.What.DISCONNECTED, host_of(webhook))
    webhook.delete()


def ping(*, webhook: Webhook, by: AbstractBaseUser) -> Delivery:
    """Send a message that tells nothing, at once. Its outcome is in what is returned."""
    _require_patience(by)
    made = queue_ping(webhook)
    deliver(made)
    made.refresh_from_db()
    return made


def again(*, delivery: Delivery, by: AbstractBaseUser) -> Delivery:
    """Send a message once more, at once, with all its attempts before it."""
    _require_patience(by)
    send_again(delivery)
    delivery.refresh_from_db()
    return delivery


def host_of(webhook: Webhook) -> str:
    """The part of an address that everybody may read; the rest may hold a key of the receiver's."""
    return httpx.URL(webhook.url).host


def in_words(outcome: str) -> str:
    """What came of an attempt, as the middle of a sentence."""
    return f"the receiver answered {outcome}" if outcome.isdecimal() else outcome or "no result yet"


def _require_patience(by: AbstractBaseUser) -> None:
    if TRIES.reached(str(by.pk)):
        raise Refused(
            "Wait a minute, then try again. You have tested webhooks several times just now."
        )
    TRIES.count(str(by.pk))
