"""The site's own settings with a throw-away secret, a quick password hasher and static files of their own."""

import os
import secrets

os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
os.environ.setdefault("HTTPS", "0")

from config.settings import *  # noqa: F403
from config.settings import VAR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_ROOT = VAR / "test-static"
