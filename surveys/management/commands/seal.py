from django.core.management.base import BaseCommand

from surveys.ballots.sealing import forget_keys, seal_due
from surveys.importing.staging import forget_imports


class Command(BaseCommand):
    help = "Seal waiting responses, and forget old keys and unfinished imports. Run it on a timer, every few minutes."

    def handle(self, *args: object, **options: object) -> None:
        sealed, keys, files = seal_due(), forget_keys(), forget_imports()
        self.stdout.write(f"{sealed} responses sealed, {keys} old keys forgotten, {files} old imports deleted.")
