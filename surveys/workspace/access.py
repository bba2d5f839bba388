"""Who gets into the workspace, and what people read when the state of a survey forbids a step."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control

from surveys.access import surveys_of
from surveys.models import Question, Survey
from surveys.publishing import Refused

View = Callable[..., HttpResponse]


def own_survey(view: View) -> View:
    """Gives the view its owner's survey for the slug in the address.

    Somebody else's survey is a 404, as one that does not exist. A step that the survey's state forbids is a 409.
    """

    @login_required
    @cache_control(private=True, no_cache=True)
    @wraps(view)
    def inner(request: HttpRequest, slug: str, **rest: object) -> HttpResponse:
        survey = get_object_or_404(surveys_of(request.user), slug=slug)
        try:
            return view(request, survey, **rest)
        except Refused as refusal:
            return refused(request, survey, str(refusal))
        except ObjectDoesNotExist as gone:  # deleted in another window meanwhile
            raise Http404 from gone

    return inner


def own_question(view: View) -> View:
    """As own_survey, with the question for the variable name in the address."""

    @own_survey
    @wraps(view)
    def inner(request: HttpRequest, survey: Survey, key: str, **rest: object) -> HttpResponse:
        question: Question = get_object_or_404(survey.questions, key=key)
        return view(request, survey, question, **rest)

    return inner


def refused(request: HttpRequest, survey: Survey, reason: str) -> HttpResponse:
    survey.refresh_from_db()
    return render(request, "workspace/refused.html", {"survey": survey, "reason": reason}, status=409)
