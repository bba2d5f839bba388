"""Read tables in formats that cannot be read part by part, in a child process that writes CSV.

Child processes import this module, so it loads no Django: see surveys.site.files.untrusted.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.files.delimited import SAVE_AS_ADVICE, Broken
from surveys.site.files.sizes import TableLimits
from surveys.site.files.untrusted import DAMAGED_MESSAGE, Limits, WithText


class Damaged(Broken):
    """A file that its reader cannot read to the end. The message about it names its format."""

    def __init__(self) -> None:
        super().__init__(DAMAGED_MESSAGE)


@dataclass(frozen=True)
class Labels:
    """What the values in a file mean, in a format that says so, such as those of SPSS and Stata.

    Both dictionaries are empty for all other formats.

    values: the value of each label, by column and label.
    missing: the labels of values that the file declares missing, by column.
    """

    values: dict[str, dict[str, str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)


def read_table(
    reader: Callable[..., WithText], data: bytes, limits: Limits, most: TableLimits, **options: Any
) -> WithText:
    """Return a file that was converted to CSV by a reader in a child process.

    Raises Broken if the file is too large, with what to do in its message, and Damaged if it cannot
    be read.

    reader: the function that converts the file, called as `reader(data, most=..., **options)`.
    data: the file.
    limits: what the file and the child process may take.
    most: how much the table may hold. The reader gets these limits as a dictionary, and raises
        Unreadable for a larger table.
    options: further arguments of the reader, which JSON can hold.
    """
    try:
        return untrusted.read_in_child(reader, data, limits, most=asdict(most), **options)
    except Unreadable as error:
        if str(error) == DAMAGED_MESSAGE:
            raise Damaged from error
        # An error of two lines says on the second one what to do.
        has_remedy = len(error.lines) > 1
        message = str(error) if has_remedy else f"{error} {SAVE_AS_ADVICE}"
        raise Broken(message) from error
