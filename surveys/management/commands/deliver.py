from django.core.management.base import CommandError, CommandParser

from surveys.fieldwork.invitations.delivery import DROPPED, NOT_TAKEN, SENT, Unreachable, send_waiting
from surveys.fieldwork.link import site as own_site
from surveys.management.timed import TimedCommand
from surveys.operation import timers
from surveys.webhooks.deliveries import State, deliver_due, forget_old


class Command(TimedCommand):
    help = (
        "Send what webhooks are to be told, forget what is older than 30 days, and send the mails that wait for "
        "invited people. Run it on a timer, every minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=own_site(), help="how links in mails begin (default: %(default)s)")

    def handle(self, *, site: str, **options: object) -> None:
        done = deliver_due()
        self.stdout.write(
            f"{done[State.DELIVERED]} delivered, {done[State.WAITING]} to be tried again, "
            f"{done[State.GIVEN_UP]} given up, {forget_old()} old ones forgotten."
        )
        try:
            mails = send_waiting(site)
        except Unreachable as error:
            raise CommandError(f"{error} Mails wait, and the next run goes on.") from None
        if mails:
            self.stdout.write(f"{mails[SENT]} mails sent, {mails[DROPPED]} dropped, {mails[NOT_TAKEN]} refused.")
        timers.note("deliver")
