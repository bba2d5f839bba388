"""The pages on which an author adds languages and writes the texts of a draft in them, side by side with the first."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from features.translation.table import LARGEST, as_csv, take
from surveys.accounts.access import Right
from surveys.authoring.drafts.languages import set_languages, translate, translation_version
from surveys.definition.status import require_draft
from surveys.definition.text_places import Place, iter_texts, missing_translations
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.web.widgets import File, Languages
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.choice_lists import AT_ONCE
from surveys.web.workspace.forms import TypedForm


@dataclass(frozen=True)
class Progress:
    """A further language and how far it is."""

    code: str
    size: int
    missing: int

    @property
    def name(self) -> str:
        return Survey.Language(self.code).label

    @property
    def done(self) -> int:
        return self.size - self.missing


class LanguagesForm(TypedForm):
    languages = forms.Field(required=False, label="Add a language", widget=Languages())
    file = forms.Field(
        required=False,
        label="Texts from a table",
        help_text=(
            "The CSV you download here, with texts in the columns of the further languages. An empty cell changes "
            "nothing."
        ),
        widget=File(),
    )


class TextsForm(TypedForm):
    """A field for every text in one further language."""

    def __init__(self, all_places: Iterable[Place], code: str, data: Any = None) -> None:
        super().__init__(data)
        self.code, self.places = (
            code,
            [place for place in all_places if not (place.choice and place.choice_count > AT_ONCE)],
        )
        for place in self.places:
            label = str(place)[:1].upper() + str(place)[1:]
            written = place.text.others.get(code, "")
            self.fields[place.id(code)] = forms.Field(required=False, label=label, initial=written)

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "place": place,
                "field": self[place.id(self.code)],
                "lines": min(12, 1 + len(place.text) // 45),
            }
            for place in self.places
        ]

    def texts(self) -> dict[tuple[str, str, int], dict[str, str]]:
        return {
            place.address: {self.code: self.typed(place.id(self.code))} for place in self.places
        }


@survey_page(Right.WRITE)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Which languages there are and how far they are. POST adds one, takes one out, or takes a table of texts.

    With ?in=de the texts in that one.
    """
    require_draft(survey)
    if request.GET.get("in") in survey.further_languages:
        return _write(request, survey, request.GET["in"])
    form = LanguagesForm(request.POST if request.method == "POST" else None)
    others = [choice for choice in Survey.Language.choices if choice[0] not in survey.languages]
    form.fields["languages"].widget.choices = others
    if form.is_bound:
        done = (
            _taken(request, survey, form)
            if "file" in request.FILES
            else _changed(request, survey, form)
        )
        if done:
            return done
    all_places = iter_texts(survey)
    context = {
        "survey": survey,
        "form": form,
        "first": Survey.Language(survey.language).label,
        "progress": [
            Progress(code, len(all_places), len(missing_translations(all_places, code)))
            for code in survey.further_languages
        ],
        "others": others,
    }
    return render(
        request, "translation/translations.html", context, status=422 if form.errors else 200
    )


def _changed(request: HttpRequest, survey: Survey, form: LanguagesForm) -> HttpResponse | None:
    added, removed = form.typed("languages"), form.typed("remove")
    wanted = [code for code in (*survey.languages, added) if code and code != removed]
    if not form.attempt(set_languages, survey=survey, languages=wanted, by=request.user):
        return None
    if removed:
        said = "is removed. Its texts are kept, and come back when you add it."
        messages.success(request, f"{Survey.Language(removed).label} {said}")
        return redirect("workspace:languages", survey.slug)
    return (
        redirect(f"{reverse('workspace:languages', args=[survey.slug])}?in={added}")
        if added
        else None
    )


def _taken(request: HttpRequest, survey: Survey, form: LanguagesForm) -> HttpResponse | None:
    try:
        count = take(survey, request.FILES["file"].read(LARGEST + 1), request.user)
    except Unreadable as wrong:
        form.full_clean()
        for line in wrong.lines[:50]:
            form.add_error("file", line)
        return None
    messages.success(request, f"New texts: {count}.")
    return redirect("workspace:languages", survey.slug)


def _write(request: HttpRequest, survey: Survey, code: str) -> HttpResponse:
    """The texts in one further language, beside those in the first."""
    all_places, seen = iter_texts(survey), translation_version(survey, code)
    form = TextsForm(all_places, code, request.POST if request.method == "POST" else None)
    if form.is_bound:
        given = {"texts": form.texts(), "seen": {code: form.typed("seen")}}
        count = form.attempt(translate, survey=survey, by=request.user, **given)
        if not form.errors:
            messages.success(request, f"New texts: {count}.")
            return redirect("workspace:languages", survey.slug)
        if not form.non_field_errors():
            seen = form.typed("seen")
    context = {
        "survey": survey,
        "form": form,
        "seen": seen,
        "progress": Progress(code, len(all_places), len(missing_translations(all_places, code))),
        "lists": list(
            dict.fromkeys(
                place.key for place in all_places if place.choice and place.choice_count > AT_ONCE
            )
        ),
        "first": Survey.Language(survey.language).label,
        "dir": "rtl" if get_language_info(code)["bidi"] else "ltr",
    }
    return render(
        request, "translation/translation.html", context, status=422 if form.errors else 200
    )


@survey_page(Right.SEE)
@require_safe
def table(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(as_csv(survey), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}-texts.csv"'
    return response
