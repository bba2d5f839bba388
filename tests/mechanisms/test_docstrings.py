"""Every public name says what it is for."""

import importlib
import inspect
import pkgutil

import pytest

import mechanisms

MODULES = [
    importlib.import_module(each.name)
    for each in pkgutil.walk_packages(mechanisms.__path__, f"{mechanisms.__name__}.")
]
FOR_CALLERS = (
    "planning.privacy",
    "planning.central",
    "planning.sizes",
    "planning.channels",
    "planning.recommendation",
)


def public(module):
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if (
            own
            and not name.startswith("_")
            and (inspect.isfunction(value) or inspect.isclass(value))
        ):
            yield name, value


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_module_says_what_it_is(module):
    assert module.__doc__


@pytest.mark.parametrize("name", list(mechanisms.__all__))
def test_the_public_name_says_what_it_is(name):
    assert inspect.getdoc(getattr(mechanisms, name))


@pytest.mark.parametrize("module", [*FOR_CALLERS, "analysis.diagnostics", "analysis.pooling"])
def test_the_modules_for_callers_document_all_they_offer(module):
    missing = [
        name
        for name, value in public(importlib.import_module(f"mechanisms.{module}"))
        if not value.__doc__
    ]
    assert missing == []
