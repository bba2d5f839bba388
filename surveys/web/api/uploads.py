"""Files as programs send them: in the body as they are, or as the one file of a form (`curl -F file=@...`)."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request

from surveys.site.files.sizes import too_large_message

FORM = "multipart/form-data"
OCTETS = "application/octet-stream"
AROUND = 65_536  # bytes of a form around its file
ONE_FILE = {
    "type": "object",
    "required": ["file"],
    "additionalProperties": False,
    "properties": {"file": {"type": "string", "format": "binary"}},
}


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = "The file is too large."


class Body(BaseParser):
    """The bytes as they come, as far as `most` and one more. What they are, they say themselves."""

    most: int

    def parse(self, stream: Any, *args: object) -> bytes:
        data: bytes = stream.read(self.most + 1)
        return data


class Form(MultiPartParser):
    """A form that holds more than the file may have is not read: its file would go through the disk."""

    most: int

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: dict | None = None
    ) -> Any:
        length = (parser_context or {})["request"].META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > self.most + AROUND:
            raise TooLarge(too_large_message(self.most))
        return super().parse(stream, media_type, parser_context)


def parsers(most: int, *kinds: str) -> tuple[type[BaseParser], ...]:
    """For files of up to so many bytes, in the body as one of these media types, or in a form."""
    bodies = (type("Body", (Body,), {"media_type": kind, "most": most}) for kind in kinds)
    return (*bodies, type("Form", (Form,), {"most": most}))


def described(*kinds: str) -> dict[str, Any]:
    """The same for the schema."""
    return dict.fromkeys(kinds, OpenApiTypes.BINARY) | {FORM: ONE_FILE}


def uploaded(request: Request, most: int) -> bytes:
    """Return the file of the request, empty where there is none. Raises TooLarge for more than `most` bytes."""
    data = _file_bytes(request, most)
    if len(data) > most:
        raise TooLarge(too_large_message(most))
    return data


def _file_bytes(request: Request, most: int) -> bytes:
    """Return the file of the request, up to a byte more than it may have."""
    if isinstance(request.data, bytes):
        return request.data
    files = request.FILES
    if len(files) > 1 or set(request.data) - set(files):
        raise ParseError("Send one file in the form, and nothing else.")
    return next(iter(files.values())).read(most + 1) if files else b""
