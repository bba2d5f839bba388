"""Pages on which an author says who asks and what becomes of the data."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right
from surveys.authoring.drafts.logo import LARGEST, MOST
from surveys.authoring.drafts.settings import past
from surveys.definition.status import require_draft
from surveys.models import Survey
from surveys.site.errors import Invalid
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import SettingsForm, TypedForm

AGAIN = "Choose the picture again: a browser forgets it on every page."


class SenderForm(SettingsForm):
    part = "sender"
    logo = forms.Field(
        required=False,
        label="Logo (optional)",
        help_text=f"A PNG or JPEG of at most {LARGEST // 1_000_000} MB. It is written anew as a small PNG of at most "
        f"{MOST // 1000} kB; whatever else the file holds, as where a photograph was taken, is dropped.",
    )
    without_logo = forms.BooleanField(
        required=False, label="Take the logo out", help_text="The name stands alone then."
    )

    def __init__(self, *args: Any, picture: UploadedFile | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.picture = picture

    def settings(self) -> dict[str, Any]:
        """The logo that is there stays, unless another is brought or it is taken out."""
        data = {name: value for name, value in super().settings().items() if name != "logo"}
        if self.picture:
            return data | {"logo": self.picture.read(LARGEST + 1)}
        return data | ({"logo": None} if self.typed("without_logo") else {})


class DataProtectionForm(SettingsForm):
    part = "data_protection"

    def settings(self) -> dict[str, Any]:
        """A day that is past is for copies alone."""
        if wrong := past(self.typed("delete_on")):
            raise Invalid({"delete_on": wrong})
        return super().settings()


@survey_page(Right.WRITE)
def sender(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = SenderForm.of(survey), survey.edition
    if request.method == "POST":
        form = SenderForm(request.POST, picture=request.FILES.get("logo"))
        if form.save(survey, request.user):
            messages.success(request, "The sender is saved.")
            return redirect("workspace:survey", survey.slug)
        if form.picture and "logo" not in form.errors:
            form.say("logo", AGAIN)
        edition = edition if form.non_field_errors() else form.typed("edition")
    return _page(request, "workspace/sender.html", survey, form, edition)


@survey_page(Right.WRITE)
def data_protection(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = DataProtectionForm.of(survey), survey.edition
    if request.method == "POST":
        form = DataProtectionForm(request.POST)
        if form.save(survey, request.user):
            messages.success(request, "What respondents read about data protection is saved.")
            return redirect("workspace:survey", survey.slug)
        edition = edition if form.non_field_errors() else form.typed("edition")
    return _page(request, "workspace/data_protection.html", survey, form, edition)


def _page(request: HttpRequest, template: str, survey: Survey, form: TypedForm, edition: int | str) -> HttpResponse:
    """edition: whoever was told of another version saves over that one next."""
    context = {"survey": survey, "form": form, "edition": edition}
    return render(request, template, context, status=422 if form.errors else 200)
