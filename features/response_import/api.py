"""Files of responses by program: begun, sent in parts, finished or cancelled."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from features.response_import import staging
from features.response_import.coding import Codes, OpenCodes
from features.response_import.mapping import COUNT, CROSSES, WAYS
from features.response_import.mapping_parser import (
    LAST_HEADER,
    LONGEST_TEXT,
    MOST_MISSING,
    VERSIONS,
)
from features.response_import.multiple import CELL_SEPARATORS
from features.response_import.staging import OutOfTurn, Wrong
from features.response_import.summary import ImportPreview
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.models import Import
from surveys.site.errors import Invalid, Refused
from surveys.site.files.layout import SEPARATORS, UNQUOTED
from surveys.site.files.workbook import WORKBOOK_TYPE
from surveys.site.problems import problem_response
from surveys.site.shape import as_json
from surveys.web.api.fields import Choice, Named, Strict, Whole
from surveys.web.api.problems import WRONG
from surveys.web.api.shapes import serializer_for
from surveys.web.api.uploads import OCTETS, TooLarge, described, parsers, uploaded
from surveys.web.api.views.base import View, created, errors, valid

MAPPING = OpenApiExample(
    "Answers in words, in a column with another name; one column for each choice",
    {
        "mapping": {
            "encoding": "windows-1252",
            "separator": ";",
            "missing": ["", "NA", "-99"],
            "questions": {
                "tax": {"column": "Q1", "texts": {"Ja": 1, "Nein": 0}},
                "fruit": {"columns": ["Apple", "Pear"], "texts": {"x": 1, "": 0}},
                "age": {"column": "Age", "as": "labels"},
            },
        }
    },
    request_only=True,
)


LARGER_FILES = (
    f"Send a larger CSV file in parts of at most {staging.PART:,} bytes. A workbook, SPSS, Stata or Parquet file "
    "cannot be cut: save it as CSV."
)
KINDS = ("text/csv", WORKBOOK_TYPE, OCTETS)
TEXTS = {
    "type": "array",
    "items": {"type": "string", "maxLength": LONGEST_TEXT},
    "maxItems": MOST_MISSING,
}
QUESTION_SHAPE = {
    "column": {"type": "string", "maxLength": LONGEST_TEXT},
    "columns": {"type": "array", "items": {"type": "string", "maxLength": LONGEST_TEXT}},
    "texts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    "as": {"type": "string", "enum": [*WAYS, CROSSES]},
    "split": {"type": "string", "enum": list(CELL_SEPARATORS)},
    "missing": TEXTS,
}
MAPPING_SHAPE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "version": {"type": "integer", "enum": list(VERSIONS)},
        "encoding": {"type": "string"},
        "separator": {"type": "string", "enum": list(SEPARATORS)},
        "sheet": {"type": "string", "maxLength": LONGEST_TEXT},
        "quoting": {"type": "string", "enum": [UNQUOTED]},
        "header": {"type": "integer", "minimum": 1, "maximum": LAST_HEADER},
        "first": {"type": "integer", "minimum": 2, "maximum": LAST_HEADER + 1},
        "missing": TEXTS,
        "rows_without_answers": {"type": "string", "enum": [COUNT]},
        "questions": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": QUESTION_SHAPE,
            },
        },
    },
}


CODES_SHAPE = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "additionalProperties": {"type": "integer", "minimum": 1},
    },
}


@extend_schema_field(MAPPING_SHAPE)
class MappingField(serializers.JSONField):
    """As features.response_import.mapping_parser has it, which says what is wrong at its place."""


class BeginSerializer(Strict):
    mapping = MappingField(
        required=False,
        allow_null=True,
        help_text=(
            "version: the version in the codebook of a file from Candor, 1 where it has none; encoding; separator; "
            "sheet; header: the row that names the columns; first: the row where the data begin; "
            "missing: texts that mean no report; rows_without_answers: count, where rows without an answer to any "
            "question are people who gave no answer, and are not left out; questions: question "
            "key -> column (or columns, one for each choice), texts (text, or code of the file -> report) or as "
            "(codes, which count from 0, codes-from-1, or labels), and missing. We work out what you leave out, or ask "
            "for it. Codes of a file that Candor did not write are always asked for, except 1 and 0 for Yes and No, "
            "and answers that are numbers themselves"
        ),
    )
    parts = Whole(
        required=False,
        min_value=1,
        max_value=10**9,
        help_text="how many parts you will send, if you know. `preview` then waits for the last one",
    )


class FinishSerializer(Strict):
    parts = Whole(min_value=0, max_value=10**9, help_text="how many parts you sent")


class RowProblemSerializer(serializers.Serializer):
    row = serializers.IntegerField(
        allow_null=True, help_text="numbered as in a spreadsheet; row 1 has the names"
    )
    column = serializers.CharField(
        help_text="name of the column; empty where the whole row is wrong"
    )
    message = serializers.CharField()


class ImportSerializer(serializers.ModelSerializer):
    state = Choice(
        Import.State.choices,
        help_text="taking: send the next part; wrong: nothing was stored, cancel it; done",
    )
    parts = serializers.IntegerField(help_text="parts received")
    rows = serializers.IntegerField(help_text="responses in them")
    left_out = serializers.IntegerField(
        help_text="rows without an answer to any question, which are left out"
    )
    missing = Named(
        child=serializers.IntegerField(),
        help_text="question key -> number of responses without a report to it, if there are any",
    )
    found = serializers.IntegerField(help_text="problems in them")
    problems = RowProblemSerializer(many=True, help_text="the first 50")
    mapping = MappingField(
        allow_null=True, help_text="after the first part: the whole mapping in use"
    )
    codes = serializers.SerializerMethodField(
        help_text="question key -> code of the file -> rows with it, for codes that have no meaning yet. `finish` "
        "needs one for each"
    )

    class Meta:
        model = Import
        fields = [
            "id",
            "state",
            "parts",
            "rows",
            "left_out",
            "missing",
            "found",
            "problems",
            "mapping",
            "codes",
        ]
        read_only_fields = fields

    @extend_schema_field(CODES_SHAPE)
    def get_codes(self, file: Import) -> dict[str, Codes]:
        return staging.codes_without_meaning(file)


class ImportDetailSerializer(ImportSerializer):
    preview = serializer_for(ImportPreview)(
        allow_null=True,
        help_text="what `finish` would add if the file ends with the parts received. null before the first "
        "part, for anyone but the person who began it, where something is wrong or open, and once it is done",
    )

    class Meta(ImportSerializer.Meta):
        fields = [*ImportSerializer.Meta.fields, "preview"]
        read_only_fields = fields


class OfImports(View):
    reading = "write"  # who may read reports has no business with unfinished files

    def of_survey(self, request: Request, slug: str) -> QuerySet[Import]:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        return Import.objects.filter(survey=survey).order_by("-day", "pk")

    def file(self, request: Request, slug: str, pk: UUID) -> Import:
        file: Import = get_object_or_404(self.of_survey(request, slug), pk=pk)
        return file

    def handle_exception(self, error: Exception) -> Any:
        if isinstance(error, OutOfTurn):
            return problem_response(
                409, "out-of-turn", "This is not the next part.", str(error), next=error.next
            )
        if isinstance(error, Wrong):
            return wrong(error)
        if isinstance(error, OpenCodes):
            return problem_response(422, "invalid", WRONG, errors=error.errors, codes=error.codes)
        return super().handle_exception(error)


def wrong(error: Wrong) -> JsonResponse:
    """Every problem by its place, as "row 7, column tax"."""
    places: dict[str, str] = {}
    for each in error.file.problems:
        place = ", ".join(
            part
            for part in (
                each["row"] and f"row {each['row']}",
                each["column"] and f"column {each['column']}",
            )
            if part
        )
        places[place or "file"] = each["message"]
    title = "The file has problems. Nothing was stored."
    return problem_response(
        422, "invalid", title, str(error), errors=places, found=error.file.found
    )


class Imports(OfImports):
    @extend_schema(
        summary="Unfinished imports, and those finished since yesterday",
        operation_id="surveys_imports_list",
        responses=errors() | {200: ImportSerializer(many=True)},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(ImportSerializer(self.of_survey(request, slug), many=True).data)

    @extend_schema(
        summary="Start to import a file of responses into an import-only survey",
        description=(
            "Send the file without converting it: CSV in UTF-8, UTF-16 or a Windows encoding, in order, in parts of at "
            f"most {staging.PART:,} bytes, cut anywhere; or a workbook (.xlsx), SPSS (.sav), Stata (.dta) or Parquet "
            "file in one part. "
            "Then check `preview`, and finish. Until then nothing counts. After the first part, `mapping` says how we "
            "read the file and what means no report. An import that no one continues is deleted after a day."
        ),
        request=BeginSerializer,
        responses=errors(409, 415, 422) | {201: ImportSerializer},
        examples=[MAPPING],
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        data = valid(BeginSerializer, request)
        begun = staging.begin(survey, request.user, data.get("mapping"), data.get("parts"))
        return created(ImportSerializer(begun).data, "import", slug, begun.pk)


class ImportDetail(OfImports):
    @extend_schema(
        summary="The progress of an import, and what it would add",
        description="For each question `preview` has n, missing, and the count of each answer, as received: nothing "
        "is estimated, and nothing counts before `finish`.",
        responses=errors() | {200: ImportDetailSerializer},
    )
    def get(self, request: Request, slug: str, pk: UUID) -> Response:
        file = self.file(request, slug, pk)
        return Response(ImportSerializer(file).data | {"preview": _preview(file, request)})

    @extend_schema(
        summary="Cancel an import and delete what was sent", responses=errors(409) | {204: None}
    )
    def delete(self, request: Request, slug: str, pk: UUID) -> Response:
        staging.cancel(self.file(request, slug, pk))
        return Response(status=204)


def _preview(file: Import, request: Request) -> Any:
    try:
        return as_json(staging.preview(file, request.user))
    except (Refused, Invalid):
        return None


class ImportPart(OfImports):
    parser_classes = parsers(staging.PART, *KINDS)

    @extend_schema(
        summary="Send the next part of the file",
        description=(
            "Number the parts from 1. Sending a part again changes nothing. `problems` lists wrong cells; checking "
            "stops at 50."
        ),
        request=described(*KINDS),
        responses=errors(409, 413, 415, 422) | {200: ImportSerializer},
    )
    def put(self, request: Request, slug: str, pk: UUID, number: int) -> Response:
        file = self.file(request, slug, pk)
        try:
            data = uploaded(request, staging.PART)
        except TooLarge as error:
            raise TooLarge(f"{error.detail} {LARGER_FILES}") from None
        return Response(ImportSerializer(staging.add(file, number, data)).data)


class FinishImport(OfImports):
    @extend_schema(
        summary="Add the whole file to the survey",
        description=(
            "All of it, or nothing if any cell has a problem. Doing it twice changes nothing. If a column has codes "
            "that have no meaning yet, the error at `questions.KEY.texts` asks for it, and `codes` beside "
            "`errors` has the rows with each code, by question. Nothing is stored then: start again with a mapping "
            "that has the meanings under `texts`, and the codes that mean no answer under `missing`."
        ),
        request=FinishSerializer,
        responses=errors(409, 415, 422) | {200: ImportSerializer},
        examples=[OpenApiExample("A file in three parts", {"parts": 3}, request_only=True)],
    )
    def post(self, request: Request, slug: str, pk: UUID) -> Response:
        file = self.file(request, slug, pk)
        done = staging.finish(file, valid(FinishSerializer, request)["parts"], request.user)
        return Response(ImportSerializer(done).data)
