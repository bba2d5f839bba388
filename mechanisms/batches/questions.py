"""The survey that a file describes: its questions, their designs and the columns of reports."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import from_spec
from mechanisms.designs.unary import identity_mechanism
from mechanisms.designs.wire import Integers, Wire

# The key of the codebook in the metadata of a file.
CODEBOOK = b"candor.codebook"
# The versions of codebooks that can be read. Cells of version 2 hold codes, and those of version 3
# values.
VERSIONS = (2, 3)
WHENCE = "Take responses.parquet or responses-packed.parquet as a survey exports them."


class Unusable(ValueError):
    """Files that cannot be counted; the message says which, why, and what can."""


@dataclass(frozen=True)
class Question:
    """One question of the survey.

    Attributes
    ----------
    key, text, kind : str
        The name of the variable, the words of the question and its kind.
    design : str or None
        The name of its design; None if answers are sent as they are.
    labels : tuple of str
        Its answers; empty if people write a text.
    spec : mapping or None
        The specification of its mechanism; None if answers are sent as they are.
    columns : tuple of str
        The columns of a report, unless its options are packed in one column, `key`.
    numbers : range or None
        The numbers that cells hold instead of codes; None if they hold codes.
    values : tuple of int, tuple of str or None
        The values that cells hold instead of codes, in the order of the codes; None if they hold
        codes.
    declined : int or None
        The code of an answer that is no number. It has a column of its own if cells hold numbers.
    """

    key: str
    text: str
    kind: str
    design: str | None
    labels: tuple[str, ...]
    spec: Mapping[str, Any] | None
    columns: tuple[str, ...]
    numbers: range | None = None
    values: tuple[int, ...] | tuple[str, ...] | None = None
    declined: int | None = None

    @property
    def is_written(self) -> bool:
        """True if people write a text, which cannot be counted without candidates."""
        return not self.labels

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism that randomized its answers."""
        if self.spec is None:
            return identity_mechanism(len(self.labels))
        return from_spec(self.spec)

    @cached_property
    def report_format(self) -> Wire:
        """The format in which its reports are stored."""
        if self.spec is None:
            return Integers(len(self.labels))
        return self.mechanism.wire


@dataclass(frozen=True)
class Survey:
    """The survey of a file.

    Attributes
    ----------
    sha256 : str
        The hash of the instrument, in hexadecimal digits. Files of one instrument add up.
    title : str
        The title of the survey.
    questions : tuple of Question
        All questions.
    """

    sha256: str
    title: str
    questions: tuple[Question, ...]

    @property
    def counted(self) -> tuple[Question, ...]:
        """The questions with answers to choose from, which are counted."""
        return tuple(question for question in self.questions if not question.is_written)


def read_survey(metadata: Mapping[bytes, bytes], name: str) -> Survey:
    """Return the survey in the metadata of a file. Raises Unusable.

    Unusable is raised if the file has no survey in its metadata, or one that cannot be understood.
    """
    if CODEBOOK not in metadata:
        raise Unusable(
            f"{name} has no codebook inside, so that nobody knows how its answers were randomized. "
            f"{WHENCE}"
        )
    try:
        codebook = json.loads(metadata[CODEBOOK])
        version = codebook["version"]
        if version in VERSIONS:
            return _survey(codebook)
    except (ValueError, KeyError, TypeError) as error:
        raise Unusable(
            f"{name} has a codebook inside that cannot be read ({error}). {WHENCE}"
        ) from error
    raise Unusable(
        f"{name} has a codebook of version {version}; "
        f"allowed are {VERSIONS[0]} and {VERSIONS[1]}. Export the survey again."
    )


def _survey(codebook: Mapping[str, Any]) -> Survey:
    sha256 = codebook["instrument"]
    title = codebook["title"]
    questions = tuple(_question(variable) for variable in codebook["variables"])
    return Survey(sha256=sha256, title=title, questions=questions)


def _question(variable: Mapping[str, Any]) -> Question:
    numbers_of_cells = None
    if numbers := variable.get("numbers"):
        numbers_of_cells = range(numbers["first"], numbers["last"] + 1, numbers["step"])
    # The codebook of a packed file says “code”, as those of version 2 do.
    values = None
    if variable["report"] == "value":
        values = tuple(choice["value"] for choice in variable["choices"])
    return Question(
        key=variable["name"],
        text=variable["question"],
        kind=variable["kind"],
        design=variable["design"],
        labels=tuple(choice["label"] for choice in variable["choices"]),
        spec=variable["mechanism"],
        columns=tuple(variable["columns"]),
        numbers=numbers_of_cells,
        values=values,
        declined=variable.get("declined"),
    )
