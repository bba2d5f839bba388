"""Respond to a database that is unreachable or full, and to other outages.

People and programs are asked to try again, and one line a minute is logged. The line names no page
and no survey. If failures are few, it would otherwise record the time of a person's visit.
"""

import logging

from django.db import Error, InterfaceError, InternalError, OperationalError
from django.http import JsonResponse

from surveys.site import minute
from surveys.site.database_errors import is_full, is_locked
from surveys.site.problems import problem_response

logger = logging.getLogger(__name__)


class Unavailable(Exception):
    """The site cannot do its work for a reason outside the database.

    The message is a sentence for the operator.
    """


# The errors of a site whose database is unreachable, locked, full or read-only, or which lacks
# something else. Any other error is a fault of this program, and is logged with its traceback.
OUTAGES = (OperationalError, InterfaceError, InternalError, Unavailable)
AWAY_MESSAGE = "The site’s database can’t be reached right now. Try again in a moment."


def outage_message(error: Error | Unavailable) -> str:
    """Return a line for the operator that says what is wrong, and what to do.

    It distinguishes a full disk and a lock from all other errors of a database. Only the first line
    of the error is repeated, because further ones can hold values of rows.
    """
    if isinstance(error, Unavailable):
        return str(error)
    lines = str(error).splitlines()
    reason = lines[0] if lines else type(error).__name__
    if is_full(error):
        return f"The disk of the database is full ({reason}). Free some space."
    if is_locked(error):
        return f"The database is busy ({reason})."
    return (
        f"The database can’t be used ({reason}). Check that it runs and that all migrations are "
        "applied."
    )


def log_outage(error: Error | Unavailable) -> None:
    """Log an outage, at most once a minute in all processes together.

    An error that is not one of OUTAGES is logged with its traceback.
    """
    if minute.is_due():
        # Only a fault of this program needs a traceback.
        fault = None if isinstance(error, OUTAGES) else error
        logger.error(
            "%s People are asked to try again later. This line is logged once a minute.",
            outage_message(error),
            exc_info=fault,
        )


def try_again(error: Error | Unavailable, title: str = AWAY_MESSAGE) -> JsonResponse:
    """Log an outage, and return the response that asks to send the request again, with status 503.

    It is a problem document, which programs and respondents' pages read.

    title: the sentence in the document that people read.
    """
    log_outage(error)
    response = problem_response(503, "try-again", title)
    response["Retry-After"] = "5"
    return response


def is_not_outage_log(record: logging.LogRecord) -> bool:
    """Return False for a record about a response with status 503, which must not be logged.

    This is a filter of Python's logging. Such a response is sent during an outage, and the record
    would have its address and the time of a visit. `log_outage` has logged the outage already.
    """
    # A few other responses have this status too, such as that to a request that took too long.
    # They are not logged either. Django adds `status_code` only to records about responses.
    return getattr(record, "status_code", 0) != 503
