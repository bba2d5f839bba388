"""A real SMTP server on the loopback address that takes mails, or does not."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class Mailbox:
    """taken: what has come. refused: addresses answered 550; full: those answered 452. busy: how many mails from now on
    are answered 451. most: mails that one connection takes before it is ended with 421.
    """

    mails: list[EmailMessage] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    most: int = 1_000_000
    connections: int = 0
    busy: int = 0
    pause: float = 0  # seconds before a mail is taken
    hang_up_after: int = -1  # mails, after which the connection is cut in the middle of one
    url: str = ""

    @property
    def recipients(self) -> list[str]:
        return [mail["To"] for mail in self.mails]

    def text(self, to: str) -> str:
        return (
            next(mail for mail in self.mails if mail["To"] == to)
            .get_content()
            .replace("\r\n", "\n")
        )


@contextmanager
def run_smtp_server() -> Iterator[Mailbox]:
    box = Mailbox()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 here")
            box.connections += 1
            self.mails = 0
            while line := self.rfile.readline():
                word = line.split()[0].upper() if line.split() else b""
                if word == b"DATA":
                    self.say("354 go on")
                    if not self.take(self.body()):
                        return
                elif word == b"MAIL" and self.mails >= box.most:
                    self.say("421 too many mails on one connection")
                    return
                elif word == b"RCPT" and self.address(line) in box.refused:
                    self.say("550 nobody here is called that")
                elif word == b"RCPT" and self.address(line) in box.full:
                    self.say("452 mailbox full")
                elif word == b"QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 fine")

        def address(self, line: bytes) -> str:
            return line.decode().split("<")[1].split(">")[0]

        def body(self) -> bytes:
            lines = []
            while (line := self.rfile.readline()) not in (b".\r\n", b""):
                lines.append(line.removeprefix(b"."))
            return b"".join(lines)

        def take(self, body: bytes) -> bool:
            if len(box.mails) == box.hang_up_after:
                return False
            time.sleep(box.pause)
            self.mails += 1
            if box.busy:
                box.busy -= 1
                self.say("451 later")
            else:
                box.mails.append(message_from_bytes(body, policy=policy.default))
                self.say("250 taken")
            return True

        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = allow_reuse_address = True

    server = Server(("127.0.0.1", 0), Handler)
    box.url = f"smtp://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield box
    finally:
        server.shutdown()
        server.server_close()
