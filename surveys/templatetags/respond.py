"""What the respondent's templates need to know of a question. The numbers come from odds and modes."""

import json
from collections import Counter
from datetime import UTC, datetime
from math import cos, pi, sin

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

import mechanisms
from surveys.designs import modes
from surveys.models import Question
from surveys.publishing import odds as numbers
from surveys.publishing.instruments import Item, Paper

register = template.Library()
OPENING = 120  # characters of an introduction that stand on the first screen of a phone


@register.filter
def in_order(item: Item) -> list[tuple[int, str]]:
    """The answers as shown, each with its index. People expect Yes before No, though Yes has index 1."""
    shown = list(enumerate(item.choices))
    if item.kind == Question.Kind.YES_NO:
        shown[:2] = reversed(shown[:2])
    return shown


@register.filter
def reports(item: Item) -> list[tuple[int, str]]:
    """What can be recorded, in the order of in_order. A statement, as Warner's, is True or False, not Yes or No."""
    if modes.is_statement(item.mode, item.mechanism):
        return [(1, pgettext("answer", "True")), (0, pgettext("answer", "False"))]
    return in_order(item)


@register.filter
def odds(item: Item) -> numbers.Odds:
    return numbers.odds(item, first=in_order(item)[0][0])


@register.filter
def explained(items: list[Item]) -> list[Item]:
    """Of questions whose odds read the same, the first one."""
    seen: dict[tuple, Item] = {}
    for item in items:
        own = () if odds(item).shape != "pair" else (tuple(item.choices), reports(item)[0][1], item.mode == "automatic")
        seen.setdefault((odds(item), *own), item)
    return list(seen.values())


@register.filter
def sensitive(paper: Paper) -> list[Item]:
    return [item for item in paper.items if item.mechanism]


@register.filter
def background(paper: Paper) -> list[Item]:
    return [item for item in paper.items if not item.mechanism]


@register.filter
def in_mode(items: list[Item], mode: str) -> list[Item]:
    return [item for item in items if item.mode == mode]


@register.filter
def practice_item(items: list[Item]) -> Item:
    """A harmless item with the chances of the first yes/no question; with two coins where there is none."""
    pairs = [item.mechanism for item in items if item.size == 2 and not item.is_string]
    answers = pgettext("answer", "No"), pgettext("answer", "Yes")
    return Item("practice", Question.Kind.YES_NO, "", "", answers, pairs[0] if pairs else mechanisms.TwoCoin())


@register.filter
def spec(item: Item) -> str:
    """The mechanism as the script reads it."""
    return json.dumps(item.mechanism.spec())


register.filter("often", numbers.often)
register.filter("hint", numbers.hint)
register.filter("is_beyond", numbers.is_beyond)
register.simple_tag(numbers.said, name="said")


@register.filter
def stressed(sentence: str, epsilon: float) -> SafeString:
    """One of the sentences of `said`, its number in bold."""
    before, number, after = sentence.partition(numbers.often(epsilon))
    return format_html("{}<strong>{}</strong>{}", before, number, after)


@register.filter
def opening(introduction: str) -> str:
    """The first line of an introduction, if it is short; the rest is folded."""
    first = introduction.strip().partition("\n")[0].strip()
    return first if len(first) <= OPENING else ""


@register.filter
def after_opening(introduction: str) -> str:
    return introduction.strip().removeprefix(opening(introduction)).strip()


@register.filter
def moment(time: datetime) -> SafeString:
    """A time in UTC, which times.js writes in the zone and the language of the reader."""
    utc = time.astimezone(UTC)
    return format_html('<time datetime="{}">{} UTC</time>', f"{utc:%Y-%m-%dT%H:%MZ}", f"{utc:%Y-%m-%d %H:%M}")


@register.filter
def some_as_it_is(items: list) -> bool:
    """Whether some of these questions are sent as they are."""
    return any(item.epsilon is None for item in items)


@register.filter
def ask_yes_no(items: list[Item]) -> bool:
    return any(item.kind == Question.Kind.YES_NO for item in items)


@register.filter
def any_number(item: Item) -> bool:
    """Whether any number of answers may be chosen, not just one."""
    return item.mechanism is not None and item.mechanism.spec().get("select") == "any"


@register.filter
def count(value: int) -> str:
    """A whole number, grouped as the language of the page does."""
    return number_format(value, use_l10n=True, force_grouping=True)


@register.filter
def people(value: int, about: bool) -> str:
    """A number of people; one that was rounded is called so."""
    return gettext("about %(number)s") % {"number": count(value)} if about else count(value)


@register.filter
def privacy_loss(value: float) -> str:
    """A privacy loss with four digits, never rounded down."""
    return number_format(mechanisms.round_up(value), decimal_pos=4, use_l10n=True)


@register.filter
def squares(number: int) -> str:
    """The path through the first so many icons of a 10x10 array, line by line. Dashes make icons of it."""
    return _rows(0, number)


@register.filter
def dots(number: int) -> str:
    """The path through the other icons."""
    return _rows(number, 100)


def _rows(start: int, end: int) -> str:
    pieces = []
    while start < end:
        row, column = divmod(start, 10)
        last = min(end, 10 * row + 10)
        pieces.append(f"M{10 * column} {10 * row + 5}H{10 * (last - 10 * row)}")
        start = last
    return "".join(pieces)


@register.filter
def sections(item: Item) -> list[dict[str, str | int]]:
    """The parts of a spinner: what each asks for, its weight, its path around the origin, where its number stands."""
    parts, total, before, found = modes.sections(item.mechanism), item.mechanism.spec()["den"], 0, []
    for part in parts:
        (x1, y1), (x2, y2) = _on_circle(before / total, 95), _on_circle((before + part.weight) / total, 95)
        x, y = _on_circle((before + part.weight / 2) / total, 74)
        wide = int(2 * part.weight > total)
        found.append(
            {
                "act": part.act,
                "weight": part.weight,
                "path": f"M0 0L{x1:.2f} {y1:.2f}A95 95 0 {wide} 1 {x2:.2f} {y2:.2f}Z",
                "x": f"{x:.1f}",
                "y": f"{y:.1f}",
            }
        )
        before += part.weight
    return found


def _on_circle(turn: float, radius: float) -> tuple[float, float]:
    """A point, so far round the circle clockwise from the top."""
    return radius * sin(2 * pi * turn), -radius * cos(2 * pi * turn)


@register.filter
def thrown(item: Item) -> list[tuple[modes.Outcome, bool]]:
    """The instructions by hand, each with whether it is decided before the last throw. All throws are made anyway."""
    parts = modes.sections(item.mechanism, by_hand=True)
    return [(line, len(line.throws) < len(modes.throws(parts))) for line in modes.outcomes(parts)]


@register.filter
def devices(item: Item) -> list[tuple[int, int]]:
    """What is needed to answer by hand: sides, and how often."""
    return sorted(Counter(modes.throws(modes.sections(item.mechanism, by_hand=True))).items())
