from django.core.management.base import BaseCommand

from features.invitations.restored_mails import set_aside_waiting


class Command(BaseCommand):
    help = (
        "After a restore from a copy that another program made: set waiting mails aside, because they may have been "
        "sent before. Backups of Candor need no command."
    )

    def handle(self, **options: object) -> None:
        number = set_aside_waiting()
        self.stdout.write(
            f"{number} mails were set aside, and waiting reminders were deleted. "
            "Owners and editors decide on the page Invite."
        )
