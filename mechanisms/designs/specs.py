"""From a spec, as it stands in an instrument, back to the mechanism."""

from collections.abc import Callable, Mapping
from typing import Any

from mechanisms import checks
from mechanisms.designs import yes_no
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.general import Matrix
from mechanisms.designs.geometry import Geometry
from mechanisms.designs.marks import Marks
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.rappor import Rappor
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding
from mechanisms.designs.window import Window
from mechanisms.designs.written import Written

MATRICES: dict[str, type[MatrixMechanism]] = {
    **{design.name: design for design in yes_no.DESIGNS},
    DirectEncoding.name: DirectEncoding,
    Matrix.name: Matrix,
}
DESIGNS = tuple(MATRICES)


def _matrix(spec: Mapping[str, Any]) -> Mechanism:
    parameters = spec["parameters"]
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters is {checks.show(parameters)}; allowed is an object")
    return MATRICES[checks.one_of("design", spec["design"], DESIGNS)].of_spec(spec)


# kind -> the keys of its specs, and what makes the mechanism of one
KINDS: dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any]], Mechanism]]] = {
    MatrixMechanism.kind: (MatrixMechanism.keys, _matrix),
    **{each.kind: (each.keys, each.of_spec) for each in (UnaryEncoding, SubsetSelection, Marks, Window)},
    **{each.kind: (each.keys, each.of_spec) for each in (Geometry, Written, Rappor)},
}
# kind -> keys that a spec may have as well
OPTIONAL: dict[str, frozenset[str]] = {Window.kind: Window.optional}


def from_spec(spec: Mapping[str, Any]) -> Mechanism:
    """The mechanism that `spec()` described; equal to the one it came from.

    ValueError for an unknown kind or design, for missing or unknown keys, and for integers that contradict
    the parameters beside them.
    """
    if not isinstance(spec, Mapping):
        raise ValueError(f"spec is {checks.show(spec)}; allowed is an object with a kind")
    keys, made = KINDS[checks.one_of("kind", spec.get("kind", ""), tuple(KINDS))]
    checks.keys("spec", spec, keys | (OPTIONAL.get(spec["kind"], frozenset()) & set(spec)))
    return made(spec)
