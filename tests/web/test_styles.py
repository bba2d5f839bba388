"""One look for all pages: respondents' pages have a stylesheet of their own, but no colours of their own."""

import re

import pytest
from django.conf import settings

CSS = settings.BASE_DIR / "static" / "css"
SAME = {"quiet": "ink-2", "wrong": "bad"}  # respondents' names for colours that are called otherwise elsewhere
OWN = {"pale", "one", "two", "three"}  # parts of respondents' pictures


def colours(name: str, *, dark: bool) -> dict[str, str]:
    text = (CSS / name).read_text()
    light, _, after = text.partition("prefers-color-scheme: dark")
    return dict(re.findall(r"--([\w-]+): (#\w+);", after.partition("\n}\n")[0] if dark else light))


@pytest.mark.parametrize("dark", [False, True])
def test_respondents_see_the_same_colours(dark: bool) -> None:
    ours, theirs = colours("tokens.css", dark=dark), colours("respondent.css", dark=dark)
    assert len(theirs) > 10
    assert {name: value for name, value in theirs.items() if name not in OWN} == {
        name: ours[SAME.get(name, name)] for name in theirs if name not in OWN
    }


def test_no_colour_stands_outside_the_tokens() -> None:
    """But white behind QR codes, which readers need, and behind logos, which are drawn for paper."""
    sheets = [*CSS.glob("*.css"), *(settings.BASE_DIR / "static" / "workspace").glob("*.css")]
    found = {
        (path.name, colour)
        for path in sheets
        if path.name not in ("tokens.css", "respondent.css")
        for colour in re.findall(r"#[0-9a-f]{3,8}\b", path.read_text())
    }
    assert found <= {("workspace.css", "#ffffff"), ("report.css", "#ffffff")}
