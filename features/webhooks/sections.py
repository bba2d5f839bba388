"""The section “Webhooks” of a survey's settings."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from features.webhooks import subscriptions
from surveys.accounts.access import Right, rights
from surveys.models import Occasion, Survey
from surveys.web.widgets import Line, Ticks
from surveys.web.workspace.forms import TypedForm


class WebhookForm(TypedForm):
    url = forms.Field(
        required=False,
        label="Address",
        help_text=(
            "Where your program listens, for example https://example.org/hook. It can contain a key: only people who "
            "can publish this survey see it."
        ),
        widget=Line(type="url"),
    )
    events = forms.Field(
        required=False,
        label="Send a message when",
        initial=Occasion.values,
        widget=Ticks(Occasion.choices),
    )

    def chosen(self) -> list[str]:
        return self.data.getlist("events") if self.is_bound else Occasion.values


def section_context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    """Return the webhooks that this person may see, each with its host, and an empty form."""
    may_see = Right.WRITE in rights(request.user, survey)
    webhooks = []
    if may_see:
        webhooks = [(webhook, subscriptions.host_of(webhook)) for webhook in survey.webhooks.all()]
    return {"webhooks": webhooks, "form": WebhookForm()}


def add_webhook(request: HttpRequest, survey: Survey) -> HttpResponse | TypedForm:
    """Add a webhook and go to its page, or return the form with its errors."""
    form = WebhookForm(request.POST)
    webhook = form.attempt(
        subscriptions.add,
        survey=survey,
        by=request.user,
        url=form.typed("url"),
        events=form.chosen(),
    )
    if webhook is None:
        return form
    messages.success(request, "The webhook is added. Send a ping to test it.")
    return redirect("workspace:webhook", survey.slug, webhook.pk)
