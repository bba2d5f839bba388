"""Respondents' requests go straight to their view: no session, cookie, account or message is looked at on the way.

So nothing of theirs can reach those parts by mistake, and nothing of those parts can reach a respondent's page. It also
makes a submission cost little more than its insert: bench/submission.py.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.urls import resolve

from surveys.site.headers import seal_off

PAGES = re.compile(r"^/(s/.+/|i/.+/|brand/.+|help/.*|leave/|trust/.*|r/link/.*)$")
PUBLIC = re.compile(
    r"^/(r/.+|sample/)?$"
)  # pages for everybody who comes by, which seal themselves off less
SUBMISSIONS = re.compile(
    r"^/api/v1/surveys/[^/]+/(responses|tickets)/$"
)  # to POST to; reading asks who one is


def is_respondents(request: HttpRequest) -> bool:
    if request.method == "POST" and SUBMISSIONS.match(request.path):
        return True
    return PAGES.match(request.path) is not None


_resolve = lru_cache(maxsize=1024)(
    resolve
)  # walking through all patterns takes longer than checking an answer


@convert_exception_to_response
def _answer(request: HttpRequest) -> HttpResponse:
    request.resolver_match = found = _resolve(request.path_info)
    return found.func(request, *found.args, **found.kwargs)


def respondents_first(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        if is_respondents(request):
            return seal_off(_answer(request), request)
        if PUBLIC.match(request.path):
            response = _answer(request)
            return response if response.has_header("ETag") else seal_off(response, request)
        return get_response(request)

    return middleware
