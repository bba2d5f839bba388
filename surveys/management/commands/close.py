from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from surveys.fieldwork.responses.closing import close_survey
from surveys.management.named import survey_named
from surveys.site.errors import Refused


class Command(BaseCommand):
    help = "Close a survey if its owner can’t. It takes no more responses, and its report is updated once more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("survey", help="slug of the survey, the last part of its address")

    def handle(self, *, survey: str, **options: object) -> None:
        try:
            close_survey(survey_named(survey))
        except Refused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{survey} is closed.")
