"""What a sweep finds, and at which stage of a life.

After each stage it searches all places.
"""

from typing import NamedTuple

STAGES = (
    "answering",
    "sealed",
    "closed",
    "tickets finished",
    "destroyed",
    "deletion day",
    "import finished",
    "restarted",
)


class Finding(NamedTuple):
    """What a life found in one place.

    stage: the stage of the survey that the values belong to.
    number: how many values of this kind there were, of how many that were planted.
    """

    stage: str
    place: str
    kind: str
    number: int
    planted: int

    def __str__(self) -> str:
        return f"{self.stage}: {self.place}: {self.kind}: {self.number} of {self.planted}"
