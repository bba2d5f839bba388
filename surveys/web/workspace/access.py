"""Who gets into the workspace, and what people read when the state of a survey forbids a step."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.cache import cache_control

from surveys.accounts.access import Right, survey_for
from surveys.models import Question, Survey
from surveys.site.errors import Refused
from surveys.web.optional_urls import optional_url
from surveys.web.said import message_page

View = Callable[..., HttpResponse]


def own_page(view: View) -> View:
    """A page for everybody who is logged in. Its rule for the table of routes is "logged in"."""
    inner = login_required(cache_control(private=True, no_cache=True)(view))
    inner.right = None
    return inner


def survey_page(right: Right) -> Callable[[View], View]:
    """Gives the view the survey for the slug in the address, to people who have the right.

    Somebody else's survey is a 404, as one that does not exist; without the right it is a 403. A step that the
    survey's state forbids is a 409. The table of routes reads the rule from the view's `right`.
    """

    def decorate(view: View) -> View:
        @login_required
        @cache_control(private=True, no_cache=True)
        @wraps(view)
        def inner(request: HttpRequest, slug: str, **rest: object) -> HttpResponse:
            survey = survey_for(request.user, slug, right)
            try:
                return view(request, survey, **rest)
            except Refused as refusal:
                return refusal_page(request, survey, str(refusal))
            except ObjectDoesNotExist as gone:  # deleted in another window meanwhile
                raise Http404 from gone

        inner.right = right
        return inner

    return decorate


def question_page(right: Right) -> Callable[[View], View]:
    """As survey_page, with the question for the variable name in the address."""

    def decorate(view: View) -> View:
        @survey_page(right)
        @wraps(view)
        def inner(request: HttpRequest, survey: Survey, key: str, **rest: object) -> HttpResponse:
            question: Question = get_object_or_404(survey.questions, key=key)
            return view(request, survey, question, **rest)

        return inner

    return decorate


def post_only(view: View) -> View:
    """Decorate a view so that a GET redirects to the survey."""

    @wraps(view)
    def inner(request: HttpRequest, survey: Survey, *about: object, **rest: object) -> HttpResponse:
        if request.method != "POST":
            return redirect("workspace:survey", survey.slug)
        return view(request, survey, *about, **rest)

    return inner


# What can be done with a survey instead of what was refused, by its state.
INSTEAD = {
    "draft": "“{}” is a draft. You can change its texts and questions, and publish it.",
    "open": "“{}” is open. You can read its report, preview or close it. For other questions, make a new version.",
    "paused": "“{}” is paused. You can reopen it, read its report or close it.",
    "filling": "“{}” takes its responses from files. You can import responses, read the report or close the survey.",
    "closed": "“{}” is closed. You can read its report or reopen it. For other questions, make a new version.",
}

WITHOUT_IMPORTS = (
    "“{}” takes its responses from files. You can read the report or close the survey."
)


def refusal_page(request: HttpRequest, survey: Survey, reason: str) -> HttpResponse:
    """Return the page for a step that is refused."""
    survey.refresh_from_db()
    instead = INSTEAD[survey.status]
    if survey.status == Survey.Status.FILLING and not optional_url(
        "workspace:import-responses", survey.slug
    ):
        instead = WITHOUT_IMPORTS
    instead = instead.format(survey.title)
    then = reverse("workspace:survey", args=[survey.slug]), "Back to the survey"
    return message_page(request, "Not possible right now", reason, instead, status=409, then=then)
