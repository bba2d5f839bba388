"""What stands in for what a test may not do to the machine it runs on. All else of the documented commands is real."""

import shutil
import subprocess
import sys
from pathlib import Path

# Everything lies in a folder of the test's own.
PLACES = (
    "/opt/candor",
    "/etc/candor",
    "/etc/systemd/system",
    "/etc/nginx",
    "/var/backups/candor",
    "/usr/local/sbin",
)

# A test's account of the machine stands in for the account candor, where the tests may act as it. It may read what root
# may, because Python itself can lie in root's home, but write only where an account of its own may.
ACCOUNT, GROUP = "nobody", "nogroup"
AS_ACCOUNT = (
    *("setpriv", "--reuid", ACCOUNT, "--regid", GROUP, "--clear-groups"),
    *("--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search", "--"),
)

PROGRAMS = {
    "apt-get": "true",  # the packages are there
    "adduser": 'echo "$*" > "$STAND_INS/adduser.said"',  # no account is made: see above
    "certbot": "true",  # nobody gives a certificate to a test
    "nginx": "true",  # tests/security/test_nginx.py runs the documented file
    # Accounts are those of above. Where the tests cannot act as them everything belongs to whoever runs them.
    "install": """exec {install} $(echo "$*" | sed 's/-o candor/{owner}/; s/-g candor/{group}/')""",
    "runuser": """
        who=$2; shift 3
        case $who in
            postgres) export PGHOST={pghost} PGPORT={pgport} PGUSER=postgres; exec "$@" ;;
            candor) exec {as_account} "$@" ;;
        esac
        exit 1""",
    # An environment that is installed already: what manage.py is told goes to a process that has loaded Django.
    "python3": """
        if [ "$1 $2" = "-m venv" ]; then
            mkdir -p "$3/bin"; ln -s "$STAND_INS/python" "$STAND_INS/pip" "$3/bin"; exit
        fi
        exec {python} "$@" """,
    "pip": 'for last; do :; done; [ -f "$last" ]',
    # These three are played by the test itself: see tests/operation/documented_server.py.
    **dict.fromkeys(("python", "systemctl", "editor"), ""),
}

ASK = """#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({socket!r})
    told = dict(program=os.path.basename(sys.argv[0]), arguments=sys.argv[1:])
    told |= dict(environment=dict(os.environ), umask=os.umask(0))
    asked.sendall(json.dumps(told).encode() + b"\\n")
    code, printed, complaint = json.loads(asked.makefile().readline())
sys.stdout.write(printed)
sys.stderr.write(complaint)
sys.exit(code)
"""


def can_act_as_account() -> bool:
    if not shutil.which("setpriv"):
        return False
    return not subprocess.run(
        [*AS_ACCOUNT, sys.executable, "-c", ""], capture_output=True, check=False
    ).returncode


def write(folder: Path, socket: Path, **values: object) -> None:
    """The stand-ins as programs in a folder. values: what is put into their texts."""
    values |= {"install": shutil.which("install"), "python": sys.executable}
    for name, text in PROGRAMS.items():
        script = (
            f"#!/bin/sh\nSTAND_INS={folder}\n{text.format(**values)}\n"
            if text
            else ASK.format(python=sys.executable, socket=str(socket))
        )
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
