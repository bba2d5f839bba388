"""The site's settings on a database that it may only read."""

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DATABASES["default"]["NAME"] = f"file:{DATABASES['default']['NAME']}?mode=ro"
DATABASES["default"]["OPTIONS"] = {"uri": True, "timeout": 2}
