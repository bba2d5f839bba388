"""The form of a report is read from the spec of its mechanism, and fits exactly what that mechanism reports."""

import json
from pathlib import Path

import numpy as np
import pytest

from mechanisms import Mechanism, OptionSampling, UnaryEncoding, from_spec
from mechanisms.designs import specs
from mechanisms.designs.texts import TextMechanism
from mechanisms.designs.wire import (
    _WIRE_OF_KIND,
    Bits,
    Cohorts,
    Integers,
    PickedOptions,
    Wire,
    wire_of,
)

VECTORS = json.loads((Path(__file__).resolve().parents[1] / "vectors/reports.json").read_text())
REPORTS_BY_SPEC: dict[str, list] = {}
for vector in VECTORS:
    REPORTS_BY_SPEC.setdefault(json.dumps(vector["spec"]), []).append(vector["report"])

# Small enough that 20,000 reports hold every report that is possible.
SMALL = {
    "matrix": {
        "kind": "matrix",
        "design": "two-coin",
        "parameters": {},
        "den": 4,
        "rows": [[3, 1], [1, 3]],
    },
    "geometry": {"kind": "geometry", "size": 6, "order": 3, "dimension": 3, "den": 10, "keep": 6},
    "subset": {"kind": "subset", "size": 9, "width": 3, "den": 10, "keep": 7},
    "marks": OptionSampling.from_integers(4, 2, 0, 5, 2).spec(),
    "marks, one picked": OptionSampling.from_integers(9, 1, 0, 3, 1).spec(),
    "unary": UnaryEncoding(3, "3/4", "1/4").spec(),
    "unary, any": UnaryEncoding(3, "3/4", "1/4", "any").spec(),
    "unary, the chosen mark always set": UnaryEncoding(4, 1, "1/2").spec(),
    "unary, the chosen mark never set": UnaryEncoding(4, 0, "1/2").spec(),
    "unary, other marks never set": UnaryEncoding(4, "1/2", 0).spec(),
    "unary, other marks always set": UnaryEncoding(4, "1/2", 1).spec(),
    "window": {"kind": "window", "size": 5, "width": 2, "high": 2, "low": 1, "den": 8},
    "window, one answer aside": {
        "kind": "window",
        "size": 5,
        "width": 2,
        "high": 2,
        "low": 1,
        "aside": 1,
        "den": 10,
    },
    "written": {"kind": "written", "order": 3, "dimension": 3, "den": 10, "keep": 6},
    "rappor": {
        **{"kind": "rappor", "bits": 4, "hashes": 1, "cohorts": 8, "den": 4},
        **{"permanent": [[3, 1], [1, 3]], "instant": [[3, 1], [1, 3]]},
    },
}


def simulated_reports(mechanism: Mechanism, wire: Wire) -> list:
    """Return 20,000 reports as they travel, of truths that are all equally frequent."""
    rng = np.random.default_rng(1)
    if isinstance(mechanism, TextMechanism):
        truths = [f"text {number % 50}" for number in range(20_000)]
    elif mechanism.select == "any":
        truths = rng.integers(0, 2, (20_000, mechanism.size))
    else:
        truths = rng.integers(0, mechanism.size, 20_000)
    return wire.reports(mechanism.randomize_stored(truths, rng))


def possible_reports(wire: Wire) -> set:
    """Return what the wire allows, as far as it can be told apart: numbers, numbers of marks, or cohorts."""
    if isinstance(wire, Integers):
        return set(range(wire.size))
    if isinstance(wire, Bits):
        return {(wire.size, ones) for ones in range(wire.least, wire.most + 1)}
    if isinstance(wire, PickedOptions):
        return {(wire.size, wire.pick)}
    assert isinstance(wire, Cohorts)
    return {(cohort, wire.bits) for cohort in range(wire.cohorts)}


def kind_of_report(wire: Wire, report: int | str) -> object:
    """Return what `possible_reports` tells apart of a report."""
    if isinstance(wire, Integers):
        return report
    if isinstance(wire, Bits):
        return len(report), report.count("1")
    if isinstance(wire, PickedOptions):
        return len(report), len(report) - report.count("-")
    cohort, bits = report.split(":")
    return int(cohort), len(bits)


def test_table_has_a_row_for_each_kind_of_mechanism() -> None:
    assert _WIRE_OF_KIND.keys() == specs.KINDS.keys()
    assert {spec["kind"] for spec in SMALL.values()} == _WIRE_OF_KIND.keys()


@pytest.mark.parametrize("spec", SMALL.values(), ids=SMALL)
def test_wire_allows_what_is_reported_and_nothing_else(spec: dict) -> None:
    wire = wire_of(json.loads(json.dumps(spec)))

    reports = simulated_reports(from_spec(spec), wire)

    stored = np.frombuffer(b"".join(map(wire.encode, reports)), wire.field)
    assert wire.reports(stored) == reports
    assert {kind_of_report(wire, report) for report in reports} == possible_reports(wire)


@pytest.mark.parametrize("spec", REPORTS_BY_SPEC, ids=lambda spec: spec[:60])
def test_wire_stores_every_report_of_the_vectors(spec: str) -> None:
    wire = wire_of(json.loads(spec))

    stored = b"".join(map(wire.encode, REPORTS_BY_SPEC[spec]))

    assert wire.reports(np.frombuffer(stored, wire.field)) == REPORTS_BY_SPEC[spec]


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind is 'toy'; allowed is one of 'matrix'"):
        wire_of({"kind": "toy", "size": 3})
