from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from surveys.operation import timers
from surveys.operation.backups import forget, take


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

    def handle(self, *, folder: Path | None, keep: int | None, **options: object) -> None:
        if folder is None:
            timers.note("backup")
            return
        if keep is not None and keep < 1:
            raise CommandError("Keep at least one backup.")
        self.stdout.write(take(folder))
        with suppress(
            Error
        ):  # of a database as an early version left it, which has no table for it
            timers.note("backup")
        if keep and (deleted := forget(folder, keep)):
            self.stdout.write(f"Older ones deleted: {deleted}.")
