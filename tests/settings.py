"""The site's own settings with a throw-away secret, a quick password hasher and static files of their own."""

import atexit
import os
import secrets
import shutil
import tempfile

os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("TICKET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("HTTPS", "0")
os.environ.setdefault("DATABASE_URL", "sqlite:///:memory:")

from pathlib import Path

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = tempfile.mkdtemp(
    prefix="candor-static-"
)  # two runs at once must not write the same files
atexit.register(shutil.rmtree, STATIC_ROOT, ignore_errors=True)
VAR = Path(tempfile.mkdtemp(prefix="candor-var-"))
atexit.register(shutil.rmtree, VAR, ignore_errors=True)
WHITENOISE_AUTOREFRESH = (
    True  # else every test client reads the whole folder first, most of the suite's time
)
if "INBOX_KEYS" not in os.environ:
    # A run of “manage.py seal” deletes all private keys that its database does not have, so each process has a folder.
    INBOX_KEYS = Path(tempfile.mkdtemp(prefix="candor-inbox-keys-"))
    atexit.register(shutil.rmtree, INBOX_KEYS, ignore_errors=True)
