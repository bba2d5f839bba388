"""One look for all pages: respondents' pages have a stylesheet of their own, but no colours of their own. Of all others
each class has a rule, and each rule a class.
"""

import re
from pathlib import Path

import pytest

from tests.helpers.source_files import (
    asset_folders,
    asset_name,
    python_files,
    static_files,
    template_files,
)
from tests.helpers.stylesheets import colours

SAME = {
    "quiet": "ink-2",
    "wrong": "bad",
}  # respondents' names for colours that are called otherwise elsewhere
OWN = {"pale", "one", "two", "three"}  # parts of respondents' pictures


@pytest.mark.parametrize("dark", [False, True])
def test_respondents_see_the_same_colours(dark: bool) -> None:
    ours, theirs = colours("tokens.css", dark=dark), colours("respondent.css", dark=dark)
    assert len(theirs) > 10
    assert {name: value for name, value in theirs.items() if name not in OWN} == {
        name: ours[SAME.get(name, name)] for name in theirs if name not in OWN
    }


def test_no_colour_stands_outside_the_tokens() -> None:
    """But white behind QR codes, which readers need, and behind logos, which are drawn for paper."""
    found = {
        (path.name, colour)
        for path in static_files(".css")
        if path.name not in ("tokens.css", "respondent.css")
        for colour in re.findall(r"#[0-9a-f]{3,8}\b", path.read_text())
    }
    assert found <= {("workspace.css", "#ffffff"), ("report.css", "#ffffff")}


PICTURE = "picture.css"  # of a question as respondents see it: from their templates, so under their class names


def templates() -> list[Path]:
    """Return the templates of pages that use the stylesheets of the site."""
    return [path for path in template_files() if {"respondent", "admin"}.isdisjoint(path.parts)]


def sheets() -> list[Path]:
    return [path for path in static_files(".css") if path.name != "respondent.css"]


MADE = r"[\w-]+--(?:{%.*?%}[\w-]*)+|{%.*?%}|\S*{{.*?}}\S*"  # with an ending from a value, and what is none


def classes(text: str) -> set[str]:
    """The class names of a template, but those that are put together in it."""
    written = re.findall(r'class="((?:[^"{]|{%.*?%}|{{.*?}})*)"', text)
    return {name for each in written for name in re.sub(MADE, " ", each).split()}


def test_no_name_of_another_design_system_outside_respondents_pages() -> None:
    scripts = [
        path for path in static_files(".js") if asset_name(path, "static").startswith("workspace/")
    ]
    written = [*templates(), *(path for path in sheets() if path.name != PICTURE), *scripts]
    assert not [path.name for path in written if "govuk-" in path.read_text()]


def test_no_style_in_an_attribute() -> None:
    assert not [
        path.name for path in template_files() if re.search(r"\sstyle=[\"']", path.read_text())
    ]


def test_every_class_has_a_rule() -> None:
    ruled = set(re.findall(r"\.([a-zA-Z_][\w-]*)", "".join(path.read_text() for path in sheets())))
    bare = {
        f"{path.name}: {name}" for path in templates() for name in classes(path.read_text()) - ruled
    }
    assert not bare


def test_every_rule_has_a_class() -> None:
    texts = [path for folder in asset_folders("templates") for path in folder.rglob("*.*")]
    places = [*texts, *static_files(".js"), *python_files()]
    written = " ".join(path.read_text() for path in places)
    names = set(re.findall(r"[\w-]+", written))
    made = {
        re.escape(start) for start in re.findall(r"([\w-]+--)\$?{", written)
    }  # with an ending from a value
    ruled = {
        name
        for path in sheets()
        for name in re.findall(
            r"\.([a-zA-Z_][\w-]*)", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        )
    }
    assert not {name for name in ruled - names if not re.match("|".join(made) or "$", name)}
