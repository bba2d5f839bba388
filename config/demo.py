"""The environment of a demo, before the settings are read: what an operator decides for a site is made here.

Its secrets are of this demo alone. It is for one machine: plain HTTP, and only addresses of that machine are answered.
"""

import os
import secrets
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEYS = {"SECRET_KEY": "secret-key", "TICKET_KEY": "ticket-key"}  # and the file of each, in VAR


def prepare() -> None:
    folder = Path(os.environ.get("VAR") or ROOT / "var")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {name: _key(folder / file) for name, file in KEYS.items()}
    os.environ |= {"HTTPS": "0", "STATIC_ROOT": str(folder / "static")}
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder.resolve() / 'candor.sqlite3'}")


def _key(file: Path) -> str:
    """The key in this file, drawn at the first start."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(f"{secrets.token_urlsafe(50)}\n")
    return file.read_text().strip()
