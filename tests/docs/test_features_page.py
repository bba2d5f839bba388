"""The page about features names each of them, and its examples are lines of the features themselves."""

import re

from django.apps import apps
from django.conf import settings
from django.dispatch import Signal

from surveys import extensions, signals
from tests.docs.code_blocks import DOCS
from tests.helpers.source_files import python_files

PAGE = (DOCS / "features.md").read_text()


def test_the_table_names_every_feature_in_order() -> None:
    named = re.findall(r"^\| `(\w+)` \|(.*)\|$", PAGE.partition("## The folder")[0], re.MULTILINE)
    assert sorted(f"features.{name}" for name, _ in named) == sorted(settings.FEATURES)
    for name, text in named:
        required = getattr(apps.get_app_config(name), "requires", ())
        needs = text.partition("Needs ")[2]
        assert re.findall(r"`(\w+)`", needs) == [
            feature.removeprefix("features.") for feature in required
        ]


def test_the_tables_name_every_extension_point_and_signal() -> None:
    points = {
        name
        for name, value in vars(extensions).items()
        if isinstance(value, extensions.ExtensionPoint)
    }
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Extension points")[2], re.MULTILINE)
    assert {*rows} == points
    named = {name for name, value in vars(signals).items() if isinstance(value, Signal)}
    assert len(named) > 3
    assert [name for name in named if f"`{name}`" not in PAGE] == []


def test_examples_are_lines_of_the_features() -> None:
    sources = {
        line.strip().rstrip(",")
        for path in python_files("features")
        for line in path.read_text().splitlines()
    }
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) > 3
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    code = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in code if line not in sources] == []
