from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from surveys.operation.backups import check


class Command(BaseCommand):
    help = "Check a backup: read all of it, and compare its responses with its reports. Changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")

    def handle(self, *, file: Path, **options: object) -> None:
        self.stdout.write(f"{file} {check(file)}")
