import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection

from surveys.site.database_errors import is_temporary
from surveys.site.outages import outage_message

PAUSES = (
    1,
    2,
    4,
)  # seconds between one try and the next, each of which waits for locks and connections by itself


class TimedCommand(BaseCommand):
    """A command that a timer runs: on a busy database it is tried again, and can be, since it does only what is left.

    What keeps it from its work in the end is said in one line, and the next run goes on.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        tries = 0
        while True:
            tries += 1
            try:
                return super().execute(*args, **options)
            except Error as error:
                if tries > len(PAUSES) or not is_temporary(error):
                    tried = f"{tries} tries failed. " if tries > 1 else ""
                    raise CommandError(
                        f"{outage_message(error)} {tried}Nothing is lost. The next run continues."
                    ) from None
            connection.close_if_unusable_or_obsolete()
            time.sleep(PAUSES[tries - 1])
