"""The code becomes easier to read and never harder: the figures of each package may only fall.

tests/plain_limits.json has the figures of today, which tests/helpers/plain_code.py measures and explains. `make format`
writes lower ones back. A package that is not listed there has to reach the targets.

    python -m tests.whole_site.test_plain    lowers the limits to the figures of today
"""

import json
import math
from pathlib import Path

import pytest

from tests.helpers.plain_code import MEASURES, figures, measure, packages, target

ROOT = Path(__file__).resolve().parents[2]
LIMITS = ROOT / "tests" / "plain_limits.json"
NOT_LIMITED = {"lines", "comments"}  # more of them is no fault
# A package and a measure that may rise, with the reason: a measure is never a reason for worse code.
EXCEPTIONS: dict[tuple[str, str], str] = {}

Figures = dict[str, dict[str, float]]  # of each package, by measure


def figures_of_today() -> Figures:
    """Return the figures of each package, rounded up to one decimal place."""
    rounded: Figures = {}
    for name, files in packages(ROOT).items():
        measured = figures(measure(files, ROOT))
        rounded[name] = {
            key: math.ceil(10 * value - 1e-9) / 10
            for key, value in measured.items()
            if key not in NOT_LIMITED
        }
    return rounded


def limit_of(limits: Figures, package: str, key: str) -> float:
    """Return the most that a package may have: its stored limit or the target, whichever is larger."""
    goal = target(package, key)
    assert goal is not None
    return max(goal, limits.get(package, {}).get(key, goal))


def lower_limits() -> None:
    """Write the figures of today where they are lower than the limits."""
    today = figures_of_today()
    limits = json.loads(LIMITS.read_text()) if LIMITS.exists() else today
    lowered: Figures = {}
    for package, row in today.items():
        lowered[package] = {}
        for key, value in row.items():
            goal = target(package, key)
            if goal is not None and value > goal:
                lowered[package][key] = min(value, limit_of(limits, package, key))
    LIMITS.write_text(json.dumps(lowered, indent=1) + "\n")


def test_no_package_becomes_harder_to_read() -> None:
    limits = json.loads(LIMITS.read_text())
    worse = []
    for package, row in figures_of_today().items():
        for key, value in row.items():
            limit = limit_of(limits, package, key)
            if value > limit and (package, key) not in EXCEPTIONS:
                worse.append(f"{package}: {key} is {value}, at most {limit} ({MEASURES[key][1]})")
    assert not worse, "\n".join(
        [*worse, "See where: python -m tests.helpers.plain_code --list MEASURE PACKAGE"]
    )


def test_the_limits_name_only_packages_and_measures_that_exist() -> None:
    limits = json.loads(LIMITS.read_text())
    assert {*limits} <= {*packages(ROOT)}
    assert {key for row in limits.values() for key in row} <= {*MEASURES} - NOT_LIMITED
    assert {package for package, _ in EXCEPTIONS} <= {*limits}


@pytest.mark.parametrize(
    ("key", "source"),
    [
        (
            "heavy",
            "x = f(a + b * c, d + e * f, [g + h * i, j + k * l], {m: n + o, p: q + r}, s + t)\n",
        ),
        ("nested_comprehension", "x = [y for z in w for y in z]\n"),
        ("chained_conditional", "x = a if b else c if d else e\n"),
        ("lambda_name", "double = lambda x: 2 * x\n"),
        ("positional", "f(1, 2, 3, 4, 5)\n"),
        ("star_constructor", "Point(*values)\n"),
        ("banned_name", "found = 1\n"),
        ("bare_word", "def told():\n    return 1\n"),
        ("docstring_start", 'def name():\n    """Of a person."""\n'),
        ("docstring_verb", 'def name():\n    """The length of a row."""\n'),
        ("long_line", f"x = '{'x' * 100}'\n"),
    ],
)
def test_each_measure_sees_what_it_counts(key: str, source: str, tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(source)

    measured = measure([file], tmp_path)

    assert len(measured.places[key]) == 1


if __name__ == "__main__":
    lower_limits()
