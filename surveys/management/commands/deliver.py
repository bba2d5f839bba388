from django.core.management.base import CommandError, CommandParser

from features.invitations.delivery import DROPPED, LATER, NOT_TAKEN, SENT, send_waiting
from features.invitations.mail_server import Unreachable
from features.invitations.restored_mails import set_aside_after_restore
from features.webhooks.deliveries import State, deliver_due, forget_old
from surveys.fieldwork.link import site as own_site
from surveys.management.timed import TimedCommand
from surveys.operation import timers
from surveys.site import clock


class Command(TimedCommand):
    help = (
        "Send waiting messages to webhooks and waiting mails to invited people, and delete messages older than 30 "
        "days. Run it on a timer, every minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=own_site(), help="start of the links in mails (default: %(default)s)")

    def handle(self, *, site: str, **options: object) -> None:
        done = deliver_due()
        self.stdout.write(
            f"{done[State.DELIVERED]} delivered, {done[State.WAITING]} to be tried again, "
            f"{done[State.GIVEN_UP]} given up, {forget_old()} old ones deleted."
        )
        if problem := clock.disbelief():
            self.stdout.write(f"{problem} Mails wait until it is believed.")
        if set_aside_after_restore():
            self.stdout.write(
                "This database may have been restored. Waiting invitations are set aside, and reminders are deleted."
            )
        try:
            mails = send_waiting(site)
        except Unreachable as error:
            raise CommandError(f"{error} The mails wait for the next run.") from None
        if mails:
            self.stdout.write(
                f"{mails[SENT]} mails sent, {mails[LATER]} to be tried again, {mails[DROPPED]} dropped, "
                f"{mails[NOT_TAKEN]} refused."
            )
        timers.note("deliver")
