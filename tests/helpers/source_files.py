"""The source files of the core and of the features, for tests that read source code."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The folders of the Django apps.
CODE = ("surveys", "features")


def python_files(*folders: str, root: Path = ROOT) -> list[Path]:
    """Return the Python files of these folders, without migrations and tests of features.

    folders: paths from the root; the Django apps if none is passed.
    """
    paths = []
    for folder in folders or CODE:
        for path in (root / folder).rglob("*.py"):
            if "migrations" not in path.parts and not is_test(path, root):
                paths.append(path)
    return sorted(paths)


def template_files(root: Path = ROOT) -> list[Path]:
    """Return the templates of the core and of the features."""
    paths = []
    for folder in asset_folders("templates", root):
        paths += folder.rglob("*.html")
    return sorted(paths)


def static_files(suffix: str, root: Path = ROOT) -> list[Path]:
    """Return the static files with a suffix, such as ".js", of the core and of the features."""
    paths = []
    for folder in asset_folders("static", root):
        paths += folder.rglob(f"*{suffix}")
    return sorted(paths)


def is_of_removed_feature(name: str, root: Path = ROOT) -> bool:
    """Return whether a file belongs to a feature that was removed.

    name: the path of the file from the root.
    """
    parts = Path(name).parts
    # The second part is the folder of the feature.
    return parts[0] == "features" and not (root / parts[0] / parts[1]).exists()


def asset_folders(name: str, root: Path = ROOT) -> list[Path]:
    """Return the folders with this name, "templates" or "static", of the core and the features."""
    return [root / name, *sorted((root / "features").glob(f"*/{name}"))]


def asset_name(path: Path, name: str, root: Path = ROOT) -> str:
    """Return the name under which Django finds a template or a static file.

    This is its path in the only folder of templates or static files that contains it.

    name: "templates" or "static".
    """
    folders = [folder for folder in asset_folders(name, root) if path.is_relative_to(folder)]
    return path.relative_to(folders[0]).as_posix()


def all_test_files(root: Path = ROOT) -> Iterator[Path]:
    """Yield the Python files of all tests, of the core first, with those that help tests."""
    for folder in [root / "tests", *sorted((root / "features").glob("*/tests"))]:
        yield from sorted(folder.rglob("*.py"))


def is_test(path: Path, root: Path = ROOT) -> bool:
    """Return whether a file is below the folder of the tests or below that of a feature's tests."""
    parts = path.relative_to(root).parts
    return parts[0] == "tests" or (parts[0] == "features" and "tests" in parts)
