from argparse import ArgumentParser

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from surveys.accounts.team import transfer_by_operator
from surveys.management.named import survey_named
from surveys.site.errors import Refused


class Command(BaseCommand):
    help = "Give a survey a new owner, for example when its owner has left."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("survey", help="slug of the survey, the last part of its address")
        parser.add_argument("name", help="account that gets the survey")

    def handle(self, *, survey: str, name: str, **options: object) -> None:
        to = get_user_model().objects.filter(username=name, is_active=True).first()
        if to is None:
            raise CommandError(f"There is no active account named {name!r}.")
        try:
            transfer_by_operator(survey=survey_named(survey), to=to)
        except Refused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{name} now owns {survey}.")
