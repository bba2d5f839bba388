"""How the log is written: a line as plain text, or as JSON (LOG_FORMAT=json) for programs that collect logs.

Both say the same: how bad it is, which part of the site says so, what went wrong and where. No more is taken from a
record, since Django hangs the whole request on it. The time is for whoever collects the lines to add, as systemd does.
"""

import json
import logging
import re

# Addresses that whoever knows them may use: links to reports, invitations to a team, links that set a password, and
# what an organization's login sends back.
SECRET = re.compile(
    r"(/(?:r/link|join|account/set-password/[^/\s]+)/|/login/provider/back/\?)[^/\s]+"
)


class WithoutSecrets(logging.Filter):
    """A failure names the path of its request; where this is a secret link, only the part before the secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = SECRET.sub(r"\1…", record.getMessage()), None
        if record.exc_info:
            traceback = logging.Formatter().formatException(record.exc_info)
            record.exc_text = SECRET.sub(r"\1…", traceback)  # formatters take it from there
        return True


class JSON(logging.Formatter):
    """One object in one line: level, logger, message, and for a failure its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        said = {"level": record.levelname, "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            said["traceback"] = record.exc_text or self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


FORMATTERS = {
    "plain": {"format": "%(levelname)s %(name)s: %(message)s"},
    "json": {"()": "config.logs.JSON"},
}


def logging_config(form: str, level: str) -> dict:
    """For logging.config: everything from `level` on to standard error, in the form that is wanted."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": FORMATTERS[form]},
        "filters": {"secrets": {"()": "config.logs.WithoutSecrets"}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "chosen",
                "filters": ["secrets"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
    }
