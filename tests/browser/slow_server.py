"""The site as a slow line or a busy machine serves it: each page, script, style and answer comes late.

LATE=500 .venv/bin/python -m pytest tests/browser, with milliseconds, shows which tests read before a page is there.
"""

import os
import time
from collections.abc import Callable, Iterable

from config.wsgi import application as on_time


def application(environ: dict, start_response: Callable) -> Iterable[bytes]:
    time.sleep(int(os.environ["LATE"]) / 1000)
    return on_time(environ, start_response)
