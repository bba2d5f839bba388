"""The list of all mechanism classes, and how a specification becomes a mechanism again."""

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
    Geometry,
    DirectEncoding,
    Matrix,
    SubsetSelection,
    OptionSampling,
    UnaryEncoding,
    Window,
    Written,
    Rappor,
)
# The classes of matrix designs by name, which is the value of "design" in their specifications.
MATRICES = {
    mechanism_class.name: mechanism_class
    for mechanism_class in CLASSES
    if issubclass(mechanism_class, MatrixMechanism)
}
DESIGNS = tuple(MATRICES)
# All matrix designs have one kind. Here it leads to any one of them, for the keys they share.
KINDS = {mechanism_class.kind: mechanism_class for mechanism_class in CLASSES}


def from_spec(spec: Mapping[str, Any]) -> Mechanism:
    """
    Return the mechanism of a specification.

    It is the inverse of `Mechanism.spec`, by which published surveys store their mechanisms.

    Parameters
    ----------
    spec : Mapping
        The specification that `Mechanism.spec` returned, as an instrument holds it.

    Returns
    -------
    Mechanism
        A mechanism that equals the one from which the specification came.

    Raises
    ------
    ValueError
        If the kind or the design is unknown, if keys are missing or unknown, or if the integers
        contradict the parameters.
    """
    if not isinstance(spec, Mapping):
        raise ValueError(f"spec is {checks.show(spec)}; allowed is an object with a kind")
    kind = checks.one_of("kind", spec.get("kind", ""), tuple(KINDS))
    mechanism_class = KINDS[kind]
    # A specification has all keys of its kind, and may have the optional ones.
    optional_keys = mechanism_class.optional & set(spec)
    checks.keys("spec", spec, mechanism_class.keys | optional_keys)

    # All matrix designs have the same kind, so the name of the design decides the class.
    if kind == MatrixMechanism.kind:
        parameters = spec["parameters"]
        if not isinstance(parameters, Mapping):
            raise ValueError(f"parameters is {checks.show(parameters)}; allowed is an object")
        mechanism_class = MATRICES[checks.one_of("design", spec["design"], DESIGNS)]
    return mechanism_class.from_spec(spec)


def recipes(size: int, select: str) -> list[Recipe]:
    """
    Return the recipes for a question: the ways to create a mechanism from its size and an epsilon.

    Planning compares the mechanisms that they create, and recommends one.

    Parameters
    ----------
    size : int
        The number of answers.
    select : "one" or "any"
        "any" if any number of answers may be true at the same time.

    Returns
    -------
    list of Recipe
        The recipes for this `select` and for at least `Recipe.least` answers, in the order of
        `CLASSES`.

    Raises
    ------
    ValueError
        If `select` or `size` is not allowed.
    """
    checks.one_of("select", select, ("one", "any"))
    size = checks.size(size)
    suitable = []
    for mechanism_class in CLASSES:
        for recipe in mechanism_class.recipes():
            if recipe.select == select and recipe.least <= size:
                suitable.append(recipe)
    return suitable
