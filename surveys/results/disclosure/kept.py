"""What was counted over all responses, kept until more are released: whoever looks again does not read them again."""

import pickle
from collections.abc import Callable, Hashable
from typing import TypeVar

from surveys.models import Instrument
from surveys.site.byte_cache import ByteCache

Counted = TypeVar("Counted")
KEPT: ByteCache[bytes] = ByteCache(32_000_000, len)  # of one process


def cached_count(
    instrument: Instrument, asked: tuple[Hashable, ...], count: Callable[[], Counted]
) -> Counted:
    """Return a count, cached until the responses of the survey change.

    Raises Instrument.DoesNotExist if the instrument is deleted. An error of `count` is not cached.

    asked: what is counted, and of which group.
    """
    state = Instrument.objects.values_list("tally__n", "deleted_on").get(pk=instrument.pk)
    pickled = KEPT.get(
        (instrument.pk, *state, *asked), lambda: pickle.dumps(count(), pickle.HIGHEST_PROTOCOL)
    )
    counted: Counted = pickle.loads(pickled)  # noqa: S301 (this process wrote it)
    return counted
