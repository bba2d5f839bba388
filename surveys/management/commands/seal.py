import math

from django.core.management.base import CommandParser

from surveys.ballots.cutting import cut_due
from surveys.ballots.deleting import delete_due
from surveys.ballots.finishing import finish_due
from surveys.ballots.mixing import mix_due
from surveys.ballots.release import release_due
from surveys.ballots.sealing import forget_keys, seal_due
from surveys.ballots.steps import for_each, in_steps
from surveys.ballots.wiping import LARGEST, wipe_closed
from surveys.health import runs
from surveys.importing.staging import forget_imports
from surveys.management.timed import TimedCommand
from surveys.people import delays
from surveys.people.accounts import forget_old_sessions
from surveys.reporting.likeliest import compute_due
from surveys.reporting.rounds import count_due

LOGINS = 1_000  # delays and sessions, deleted at a time


class Command(TimedCommand):
    help = (
        "Seal and release waiting responses, delete those whose day has come, forget old keys, imports, delays and "
        "logins, and compute the likeliest shares of closed surveys. Run it every few minutes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rewrite", action="store_true", help="write SQLite's file anew after a closing, however large it is"
        )

    def handle(self, *args: object, **options: object) -> None:
        lines = []

        def forget() -> None:
            # Without a number of responses: in a log it would say when people answered.
            lines.append(f"What was due is sealed, released and forgotten. {forget_imports()} old imports deleted.")
            lines.append(wipe_closed(math.inf if options["rewrite"] else LARGEST))
            for old in (delays.forget_old, forget_old_sessions):
                in_steps(old, step=LOGINS)

        works = (seal_due, mix_due, release_due, cut_due, delete_due, finish_due, forget_keys, forget, count_due)
        for_each(lambda work: work(), (*works, compute_due), few=math.inf)  # the last may take minutes
        runs.note("seal")
        self.stdout.write("\n".join(filter(None, lines)))
