"""The demo in a container, tried step by step."""

import re
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from features.demo.tests import demo_server
from tests.operation.fake_programs import AS_ACCOUNT, can_act_as_account
from tests.security.test_containers import FILE, copied


def test_the_demo_runs_from_what_is_copied_and_answers_at_a_port_that_is_published() -> None:
    """As its user, who may write to var/ alone, with the image's environment. Bound to all addresses: here a second one
    of this machine."""
    (step,) = re.findall(r"^RUN install --directory --owner candor (\S+)$", FILE, re.MULTILINE)
    (command,) = re.findall(r"^# .+ candor python manage.py demo (.+)$", FILE, re.MULTILINE)
    before = AS_ACCOUNT if can_act_as_account() else ()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        program = folder / "candor"
        program.mkdir()
        copied(program)
        (program / step).mkdir()
        for path in (program, *program.rglob("*")):
            path.chmod(path.stat().st_mode & ~0o222 if path.name != step else 0o777)
        with demo_server.running(
            folder,
            *command.split(),
            program=program,
            before=before,
            VAR="",
            STATIC_ROOT="/opt/candor-static",
        ) as printed:
            assert list(printed) == demo_server.LABELS
            for address in (printed["Answer as a respondent"], printed["See the report"]):
                port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.+)", address).groups()
                sent = Request(
                    f"http://127.0.0.2:{port}{path}", headers={"Host": f"127.0.0.1:{port}"}
                )
                with urlopen(sent, timeout=60) as answer:
                    assert answer.status == 200
            keys = [
                (program / step / file).stat().st_mode & 0o777
                for file in ("secret-key", "ticket-key")
            ]
            assert keys == [0o600, 0o600]
        for path in (program, program / step):
            path.chmod(0o755)
