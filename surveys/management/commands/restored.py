from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from surveys.operation.restoring import complete_restore
from surveys.site.removals import journal_file


class Command(BaseCommand):
    help = (
        "Complete a restore, after manage.py migrate: remove again what was removed since the "
        "backup, set waiting mails aside, and end all sessions. It can be repeated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--journal",
            type=Path,
            metavar="FILE",
            help="the copy of removals.jsonl beside the backups, where the one in VAR is lost",
        )

    def handle(self, *, journal: Path | None, **options: object) -> None:
        if journal is not None and not journal.is_file():
            raise CommandError(f"There is no file {journal}.")
        try:
            for sentence in complete_restore(journal):
                self.stdout.write(sentence)
        except OSError as error:
            raise CommandError(
                f"The restore is not complete: {error}. Run this on the machine of the timers, as "
                "their account."
            ) from None
        if not journal_file().exists():
            self.stdout.write(
                f"There is no journal of removals in {journal_file().parent}. If the site was "
                "restored on a new machine, name the copy beside the backups: candor restored "
                "--journal FILE."
            )
