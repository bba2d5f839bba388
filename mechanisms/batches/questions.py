"""What a file of responses says of its survey: the questions, how each was randomized, and where its reports stand."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import from_spec
from mechanisms.designs.unary import identity_mechanism
from mechanisms.designs.wire import Integers, Wire

CODEBOOK = b"candor.codebook"  # in the metadata of the file
VERSION = 2
WHENCE = "Take responses.parquet or responses-packed.parquet as a survey exports them."


class Unusable(ValueError):
    """Files that cannot be counted; the message says which, why, and what can."""


@dataclass(frozen=True)
class Question:
    """One question of the survey.

    labels: its answers. spec: of its mechanism; None where answers are sent as they are. columns: where a report stands
    unless its marks are packed in one column, `key`. numbers: what the cells hold instead of codes. declined: the code
    of an answer that is no number; it has a column of its own where `numbers` are held.
    """

    key: str
    text: str
    kind: str
    design: str | None
    labels: tuple[str, ...]
    spec: Mapping[str, Any] | None
    columns: tuple[str, ...]
    numbers: range | None = None
    declined: int | None = None

    @property
    def is_written(self) -> bool:
        """Whether people write a text: without candidates there is nothing to count."""
        return not self.labels

    @cached_property
    def mechanism(self) -> Mechanism:
        return identity_mechanism(len(self.labels)) if self.spec is None else from_spec(self.spec)

    @cached_property
    def wire(self) -> Wire:
        return Integers(len(self.labels)) if self.spec is None else self.mechanism.wire


@dataclass(frozen=True)
class Survey:
    """sha256: of the instrument; files of one instrument add up."""

    sha256: str
    title: str
    questions: tuple[Question, ...]

    @property
    def counted(self) -> tuple[Question, ...]:
        """Those with answers to choose from."""
        return tuple(question for question in self.questions if not question.is_written)


def read_survey(metadata: Mapping[bytes, bytes], name: str) -> Survey:
    """Return the survey in the metadata of a file. Raises Unusable.

    Unusable is raised if the file has no survey in its metadata, or one that cannot be understood.
    """
    if CODEBOOK not in metadata:
        raise Unusable(
            f"{name} has no codebook inside, so that nobody knows how its answers were randomized. {WHENCE}"
        )
    try:
        book = json.loads(metadata[CODEBOOK])
        version = book["version"]
        if version == VERSION:
            return Survey(
                book["instrument"], book["title"], tuple(map(_question, book["variables"]))
            )
    except (ValueError, KeyError, TypeError) as wrong:
        raise Unusable(
            f"{name} has a codebook inside that cannot be read ({wrong}). {WHENCE}"
        ) from wrong
    raise Unusable(
        f"{name} has a codebook of version {version}; allowed is {VERSION}. Export the survey again."
    )


def _question(variable: Mapping[str, Any]) -> Question:
    numbers = variable.get("numbers")
    held = range(numbers["first"], numbers["last"] + 1, numbers["step"]) if numbers else None
    return Question(
        key=variable["name"],
        text=variable["question"],
        kind=variable["kind"],
        design=variable["design"],
        labels=tuple(choice["label"] for choice in variable["choices"]),
        spec=variable["mechanism"],
        columns=tuple(variable["columns"]),
        numbers=held,
        declined=variable.get("declined"),
    )
