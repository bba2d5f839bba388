import json
import math
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from features.response_import import staging
from features.response_import.coding import OpenCodes
from features.response_import.mapping import WAYS
from features.response_import.summary import left_out_message
from surveys.models import Import, Survey
from surveys.site.errors import Invalid, Refused
from surveys.site.files.encodings import WORKBOOK, encoding_titles, is_text
from surveys.site.files.layout import SEPARATORS
from surveys.site.files.sizes import LARGEST_WHOLE_FILE
from surveys.site.files.whole_files import LONGEST_START, too_large_whole_message, whole_format


class Command(BaseCommand):
    help = (
        "Import a file of randomized responses (CSV, a workbook, Parquet, or a file of SPSS, Stata or SAS) into an "
        "import-only survey. All or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("survey", help="slug of the survey, the last part of its address")
        parser.add_argument(
            "file", help="file with the names of the columns first, then one row for each response"
        )
        parser.add_argument(
            "--mapping", help="JSON file that describes the columns; see docs/importing.md"
        )
        parser.add_argument("--by", help="account to show in the survey's history")

    def handle(
        self, *, survey: str, file: str, mapping: str | None, by: str | None, **options: object
    ) -> None:
        row = Survey.objects.filter(slug=survey).first()
        if row is None:
            raise CommandError(f"No survey has the slug {survey!r}.")
        user = get_user_model().objects.filter(username=by).first() if by else None
        if by and user is None:
            raise CommandError(f"There is no account named {by}.")
        try:
            size = Path(file).stat().st_size
            # An empty file has no part, and is refused at the end.
            total_parts = math.ceil(size / staging.PART) if size else None
            begun = staging.begin(row, user, _json(mapping), total_parts)
            done = self.send(begun, Path(file))
        except Invalid as wrong:
            raise CommandError(_open(wrong)) from wrong
        except staging.Wrong as wrong:
            raise CommandError(_lines(map(_line, wrong.file.problems), wrong.file.found)) from wrong
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{file} can’t be read: {error.strerror}.") from error
        self.stdout.write(f"{_read_as(done.mapping)}{_missing(done)}")
        self.stdout.write(f"{done.rows:,} responses imported into “{row.title}”.")

    def send(self, begun: Import, path: Path) -> Import:
        """Nothing is left of it where it fails."""
        try:
            parts, sent, size = 0, 0, path.stat().st_size
            with path.open("rb") as file:
                _require_whole_size(file, size)
                while part := file.read(staging.PART):
                    parts, sent = parts + 1, sent + len(part)
                    begun = staging.add(begun, parts, part)
                    self.progress(sent, size, begun.rows)
            return staging.finish(begun, parts, begun.user)
        except BaseException:
            staging.cancel(begun)
            raise

    def progress(self, sent: int, size: int, rows: int) -> None:
        """One line that is written over and over, for people only."""
        if sys.stderr.isatty():
            end = "\n" if sent >= size else ""
            self.stderr.write(
                f"\r{100 * sent // max(size, 1)}% read, {rows:,} responses checked", ending=end
            )


def _require_whole_size(file: IO[bytes], size: int) -> None:
    """Raise CommandError if a file that can only be read as a whole is too large. Go back to its start."""
    encoding = whole_format(file.read(LONGEST_START))
    if encoding and size > LARGEST_WHOLE_FILE:
        raise CommandError(too_large_whole_message(encoding, size))
    file.seek(0)


def _read_as(mapping: dict[str, Any]) -> str:
    """How the file was read, for whoever did not say it."""
    if mapping["encoding"] == WORKBOOK:
        sheet = f", sheet “{mapping['sheet']}”" if "sheet" in mapping else ""
        return f"Read as a workbook{sheet}, names in row {mapping['header']}."
    encoding = encoding_titles()[mapping["encoding"]]
    if not is_text(mapping["encoding"]):
        return f"Read as {encoding}."
    separator = SEPARATORS[mapping["separator"]]
    first = f", data from row {mapping['first']}" if "first" in mapping else ""
    return f"Read as {encoding}, separated by {separator}, names in row {mapping['header']}{first}."


def _missing(done: Import) -> str:
    """Return a line about the rows that were left out, and one for each question that lacks reports."""
    lines = [f"\nWithout a report to {key}: {n:,}." for key, n in done.missing.items()]
    message = left_out_message(done.left_out, done.header)
    if message:
        lines.insert(0, f"\n{message}")
    return "".join(lines)


def _json(path: str | None) -> Any:
    if path is None:
        return None
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from error


def _open(wrong: Invalid) -> str:
    listed = [f"{place}: {message}" for place, message in wrong.errors.items()]
    if isinstance(wrong, OpenCodes):
        questions = {key: {"texts": {"CODE": 0}, "missing": ["CODE"]} for key in wrong.codes}
        listed.append(
            f"Put it into a file for --mapping, such as {json.dumps({'questions': questions})}."
        )
    elif any(place.endswith(".as") for place in wrong.errors):
        listed.append(f"Put it into a file for --mapping; “as” is one of {', '.join(WAYS)}.")
    return _lines(listed)


def _line(problem: dict[str, Any]) -> str:
    places = [f"row {problem['row']}"] * bool(problem["row"]) + [
        f"column {problem['column']}"
    ] * bool(problem["column"])
    return f"{', '.join(places)}: {problem['message']}" if places else problem["message"]


def _lines(lines: Any, total: int = 0) -> str:
    listed = list(lines)
    more = [f"... and {total - len(listed):,} more."] if total > len(listed) else []
    return "\n".join(["Nothing was imported.", *listed, *more])
