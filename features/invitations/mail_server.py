"""The mail server: one connection after the other, and what its answers mean for a mail."""

import smtplib
from contextlib import suppress
from types import TracebackType

from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

MOST_FRUITLESS = 3  # connections in a row that end without an answer to a mail
CLOSING = 421  # the status with which a server ends a connection


class Unreachable(Exception):
    """The mail server does not answer, or takes nothing now. What waits goes on waiting."""


class ConnectionFull(Exception):
    """This connection takes no more mails. The same mail is sent on the next one."""


class NotTaken(Exception):
    """The mail server did not take this mail, while it may take others."""

    def __init__(self, *, for_good: bool) -> None:
        super().__init__()
        self.for_good = for_good


class MailServer:
    """The site's mail server. A connection is opened when a mail needs one: some take only so many mails."""

    def __init__(self) -> None:
        self._backend: BaseEmailBackend | None = None
        self._is_used = False  # whether a mail was sent on this connection, or refused
        self._fruitless = 0

    def __enter__(self) -> "MailServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def send(self, message: EmailMessage) -> None:
        """Send one mail. Raise NotTaken, ConnectionFull or Unreachable, which never hold an address."""
        self._open()
        message.connection = self._backend
        try:
            message.send()
        except OSError as error:  # those of smtplib as well
            raise self._meaning(error) from None
        self._is_used, self._fruitless = True, 0

    def _open(self) -> None:
        if self._backend is not None:
            return
        try:
            backend = mail.get_connection(fail_silently=False)
            backend.open()
        except OSError as error:
            raise Unreachable(_in_words(error)) from None
        self._backend, self._is_used = backend, False

    def _close(self) -> None:
        if self._backend is not None:
            with suppress(OSError):
                self._backend.close()
        self._backend = None

    def _meaning(self, error: OSError) -> Exception:
        """Return what an error says about the mail that was on its way."""
        status, was_used = _status(error), self._is_used
        if status in (None, CLOSING):
            self._close()
            if status == CLOSING and was_used:
                return ConnectionFull()
            if not was_used:
                self._fruitless += 1
            # Where the connection broke, the server may have taken the mail: it is not sent again at once.
            return (
                Unreachable(_in_words(error))
                if self._fruitless >= MOST_FRUITLESS
                else NotTaken(for_good=False)
            )
        if isinstance(error, smtplib.SMTPSenderRefused):
            # About the sender the site's operator has to do something, unless the server only wants a new connection.
            self._close()
            return ConnectionFull() if was_used and status < 500 else Unreachable(_in_words(error))
        if isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError):
            self._is_used, self._fruitless = True, 0
            return NotTaken(for_good=500 <= status < 600)
        self._close()
        return Unreachable(_in_words(error))


def _status(error: OSError) -> int | None:
    """Return the status that the server answered, or None where the connection broke."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):  # a mail has one recipient
        [(status, _)] = error.recipients.values()
        return status
    status = getattr(error, "smtp_code", -1)
    return status if status > 0 else None


def _in_words(error: OSError) -> str:
    """Return what happened, without an address, which may stand in what a server answers."""
    status = getattr(error, "smtp_code", None)
    return (
        f"The mail server answered {status}."
        if status
        else f"The mail server: {type(error).__name__}."
    )
