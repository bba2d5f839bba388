import secrets

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.people.tokens import issue_token


class Command(BaseCommand):
    help = "Add a researcher's account; prints the password, and an API token if asked, this one time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name to log in with")
        parser.add_argument("--token", action="store_true", help="also issue an API token")
        parser.add_argument("--operator", action="store_true", help="may also use the Django admin")

    def handle(self, *, name: str, token: bool, operator: bool, **options: object) -> None:
        users = get_user_model().objects
        if users.filter(username=name).exists():
            raise CommandError(f"There is an account named {name} already.")
        password = secrets.token_urlsafe(12)
        create = users.create_superuser if operator else users.create_user
        user = create(name, password=password)
        self.stdout.write(f"Researcher:       {name} / {password}")
        if token:
            self.stdout.write(f"API token:        {issue_token(user, 'command line')}")
