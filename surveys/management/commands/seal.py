import math

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from surveys import extensions
from surveys.accounts import login_delays
from surveys.accounts.account import forget_old_sessions
from surveys.fieldwork.responses import inbox_keys
from surveys.fieldwork.responses.background_groups import update_all_report_groups
from surveys.fieldwork.responses.chunks import run_for_each, run_in_steps
from surveys.fieldwork.responses.deletion import delete_due
from surveys.fieldwork.responses.erasure import LARGEST_REWRITTEN, wipe_closed
from surveys.fieldwork.responses.inbox_encryption import Unreadable
from surveys.fieldwork.responses.release import release_due
from surveys.fieldwork.responses.sealing import forget_keys, seal_due
from surveys.fieldwork.responses.shuffling import mix_due
from surveys.fieldwork.responses.ticket_completion import finish_due
from surveys.management.timed import TimedCommand
from surveys.operation import restore_mark, timers
from surveys.results.estimates.maximum_likelihood import compute_due
from surveys.site import clock
from surveys.site.errors import Refused
from surveys.site.removals import move_rows_to_journal

LOGINS = 1_000  # delays and sessions, deleted at a time


class Command(TimedCommand):
    help = (
        "Seal and release waiting responses, and delete those whose day has come. Also delete old keys, imports, "
        "delays and logins, and compute the likeliest shares of closed surveys. Run it every few minutes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rewrite",
            action="store_true",
            help="rewrite the database file or tables that are due, whatever their size",
        )

        parser.add_argument(
            "--drop-unreadable",
            action="store_true",
            help="delete the responses in the inbox whose private key is lost",
        )

    def handle(self, *args: object, **options: object) -> None:
        # Without an exact number of responses: in a log it would say when people answered.
        sentences = ["Everything due is sealed, released and deleted."]
        notes = []
        problems = []
        if options["drop_unreadable"]:
            notes.append(self._drop_unreadable())
        if settings.INBOX_KEYS is None:
            notes.append(inbox_keys.ELSEWHERE_MESSAGE)

        def seal_inbox() -> None:
            try:
                seal_due()
            except Unreadable:
                problems.append(inbox_keys.unreadable_message(inbox_keys.count_unreadable()))

        inbox_works = (seal_inbox, inbox_keys.replace_due_key, mix_due)
        if not clock.confirm():
            # Responses leave the inbox in full groups whatever the time is. All else waits.
            run_for_each(lambda work: work(), inbox_works, most_locked=math.inf)
            message = restore_mark.restored_message()
            raise CommandError(f"{clock.disbelief()} {clock.REMEDY} {message}".strip())

        def forget() -> None:
            notes.append(wipe_closed(math.inf if options["rewrite"] else LARGEST_REWRITTEN))
            for old in (login_delays.forget_old, forget_old_sessions):
                run_in_steps(old, step=LOGINS)

        def run_tasks_of_features() -> None:
            tasks = [task for task in extensions.periodic_tasks if task.command == "seal"]
            run_for_each(
                lambda task: sentences.append(task.run(**options)), tasks, most_locked=math.inf
            )

        works = (
            *inbox_works,
            release_due,
            update_all_report_groups,
            delete_due,
            finish_due,
            forget_keys,
            forget,
        )
        # The last may take minutes.
        works = (*works, run_tasks_of_features, compute_due)
        run_for_each(lambda work: work(), works, most_locked=math.inf)
        timers.note("seal")
        notes.append(_write_journal())
        restored = restore_mark.restored_message()
        problem = inbox_keys.inbox_problem() or "".join(problems)
        if problem:
            raise CommandError(f"{problem} {restored}".strip())
        lines = [" ".join(filter(None, sentences)), *notes, restored]
        self.stdout.write("\n".join(filter(None, lines)))

    def _drop_unreadable(self) -> str:
        """Delete the responses that cannot be read, and return a sentence about it."""
        try:
            n = inbox_keys.drop_unreadable()
        except Refused as error:
            raise CommandError(str(error)) from None
        return f"Unreadable responses deleted: {n:,}."


def _write_journal() -> str:
    """Write the removals of this run to the journal; return a message if that is not possible."""
    try:
        move_rows_to_journal()
    except OSError as error:
        return f"The journal of removals cannot be written: {error}."
    return ""
