from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from surveys.operation.backups import forget, take


class Command(BaseCommand):
    help = "Write a backup of everything into a folder, while the site runs, and read it through."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--keep", type=int, metavar="N", help="then delete all but the newest N there")

    def handle(self, *, folder: Path, keep: int | None, **options: object) -> None:
        if keep is not None and keep < 1:
            raise CommandError("At least one backup has to be kept.")
        self.stdout.write(take(folder))
        if keep and (deleted := forget(folder, keep)):
            self.stdout.write(f"Older ones deleted: {deleted}.")
