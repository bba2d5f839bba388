"""The frozen form of a survey: what stands in its canonical JSON, and the same parsed, cached by its hash."""

import json
from dataclasses import dataclass
from functools import lru_cache

from mechanisms import Mechanism, from_spec
from mechanisms.planning.privacy import total_epsilon
from surveys.models import Instrument

KEY_LENGTH = 36  # a UUID as text
HASH_LENGTH = 64


@dataclass(frozen=True)
class Item:
    """One question of an instrument. `mechanism` is None for a background question, which is sent as it is."""

    key: str
    kind: str
    text: str
    help: str
    choices: tuple[str, ...]
    mechanism: Mechanism | None
    mode: str = "automatic"  # who draws: see surveys.designs.modes
    harmless: str = ""  # the harmless question of an unrelated question asked by hand
    statement: str = ""  # what is true of whoever answers Yes, and of whoever answers No: for Warner's design
    opposite: str = ""
    section: str = ""  # the heading of the section that starts with this question
    anchor: float | None = None  # the true share of Yes where it is known; reports are tested against it

    @property
    def size(self) -> int:
        return len(self.choices)

    @property
    def epsilon(self) -> float | None:
        """Privacy loss of this question; None where nothing is randomized."""
        return self.mechanism.epsilon if self.mechanism else None

    @property
    def is_string(self) -> bool:
        """Whether a report is a string of 0 and 1, not an integer."""
        return self.mechanism is not None and self.mechanism.spec()["kind"] != "matrix"

    @property
    def report_length(self) -> int:
        """Characters of the longest report in JSON."""
        return self.size + 2 if self.is_string else len(str(self.size - 1))


@dataclass(frozen=True)
class Paper:
    """A parsed instrument, as respondent, codec and report see it."""

    sha256: str
    survey: str
    title: str
    introduction: str
    contact: str
    language: str
    items: tuple[Item, ...]
    length: int
    content: str
    consent: str = ""
    import_only: bool = False  # responses come from files; a report may prove a truth
    nonresponse: bool = False  # whether a respondent may lack reports, as in files of what was asked elsewhere
    comprehension: bool = False  # whether to ask if the explanation was understood; the answer is never sent
    series: str = ""  # the slug of the first version of this survey
    neutral_title: bool = False  # whether the browser's history names it “Survey” only
    shared_device: bool = False  # whether several people answer on one device, one after the other
    results_after_closing: bool = False  # whether nothing is shown before it closes

    @property
    def optional(self) -> tuple[str, ...]:
        """The keys of the questions that may have no report of somebody; the records of those have a mask."""
        return tuple(item.key for item in self.items) if self.nonresponse else ()

    @property
    def epsilon(self) -> float:
        """Total privacy loss per respondent: the sum over sensitive questions, never below it."""
        return total_epsilon(item.epsilon for item in self.items if item.epsilon is not None)


def body_length(items: tuple[Item, ...]) -> int:
    """Bytes of the longest body a respondent's page can send; every body is padded to it."""
    reports = sum(len(item.key) + 3 + item.report_length for item in items) + max(len(items) - 1, 0)
    return len('{"instrument":"","key":"","reports":{}}') + HASH_LENGTH + KEY_LENGTH + reports


def canonical(content: dict) -> str:
    """One text for one content: sorted, without spaces, ASCII, and safe to stand inside an HTML script element."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@lru_cache(maxsize=256)
def parse(sha256: str, content: str) -> Paper:
    data = json.loads(content)
    items = tuple(_item(question) for question in data["questions"])
    return Paper(
        sha256=sha256,
        survey=data["survey"],
        title=data["title"],
        introduction=data["introduction"],
        contact=data["contact"],
        language=data["language"],
        items=items,
        length=data["length"],
        content=content,
        consent=data.get("consent", ""),
        import_only=data.get("import_only", False),
        nonresponse=data.get("nonresponse", False),
        comprehension=data.get("comprehension", False),
        series=data.get("series", data["survey"]),
        neutral_title=data.get("neutral_title", False),
        shared_device=data.get("shared_device", False),
        results_after_closing=data.get("results_after_closing", False),
    )


def _item(question: dict) -> Item:
    spec = question["mechanism"]
    return Item(
        key=question["key"],
        kind=question["kind"],
        text=question["text"],
        help=question["help"],
        choices=tuple(question["choices"]),
        mechanism=from_spec(spec) if spec else None,
        mode=question.get("mode", "automatic"),  # surveys published before there were modes have none
        harmless=question.get("harmless", ""),
        statement=question.get("statement", ""),
        opposite=question.get("opposite", ""),
        section=question.get("section", ""),
        anchor=question.get("anchor"),
    )


def paper(instrument: Instrument) -> Paper:
    return parse(instrument.sha256, instrument.content)
