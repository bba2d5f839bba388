from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from surveys.outages import said


class TimedCommand(BaseCommand):
    """A command that a timer runs: what keeps it from its work is said in one line, and the next run goes on."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Error as error:
            raise CommandError(f"{said(error)} Nothing is lost: the next run goes on.") from None
