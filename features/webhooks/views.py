"""The page of one webhook: try it, see what became of its messages, remove it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from features.webhooks import subscriptions
from features.webhooks.deliveries import MOST_ATTEMPTS
from features.webhooks.signatures import secret
from surveys.accounts.access import Right
from surveys.models import Delivery, Occasion, Survey, Webhook
from surveys.web.workspace.access import survey_page


@survey_page(Right.WRITE)
@require_safe
@never_cache
def show(request: HttpRequest, survey: Survey, webhook: UUID) -> HttpResponse:
    webhook_row = get_object_or_404(survey.webhooks, pk=webhook)
    context = {
        "survey": survey,
        **_described(webhook_row),
        "secret": secret(webhook_row),
        "deliveries": webhook_row.deliveries.all()[: subscriptions.SHOWN],
        "most": MOST_ATTEMPTS,
    }
    return render(request, "webhooks/webhook.html", context)


@survey_page(Right.WRITE)
@require_POST
def ping(request: HttpRequest, survey: Survey, webhook: UUID) -> HttpResponse:
    webhook_row = get_object_or_404(survey.webhooks, pk=webhook)
    _say(request, subscriptions.ping(webhook=webhook_row, by=request.user))
    return redirect("workspace:webhook", survey.slug, webhook)


@survey_page(Right.WRITE)
@require_POST
def again(request: HttpRequest, survey: Survey, webhook: UUID, delivery: UUID) -> HttpResponse:
    message = get_object_or_404(Delivery, pk=delivery, webhook=webhook, webhook__survey=survey)
    _say(request, subscriptions.again(delivery=message, by=request.user))
    return redirect("workspace:webhook", survey.slug, webhook)


@survey_page(Right.WRITE)
@require_POST
def remove(request: HttpRequest, survey: Survey, webhook: UUID) -> HttpResponse:
    webhook_row = get_object_or_404(survey.webhooks, pk=webhook)
    subscriptions.remove(webhook=webhook_row, by=request.user)
    messages.success(
        request,
        f"The webhook to {subscriptions.host_of(webhook_row)} is removed. It gets no more messages.",
    )
    return redirect(f"{reverse('workspace:settings', args=[survey.slug])}#webhooks")


def _described(webhook: Webhook) -> dict[str, object]:
    told = [Occasion(event).label for event in webhook.events]
    return {"webhook": webhook, "host": subscriptions.host_of(webhook), "told": told}


def _say(request: HttpRequest, delivery: Delivery) -> None:
    if delivery.state == Delivery.State.DELIVERED:
        messages.success(request, f"It arrived: the receiver answered {delivery.outcome}.")
    else:
        later = (
            " We send it again later automatically."
            if delivery.state == Delivery.State.WAITING
            else ""
        )
        messages.warning(
            request, f"It did not arrive: {subscriptions.in_words(delivery.outcome)}.{later}"
        )
