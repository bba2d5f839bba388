import contextlib
import io
import json
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys import demo
from surveys.accounts.account import set_password
from surveys.accounts.tokens import issue_token

NAME = "demo"
TIMER = 60  # seconds
PATIENCE = 30  # seconds for the server to answer


class Command(BaseCommand):
    help = "Set up the database, load the demo, start the site and print its addresses. Asks no questions."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: %(default)s")

    def handle(self, *, port: int, **options: object) -> None:
        require_free(port)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        access = demo_access()
        study = demo.load(get_user_model().objects.get(username=NAME))
        address = f"http://127.0.0.1:{port}"
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # or the server would outlive a command that is ended
        server = subprocess.Popen(  # noqa: S603
            [
                *(sys.executable, "-m", "gunicorn", "config.wsgi"),
                *("--bind", f"127.0.0.1:{port}", "--threads", "4", "--log-level", "warning"),
            ],
            cwd=settings.BASE_DIR,
        )
        try:
            wait_for(address, server)
            self._print(address, study.slug, access)
            while server.poll() is None:
                with contextlib.suppress(CommandError):  # busy: the next turn does it
                    call_command("seal", stdout=io.StringIO())  # the timer of a site
                with contextlib.suppress(subprocess.TimeoutExpired):
                    server.wait(TIMER)
        except KeyboardInterrupt:
            self.stdout.write("\nStopped. Your data stay in var/. To start again: make demo")
        finally:
            server.terminate()
            server.wait()

    def _print(self, address: str, slug: str, access: dict[str, str]) -> None:
        for label, text in (
            ("Candor", f"{address}/"),
            ("Respondent link", f"{address}/s/{slug}/"),
            ("Report", f"{address}/surveys/{slug}/report/"),
            ("All surveys", f"{address}/surveys/"),
            ("Researcher", f"{NAME} / {access['password']}"),
            ("Log in", f"{address}/login/"),
            ("API token", access["token"]),
        ):
            self.stdout.write(f"{label + ':':<17} {text}")
        self.stdout.write("Press Ctrl-C to stop.")
        self.stdout.flush()


def require_free(port: int) -> None:
    with socket.socket() as probe:
        # As the server will: a port that an ended server left a minute ago counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {port} cannot be used ({error}). Stop the program that uses it, or choose another port: "
                f"PORT={port % 65000 + 1} make demo"
            ) from None


def wait_for(address: str, server: subprocess.Popen) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=5)  # noqa: S310
        except urllib.error.HTTPError:
            raise CommandError("The site answers with an error. See the messages above.") from None
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise CommandError("The server did not start. See the messages above.")


def demo_access() -> dict[str, str]:
    """Password and token of the demo account. Neither can be read back, so a file of this user's own keeps them."""
    file = Path(settings.VAR) / "demo-access.json"
    user, _ = get_user_model().objects.get_or_create(username=NAME, defaults={"is_staff": True, "is_superuser": True})
    kept = json.loads(file.read_text()) if file.exists() else {}
    if user.check_password(kept.get("password", "")):
        return kept
    made = {"password": secrets.token_urlsafe(9), "token": issue_token(user, "demo")}
    set_password(user, made["password"])
    file.parent.mkdir(exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps(made))
    return made
