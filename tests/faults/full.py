"""The site's settings on a database that cannot grow, as on a full disk."""

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DATABASES["default"]["OPTIONS"]["init_command"] += (
    "PRAGMA max_page_count=1;"  # which is as many as there are
)
