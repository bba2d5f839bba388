from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from surveys.operation import restore_mark, timers
from surveys.operation.backups import backup_times, forget, is_due, take
from surveys.site.removals import copy_journal


class Command(BaseCommand):
    help = (
        "Write a backup of the whole database into a folder while the site runs, and check it. /readyz and doctor "
        "show when it was made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        either = parser.add_mutually_exclusive_group(required=True)
        either.add_argument("folder", help="folder for the backup", type=Path, nargs="?")
        either.add_argument(
            "--elsewhere",
            action="store_true",
            help="only note that another program has made a backup",
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="then delete all but the newest N backups there"
        )
        parser.add_argument(
            "--hourly",
            type=int,
            metavar="N",
            help="for an hourly timer: make a backup only if a survey is open, or the last one is "
            "23 hours old. Keep the newest N, and with --keep N the last one of each of N days",
        )

    def handle(
        self, *, folder: Path | None, keep: int | None, hourly: int | None, **options: object
    ) -> None:
        if folder is None:
            problem = restore_mark.change_mark()
            timers.note("backup")
            if problem:
                self.stdout.write(problem)
            return
        if keep is not None and keep < 1:
            raise CommandError("Keep at least one backup.")
        if hourly is not None and (keep is None or hourly < 1):
            raise CommandError("Give --hourly a number from 1 on, and --keep too.")
        if hourly is None or is_due(folder):
            self.stdout.write(take(folder))
            with suppress(
                Error
            ):  # of a database as an early version left it, which has no table for it
                timers.note("backup")
        if keep and (deleted := forget(folder, keep, hourly or 0)):
            self.stdout.write(f"Older ones deleted: {deleted}.")
        self._copy_journal(folder, drops_old=keep is not None)

    def _copy_journal(self, folder: Path, *, drops_old: bool) -> None:
        """Copy the journal of removals beside the backups.

        drops_old: True to drop lines that are older than the oldest backup. Without --keep another
            folder may have older ones.
        """
        oldest = None
        times = backup_times(folder)
        if drops_old and times:
            oldest = times[0][0].date()
        try:
            # A database that is backed up before it is migrated has no table of removals.
            with suppress(Error):
                copy_journal(folder, oldest)
        except OSError as error:
            raise CommandError(f"The journal of removals was not copied: {error}.") from None
