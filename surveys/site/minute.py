"""Limit an action to once a minute, however many worker processes the site has.

The workers are forked after this module is loaded (preload_app in gunicorn.conf.py), so that they
share its memory.
"""

import mmap
import struct
import time

# The seconds between two actions.
INTERVAL = 60.0

# The time of the last action, on the monotonic clock. Processes forked from this one share it. The
# first action is due at once.
_last = mmap.mmap(-1, 8)
_last[:8] = struct.pack("d", -INTERVAL)


def is_due() -> bool:
    """Return True at most once a minute, and note the time of that call.

    The caller that gets True is the one that acts.
    """
    now = time.monotonic()
    (last,) = struct.unpack("d", _last[:8])
    if now - last < INTERVAL:
        return False
    _last[:8] = struct.pack("d", now)
    return True
