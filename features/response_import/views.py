"""The page that takes a file of responses, in three states: choose it, say what its columns hold, see what it adds.

With a script the browser sends the file in parts, by the API. Without one the form sends files of up to a megabyte.
Either way the import then waits under `?file=`, where a reload, a second tab and a second click find it as it is.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from features.response_import import staging
from features.response_import.code_table import codes_by_column, typed_codes
from features.response_import.coding import Codes, codes_in
from features.response_import.forms import Line, asked, lines
from features.response_import.guess import knows, resolve, resolve_each
from features.response_import.limits import table_limits
from features.response_import.mapping import Mapping, Plan, Wanted
from features.response_import.mapping_parser import parse
from features.response_import.meanings import NOTHING, folded, plain
from features.response_import.messages import Problem
from features.response_import.reader import read, seen
from surveys.accounts.access import Right
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import decode, wire_reports
from surveys.models import Import, Survey
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken, Cells
from surveys.site.files.encodings import encoding_titles, guess_encoding
from surveys.site.files.layout import SEPARATORS, Layout
from surveys.site.files.sizes import too_large_message
from surveys.site.files.table import read_first_part
from surveys.site.files.whole_files import LONGEST_START, too_large_whole_message, whole_format
from surveys.web.workspace.access import survey_page

SHOWN = 5  # rows in the preview
MISSING = "Choose the file again. Without JavaScript the browser forgets it on every page."
WITHOUT_A_SCRIPT = "Split the file, or switch JavaScript on: with it a CSV file can be larger."
GONE = "Choose the file again. The import is incomplete, cancelled, older than a day, or someone else’s."
STEPS = ("add", "cancel")  # with a file that has come
LOOKED_AT = 262_144  # bytes of the file that a script sends to be looked at


@dataclass
class Look:
    """What the start of a file says, and what is still open."""

    layout: Layout = field(default_factory=Layout)
    missing: tuple[str, ...] = ()  # what stands for no report
    error: str = ""  # why it cannot be read
    asks: dict[str, str] = field(default_factory=dict)  # what has to be said about the whole file
    header: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    mapping: Any = None  # once nothing is open
    preview: list[list[str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)  # in the rows that were looked at
    absent: dict[str, int] = field(
        default_factory=dict
    )  # question key -> rows without a report among these
    rows: int = 0  # that were looked at
    is_guess: bool = False  # whether nobody said yet how the file is written
    is_cut: bool = False  # whether only the start of the file was looked at
    program: str = ""  # that wrote the file, if its form shows that
    hints: dict[str, str] = field(default_factory=dict)  # what stands between names and data

    @property
    def is_whole(self) -> bool:
        return self.mapping is not None

    @property
    def may_be_misread(self) -> bool:
        """Whether the encoding is no more than likely."""
        return self.is_guess and self.layout.encoding.startswith("windows")

    @property
    def codes(self) -> str:
        """What stands for no report, besides empty cells, as the form has it."""
        return ", ".join(text for text in self.missing if text)

    @property
    def names(self) -> str:
        """The header, so that nothing typed is lost where the file is missing the next time."""
        return json.dumps(self.header)

    @property
    def codes_as_json(self) -> str:
        """The codes of all tables with their numbers of rows, which the form sends back."""
        listed = []
        for line in self.lines:
            if line.table:
                rows = {row.code: row.rows for row in line.table.rows}
                listed.append({"key": line.item.key, "column": line.table.column, "rows": rows})
        return json.dumps(listed)

    @property
    def asks_only_for_codes(self) -> bool:
        """Return whether nothing is open but what codes mean."""
        unclear = [line for line in self.lines if line.errors]
        return bool(unclear) and all(line.has_code_table for line in unclear)

    @property
    def as_json(self) -> str:
        """The mapping for a script, which sends it to the API."""
        return json.dumps(self.mapping)


@survey_page(Right.WRITE)
def bring(request: HttpRequest, survey: Survey) -> HttpResponse:
    staging.require_filling(survey)
    if request.POST.get("do") in STEPS or "file" in request.GET:
        return _staged(request, survey)
    context: dict[str, Any] = {
        "survey": survey,
        "separators": SEPARATORS,
        "encodings": encoding_titles(),
        "takes_missing": parse_instrument(survey.instrument).nonresponse,
        "unfinished": survey.imports.exclude(state=Import.State.DONE)
        .select_related("user")
        .order_by("day", "pk"),
        "address": reverse("api:imports", args=[survey.slug]),
        "part": staging.PART,
        "looked_at": LOOKED_AT,
    }
    if request.method != "POST":
        return _page(request, context)
    file = request.FILES.get("file")
    if file is None or file.size > staging.PART:
        context["look"] = redrawn(parse_instrument(survey.instrument), request.POST)
        return _page(
            request, context | {"missing": MISSING if file is None else _too_large_message(file)}
        )
    data, goes_on = file.read(), request.POST.get("do") == "preview"
    is_cut = not goes_on and "cut" in request.POST
    context["look"] = look = looked(
        parse_instrument(survey.instrument), data, request.POST, is_cut=is_cut
    )
    return (
        _take(request, survey, data, context)
        if goes_on and look.is_whole
        else _page(request, context)
    )


def _too_large_message(file: UploadedFile) -> str:
    """Return what to say of a file that a form sent whole and that is larger than a part."""
    encoding = whole_format(file.read(LONGEST_START))
    if encoding:
        return too_large_whole_message(encoding, file.size or 0)
    return f"{too_large_message(staging.PART)} {WITHOUT_A_SCRIPT}"


def _page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    look = context.get("look")
    is_wrong = context.get("missing") or context.get("problems") or (look and look.error)
    status = 422 if is_wrong and request.method == "POST" else 200
    return render(request, "response_import/survey_files.html", context, status=status)


def _take(
    request: HttpRequest, survey: Survey, data: bytes, context: dict[str, Any]
) -> HttpResponse:
    """A small file in one request. With problems nothing of it stays, and the form is there to correct them."""
    file = staging.add(
        staging.begin(survey, request.user, context["look"].mapping, total_parts=1), 1, data
    )
    if file.state == Import.State.WRONG:
        staging.cancel(file)
        return _page(request, context | {"problems": file.problems, "found": file.found})
    return _to(file)


def _to(file: Import) -> HttpResponse:
    address = reverse("workspace:import-responses", args=[file.survey.slug])
    return redirect(f"{address}?file={file.pk}")


def _staged(request: HttpRequest, survey: Survey) -> HttpResponse:
    """A file that has come: what it would add, to the person who sent it, and the step that this person takes."""
    asked_for = request.POST.get("file") or request.GET.get("file")
    file = next((each for each in survey.imports.all() if str(each.pk) == asked_for), None)
    if file is not None and request.POST.get("do") == "cancel":
        staging.cancel(file)
        messages.success(request, "The import is cancelled, and its data are deleted.")
    elif file is None or file.user_id != request.user.pk or not file.is_whole:
        messages.info(request, GONE)
    elif request.POST.get("do") == "add":
        with suppress(staging.Wrong, Invalid):  # the page says what is wrong
            counts_left_out = "count" in request.POST
            staging.finish(file, file.parts, request.user, counts_left_out=counts_left_out)
        return _to(file)
    else:
        return _page(request, {"survey": survey, "file": file} | _what_it_adds(request, file))
    return redirect("workspace:import-responses", survey.slug)


def _what_it_adds(request: HttpRequest, file: Import) -> dict[str, Any]:
    if file.state == Import.State.DONE or (file.state == Import.State.TAKING and not file.rows):
        return {}
    try:
        return {"preview": staging.preview(file, request.user)}
    except staging.Wrong as wrong:
        return {"problems": wrong.file.problems, "found": wrong.file.found}
    except Invalid as open_:
        return {"open": open_.errors.values()}


def looked(frozen: SurveyDefinition, data: bytes, typed: QueryDict, *, is_cut: bool) -> Look:
    """What is known of a file from its start and from what was typed."""
    mapping, wrong = asked(frozen, typed)
    look = Look(missing=NOTHING, is_guess="laid" not in typed, is_cut=is_cut)
    try:
        wanted = parse(frozen, mapping)
        look.layout = replace(wanted.layout, encoding=guess_encoding(data, wanted.layout.encoding))
        look.missing = NOTHING if wanted.missing is None else wanted.missing
        limits = table_limits(data)
        table = read_first_part(
            data,
            wanted.layout,
            knows(frozen, wanted),
            limits,
            size=_typed_number(typed, "size"),
            last=not is_cut,
            is_cut=is_cut,
            holds_responses=True,
        )
        wanted = replace(wanted, layout=table.layout, labels=table.labels)
        names = [name.strip() for name in table.names]
        earlier = _earlier_codes(frozen, wanted, typed) if is_cut else {}

        def texts_in(place: int) -> dict[str, int]:
            return seen(table.cells, place)

        def column_codes(name: str) -> Codes:
            codes = codes_in(texts_in(names.index(name))) if name in names else {}
            further_on = codes_by_column(frozen.items, typed).get(name, {}) if is_cut else {}
            return {
                code: max(codes.get(code, 0), further_on.get(code, 0))
                for code in codes | further_on
            }

        columns = resolve_each(frozen, wanted, table.names, texts_in, earlier, last=True)
        look.layout, look.header = table.layout, table.names
        look.program, look.hints = table.program, table.hints
        look.lines = lines(frozen, table.names, columns, typed, wrong, column_codes=column_codes)
        for line in look.lines:
            line.hints = table.hints
        if not wrong:
            plan = resolve(frozen, wanted, table.names, texts_in, earlier, last=True)
            _show(look, frozen, plan, table.cells)
    except Broken as broken:
        look.error = f"Row {broken.row}: {broken}" if broken.row else str(broken)
    except Invalid as open_:
        _put(look, open_)
    return look


def _typed_number(typed: QueryDict, name: str) -> int:
    """Return a whole number that a script sent, or 0."""
    text = typed.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _earlier_codes(frozen: SurveyDefinition, wanted: Mapping, typed: QueryDict) -> dict[str, Codes]:
    """Return the codes that an upload met behind the start of the file, without those that mean no answer."""
    everywhere = NOTHING if wanted.missing is None else wanted.missing
    earlier = {}
    for item in frozen.items:
        missing = (*everywhere, *wanted.questions.get(item.key, Wanted()).missing)
        without = {plain(folded(text)) for text in missing}
        rows = typed_codes(item, typed).rows
        earlier[item.key] = {code: count for code, count in rows.items() if code not in without}
    return earlier


def redrawn(frozen: SurveyDefinition, typed: QueryDict) -> Look | None:
    """What was typed, without the file."""
    try:
        header = json.loads(typed.get("names", ""))
        mapping, wrong = asked(frozen, typed)
        wanted = parse(frozen, mapping)
    except (ValueError, RecursionError):  # Invalid is one too
        return None
    if not isinstance(header, list) or not all(isinstance(name, str) for name in header):
        return None
    tables = codes_by_column(frozen.items, typed)

    def column_codes(name: str) -> Codes:
        return tables.get(name, {})

    columns = resolve_each(
        frozen, wanted, header, lambda place: column_codes(header[place].strip()), {}, last=True
    )
    shown = lines(frozen, header, columns, typed, wrong, column_codes=column_codes)
    return Look(layout=wanted.layout, missing=wanted.missing or (), header=header, lines=shown)


def _put(look: Look, wrong: Invalid) -> None:
    """What is left open, at its question or beside what is said of the whole file."""
    for place, message in wrong.errors.items():
        if not place.startswith("questions."):
            look.asks[place] = message
        for line in look.lines:
            if place.startswith(f"questions.{line.item.key}.") and not line.errors:
                line.errors.append(message)


def _show(look: Look, frozen: SurveyDefinition, plan: Plan, cells: Cells) -> None:
    part = read(frozen, plan, cells, most=10)
    look.mapping, look.problems, look.absent, look.rows = (
        plan.asked(),
        part.problems,
        part.missing,
        part.n,
    )
    rows = decode(frozen, part.records)[:SHOWN]
    columns = [
        [_words(item, each) for each in wire_reports(frozen, rows, item)] for item in frozen.items
    ]
    look.preview = [] if part.problems else [list(row) for row in zip(*columns, strict=True)]


def _words(item: QuestionDefinition, report: int | str | None) -> str:
    """A report as its answers are called."""
    if report is None:
        return "no report"
    if isinstance(report, int):
        return str(report) if item.has_own_numbers else item.report_labels[report]
    return (
        ", ".join(label for label, mark in zip(item.choices, report, strict=True) if mark == "1")
        or "no mark"
    )
