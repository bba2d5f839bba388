"""Pages of what respondents read around the questions: the welcome, who asks, and what comes after sending."""

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
from surveys.web.widgets import File, Switch
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import SettingsForm

AGAIN = "Choose the picture again. Browsers forget it on every page."


class WelcomeForm(SettingsForm):
    parts = ("survey", "sender", "data_protection")
    logo = forms.Field(
        required=False,
        label="Logo (optional)",
        help_text=f"A PNG or JPEG of at most {LARGEST // 1_000_000} MB. Candor stores it as a small PNG of at most "
        f"{MOST // 1000} kB and removes everything else in the file, for example where a photo was taken.",
        widget=File("image/png", "image/jpeg"),
    )
    without_logo = forms.BooleanField(
        required=False,
        label="Remove the logo",
        help_text="Then the name stands alone.",
        widget=Switch(),
    )

    def __init__(self, *args: Any, picture: UploadedFile | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.picture = picture

    def settings(self) -> dict[str, Any]:
        """The logo that is there stays, unless another is brought or it is taken out. A day of deletion that is past
        is for copies alone."""
        if wrong := past(self.typed("delete_on")):
            raise Invalid({"delete_on": wrong})
        data = {name: value for name, value in super().settings().items() if name != "logo"}
        if "language" in data:
            data["language"] = data["language"] or Survey.Language.ENGLISH
        if self.picture:
            return data | {"logo": self.picture.read(LARGEST + 1)}
        return data | ({"logo": None} if self.typed("without_logo") else {})


class AfterForm(SettingsForm):
    parts = ("after",)


@survey_page(Right.WRITE)
def welcome(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = WelcomeForm.of(survey), survey.edition
    if request.method == "POST":
        form = WelcomeForm(request.POST, picture=request.FILES.get("logo"))
        if form.save(survey, request.user):
            messages.success(request, "The welcome is saved.")
            return redirect("workspace:survey", survey.slug)
        if form.picture and "logo" not in form.errors:
            form.say("logo", AGAIN)
        edition = _edition(form, survey)
    return _page(request, "workspace/welcome.html", survey, form, edition)


@survey_page(Right.WRITE)
def after(request: HttpRequest, survey: Survey) -> HttpResponse:
    require_draft(survey)
    form, edition = AfterForm.of(survey), survey.edition
    if request.method == "POST":
        form = AfterForm(request.POST)
        if form.save(survey, request.user):
            messages.success(request, "The texts after sending are saved.")
            return redirect("workspace:survey", survey.slug)
        edition = _edition(form, survey)
    return _page(request, "workspace/after.html", survey, form, edition)


def _edition(form: SettingsForm, survey: Survey) -> int | str:
    """Whoever was told of another version saves over that one next."""
    return survey.edition if form.non_field_errors() else form.typed("edition")


def _page(
    request: HttpRequest, template: str, survey: Survey, form: SettingsForm, edition: int | str
) -> HttpResponse:
    context = {"survey": survey, "form": form, "edition": edition}
    return render(request, template, context, status=422 if form.errors else 200)
