from argparse import ArgumentParser
from pathlib import Path

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from features.xlsform.reader import bring
from surveys.site.errors import Unreadable


class Command(BaseCommand):
    help = "Make a draft from an XLSForm, and list what could not be imported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workbook", help="the file: .xlsx, .xls, .csv or .md")
        parser.add_argument("--owner", required=True, help="account that gets the draft")
        parser.add_argument("--title", default="", help="title to use instead of the form's own")

    def handle(self, *, workbook: str, owner: str, title: str, **options: object) -> None:
        user = get_user_model().objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"There is no account named {owner}.")
        try:
            survey, notes = bring(Path(workbook).read_bytes(), user, title, workbook)
        except OSError as error:
            raise CommandError(f"{workbook} can’t be read: {error.strerror}.") from error
        except Unreadable as wrong:
            raise CommandError("\n".join(["Nothing was imported.", *wrong.lines])) from wrong
        for note in notes:
            self.stdout.write(note)
        self.stdout.write(
            f"The draft “{survey.title}” has {survey.questions.count()} questions: /surveys/{survey.slug}/"
        )
