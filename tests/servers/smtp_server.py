"""An SMTP server on the loopback address that accepts mails, or refuses them as a test needs."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

# The seconds within which the server notices that it is to end. Python's default is half a second, by
# which each test would take longer.
POLL_SECONDS = 0.02


@dataclass
class Mailbox:
    """The mails that an SMTP server has accepted, and how it treats the next ones.

    mails: the accepted mails.
    refused: the addresses that are answered with 550 (no such mailbox).
    full: the addresses that are answered with 452 (mailbox full).
    most: the mails that one connection may send before it is ended with 421; by default more than
        any test sends.
    connections: the number of connections so far.
    busy: the number of next mails that are answered with 451 (try later).
    pause: the seconds before a mail is accepted.
    hang_up_after: the number of accepted mails after which the connection is cut in the middle of
        the next one; -1 for never.
    url: the address of the server.
    """

    mails: list[EmailMessage] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    most: int = 1_000_000
    connections: int = 0
    busy: int = 0
    pause: float = 0
    hang_up_after: int = -1
    url: str = ""

    @property
    def recipients(self) -> list[str]:
        """The addresses of the accepted mails, in their order."""
        return [mail["To"] for mail in self.mails]

    def text(self, to: str) -> str:
        """Return the text of the first mail to this address, with line breaks as in Python."""
        mail = next(mail for mail in self.mails if mail["To"] == to)
        return mail.get_content().replace("\r\n", "\n")


class Server(socketserver.ThreadingTCPServer):
    """An SMTP server that treats mails as its mailbox says."""

    # The threads of connections do not keep the tests from ending.
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox
        # The port 0 stands for any free port.
        super().__init__(("127.0.0.1", 0), Connection)


class Connection(socketserver.StreamRequestHandler):
    """One connection to the server.

    server: the server, which socketserver sets.
    mail_count: the mails that the connection has sent, refused ones included.
    """

    server: Server

    def handle(self) -> None:
        """Answer the commands of the connection until it ends.

        Each answer begins with a number of RFC 5321: 2xx for success, 354 before the text of a
        mail, 4xx for a failure that may pass, and 5xx for one that stays.
        """
        mailbox = self.server.mailbox
        self._reply("220 here")
        mailbox.connections += 1
        self.mail_count = 0
        while line := self.rfile.readline():
            words = line.split()
            command = words[0].upper() if words else b""
            if command == b"DATA":
                self._reply("354 go on")
                if not self._accept_mail(self._read_mail()):
                    return
            elif command == b"MAIL" and self.mail_count >= mailbox.most:
                self._reply("421 too many mails on one connection")
                return
            elif command == b"RCPT" and _address(line) in mailbox.refused:
                self._reply("550 nobody here is called that")
            elif command == b"RCPT" and _address(line) in mailbox.full:
                self._reply("452 mailbox full")
            elif command == b"QUIT":
                self._reply("221 bye")
                return
            else:
                self._reply("250 fine")

    def _read_mail(self) -> bytes:
        """Return the mail that the client sends, up to a line with a single dot."""
        lines = []
        # The line is b"" if the client has ended the connection.
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            # The sender doubles a dot at the start of a line.
            lines.append(line.removeprefix(b"."))
        return b"".join(lines)

    def _accept_mail(self, mail: bytes) -> bool:
        """Store or refuse a mail, and return False if the connection is to be cut instead.

        A connection that is cut gets no answer, so the client cannot know what became of its mail.
        """
        mailbox = self.server.mailbox
        if len(mailbox.mails) == mailbox.hang_up_after:
            return False
        time.sleep(mailbox.pause)
        self.mail_count += 1
        if mailbox.busy:
            mailbox.busy -= 1
            self._reply("451 later")
        else:
            mailbox.mails.append(message_from_bytes(mail, policy=policy.default))
            self._reply("250 taken")
        return True

    def _reply(self, text: str) -> None:
        """Send a line to the client."""
        self.wfile.write(f"{text}\r\n".encode())


def _address(line: bytes) -> str:
    """Return the address in a line such as "RCPT TO:<ada@example.org>"."""
    return line.decode().split("<")[1].split(">")[0]


@contextmanager
def run_smtp_server() -> Iterator[Mailbox]:
    """Run an SMTP server until the block ends, and yield its mailbox (a context manager)."""
    mailbox = Mailbox()
    server = Server(mailbox)
    port = server.server_address[1]
    mailbox.url = f"smtp://127.0.0.1:{port}"
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield mailbox
    finally:
        # The first one ends the thread, and the second one frees the port.
        server.shutdown()
        server.server_close()
