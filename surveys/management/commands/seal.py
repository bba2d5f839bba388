from django.core.management.base import BaseCommand

from surveys.ballots.sealing import forget_keys, seal_due


class Command(BaseCommand):
    help = "Seal waiting responses into batches and forget the keys of old ones. Run it on a timer, every few minutes."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(f"{seal_due()} responses sealed, {forget_keys()} old keys forgotten.")
