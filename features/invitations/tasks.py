"""What invitations do every minute."""

from django.core.management.base import CommandError

from features.invitations.delivery import DROPPED, LATER, NOT_TAKEN, SENT, send_waiting
from features.invitations.mail_server import Unreachable
from features.invitations.restored_mails import set_aside_after_restore
from surveys.site import clock


def send_mails(site: str, **options: object) -> str:
    """Send the mails that wait, and return lines about them.

    site: the start of the links in mails.
    """
    lines = []
    if problem := clock.disbelief():
        lines.append(f"{problem} Mails wait until it is believed.")
    if set_aside_after_restore():
        lines.append(
            "This database may have been restored. Waiting invitations are set aside, and reminders are deleted."
        )
    try:
        mails = send_waiting(site)
    except Unreachable as error:
        raise CommandError(
            "\n".join([*lines, f"{error} The mails wait for the next run."])
        ) from None
    if mails:
        lines.append(
            f"{mails[SENT]} mails sent, {mails[LATER]} to be tried again, {mails[DROPPED]} dropped, "
            f"{mails[NOT_TAKEN]} refused."
        )
    return "\n".join(lines)
