"""The page that asks before something is done that cannot be taken back, or that others notice."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from surveys.models import Survey
from surveys.web.workspace.forms import TypedForm


def confirm(
    request: HttpRequest,
    survey: Survey,
    question: str,
    *said: str,
    do: str,
    stay: str,
    things: Sequence[str] = (),
    form: TypedForm | None = None,
    back: str = "",
    is_bad: bool = True,
) -> HttpResponse:
    """question: the heading. said: what follows from it; things: what it is about, in a list after the first of them.

    do, stay: the words of the button and of the link away, which leads to the survey or to the address `back`. form:
    what is typed besides; its errors make the answer a 422.
    """
    context = {
        "survey": survey,
        "question": question,
        "said": said,
        "things": things,
        "do": do,
        "stay": stay,
        "form": form,
        "back": back or reverse("workspace:survey", args=[survey.slug]),
        "is_bad": is_bad,
    }
    return render(request, "workspace/confirm.html", context, status=422 if form and form.errors else 200)
