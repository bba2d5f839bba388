from django.core.management.base import CommandError, CommandParser

from surveys import extensions
from surveys.fieldwork.link import site_url as own_site
from surveys.management.timed import TimedCommand
from surveys.operation import restore_mark, timers
from surveys.site.removals import move_rows_to_journal


class Command(TimedCommand):
    help = (
        "Send waiting messages to webhooks and waiting mails to invited people, and delete messages older than 30 "
        "days. Run it on a timer, every minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--site", default=own_site(), help="start of the links in mails (default: %(default)s)"
        )

    def handle(self, *args: object, **options: object) -> None:
        try:
            move_rows_to_journal()
            restore_mark.complete_change()
        except OSError as error:
            raise CommandError(f"The journal of removals cannot be written: {error}.") from None
        if message := restore_mark.restored_message():
            raise CommandError(f"{message} Until then nothing is sent.")
        problems = []
        for task in extensions.periodic_tasks:
            if task.command != "deliver":
                continue
            try:
                lines = task.run(**options)
            except CommandError as error:
                # What one feature sends does not wait for another one's server.
                problems.append(str(error))
            else:
                if lines:
                    self.stdout.write(lines)
        if problems:
            raise CommandError("\n".join(problems))
        timers.note("deliver")
