"""The sides of a table of two questions: their answers, and shares among those with one answer to the other one."""

from dataclasses import dataclass

import numpy as np

from mechanisms.analysis.tables import Conditional
from surveys.results.analysis.outcome import Part
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class OfThose(Result):
    """A share among people with one answer to the other question."""

    share: float = of()
    standard_error: float = of()
    interval: tuple[float, float] | None = of("Fieller's; null where nothing is known")


def labels(part: Part) -> tuple[str, ...]:
    """Of all answers, or of one and all others."""
    if not part.is_of_two:
        return part.item.choices
    others = [label for place, label in enumerate(part.item.choices) if place != part.choice]
    return (others[0] if len(others) == 1 else f"not {part.item.choices[part.choice]}", part.item.choices[part.choice])


def of_those(found: Conditional) -> tuple[tuple[OfThose | None, ...], ...]:
    return tuple(
        tuple(_one(*each) for each in zip(*parts, strict=True))
        for parts in zip(found.shares, found.standard_errors, found.intervals, strict=True)
    )


def _one(share: float, error: float, ends: np.ndarray) -> OfThose | None:
    if np.isnan(share):
        return None
    known = bool(np.isfinite(ends).all())
    return OfThose(float(share), float(error), (float(ends[0]), float(ends[1])) if known else None)
