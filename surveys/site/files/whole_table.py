"""Tables in formats that are read as a whole: a child process counts what they hold, and answers with CSV."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.files.delimited import SAVE_AS, Broken
from surveys.site.files.sizes import TableLimits
from surveys.site.files.untrusted import Limits, WithText


def read_table(
    reader: Callable[..., WithText], data: bytes, limits: Limits, most: TableLimits, **options: Any
) -> WithText:
    """Return what `reader(data, most=..., **options)` returns in a child process. Raises Broken.

    most: what the table may hold; the reader gets it as a dictionary, and raises Unreadable for a larger table.
    """
    try:
        return untrusted.read(reader, data, limits, most=asdict(most), **options)
    except Unreadable as error:
        has_remedy = len(error.lines) > 1
        message = str(error) if has_remedy else f"{error} {SAVE_AS}"
        raise Broken(message) from error
