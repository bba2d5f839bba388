import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from surveys.exchange.export import FILES, find_file
from surveys.exchange.export.formats import require_room
from surveys.fieldwork.responses.released import require_rows
from surveys.models import Instrument
from surveys.site.errors import Refused


class Command(BaseCommand):
    help = "Write a file of a published survey, the same as workspace and API give: responses, codebook, scripts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(file.name for file in FILES)
        parser.add_argument("survey", help="the survey's slug, the last part of its address")
        parser.add_argument("file", nargs="?", default="everything.zip", help=f"one of {names}")
        parser.add_argument("--form", "--marks", help="another form of the file, as packed of responses.parquet")
        parser.add_argument("--output", "-o", help="where to write it; - for standard output; by default its own name")

    def handle(self, *, survey: str, file: str, output: str | None, form: str | None = None, **options: object) -> None:
        instrument = Instrument.objects.filter(survey__slug=survey).first()
        if instrument is None:
            raise CommandError(f"No published survey has the slug {survey!r}.")
        found = find_file(file, form)
        if found is None:
            named = f" in the form {form!r}" if form else ""
            raise CommandError(
                f"There is no file {file!r}{named}. Take one of {', '.join(each.name for each in FILES)}."
            )
        try:
            if found.has_rows:
                require_rows(instrument)
                require_room(found, instrument)
        except Refused as reason:
            raise CommandError(str(reason)) from None
        if output == "-":
            sys.stdout.buffer.writelines(found.stream(instrument))
            return
        target = Path(output or found.name)
        try:
            with target.open("wb") as opened:
                opened.writelines(found.stream(instrument))
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Wrote {target}.")
