"""From a spec, as it stands in an instrument, back to the mechanism."""

from collections.abc import Mapping
from typing import Any

from mechanisms import checks
from mechanisms.designs import yes_no
from mechanisms.designs.direct import DirectEncoding
from mechanisms.designs.general import Matrix
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.subset import SubsetSelection
from mechanisms.designs.unary import UnaryEncoding

_KEYS = {
    "matrix": {"kind", "design", "parameters", "den", "rows"},
    "unary": {"kind", "select", "size", "den", "rows"},
    "subset": {"kind", "size", "width", "den", "keep"},
}
_YES_NO = {design.name: design for design in yes_no.DESIGNS}
DESIGNS = (*_YES_NO, DirectEncoding.name, Matrix.name)


def from_spec(spec: Mapping[str, Any]) -> Mechanism:
    """The mechanism that `spec()` described; equal to the one it came from.

    ValueError for an unknown kind or design, for missing or unknown keys, and for integers that contradict
    the parameters beside them.
    """
    if not isinstance(spec, Mapping):
        raise ValueError(f"spec is {checks.show(spec)}; allowed is an object with a kind")
    kind = checks.one_of("kind", spec.get("kind", ""), tuple(_KEYS))
    _check_keys("spec", spec, _KEYS[kind])
    if kind == "subset":
        return SubsetSelection.from_integers(spec["size"], spec["width"], spec["keep"], spec["den"])
    rows, den = _rows(spec["rows"]), checks.denominator(spec["den"])
    return _unary(spec, rows, den) if kind == "unary" else _matrix(spec, rows, den)


def _unary(spec: Mapping[str, Any], rows: list[list[int]], den: int) -> UnaryEncoding:
    if [len(row) for row in rows] != [2, 2] or [sum(row) for row in rows] != [den, den]:
        raise ValueError(f"rows is {rows}; allowed are two rows of two whole numbers that sum to den = {den}")
    p, q = f"{rows[1][1]}/{den}", f"{rows[0][1]}/{den}"
    return UnaryEncoding(spec["size"], p, q, spec["select"], den=den)


def _matrix(spec: Mapping[str, Any], rows: list[list[int]], den: int) -> Mechanism:
    design = checks.one_of("design", spec["design"], DESIGNS)
    parameters = spec["parameters"]
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters is {checks.show(parameters)}; allowed is an object")
    if design not in _YES_NO:
        _check_keys("parameters", parameters, set())
        return DirectEncoding.from_rows(rows, den) if design == DirectEncoding.name else Matrix(rows, den)
    return _yes_no(_YES_NO[design], parameters, rows, den)


def _yes_no(design: type[yes_no.YesNo], parameters: Mapping[str, Any], rows: list[list[int]], den: int) -> Mechanism:
    _check_keys("parameters", parameters, set(design.PARAMETERS))
    mechanism: Mechanism = design(**parameters, den=den)
    expected = mechanism.spec()
    if expected["rows"] != rows or expected["parameters"] != dict(parameters):
        raise ValueError(
            f"rows is {checks.show(rows)} with parameters {dict(parameters)}; "
            f"allowed are rows {expected['rows']} with parameters {expected['parameters']}"
        )
    return mechanism


def _check_keys(name: str, given: Mapping[str, Any], allowed: set[str]) -> None:
    if set(given) != allowed:
        raise ValueError(f"{name} has the keys {sorted(map(str, given))}; allowed are exactly {sorted(allowed)}")


def _rows(rows: Any) -> list[list[int]]:
    if not isinstance(rows, list | tuple) or not rows or not all(isinstance(row, list | tuple) for row in rows):
        raise ValueError(f"rows is {checks.show(rows)}; allowed is a list of rows")
    return [[checks.whole("rows", weight, 0, checks.MAX_DEN) for weight in row] for row in rows]
