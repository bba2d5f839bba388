"""Candidates for a written answer, as somebody types them: one on each line, before publishing or later."""

from collections.abc import Iterable

from mechanisms.designs.texts import LONGEST, MOST_CANDIDATES, normalised
from surveys.authoring.drafts.text_checks import one_line


def given_candidates(lines: Iterable[str]) -> tuple[str, ...]:
    """The texts, as typed, without empty lines. ValueError counts lines, as their author sees them.

    Two that are the same text to a respondent's device, as in capitals and small letters, are both named.
    """
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        text = one_line(line, name=f"The candidate on line {number}", limit=10 * LONGEST)
        if not text:
            continue
        form = normalised(text)
        if len(form) > LONGEST:
            raise ValueError(
                f"The candidate on line {number} has {len(form):,} characters; at most {LONGEST} are allowed."
            )
        if form in found:
            line_before, same = found[form]
            raise ValueError(
                f"“{same}” on line {line_before} and “{text}” on line {number} are the same answer: capitals and "
                "spaces do not count. Remove one of them."
            )
        found[form] = number, text
    if len(found) > MOST_CANDIDATES:
        raise ValueError(f"These are {len(found):,} candidates; at most {MOST_CANDIDATES:,} are allowed.")
    return tuple(text for _, text in found.values())
