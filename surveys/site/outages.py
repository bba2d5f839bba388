"""A database that is away or full: whoever asks is told to come again, and the log gets one line a minute.

The line names no page and no survey: where failures are few, its time would be that of somebody's visit.
"""

import logging

from django.db import Error, InterfaceError, InternalError, OperationalError
from django.http import JsonResponse

from surveys.site import minute
from surveys.site.database_errors import is_full, is_held
from surveys.site.problems import problem_response

logger = logging.getLogger(__name__)
OUTAGES = (
    OperationalError,
    InterfaceError,
    InternalError,
)  # gone, locked, full, read-only; the others are mistakes of ours
AWAY = "The site’s database can’t be reached right now. Try again in a moment."


def outage_message(error: Error) -> str:
    """Return what is wrong with the database, in one line for the operator."""
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    if is_full(error):
        return f"The disk of the database is full ({reason}). Free some space."
    if is_held(error):
        return f"The database is busy ({reason})."
    return f"The database can’t be used ({reason}). Check that it runs and that all migrations are applied."


def log_outage(error: Error) -> None:
    """Log an outage, at most once a minute."""
    if minute.is_due():
        mistake = None if isinstance(error, OUTAGES) else error
        logger.error(
            "%s People are asked to try again later. This line is logged once a minute.",
            outage_message(error),
            exc_info=mistake,
        )


def try_again(error: Error, title: str = AWAY) -> JsonResponse:
    """For programs and respondents' pages. Says so in the log."""
    log_outage(error)
    response = problem_response(503, "try-again", title)
    response["Retry-After"] = "5"
    return response


def is_not_outage_log(record: logging.LogRecord) -> bool:
    """Logging filter: drop the request errors that an outage causes."""
    return getattr(record, "status_code", 0) != 503
