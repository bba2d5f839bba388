"""Limit an action to once a minute, however many worker processes the site has.

The workers are forked after this module is loaded (preload_app in gunicorn.conf.py), so that they
share its memory.
"""

import mmap
import struct
import time

# The seconds between two actions.
INTERVAL = 60.0

# The time of the last action, on the monotonic clock: 8 bytes with one floating-point number ("d").
# Processes that are forked from this one share this memory. The first action is due at once.
_last = mmap.mmap(-1, 8)
_last[:8] = struct.pack("d", -INTERVAL)


def is_due() -> bool:
    """Return whether the last action in any worker process was a minute ago or more.

    If it was, the caller is the one that acts, and the time of this call is noted as that of the
    last action.
    """
    # There is no lock. Two workers that ask in the same moment may both act, which does no harm.
    now = time.monotonic()
    (last,) = struct.unpack("d", _last[:8])
    if now - last < INTERVAL:
        return False
    _last[:8] = struct.pack("d", now)
    return True
