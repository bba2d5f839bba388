import math

from django.core.management.base import BaseCommand, CommandParser

from surveys.ballots.sealing import forget_keys, seal_due
from surveys.ballots.wiping import LARGEST, wipe_closed
from surveys.importing.staging import forget_imports


class Command(BaseCommand):
    help = "Seal waiting responses, and forget old keys and unfinished imports. Run it on a timer, every few minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rewrite", action="store_true", help="write SQLite's file anew after a closing, however large it is"
        )

    def handle(self, *args: object, **options: object) -> None:
        sealed, keys, files = seal_due(), forget_keys(), forget_imports()
        self.stdout.write(f"{sealed} responses sealed, {keys} old keys forgotten, {files} old imports deleted.")
        if left := wipe_closed(math.inf if options["rewrite"] else LARGEST):
            self.stdout.write(left)
