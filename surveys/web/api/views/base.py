"""What all views of the API share: scopes of tokens, entity tags, and no silent dropping of what is not understood."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.web.api.etags import PreconditionFailed, WrongCondition, etag_of, matches
from surveys.web.api.serializers import ProblemSerializer

CHANGING = ("PUT", "PATCH", "DELETE")
CONDITIONS = {"if-match", "if-none-match"}


class UnknownParameter(APIException):
    status_code = 400
    default_code = "unknown_parameter"
    default_detail = "There is no such parameter at this address."


class WrongParameter(APIException):
    status_code = 400
    default_code = "wrong_parameter"
    default_detail = "A parameter of the address has a value that is not allowed."


class View(APIView):
    """`parameters`: what may stand after the question mark. `reading`: the scope that a token needs to read here.
    `media_type`: of the file that reading gives.
    """

    parameters: tuple[str, ...] = ()
    reading: str | None = "reports"
    writing: str | None = "write"
    media_type: str | None = None

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with ExitStack() as self._held:
            return super().dispatch(request, *args, **kwargs)

    def scope_for(self, method: str | None) -> str | None:
        return self.reading if method in SAFE_METHODS else self.writing

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        asked = request.query_params
        unknown = sorted(set(asked) - set(self.parameters) - {"format"})
        if unknown:
            allowed = ", ".join(self.parameters) or "none"
            raise UnknownParameter(
                f"There is no parameter {', '.join(name[:50] for name in unknown)}. Allowed: {allowed}."
            )
        if repeated := [name for name, values in asked.lists() if len(values) > 1]:
            raise WrongParameter(f"{', '.join(repeated)} can appear only once in the address.")
        conditions = CONDITIONS & {name.lower() for name in request.headers}
        if conditions and request.method in CHANGING and hasattr(self, "get"):
            self._heed(request, *args, **kwargs)

    def _heed(self, request: Request, slug: str, *args: Any, **kwargs: Any) -> None:
        """Compares what stands here, and holds the survey until the answer, so that nobody changes it in between."""
        request.data  # noqa: B018 - read before anything is held: it may come slowly
        self._held.enter_context(transaction.atomic())
        access.survey_for(request.user, slug, Right.SEE).locked()
        matches(request, etag_of(self.get(request, slug, *args, **kwargs)))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if (
            request.method not in ("GET", "HEAD")
            or response.status_code != 200
            or response.streaming
        ):
            return response
        response["ETag"] = etag_of(response)
        try:
            has_it = matches(request, response["ETag"])
        except (PreconditionFailed, WrongCondition) as failed:
            return self.handle_exception(failed)
        return HttpResponse(status=304, headers={"ETag": response["ETag"]}) if has_it else response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What the address allows is in the header `Allow`."""
        return Response(status=204)


def created(data: Any, name: str, *args: Any, **headers: str) -> Response:
    """201 with the address of what there is now. name: of its route."""
    return Response(
        data, status=201, headers={"Location": reverse(f"api:{name}", args=args), **headers}
    )


def valid(serializer: type, request: Request, **options: Any) -> dict[str, Any]:
    """The body in the serializer's shape; raises the framework's ValidationError."""
    checked = serializer(data=request.data, **options)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def one_of(name: str, value: str, allowed: Iterable[str]) -> str:
    """A parameter's value, if it is among those allowed."""
    if value not in allowed:
        raise WrongParameter(f"{name} must be one of {', '.join(allowed)}.")
    return value


def errors(*codes: int) -> dict:
    """The problem documents of an operation, for the schema; 400, 401, 403, 404 and 429 can come from anywhere."""
    return {
        (code, "application/problem+json"): ProblemSerializer
        for code in (400, 401, 403, 404, 406, 429, *codes)
    }
