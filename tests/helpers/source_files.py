"""The source files of the product, in the core and in the features, for tests that read source code."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = ("surveys", "features")  # the Django apps


def python_files(*folders: str, root: Path = ROOT) -> list[Path]:
    """Return the Python files of these folders, or of the Django apps, without migrations and tests of features."""
    return sorted(
        path
        for folder in folders or CODE
        for path in (root / folder).rglob("*.py")
        if "migrations" not in path.parts and not is_test(path, root)
    )


def template_files(root: Path = ROOT) -> list[Path]:
    """Return the templates of the core and of the features."""
    return sorted(
        path for folder in asset_folders("templates", root) for path in folder.rglob("*.html")
    )


def static_files(suffix: str, root: Path = ROOT) -> list[Path]:
    """Return the static files with a suffix, such as ".js", of the core and of the features."""
    return sorted(
        path for folder in asset_folders("static", root) for path in folder.rglob(f"*{suffix}")
    )


def is_of_removed_feature(name: str, root: Path = ROOT) -> bool:
    """Return whether a file belongs to a feature that was removed. name: its path from the root."""
    parts = Path(name).parts
    return parts[0] == "features" and not (root / parts[0] / parts[1]).exists()


def asset_folders(name: str, root: Path = ROOT) -> list[Path]:
    """Return the folders "templates" or "static" of the core and of each feature."""
    return [root / name, *sorted((root / "features").glob(f"*/{name}"))]


def asset_name(path: Path, name: str, root: Path = ROOT) -> str:
    """Return the name under which Django finds a template or a static file."""
    folders = [folder for folder in asset_folders(name, root) if path.is_relative_to(folder)]
    return path.relative_to(folders[0]).as_posix()


def all_test_files(root: Path = ROOT) -> Iterator[Path]:
    """Yield the Python files of all tests."""
    for folder in [root / "tests", *sorted((root / "features").glob("*/tests"))]:
        yield from sorted(folder.rglob("*.py"))


def is_test(path: Path, root: Path = ROOT) -> bool:
    parts = path.relative_to(root).parts
    return parts[0] == "tests" or (parts[0] == "features" and "tests" in parts)
