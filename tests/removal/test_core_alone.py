"""The core does the main job without any feature, from the login to the CSV file."""

import re

import pytest

from tests.fixtures import CORE
from tests.removal.reduced_tree import NAMES, ReducedTree, with_dependents

# What needs no feature, but walks through everything, or is about the program's own files.
NOT_OF_THE_CORE = ("tests/whole_site", "tests/removal", "tests/docs")


@pytest.fixture(scope="module")
def core_alone(tmp_path_factory: pytest.TempPathFactory) -> ReducedTree:
    """A copy of the program from which all features are removed."""
    return ReducedTree(tmp_path_factory.mktemp("core"), *NAMES)


def passed(output: str) -> int:
    """Return how many tests the last line of pytest counts as passed."""
    return int(re.findall(r"(\d+) passed", output)[-1])


def test_the_core_passes_its_tests_without_any_feature(core_alone: ReducedTree) -> None:
    files = [f"tests/{name}" for name in sorted(CORE)]
    run = core_alone.test("-m", "core and not long", *files)
    assert passed(run.stdout) > 250


def test_a_browser_goes_from_the_login_to_the_csv_file_without_any_feature(
    core_alone: ReducedTree,
) -> None:
    run = core_alone.test("tests/browser/test_whole_way.py")
    assert passed(run.stdout) == 2


@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, "all"])
def test_all_quick_tests_of_the_core_pass_without_a_feature(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    removed = NAMES if name == "all" else with_dependents(name)
    tree = ReducedTree(tmp_path_factory.mktemp(name), *removed)
    ignored = [f"--ignore={folder}" for folder in NOT_OF_THE_CORE]
    run = tree.test("--quick", *ignored, "tests")
    assert passed(run.stdout) > 3_000
