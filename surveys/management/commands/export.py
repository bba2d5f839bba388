import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from surveys.export import files, find_file
from surveys.export.formats import GONE, require_room
from surveys.fieldwork.responses.released import require_rows
from surveys.models import Instrument
from surveys.site.errors import Refused


class Command(BaseCommand):
    help = "Write a file of a published survey, the same as from workspace and API: responses, codebook, scripts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(file.name for file in files())
        parser.add_argument("survey", help="slug of the survey, the last part of its address")
        parser.add_argument("file", nargs="?", default="everything.zip", help=f"one of {names}")
        parser.add_argument(
            "--form",
            "--marks",
            help=("another form of the file, for example packed for responses.parquet"),
        )
        parser.add_argument(
            "--output",
            "-o",
            help=("file to write to; - for standard output; default: the file's own name"),
        )

    def handle(
        self,
        *,
        survey: str,
        file: str,
        output: str | None,
        form: str | None = None,
        **options: object,
    ) -> None:
        instrument = Instrument.objects.filter(survey__slug=survey).first()
        if instrument is None:
            raise CommandError(f"No published survey has the slug {survey!r}.")
        if file in GONE:
            raise CommandError(GONE[file])
        download = find_file(file, form)
        if download is None:
            named = f" in the form {form!r}" if form else ""
            raise CommandError(
                f"There is no file {file!r}{named}. Choose one of {', '.join(each.name for each in files())}."
            )
        try:
            if download.has_rows:
                require_rows(instrument)
                require_room(download, instrument)
        except Refused as reason:
            raise CommandError(str(reason)) from None
        if output == "-":
            sys.stdout.buffer.writelines(download.stream(instrument))
            return
        target = Path(output or download.name)
        try:
            with target.open("wb") as opened:
                opened.writelines(download.stream(instrument))
        except OSError as error:
            raise CommandError(f"{target} can’t be written: {error.strerror}.") from error
        self.stdout.write(f"Wrote {target}.")
