"""Candidates for a written answer, as somebody types them: one on each line, before publishing or later."""

from collections.abc import Iterable

from mechanisms.designs.texts import LONGEST_TEXT, MOST_CANDIDATES, normalize
from surveys.authoring.drafts.text_checks import one_line


def given_candidates(lines: Iterable[str]) -> tuple[str, ...]:
    """The texts, as typed, without empty lines. ValueError counts lines, as their author sees them.

    Two that are the same text to a respondent's device, as in capitals and small letters, are both named.
    """
    lines_by_text: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 1):
        text = one_line(line, name=f"The text on line {number}", limit=10 * LONGEST_TEXT)
        if not text:
            continue
        form = normalize(text)
        if len(form) > LONGEST_TEXT:
            raise ValueError(
                f"The text on line {number} has {len(form):,} characters. At most {LONGEST_TEXT} are allowed."
            )
        if form in lines_by_text:
            line_before, same = lines_by_text[form]
            raise ValueError(
                f"“{same}” on line {line_before} and “{text}” on line {number} are the same answer. Capitals and "
                "spaces don’t count. Remove one of them."
            )
        lines_by_text[form] = number, text
    if len(lines_by_text) > MOST_CANDIDATES:
        raise ValueError(
            f"These are {len(lines_by_text):,} texts. At most {MOST_CANDIDATES:,} are allowed."
        )
    return tuple(text for _, text in lines_by_text.values())
