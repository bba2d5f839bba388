from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from surveys.fieldwork.responses.destruction import destroy
from surveys.management.named import survey_named
from surveys.site.errors import Invalid, Refused


class Command(BaseCommand):
    help = "Delete a closed survey permanently: its responses, its results, its questions. One line of history stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("survey", help="slug of the survey, the last part of its address")
        parser.add_argument(
            "--confirm", required=True, metavar="TITLE", help="title of the survey, to confirm"
        )

    def handle(self, *, survey: str, confirm: str, **options: object) -> None:
        try:
            left = destroy(survey_named(survey), confirm=confirm)
        except (Invalid, Refused) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{survey} is deleted permanently. {left}".strip())
