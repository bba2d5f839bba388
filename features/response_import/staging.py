"""A file comes in parts, each checked and put aside in a short request; at the end it becomes batches, all or nothing.

begin -> add, part after part -> preview -> finish, or cancel. No worker stays busy, no memory grows with the file, and
a part that is sent twice counts once. Reports and exports see nothing of a file before `finish`.
"""

import hashlib
from copy import copy
from datetime import date, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.response_import.coding import (
    OPEN,
    Codes,
    OpenCodes,
    add_codes,
    codes_to_show,
    open_codes,
    question,
)
from features.response_import.guess import resolve
from features.response_import.limits import MOST_ROWS
from features.response_import.mapping import Mapping, Plan, Wanted
from features.response_import.mapping_parser import parse
from features.response_import.messages import Problem
from features.response_import.pieces import become_batches, clear, pieces_of, tally_with
from features.response_import.preview import look
from features.response_import.reader import no_report, read, seen
from features.response_import.summary import ImportPreview, left_out_message, summary
from surveys.accounts import history
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.erasure import wipe_closed
from surveys.models import Import, Instrument, Part, Piece, Survey
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.files.delimited import Broken, Cells
from surveys.site.files.table import read_next_part
from surveys.site.postgres_tables import note_rewriting

PART = 1_048_576  # bytes, at most
MOST_PROBLEMS = 50
MOST_AT_ONCE = 10  # unfinished imports of one survey

State = Import.State


class OutOfTurn(Refused):
    """A part that is not the next one. next: the number of the part that is waited for."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.next = number


class Wrong(Refused):
    """A file with problems, which stand in `file`; nothing of it is stored."""

    def __init__(self, file: Import) -> None:
        super().__init__(
            "The file has problems. Nothing was stored. Cancel, correct the file, and start again."
        )
        self.file = file


def begin(
    survey: Survey, by: AbstractBaseUser | None, mapping: Any = None, total_parts: int | None = None
) -> Import:
    """A new import. mapping: see exchange.importing.mapping. total_parts: how many will come, where the sender knows.

    Raises Refused, and Invalid for a wrong mapping.
    """
    require_filling(survey)
    parse(parse_instrument(survey.instrument), mapping)
    if survey.imports.exclude(state=State.DONE).count() >= MOST_AT_ONCE:
        raise Refused(
            f"{MOST_AT_ONCE} imports into this survey are unfinished. Cancel one of them first."
        )
    return Import.objects.create(
        survey=survey, user=by, mapping=mapping, total_parts=total_parts, day=_today()
    )


def require_filling(survey: Survey) -> None:
    """Raises Refused unless the survey takes files just now."""
    if not survey.import_only:
        raise Refused(
            "Only an import-only survey can import files. This one has its own respondents."
        )
    if survey.is_draft:
        raise Refused("Prepare the survey for import first. It is a draft.")
    if survey.status != Survey.Status.FILLING:
        raise Refused(
            "Reopen the survey first. It is closed. An unfinished import is kept for a day."
        )


def add(file: Import, number: int, data: bytes) -> Import:
    """The next part: the bytes of the file, cut anywhere, in order. The same part twice does no more than once.

    Problems that are found stand in the import. Raises Refused, OutOfTurn, and Invalid where the columns of the file
    leave a question open; then nothing has changed.
    """
    file, digest = _read_again(file), hashlib.sha256(data).hexdigest()
    require_filling(file.survey)
    if 0 < number <= file.parts:
        return _again(file, number, digest)
    if number != file.parts + 1:
        raise OutOfTurn(f"Part {file.parts + 1} is missing.", file.parts + 1)
    if file.is_whole:
        raise Refused("All parts of this file have been sent.")
    if file.state == State.DONE:
        raise Refused("This import is finished. Start another one.")
    if file.state == State.WRONG and is_hopeless(file):
        raise Wrong(file)
    pieces = pieces_of(file, _take(file, data, last=number == file.total_parts))
    file.parts, file.day = number, _today()
    with transaction.atomic():
        if not _held(file, number - 1):
            return _again(_read_again(file), number, digest)
        _save(file)
        file.come.create(number=number, sha256=digest)
        Piece.objects.bulk_create(pieces)
    return file


def is_hopeless(file: Import) -> bool:
    """Whether reading on would say no more about what is wrong with the file."""
    return file.found >= MOST_PROBLEMS or (file.state == State.WRONG and not file.header)


def _today() -> date:
    return clock.now().date()


def _read_again(file: Import) -> Import:
    row = Import.objects.select_related("survey__instrument").filter(pk=file.pk).first()
    if row is None:
        raise Refused("This import was cancelled. Start another one.")
    return row


def _held(file: Import, parts: int) -> bool:
    """Holds the import until the transaction ends. Whether it is as it was: nobody added a part, or ended it."""
    held = (
        Import.objects.select_for_update(no_key=True)
        .filter(pk=file.pk)
        .values_list("parts", "state")
        .first()
    )
    return held is not None and held[0] == parts and held[1] != State.DONE


def _again(file: Import, number: int, digest: str) -> Import:
    """A part that has come already: nothing to do, if it is the same."""
    if file.state != State.DONE and not file.come.filter(number=number, sha256=digest).exists():
        raise OutOfTurn(f"A different part {number} was sent before.", file.parts + 1)
    return file


def _take(file: Import, data: bytes, *, last: bool = False) -> bytes:
    """Check one part and note in the import, unsaved, what it brought; returns its records."""
    frozen = parse_instrument(file.survey.instrument)
    try:
        plan, cells, rest = _cells(file, frozen, bytes(file.rest) + data, last)
        part = read(frozen, plan, cells, file.blank, MOST_PROBLEMS)
        if file.rows + part.n > MOST_ROWS:
            raise Broken(f"Split the file: it has more than {MOST_ROWS:,} responses.")
    except Broken as wrong:
        _note(file, [Problem(wrong.row or 0, -1, "", str(wrong))], 1)
        file.header, file.rest = [], b""  # nothing more can be read
        return b""
    file.rest, file.blank = rest, part.blank
    file.rows, file.lines = file.rows + part.n, file.lines + len(cells)
    file.left_out += part.left_out
    file.missing = {
        key: file.missing.get(key, 0) + part.missing.get(key, 0)
        for key in file.missing | part.missing
    }
    _keep_codes(file, plan)
    _note(file, part.problems, part.found)
    return b"" if file.state == State.WRONG else part.records


def _note(file: Import, problems: list[Problem], more: int) -> None:
    if more:
        file.state, file.found = State.WRONG, file.found + more
        listed = [
            {"row": each.row or None, "column": each.column, "message": each.message}
            for each in problems
        ]
        file.problems = (file.problems + listed)[:MOST_PROBLEMS]


def _keep_codes(file: Import, plan: Plan) -> None:
    """Add the codes of a part to those of the parts before, in columns whose codes need a meaning."""
    earlier, file.codes = file.codes, {}
    for column in plan.columns:
        key = column.item.key
        codes = add_codes(earlier.get(key, {}), column.codes)
        if column.way == OPEN and codes:
            file.codes[key] = codes


def codes_without_meaning(file: Import) -> dict[str, Codes]:
    """Return the codes that came so far and that nobody has given a meaning: question key -> code -> rows."""
    if not file.codes:
        return {}
    frozen = parse_instrument(file.survey.instrument)
    mapping: Mapping = parse(frozen, file.mapping)
    without_meaning = {}
    for item in frozen.items:
        meanings = mapping.questions.get(item.key, Wanted()).texts or {}
        codes = open_codes(item, file.codes.get(item.key, {}), meanings)
        if codes:
            without_meaning[item.key] = codes
    return without_meaning


def _require_meanings(file: Import) -> None:
    """Raise OpenCodes where the file has codes that nobody has given a meaning."""
    items = {item.key: item for item in parse_instrument(file.survey.instrument).items}
    codes = codes_without_meaning(file)
    errors = {
        f"questions.{key}.texts": question(items[key], unknown) for key, unknown in codes.items()
    }
    if errors:
        listed = {
            key: codes_to_show(items[key], file.codes[key], unknown)
            for key, unknown in codes.items()
        }
        raise OpenCodes(errors, listed)


def _cells(
    file: Import, frozen: SurveyDefinition, data: bytes, last: bool
) -> tuple[Plan, Cells, bytes]:
    """How to read the file, the rows that are complete by now, and the start of the next."""
    if not file.header:
        is_cut = file.total_parts is not None and not last
        plan, cells, rest = look(frozen, file.mapping, data, last=last, is_cut=is_cut)
        file.mapping, file.header, file.lines = (
            plan.asked(),
            list(plan.header),
            plan.layout.first_row - 1,
        )
        return plan, cells, rest
    mapping = parse(frozen, file.mapping)
    cells, rest = read_next_part(mapping.layout, data, file.lines + 1, last=last)
    plan = resolve(frozen, mapping, file.header, lambda place: seen(cells, place), file.codes)
    file.mapping = plan.asked()
    return plan, cells, rest


def finish(
    file: Import, parts: int, by: AbstractBaseUser | None, *, counts_left_out: bool = False
) -> Import:
    """The whole file becomes batches, and the tally grows once; finishing twice does no more.

    parts: how many were sent. counts_left_out: rows that were left out count as people who gave no answer.
    Raises Wrong where the file has problems, Invalid where it leaves a question open,
    OutOfTurn where a part is missing, Refused where the survey is closed.
    """
    file = _read_again(file)
    if file.state == State.DONE:
        return file
    require_filling(file.survey)
    if parts != file.parts:
        raise OutOfTurn(f"{file.parts} parts have been sent, not {parts}.", file.parts + 1)
    records = _end(file)
    if file.state == State.WRONG:
        _keep_problems(file)
        raise Wrong(file)
    _require_meanings(file)
    if counts_left_out:
        records += _count_left_out(file)
    file = _store(file, records, by)
    clear(file)
    # If something remains to be done, the next run of “manage.py seal” does it.
    wipe_closed()
    return file


def _end(file: Import) -> bytes:
    """The records of a last row without a line end, and what is wrong with the file as a whole, noted and unsaved."""
    if file.state != State.TAKING:
        return b""
    records = _take(file, b"", last=True)
    if not file.rows:
        _note(file, [Problem(0, -1, "", "The file has no responses.")], 1)
    return records


def _count_left_out(file: Import) -> bytes:
    """Return the records of the rows that were left out, and note in the import, unsaved, that they count."""
    frozen = parse_instrument(file.survey.instrument)
    record = no_report(frozen)
    if not record:
        return b""
    number = file.left_out
    file.rows, file.left_out = file.rows + number, 0
    if number:
        file.missing = {key: file.missing.get(key, 0) + number for key in frozen.keys_with_missing}
    return number * record


def preview(file: Import, by: AbstractBaseUser) -> ImportPreview:
    """What finishing now would add, read and not stored. It shows rows, so only the person who sent them sees it.

    Raises Refused to anyone else and once it is finished, OutOfTurn where a part is known to be missing, Wrong and
    Invalid as `finish` does.
    """
    if file.user_id != by.pk:
        raise Refused("Only the person who started this import can see its content.")
    if file.state == State.DONE:
        raise Refused("This import is finished. The report shows its responses.")
    if not file.parts or (file.total_parts and not file.is_whole):
        raise OutOfTurn(f"Part {file.parts + 1} is missing.", file.parts + 1)
    file = copy(file)
    records = _end(file)
    if file.state == State.WRONG:
        raise Wrong(file)
    _require_meanings(file)
    frozen = parse_instrument(file.survey.instrument)
    return summary(
        frozen,
        tally_with(file, records),
        left_out=file.left_out,
        message=left_out_message(file.left_out, file.header),
        can_count=bool(no_report(frozen)),
    )


@transaction.atomic
def _keep_problems(file: Import) -> None:
    if _held(file, file.parts):
        _save(file)


def _save(file: Import) -> None:
    """Of a file with problems nothing is kept but these."""
    if file.state == State.WRONG:
        file.held, file.tally = b"", {}
        file.pieces.all().delete()
    file.save()


@transaction.atomic
def _store(file: Import, last: bytes, by: AbstractBaseUser | None) -> Import:
    """last: the records behind those that are put aside."""
    survey = file.survey.locked()
    require_filling(survey)
    if not _held(file, file.parts):
        return _ended_meanwhile(file)
    held = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related("survey")
    become_batches(file, held.get(survey=survey), last)
    file.state, file.rest, file.held = State.DONE, b"", b""
    file.save()
    history.record(survey, by, history.What.IMPORTED, f"{file.rows:,} responses")
    return file


def _ended_meanwhile(file: Import) -> Import:
    file = _read_again(file)
    if file.state != State.DONE:
        raise OutOfTurn("More parts have been sent since.", file.parts + 1)
    return file


@transaction.atomic
def cancel(file: Import) -> None:
    """Nothing is left of the import. Raises Refused once it is finished: responses cannot be told apart any more."""
    held = Import.objects.select_for_update(no_key=True).filter(pk=file.pk).first()
    if held is None:
        return
    if held.state == State.DONE:
        raise Refused(
            "This import is finished. Its responses are among the others and can’t be removed."
        )
    held.delete()
    note_rewriting(Import, Part, Piece)


@transaction.atomic
def forget_imports() -> int:
    """Delete what nobody went on with for a day, and what is finished for a day; returns how many."""
    today = _today()
    if clock.is_believed():
        # Begun by a clock that was ahead: it waits anew, or it would stay until that day has come.
        Import.objects.filter(day__gt=today).update(day=today)
    old = Import.objects.filter(day__lt=today - timedelta(days=1))
    total = old.count()
    old.delete()
    if total:
        note_rewriting(Import, Part, Piece)
    return total
