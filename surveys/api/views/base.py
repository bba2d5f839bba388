"""What all views of the API share: scopes of tokens, and no silent dropping of what is not understood."""

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from surveys.api.serializers import ProblemSerializer


class UnknownParameter(APIException):
    status_code = 400
    default_code = "unknown_parameter"
    default_detail = "The address has a parameter that is not known here."


class WrongParameter(APIException):
    status_code = 400
    default_code = "wrong_parameter"
    default_detail = "A parameter of the address has a value that is not allowed."


class View(APIView):
    """`parameters`: what may stand after the question mark. `reading`: the scope that a token needs to read here."""

    parameters: tuple[str, ...] = ()
    reading: str | None = "reports"
    writing: str | None = "write"

    def scope_of(self, request: Request) -> str | None:
        return self.reading if request.method in SAFE_METHODS else self.writing

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        unknown = sorted(set(request.query_params) - set(self.parameters) - {"format"})
        if unknown:
            allowed = ", ".join(self.parameters) or "none"
            raise UnknownParameter(f"Not known here: {', '.join(name[:50] for name in unknown)}. Allowed: {allowed}.")


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
    return {(code, "application/problem+json"): ProblemSerializer for code in (400, 401, 403, 404, 406, 429, *codes)}
