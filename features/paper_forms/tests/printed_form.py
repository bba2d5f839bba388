"""A printed sheet as people read it: frames with what to throw and what to do, and the questions after each."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from random import Random

from tests.helpers.html_text import text

F = Fraction
NONE = F(0)
SIDES = {"a coin": 2, "a die": 6, "ten ": 10}
TIMES = {"twice": 2, "three times": 3}
ACTS = (
    (r"Answer truthfully\.", "truth"),
    (r"Answer (Yes|No), whatever is true\.", "forced"),
    (r"Chance answered a harmless question in your place, with (Yes|No): answer \1\.", "forced"),
    (r"True or false\? “My true answer is (Yes|No)\.”", "statement"),
    (r"Answer this question instead: “.+”", "harmless"),
)


@dataclass(frozen=True)
class Frame:
    """lines: the chance of each line of the table, and what to do then. said: the chances of the sentence below, of a
    true Yes and of a true No; about: whether it rounds them. word: of which these are. keys: the questions after it.
    """

    lines: tuple[tuple[Fraction, str, str], ...]
    said: tuple[Fraction, Fraction]
    about: bool
    word: str
    keys: tuple[str, ...]

    def chances(self, truth: bool, harmless: Fraction = NONE) -> Fraction:
        """Of the word, for whoever has this true answer. harmless: how often a harmless question is answered Yes."""
        return sum(
            (chance * self._of(act, about, truth, harmless) for chance, act, about in self.lines),
            F(0),
        )

    def _of(self, act: str, about: str, truth: bool, harmless: Fraction) -> Fraction:
        if act == "harmless":
            return harmless
        is_yes = {"truth": truth, "forced": about == "Yes", "statement": truth == (about == "Yes")}[
            act
        ]
        return F(int(is_yes))

    def ticked(self, truth: bool, chance: Random) -> bool:
        """Whether somebody who does what the table says ticks the first box."""
        (line,) = chance.choices(self.lines, [float(part) for part, *_ in self.lines])
        return self._of(*line[1:], truth, NONE) == 1


def frames(page: str) -> list[Frame]:
    """Of a sheet in English."""
    parts = page.split('<div class="sheet__frame">')[1:]
    return [_frame(part.partition("<h2>")[0]) for part in parts]


def _frame(part: str) -> Frame:
    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td>(.*?)</td>', part, re.DOTALL)
    need = re.search(r"You need: (.+?)\. ", text(part))
    assert need
    sides = _sides(need[1]) if "paper clip" not in need[1] else []
    lines = tuple((_chance(text(out), sides), *_act(text(do))) for out, do in rows)
    said = re.search(
        r"If your true answer is Yes, you tick (\w+) ((?:about )?)(\S+) times in (\S+)\. "
        r"If it is No, you tick \1 (?:about )?(\S+) times in \4\.",
        text(part),
    )
    assert said, text(part)
    word, about, chosen, of, other = said.groups()
    each = [F(int(number.replace(",", "")), int(of.replace(",", ""))) for number in (chosen, other)]
    keys = tuple(re.findall(r'id="sheet-(\w+)" role', part))
    return Frame(lines, (each[0], each[1]), bool(about), word, keys)


def _sides(need: str) -> list[int]:
    """Of what is thrown, one after the other: "a coin (toss it twice), and a die"."""
    sides = []
    for thing in re.split(r", and (?=a coin|a die|ten )", need):
        (name,) = [name for name in SIDES if thing.startswith(name)]
        often = re.search(r"\((?:toss it|roll it|draw) (twice|three times)", thing)
        sides += [SIDES[name]] * (TIMES[often[1]] if often else 1)
    return sides


def _chance(out: str, sides: list[int]) -> Fraction:
    if parts := re.fullmatch(r"\d+ \((\S+) of (\S+) parts\)", out):
        weight, whole = (int(number.replace(",", "")) for number in parts.groups())
        return F(weight, whole)
    faces = [face for face in out.split(", then ") if face != "anything"]
    return prod(
        (F(_faces(face), side) for face, side in zip(faces, sides[: len(faces)], strict=True)),
        start=F(1),
    )


def _faces(face: str) -> int:
    """How many of a die's faces are meant by "2 to 4", "3" or "heads"."""
    first, _, last = face.partition(" to ")
    return int(last) - int(first) + 1 if last else 1


def _act(do: str) -> tuple[str, str]:
    for pattern, act in ACTS:
        if match := re.fullmatch(pattern, do):
            return act, (match.groups() or ("",))[0]
    raise AssertionError(do)
