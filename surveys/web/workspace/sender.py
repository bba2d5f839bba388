"""Pages on which an author says who asks and what becomes of the data."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right
from surveys.authoring.drafts.data_protection import TEXTS, set_data_protection
from surveys.authoring.drafts.logo import LARGEST, MOST
from surveys.authoring.drafts.sender import set_sender
from surveys.definition.status import require_draft
from surveys.models import Survey
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import TypedForm

AGAIN = "Choose the picture again: a browser forgets it on every page."


class SenderForm(TypedForm):
    sender = forms.Field(
        required=False,
        label="Name of the sender (optional)",
        help_text="Who asks, as the top of every page says it: an institute, a university, an office.",
    )
    logo = forms.Field(
        required=False,
        label="Logo (optional)",
        help_text=f"A PNG or JPEG of at most {LARGEST // 1_000_000} MB. It is written anew as a small PNG of at most "
        f"{MOST // 1000} kB; whatever else the file holds, as where a photograph was taken, is dropped.",
    )
    without_logo = forms.BooleanField(
        required=False, label="Take the logo out", help_text="The name stands alone then."
    )
    accent = forms.Field(
        required=False,
        label="Colour of links and buttons (optional)",
        help_text="As #0f5866. It is taken only where everybody can read it on light pages.",
    )
    accent_dark = forms.Field(
        required=False,
        label="The same on dark screens (optional)",
        help_text="No colour can be read on light and on dark pages. Empty: the nearest one that can be read there.",
    )


class DataProtectionForm(TypedForm):
    controller = forms.Field(
        required=False, label="Controller", help_text="Who is responsible for the data by law, with an address."
    )
    officer = forms.Field(
        required=False, label="Data protection officer", help_text="With an address, if there is one."
    )
    purpose = forms.Field(required=False, label="Purpose", help_text="What the data are collected for.")
    legal_basis = forms.Field(
        required=False, label="Legal basis", help_text="For example consent, Article 6 (1) (a) GDPR."
    )
    rights = forms.Field(
        required=False,
        label="Rights of respondents",
        help_text="For example to complain to an authority. Say too that a single response cannot be found again, "
        "since no name stands beside it.",
    )
    delete_on = forms.Field(
        required=False,
        label="Day on which all responses are deleted",
        help_text="From 00:00 UTC of that day on the site closes the survey, if it is still open, and deletes every "
        "response. Counts, groups of the closing and results stay. Respondents read the day, so it cannot be moved.",
    )


@survey_page(Right.WRITE)
def sender(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = SenderForm(initial=_now(survey, SenderForm)), survey.edition
    if request.method == "POST":
        form, file = SenderForm(request.POST), request.FILES.get("logo")
        typed = {name: form.typed(name) for name in ("sender", "accent", "accent_dark")}
        picture = {"picture": file.read(LARGEST + 1) if file else None, "keep": not form.typed("without_logo")}
        if form.attempt(set_sender, survey=survey, **typed, **picture, **_by(request, form)):
            messages.success(request, "The sender is saved.")
            return redirect("workspace:survey", survey.slug)
        if file and "logo" not in form.errors:
            form.say("logo", AGAIN)
        edition = edition if form.non_field_errors() else form.typed("edition")
    return _page(request, "workspace/sender.html", survey, form, edition)


@survey_page(Right.WRITE)
def data_protection(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = DataProtectionForm(initial=_now(survey, DataProtectionForm)), survey.edition
    if request.method == "POST":
        form = DataProtectionForm(request.POST)
        typed = {name: form.typed(name) for name in (*TEXTS, "delete_on")}
        if form.attempt(set_data_protection, survey=survey, **typed, **_by(request, form)):
            messages.success(request, "What respondents read about data protection is saved.")
            return redirect("workspace:survey", survey.slug)
        edition = edition if form.non_field_errors() else form.typed("edition")
    return _page(request, "workspace/data_protection.html", survey, form, edition)


def _now(survey: Survey, form: type[TypedForm]) -> dict[str, Any]:
    return {name: str(getattr(survey, name) or "") for name in form.base_fields if name not in ("logo", "without_logo")}


def _by(request: HttpRequest, form: TypedForm) -> dict[str, Any]:
    return {"by": request.user, "edition": form.edition()}


def _page(request: HttpRequest, template: str, survey: Survey, form: TypedForm, edition: int | str) -> HttpResponse:
    """edition: whoever was told of another version saves over that one next."""
    context = {"survey": survey, "form": form, "edition": edition}
    return render(request, template, context, status=422 if form.errors else 200)
