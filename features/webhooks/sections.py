"""The section “Webhooks” of a survey's settings."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from features.webhooks import subscriptions
from surveys.accounts.access import Right, rights
from surveys.extensions import Section
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
        required=False, label="Send a message when", initial=Occasion.values, widget=Ticks(Occasion.choices)
    )

    def chosen(self) -> list[str]:
        return self.data.getlist("events") if self.is_bound else Occasion.values


def context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    may_see = Right.WRITE in rights(request.user, survey)
    webhooks = [(each, subscriptions.host_of(each)) for each in survey.webhooks.all()] if may_see else []
    return {"webhooks": webhooks, "form": WebhookForm()}


def add_webhook(request: HttpRequest, survey: Survey) -> HttpResponse | TypedForm:
    form = WebhookForm(request.POST)
    asked = {"url": form.typed("url"), "events": form.chosen()}
    made = form.attempt(subscriptions.add, survey=survey, by=request.user, **asked)
    if made is None:
        return form
    messages.success(request, "The webhook is added. Send a ping to test it.")
    return redirect("workspace:webhook", survey.slug, made.pk)


WEBHOOKS = Section("settings", "webhooks", "webhooks/section.html", context, add_webhook)
