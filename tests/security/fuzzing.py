"""Making odd things out of proper ones: values, bodies, forms, workbooks, requests. Everything comes from one seed."""

import copy
import io
import json
import random
import string
import zipfile
from html.parser import HTMLParser
from typing import Any

ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        10**30,
        0.5,
        1e308,
        "",
        "0",
        "01001",
        "1" * 5,
        "\x00",
        "\ud800",
        "０１００１",
    ),
    *("a" * 5000, [], {}, [[]], {"tax": 1}, [1, 2], {"": {}}, ["01001"]),
]
WORDS = [
    *(
        "0",
        "-1",
        "1e9",
        "nan",
        "\x00",
        "💥",
        "<b>",
        "wilson",
        "yes-no",
        "choice",
        "two-coin",
        "3/4",
        "1e999999999",
    ),
    *(
        "2026-13-45",
        "2026-11-30T18:00",
        "a" * 600,
        "\u202e",
        "=1+1",
        "۳",
        "",
        " ",
        "direct",
        "5",
        "on",
        "csv",
        "json",
    ),
    *("tax", "fruit", "region", "0.9", "1,2", "-created", "open"),
]
RAW = [
    *(
        b"\x00",
        b"\xff",
        b"{",
        b"}",
        b"[",
        b'"',
        b"\\u0000",
        b"\\ud800",
        b"1e999",
        b"NaN",
        b",",
        b" " * 50,
    ),
    *("é".encode(), b'"tax":1', b"[" * 3000),
]


def value(rng: random.Random) -> Any:
    text = "".join(rng.choices(string.printable, k=rng.randrange(20)))
    return rng.choice(
        [copy.deepcopy(rng.choice(ODD)), text, rng.randrange(-3, 9), rng.choice(WORDS)]
    )


def garble(text: bytes, rng: random.Random) -> bytes:
    """Bytes put in, taken out or repeated."""
    for _ in range(rng.randrange(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randrange(8))
        text = text[:start] + rng.choice([b"", rng.choice(RAW), text[start:end] * 2]) + text[end:]
    return text


def _places(content: Any) -> list[Any]:
    """Every object and list in it, itself included."""
    parts = (
        content.values()
        if isinstance(content, dict)
        else content
        if isinstance(content, list)
        else ()
    )
    own = [content] if isinstance(content, dict | list) else []
    return own + [place for part in parts for place in _places(part)]


def change(content: Any, rng: random.Random) -> Any:
    """A copy in which, here or further inside, none to three things are changed, taken away, renamed or added."""
    content = copy.deepcopy(content)
    for _ in range(rng.randrange(4)):
        places = _places(content)
        if not places:
            return value(rng)
        place, deed = rng.choice(places), rng.randrange(4)
        names: list[Any] = list(place) if isinstance(place, dict) else list(range(len(place)))
        if deed == 0 and names:
            place.pop(rng.choice(names))
        elif isinstance(place, list):
            place.insert(rng.randrange(len(place) + 1), value(rng))
        elif deed == 1:
            place[str(value(rng))] = place.get(rng.choice([*names, "more"]))
        else:
            place[rng.choice([*names, "more"])] = value(rng)
    return content


def as_json(content: Any, rng: random.Random) -> bytes:
    text = json.dumps(content).encode()
    return garble(text, rng) if rng.random() < 0.15 else text


def workbook(book: bytes, rng: random.Random) -> bytes:
    """A workbook with one of its parts garbled, or the whole file."""
    if rng.random() < 0.5:
        return garble(book, rng)
    found, made = zipfile.ZipFile(io.BytesIO(book)), io.BytesIO()
    unlucky = rng.choice(found.namelist())
    with zipfile.ZipFile(made, "w") as target:
        for name in found.namelist():
            part = found.read(name)
            target.writestr(name, garble(part, rng) if name == unlucky else part)
    return made.getvalue()


class _Fields(HTMLParser):
    """What a browser would send of the forms on a page if nobody typed anything."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: text or "" for name, text in attrs}
        name = found.get("name", "")
        if tag in ("input", "button") and name:
            self.fields.setdefault(name, []).append(found.get("value", "on"))
        elif tag in ("textarea", "select") and name:
            self.fields.setdefault(name, [""])
            self.inside = name
        elif tag == "option" and self.inside:
            self.fields[self.inside].append(found.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.fields[self.inside].append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        if tag in ("textarea", "select"):
            self.inside = ""


def fields(page: str) -> dict[str, list[str]]:
    """name -> values that the page offers for it."""
    parser = _Fields()
    parser.feed(page)
    return parser.fields


def filled(offered: dict[str, list[str]], rng: random.Random) -> dict[str, str]:
    """A form as somebody could send it: mostly what is offered, some words of our own, some fields left out."""
    typed = {name: rng.choice(values) for name, values in offered.items() if rng.random() < 0.9}
    for name in rng.sample([*offered, "more"], k=min(len(offered) + 1, rng.randrange(4))):
        typed[name] = rng.choice(WORDS)
    return typed
