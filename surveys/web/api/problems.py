"""Every error of the API as a problem document."""

import math
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import Error
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.views import set_rollback

from surveys.site.errors import Invalid, Refused
from surveys.site.outages import try_again
from surveys.site.problems import problem_response
from surveys.web.turns import as_problem

WRONG = "Something in the request is wrong. See errors for what and where."
CONFLICT = "edition"
WHOLE = "non_field_errors"  # the framework’s name for what is wrong with a body or a part of it as a whole


def handler(error: Exception, context: dict) -> JsonResponse | None:
    """DRF's exception handler; None lets an unexpected error through as what it is, a 500."""
    response = _of_ours(error) or _of_the_framework(error, context)
    if response is not None:
        set_rollback()
    return response


@csrf_exempt
def nothing(request: HttpRequest, rest: str) -> JsonResponse:
    """Whatever else is asked for below the API's address: a problem document too, not a page."""
    hint = "" if rest.endswith("/") else "Addresses of the API end with a slash."
    return problem_response(404, "not-found", "Not found.", hint)


def _of_ours(error: Exception) -> JsonResponse | None:
    if isinstance(error, Invalid):
        if CONFLICT in error.errors:
            return problem_response(
                409,
                "changed-meanwhile",
                "Someone else has changed the survey since you read it.",
                error.errors[CONFLICT],
            )
        return problem_response(422, "invalid", WRONG, errors=error.errors)
    if isinstance(error, Refused):
        return problem_response(
            409, "refused", "The survey’s status does not allow this.", str(error)
        )
    if told := as_problem(error):
        return told
    if isinstance(error, Error):  # gone, locked, read-only, full
        return try_again(error)
    return None


def _of_the_framework(error: Exception, context: dict) -> JsonResponse | None:
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(*error.args)
    elif isinstance(error, RequestDataTooBig):
        most = f"At most {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes are allowed."
        return problem_response(413, "too-large", "The body is too large.", most)
    elif isinstance(error, UnreadablePostError):  # whoever sent it has gone, so nobody reads this
        return problem_response(400, "cut-off", "The body is incomplete.")
    if not isinstance(error, exceptions.APIException):
        return None
    if error.default_code == "error":  # the framework's word for whatever went wrong
        return None
    if isinstance(error, exceptions.ValidationError):
        return problem_response(422, "invalid", WRONG, errors=dict(_flat(error.detail)))
    response = problem_response(
        error.status_code, error.default_code.replace("_", "-"), detail=_detail(error, context)
    )
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        response["Retry-After"] = str(math.ceil(wait))
    return response


def _detail(error: exceptions.APIException, context: dict) -> str:
    """What ours say, and of the framework's what its title does not say already."""
    view = context["view"]
    if isinstance(error, exceptions.MethodNotAllowed):
        return f"Allowed here: {', '.join(view.allowed_methods)}."
    if isinstance(error, exceptions.UnsupportedMediaType):
        return f"Read here: {', '.join(parser.media_type for parser in view.parser_classes)}."
    is_theirs = type(error).__module__ == exceptions.__name__ and str(error.detail) == str(
        error.default_detail
    )
    return "" if is_theirs or isinstance(error, exceptions.Throttled) else str(error.detail)


def _flat(detail: Any, place: str = "") -> list[tuple[str, str]]:
    """Nested messages as (place, message): ("questions.2.text", "This field is required.")."""
    if isinstance(detail, dict):
        named = {
            ".".join(filter(None, (place, "" if key == WHOLE else str(key)))): key for key in detail
        }
        return [pair for name, key in named.items() for pair in _flat(detail[key], name)]
    if isinstance(detail, list) and any(isinstance(part, dict | list) for part in detail):
        return [
            pair for index, part in enumerate(detail) for pair in _flat(part, f"{place}.{index}")
        ]
    return [
        (place or "body", " ".join(map(str, detail)) if isinstance(detail, list) else str(detail))
    ]
