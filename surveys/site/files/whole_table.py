"""Tables in formats that are read as a whole: a child process counts what they hold, and answers with CSV.

Child processes import this, so it loads no Django: see surveys.site.files.untrusted.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.files.delimited import SAVE_AS, Broken
from surveys.site.files.sizes import TableLimits
from surveys.site.files.untrusted import Limits, WithText


@dataclass(frozen=True)
class Labels:
    """Of a file that has them: column -> label -> the value, and column -> labels that it declares missing."""

    values: dict[str, dict[str, str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)


def read_table(
    reader: Callable[..., WithText], data: bytes, limits: Limits, most: TableLimits, **options: Any
) -> WithText:
    """Return what `reader(data, most=..., **options)` returns in a child process. Raises Broken.

    most: what the table may hold; the reader gets it as a dictionary, and raises Unreadable for a larger table.
    """
    try:
        return untrusted.read_in_child(reader, data, limits, most=asdict(most), **options)
    except Unreadable as error:
        has_remedy = len(error.lines) > 1
        message = str(error) if has_remedy else f"{error} {SAVE_AS}"
        raise Broken(message) from error
