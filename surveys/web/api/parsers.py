"""How the API reads JSON: in UTF-8 and no other encoding, nested a few levels deep. No error repeats what was sent."""

import io
import json
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.utils.json import strict_constant

from surveys.authoring.files import other_tools
from surveys.site.errors import Unreadable
from surveys.site.json_depth import is_deeper

LEVELS = 6  # the deepest shape has 4; with two more a value of a wrong type is told what is wrong with it


class TooDeep(ParseError):
    default_code = "too_deep"
    default_detail = "The body is nested too deeply."


class Parser(JSONParser):
    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: dict | None = None
    ) -> Any:
        try:
            text = stream.read().decode()  # the framework has looked at the length
            if is_deeper(text, LEVELS):
                raise TooDeep(f"Nest objects and lists at most {LEVELS} levels deep.")
            return json.loads(text, parse_constant=strict_constant)
        except UnicodeDecodeError:
            raise ParseError("The body is not text in UTF-8.") from None
        except ValueError as error:
            raise ParseError(f"The body is not valid JSON: {error}") from None


class FileParser(Parser):
    """For the file of a survey. The files of other tools, which are nested deeply or no JSON, are told apart first."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: dict | None = None
    ) -> Any:
        body = stream.read()
        if told := other_tools.recognised(body):
            raise Unreadable(told)
        return super().parse(io.BytesIO(body), media_type, parser_context)
