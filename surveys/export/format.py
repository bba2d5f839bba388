"""What a file is: one small class, from which page, API, command and zip take all that they say of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import IO, Any, ClassVar

import numpy as np

from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import definition_for_readers, parse_instrument
from surveys.export.columns import one_line
from surveys.export.rows import decoded
from surveys.export.stream import Sink
from surveys.fieldwork.responses.released import read_released
from surveys.models import Instrument
from surveys.results.disclosure.subgroups import background_questions

ROWS, CELLS = 100_000, 5_000_000  # in a file that is made as a whole
TOO_MANY = "{0:,} {2}, and there are {1:,}"


class File(ABC):
    """A file of a published survey. One is made for each download.

    limit, most_cells, most_columns: the most responses, cells and columns it is offered for. has_rows: it holds
    responses; whoever may read the report may have a file without. is_packed: it stands in everything.zip. forms: its
    other forms, by the name of each in an address (`?form=packed`); each has a file name of its own too.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    media_type: ClassVar[str]
    has_rows: ClassVar[bool] = True
    limit: ClassVar[int | None] = None
    most_cells: ClassVar[int | None] = None
    most_columns: ClassVar[int | None] = None
    is_packed: ClassVar[bool] = False
    forms: ClassVar[dict[str, type["File"]]] = {}
    do_not_call_in_templates: ClassVar[bool] = True  # pages list the classes

    @classmethod
    @abstractmethod
    def stream(cls, instrument: Instrument) -> Iterator[bytes]:
        """The pieces of the file, one after the other."""

    @classmethod
    def size_problem(cls, n: int, width: int) -> str:
        """Return what is too large for this format, or an empty string."""
        bounds = (
            (cls.limit, n, "responses"),
            (cls.most_columns, width, "columns"),
            (cls.most_cells, n * width, "cells"),
        )
        return next(
            (
                TOO_MANY.format(*each)
                for each in bounds
                if each[0] is not None and each[1] > each[0]
            ),
            "",
        )


class Rows(File):
    """A file of responses, written batch by batch."""

    def __init__(self, frozen: SurveyDefinition, out: IO[bytes]) -> None:
        self.frozen, self.out = frozen, out
        self.begin()

    def begin(self) -> None:
        """What stands before the rows."""

    @abstractmethod
    def write(self, rows: np.ndarray) -> None:
        """A batch, as fieldwork.responses.records decodes it; shape (n,)."""

    def end(self) -> None:
        """What stands behind the rows."""

    @classmethod
    def stream(cls, instrument: Instrument) -> Iterator[bytes]:
        sink: Any = Sink()
        file = cls(definition_for_readers(instrument), sink)
        for rows in decoded(instrument):
            file.write(rows)
            yield sink.take()
        file.end()
        yield sink.take()


class About(File):
    """A file that says what the responses are, or reads them."""

    has_rows = False
    is_packed = True

    @staticmethod
    @abstractmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        """tally: what is known of the responses to whoever has the file."""

    @classmethod
    def content(cls, instrument: Instrument, tally: dict, *, has_rows: bool) -> str:
        """Return the file. Files that need more than the questions override this.

        tally: what is known of the responses to whoever has the file.
        has_rows: this reader may download responses.
        """
        return cls.text(definition_for_readers(instrument), tally)

    @classmethod
    def stream(cls, instrument: Instrument) -> Iterator[bytes]:
        yield cls.content(instrument, public_tally(instrument), has_rows=False).encode()


def public_tally(instrument: Instrument) -> dict:
    """What is told of the responses to people without the right to rows: nothing of background answers, nor of whom
    they had a question asked."""
    tally, frozen = read_released(instrument).tally, parse_instrument(instrument)
    hidden = {
        item.key: None
        for item in background_questions(frozen)
        if item.key in frozen.keys_with_missing
    }
    hidden |= dict.fromkeys(frozen.keys_with_condition)
    tally = {name: part for name, part in tally.items() if name != "on_path"}
    return tally | ({"answered": tally.get("answered", {}) | hidden} if hidden else {})


def commented(text: str) -> str:
    """An author's text for a comment of any language: on one line, and without what would end or begin something."""
    return one_line(text).translate(HARMLESS)


HARMLESS = str.maketrans(
    {"`": "’", "'": "’", '"': "”", "$": "＄", "/": "⁄", "\\": "⧵", "*": "∗", "!": "ǃ"}
)
