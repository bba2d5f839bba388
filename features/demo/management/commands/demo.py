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
from django.contrib.auth.models import AbstractBaseUser
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from features.demo import survey as demo
from surveys.accounts.account import set_password
from surveys.accounts.tokens import issue_token
from surveys.models import DemoAccount

NAME = "demo"
HERE, ANYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 (in a container, which has a network for itself)
NOT_OURS = f"There is an account “{NAME}” that no demo made. Use another database for the demo: set DATABASE_URL."
TIMER = 60  # seconds
PATIENCE = 120  # seconds for the server to answer, on a busy machine too


class Command(BaseCommand):
    help = "Set up the database, load the demo, start the site and print its addresses. Asks no questions."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: %(default)s")
        parser.add_argument(
            "--host",
            choices=(HERE, ANYWHERE),
            default=HERE,
            help=f"{ANYWHERE} in a container, for its published port",
        )

    def handle(self, *, port: int, host: str, **options: object) -> None:
        require_free(port, host)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        access = demo_access()
        study = demo.load(get_user_model().objects.get(username=NAME))
        address = f"http://{HERE}:{port}"
        signal.signal(
            signal.SIGTERM, lambda *_: sys.exit()
        )  # or the server would outlive a command that is ended
        server = subprocess.Popen(  # noqa: S603
            [
                *(sys.executable, "-m", "gunicorn", "config.wsgi"),
                *("--bind", f"{host}:{port}", "--threads", "4", "--log-level", "warning"),
            ],
            cwd=settings.BASE_DIR,
            stdout=subprocess.DEVNULL,  # what goes wrong is on its other stream
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
            self.stdout.write(
                f"\nStopped. Your data stay in {settings.VAR}. The next demo goes on from there."
            )
        finally:
            server.terminate()
            server.wait()

    def _print(self, address: str, slug: str, access: dict[str, str]) -> None:
        for label, text in (
            ("Answer as a respondent", f"{address}/s/{slug}/"),
            ("See the report", f"{address}/sample/"),
            ("Log in", f"{address}/login/ with {NAME} / {access['password']}"),
            ("API token", access["token"]),
        ):
            self.stdout.write(f"{label + ':':<23} {text}")
        self.stdout.write("Press Ctrl-C to stop.")
        self.stdout.flush()


def require_free(port: int, host: str) -> None:
    with socket.socket() as probe:
        # As the server will: a port that an ended server left a minute ago counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
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


@transaction.atomic
def demo_user(password: str) -> AbstractBaseUser:
    """The demo account, with its mark. password: of one that an earlier version made, which has none yet."""
    admin = {"is_staff": True, "is_superuser": True}
    user, is_new = get_user_model().objects.get_or_create(username=NAME, defaults=admin)
    is_marked = DemoAccount.objects.filter(user=user).exists()
    if not (is_new or is_marked or user.check_password(password)):
        raise CommandError(NOT_OURS)
    if not is_marked:
        DemoAccount.objects.create(user=user)
    return user


def demo_access() -> dict[str, str]:
    """Password and token of the demo account. Neither can be read back, so a file of this user's own keeps them."""
    file = Path(settings.VAR) / "demo-access.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    user = demo_user(kept.get("password", ""))
    if user.check_password(kept.get("password", "")):
        return kept
    made = {"password": secrets.token_urlsafe(9), "token": issue_token(user, "demo")}
    set_password(user, made["password"])
    file.parent.mkdir(exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps(made))
    return made
