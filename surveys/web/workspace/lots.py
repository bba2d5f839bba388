"""The page on which an author asks each person only some of the questions, and the one press that does what pays."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import wanted
from surveys.authoring.planning.question_subset import take, ways
from surveys.definition import question_subset
from surveys.definition.status import require_draft
from surveys.models import Survey
from surveys.site.errors import Invalid
from surveys.web.workspace.access import survey_page
from surveys.web.workspace.forms import TypedForm

WRITE_A_NUMBER = "Write a whole number, such as 2."


class LotForm(TypedForm):
    of = forms.Field(required=False, label="Questions among which the device draws")
    count = forms.Field(required=False, label="How many of them is each person asked?")

    def chosen(self) -> list[str]:
        return self.data.getlist("of")

    def number(self) -> int | None:
        """None, with a message at the field, where it is no number."""
        text = self.typed("count").strip()
        if text.isascii() and text.isdecimal() and len(text) < 5:
            return int(text)
        self.full_clean()
        self.say("count", WRITE_A_NUMBER)
        return None


@survey_page(Right.WRITE)
def choose(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Which questions, and how many of them; or all of everybody again."""
    require_draft(survey)
    if "stop" in request.POST:
        set_draw(survey=survey, count=None, by=request.user)
        messages.success(request, "Everybody is asked all questions.")
        return redirect("workspace:survey", survey.slug)
    form = LotForm(request.POST if request.method == "POST" else None)
    count = form.number() if form.is_bound else None
    if count is not None:
        chosen = form.chosen()
        form.attempt(set_draw, survey=survey, count=count, of=chosen, by=request.user)
        if not form.errors:
            messages.success(request, f"Each person is asked {count} of these {len(chosen)} questions.")
            return redirect("workspace:survey", survey.slug)
    return render(request, "workspace/draw.html", _shown(survey, form), status=422 if form.errors else 200)


def _shown(survey: Survey, form: LotForm) -> dict[str, Any]:
    seen = overview(survey)
    found, kept = ways(survey, seen), question_subset.lot(survey)
    usual = kept if survey.draw else [line.key for line in seen.sensitive]
    count = form.typed("count") if form.is_bound else survey.draw or (found.best.count if found and found.pays else "")
    return {
        "survey": survey,
        "form": form,
        "lines": seen.sensitive,
        "chosen": form.chosen() if form.is_bound else usual,
        "count": count,
        "ways": found,
        "wanted": wanted(survey),
    }


@survey_page(Right.WRITE)
def take_best(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST asks each person as many questions as the button said, with the protection that the budget allows."""
    if request.method != "POST":
        return redirect("workspace:survey", survey.slug)
    text = request.POST.get("count", "")
    count = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    try:
        epsilon = take(survey=survey, count=count, by=request.user)
        said = f"Each person is asked {count} of the questions, drawn by lot, with epsilon {epsilon:.2f} each."
        messages.success(request, said)
    except Invalid as wrong:
        messages.error(request, str(wrong))
    return redirect("workspace:survey", survey.slug)
