"""Each feature can be removed: the rest passes Django's checks, and no module, page or link of it is missing.

tests/removal/examination.py runs in a copy of the program, without the feature and those that need it.
"""

from pathlib import Path

import pytest

from tests.removal.reduced_tree import NAMES, ReducedTree, with_dependents

EXAMINATION = ("-m", "tests.removal.examination")
# What a feature may leave behind: a file of the core and what it says then, and what the examination says of that.
LEFTOVERS = {
    "surveys/left_import.py": (
        "from features.trend import trend",
        "surveys.left_import cannot be imported",
    ),
    "surveys/models/left_model.py": (
        "from django.db import models\n\n\nclass Left(models.Model):\n    class Meta:\n        app_label = 'surveys'\n",
        "manage.py makemigrations --check --dry-run",
    ),
    "surveys/left_url.py": (
        "link = lambda: reverse('workspace:compare-earlier')",
        "name workspace:compare-earlier",
    ),
    "surveys/left_redirect.py": ("go = lambda: redirect('left-over', pk=1)", "URL name left-over"),
    "surveys/left_step.py": (
        "from surveys.extensions import Step\n\nSTEP = Step('Compare', 'Why', 'Compare', 'compare-later')\n",
        "URL name workspace:compare-later",
    ),
    "surveys/left_template.py": (
        "TEMPLATE = 'trend/earlier.html'",
        "no template trend/earlier.html",
    ),
    "templates/left/url.html": (
        "{% if x %}{% url 'left-page' slug %}{% endif %}",
        "URL name left-page",
    ),
    "templates/left/static.html": (
        "{% load static %}{% static 'trend/left.css' %}",
        "static file trend/left.css",
    ),
    "templates/left/include.html": (
        "{% for x in y %}{% include 'trend/a.html' %}{% endfor %}",
        "template trend/a.html",
    ),
    "templates/left/extends.html": (
        "{% extends 'trend/base.html' %}",
        "no template trend/base.html",
    ),
    "templates/left/tags.html": ("{% load trend_tags %}", "trend_tags"),
}
ALLOWED = "{% url 'left-page' as left %}{% if left %}{{ left }}{% endif %}{% url name %}{% include name %}"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_removed_feature_is_left(name: str, tmp_path: Path) -> None:
    tree = ReducedTree(tmp_path, *with_dependents(name))
    tree.run(*EXAMINATION)


def test_nothing_is_left_if_all_features_are_removed(tmp_path: Path) -> None:
    ReducedTree(tmp_path, *NAMES).run(*EXAMINATION)


def test_features_that_need_a_removed_one_are_removed_too() -> None:
    assert with_dependents("trend") == ["trend"]
    assert with_dependents("regression") == ["regression", "simulation", "demo"]


def test_whatever_is_left_is_noticed(tmp_path: Path) -> None:
    tree = ReducedTree(tmp_path, "trend")
    for name, (text, _) in LEFTOVERS.items():
        tree.write(name, text)
    tree.write("templates/left/allowed.html", ALLOWED)
    tree.put(
        "surveys/models/__init__.py",
        before="from surveys.models.accounts",
        text="from . import left_model\n",
    )
    output = tree.run(*EXAMINATION, code=1).stdout
    assert [sentence for _, sentence in LEFTOVERS.values() if sentence not in output] == []
    assert "allowed.html" not in output
