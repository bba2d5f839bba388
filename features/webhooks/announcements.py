"""Writing down what is to be told, in the transaction of what happened: no crash loses it, no rollback tells it.

features.webhooks.deliveries tells it. A message names the survey and how many responses it has, never what is in one.
"""

import json
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from surveys.models import Delivery, Instrument, Occasion, Survey, Webhook
from surveys.site import clock

PING = "ping"


def announce(survey: Survey, occasion: Occasion, **data: Any) -> None:
    """Queue a message for each of the survey's webhooks that asked for this."""
    _queue(survey, survey.webhooks.all(), occasion, **data)


def announce_closed(survey: Survey) -> None:
    """Closed by hand: for those that were not told already that its closing time has come."""
    told = (
        survey.webhooks.filter(told_closing=survey.closes)
        if survey.closes
        else Webhook.objects.none()
    )
    _queue(survey, survey.webhooks.exclude(pk__in=told), Occasion.CLOSED)


def announce_target(survey: Survey, n: int, added: int) -> None:
    """n: released responses, of which the last `added` just came. A number is passed once, so it is told once.

    To the hour: that is how finely anybody may know when responses came.
    """
    if survey.target is not None and n - added < survey.target <= n:
        hour = clock.now().replace(minute=0, second=0, microsecond=0)
        _queue(survey, survey.webhooks.all(), Occasion.TARGET, hour, target=survey.target, n=n)


def announce_closings() -> None:
    """Surveys whose closing time has come since this was last asked. Nobody closes them, so nobody else tells."""
    untold = Q(told_closing__isnull=True) | ~Q(told_closing=F("survey__closes"))
    taking = (Survey.Status.OPEN, Survey.Status.PAUSED)
    found = Webhook.objects.filter(
        untold, survey__status__in=taking, survey__closes__lte=clock.now()
    )
    for webhook in found.select_related("survey"):
        _announce_closing(webhook)


@transaction.atomic
def _announce_closing(webhook: Webhook) -> None:
    closes = webhook.survey.closes
    same = Webhook.objects.filter(pk=webhook.pk)
    if same.exclude(told_closing=closes).update(told_closing=closes):  # two may ask at once
        _queue(webhook.survey, same, Occasion.CLOSED)


def queue_ping(webhook: Webhook) -> Delivery:
    """A message that tells nothing, to try the way."""
    time = clock.now()
    body = _body(PING, {"survey": webhook.survey.slug}, time)
    return Delivery.objects.create(webhook=webhook, event=PING, body=body, created=time, due=time)


def _queue(
    survey: Survey,
    among: QuerySet[Webhook],
    occasion: Occasion,
    time: datetime | None = None,
    **data: Any,
) -> None:
    webhooks = [webhook for webhook in among if occasion in webhook.events]
    if webhooks:
        sha256 = Instrument.objects.values_list("sha256", flat=True).get(survey=survey)
        time = time or clock.now()
        body = _body(occasion, {"survey": survey.slug, "instrument": sha256} | data, time)
        messages = (
            Delivery(webhook=each, event=occasion, body=body, created=time, due=time)
            for each in webhooks
        )
        Delivery.objects.bulk_create(messages)


def _body(event: str, data: dict[str, Any], time: datetime) -> str:
    timestamp = time.isoformat(timespec="seconds").replace("+00:00", "Z")
    return json.dumps({"type": event, "timestamp": timestamp, "data": data}, separators=(",", ":"))
