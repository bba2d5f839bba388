"""Every error of the API as a problem document."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.views import set_rollback

from surveys.problems import problem


def handler(error: Exception, context: dict) -> JsonResponse | None:
    """DRF's exception handler; None lets an unexpected error through as what it is, a 500."""
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    response = problem(
        error.status_code,
        error.default_code.replace("_", "-"),
        str(error.default_detail),
        _detail(error.detail),
    )
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _detail(detail: object) -> str:
    return detail if isinstance(detail, str) else "; ".join(str(part) for part in _parts(detail))


def _parts(detail: object) -> list:
    if isinstance(detail, dict):
        return [f"{key}: {_detail(value)}" for key, value in detail.items()]
    return list(detail)
