from datetime import timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.accounts import provider, second_factor
from surveys.accounts.account import link_to_set_password
from surveys.accounts.identities import is_connected
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.link import site_url as own_site
from surveys.site import clock


class Command(BaseCommand):
    help = (
        "Add a researcher's account and print a link to set its password. The link works once. For an existing "
        "account, print a new link."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name for logging in")
        parser.add_argument("--token", action="store_true", help="also issue an API token")
        parser.add_argument(
            "--operator", action="store_true", help="let the account use the Django admin too"
        )
        parser.add_argument(
            "--site", default=own_site(), help="start of the link (default: %(default)s)"
        )

    def handle(
        self, *, name: str, token: bool, operator: bool, site: str, **options: object
    ) -> None:
        users = get_user_model().objects
        user = users.filter(username=name).first()
        if user is None:
            user = (users.create_superuser if operator else users.create_user)(name)
            self.stdout.write(f"Researcher:       {name}")
        elif not user.is_active:
            raise CommandError(
                f"The account {name} is inactive. Activate it in the Django admin first."
            )
        elif operator and not user.is_superuser:
            raise CommandError(
                f"The account {name} already exists. Make it an operator in the Django admin."
            )
        else:
            way = (
                f"logs in through {settings.OIDC_NAME}"
                if is_connected(user)
                else "the old password works"
            )
            self.stdout.write(
                f"Researcher: {name} (existing account; {way} until the link is used)"
            )
        until = clock.clock_now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
        self.stdout.write(f"Link:             {site.rstrip('/')}{link_to_set_password(user)}")
        self.stdout.write(
            f"It sets the password. Anyone who has it can use it, once, until {until:%Y-%m-%d %H:%M} UTC."
        )
        if provider.is_on() and second_factor.app_of(user) is None:
            organization = provider.organization_name()
            self.stdout.write(f"The page also offers to log in through {organization} from now on.")
        if token:
            self.stdout.write(f"API token:        {issue_token(user, 'command line')}")
