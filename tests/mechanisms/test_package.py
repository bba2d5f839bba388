"""The package stands by itself."""

import os
import shutil
import sys
from pathlib import Path

import mechanisms
from tests.servers import subprocesses

FOLDER = Path(mechanisms.__file__).parent


def test_it_never_imports_django():
    code = (
        "import sys, pkgutil, importlib, mechanisms\n"
        "for module in pkgutil.walk_packages(mechanisms.__path__, 'mechanisms.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in {'django', 'surveys', 'config'}))"
    )
    result = subprocesses.run([sys.executable, "-c", code])
    assert result.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in mechanisms.__all__:
        assert getattr(mechanisms, name) is not None


def test_a_package_without_its_list_of_names_says_what_is_missing(tmp_path):
    without = shutil.ignore_patterns("__init__.pyi", "__pycache__")
    shutil.copytree(FOLDER, tmp_path / "mechanisms", ignore=without)

    result = import_from(tmp_path, "import mechanisms", code=1)

    assert "ImportError: The file __init__.pyi of mechanisms is missing." in result.stderr


def test_the_package_can_be_imported_from_an_archive(tmp_path):
    archive = shutil.make_archive(str(tmp_path / "library"), "zip", FOLDER.parent, FOLDER.name)

    program = "from mechanisms import Warner; print(Warner.__module__, Warner('3/4').epsilon > 1)"
    result = import_from(Path(archive), program)

    assert result.stdout.split() == ["mechanisms.designs.yes_no", "True"]


def import_from(path, program, code=0):
    """Return the result of a program that finds the package at a path, and ends with a code."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    return subprocesses.run(
        [sys.executable, "-P", "-c", program], code=code, env=environment, cwd=path.parent
    )
