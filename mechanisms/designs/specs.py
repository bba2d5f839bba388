"""All classes: from a spec, as it stands in an instrument, back to the mechanism, and what planning compares."""

from collections.abc import Mapping
from typing import Any

from mechanisms import checks
from mechanisms.designs import yes_no
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.general import Matrix
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.marks import OptionSampling
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism, Recipe
from mechanisms.designs.rappor import Rappor
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.designs.window import Window
from mechanisms.designs.written import Written

# Every class of mechanisms, in the order in which planning compares them.
CLASSES: tuple[type[Mechanism], ...] = (
    *yes_no.DESIGNS,
    *(
        Geometry,
        DirectEncoding,
        Matrix,
        SubsetSelection,
        OptionSampling,
        UnaryEncoding,
        Window,
        Written,
        Rappor,
    ),
)
MATRICES = {each.name: each for each in CLASSES if issubclass(each, MatrixMechanism)}
DESIGNS = tuple(MATRICES)
KINDS = {each.kind: each for each in CLASSES}  # for a matrix any of its designs


def from_spec(spec: Mapping[str, Any]) -> Mechanism:
    """The mechanism that `spec()` described; equal to the one it came from.

    ValueError for an unknown kind or design, for missing or unknown keys, and for integers that contradict
    the parameters beside them.
    """
    if not isinstance(spec, Mapping):
        raise ValueError(f"spec is {checks.show(spec)}; allowed is an object with a kind")
    kind = KINDS[checks.one_of("kind", spec.get("kind", ""), tuple(KINDS))]
    checks.keys("spec", spec, kind.keys | (kind.optional & set(spec)))
    if kind.kind == MatrixMechanism.kind:
        parameters = spec["parameters"]
        if not isinstance(parameters, Mapping):
            raise ValueError(f"parameters is {checks.show(parameters)}; allowed is an object")
        kind = MATRICES[checks.one_of("design", spec["design"], DESIGNS)]
    return kind.from_spec(spec)


def recipes(size: int, select: str) -> list[Recipe]:
    """Those for a question with so many answers, of which "one" is chosen or "any"."""
    checks.one_of("select", select, ("one", "any"))
    every = (recipe for each in CLASSES for recipe in each.recipes())
    return [
        recipe for recipe in every if recipe.select == select and recipe.least <= checks.size(size)
    ]
