"""The page of one step: what follows from it, what has to be typed for it, a button and the way back."""

from collections.abc import Sequence

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from surveys.models import Survey


def confirm(
    request: HttpRequest,
    survey: Survey | None,
    question: str,
    *said: str,
    do: str,
    stay: str,
    things: Sequence[str] = (),
    form: Form | None = None,
    back: str = "",
    is_bad: bool = True,
) -> HttpResponse:
    """survey: without one the step is of the person's account. question: the heading. said: what follows from it;
    things: what it is about, in a list after the first of them.

    do, stay: the words of the button and of the link away, which leads to the survey, the account or the address
    `back`. form: what is typed besides; its errors make the answer a 422.
    """
    if survey:
        own = reverse("workspace:survey", args=[survey.slug])
        above = [(reverse("workspace:surveys"), "Surveys"), (own, survey.title)]
    else:
        own = reverse("account")
        above = [(own, "Your account")]
    context = {
        "above": above,
        "question": question,
        "said": said,
        "things": things,
        "do": do,
        "stay": stay,
        "form": form,
        "back": back or own,
        "is_bad": is_bad,
    }
    return render(
        request, "parts/confirm.html", context, status=422 if form and form.errors else 200
    )
