"""What all analyses by program have in common: who looks at what, refusals as problem documents, entity tags."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.definition.instrument import paper
from surveys.models import Instrument
from surveys.results.analysis.methods import methods
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.report.figures import png
from surveys.web.api.etags import matches
from surveys.web.api.views import query
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.report.files import TYPES, file, sealed
from surveys.web.api.views.report.report import etag_of
from surveys.web.api.views.responses import AnyFile

RULES = (
    "A statement takes 100 people who answered all that is asked for: 422 (`too-few`) otherwise. Whoever has the right "
    "to rows, and a token that may use it, relates any questions; everybody else groups of the survey's cut, from its "
    "closing on: 422 (`not-of-the-cut`). What is wrong with a parameter: 422 (`invalid`), with its name in errors."
)
NAMES = ("confidence", "where")
FILE = errors(422) | {200: OpenApiTypes.BINARY}
PARAMETERS = [each for each in query.PARAMETERS if each.name in NAMES]


class TooFewPeople(APIException):
    status_code = 422
    default_code = "too_few"
    default_detail = "Too few people for a statement."


class TooManyCells(APIException):
    status_code = 422
    default_code = "too_many_cells"
    default_detail = "There are too many combinations of answers."


@contextmanager
def refusals() -> Iterator[None]:
    try:
        with query.refusals():
            yield
    except TooFew as refusal:
        raise TooFewPeople(str(refusal)) from None
    except TooMuch as refusal:
        raise TooManyCells(str(refusal)) from None


class Analysis(View):
    """find: of a request, a sight, group and confidence -> the result. name: of its files."""

    name: str
    find: Callable[..., Any]

    def found(self, request: Request, instrument: Instrument) -> Any:
        with refusals():
            options = {"group": query.group(request, instrument), "confidence": query.confidence(request)}
            return self.find(request, query.seen(request, instrument), **options)

    def as_json(self, request: Request, slug: str, write: Callable[[Any], dict]) -> Response:
        """The result; where the program has it already, it is not made again."""
        instrument = sealed(request, slug)
        sight = query.seen(request, instrument)
        etag = etag_of(instrument, self.name, sight.version, sorted(request.query_params.lists()))
        if matches(request, etag):
            return Response(status=304, headers={"ETag": etag})
        return Response(write(self.found(request, instrument)), headers={"ETag": etag})


class AnalysisFile(Analysis):
    """form: csv, svg, png, or txt, the methods section of a paper on the result."""

    renderer_classes = (AnyFile,)
    form = "csv"

    @property
    def media_type(self) -> str:
        return TYPES[self.form]

    def as_any(self, request: Request, slug: str, write: tuple[Callable[..., str], Callable[..., str]]) -> HttpResponse:
        """write: the table and the figure."""
        instrument = sealed(request, slug)
        about = query.seen(request, instrument).words(query.group(request, instrument))
        found = self.found(request, instrument)
        if self.form == "txt":
            made = str(methods(paper(instrument), found, about, instrument.survey.reason))
            return file(made, f"{slug}-{self.name}-methods.txt", self.media_type)
        made = write[self.form != "csv"](found, about=about)
        return file(png(made) if self.form == "png" else made, f"{slug}-{self.name}.{self.form}", self.media_type)
