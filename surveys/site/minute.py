"""Once a minute, however many workers a site has: they part after this is loaded (preload_app in gunicorn.conf.py)."""

import mmap
import struct
import time

_last = mmap.mmap(-1, 8)  # shared with every process that is forked from this one; zero at first
_last[:8] = struct.pack("d", -60.0)


def is_due() -> bool:
    """Whether nobody asked in the last minute; then it is the turn of whoever asks."""
    now = time.monotonic()
    if now - struct.unpack("d", _last[:8])[0] < 60:
        return False
    _last[:8] = struct.pack("d", now)
    return True
