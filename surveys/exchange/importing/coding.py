"""Whether the cells of a question hold its answers or codes of them, and whether these count from 0 or from 1.

pandas counts from 0; SPSS, Stata and R count from 1. A wrong guess gives everybody the answer beside their own, so only
a 0 among the codes tells which it is. Without one the author is asked, once the whole column has come.
"""

from collections.abc import Iterable

from surveys.definition.instrument import FrozenQuestion
from surveys.exchange.importing.meanings import codes, is_coded, labels, stands_for, whole
from surveys.site.errors import Invalid

FROM_1 = "codes-from-1"
OPEN = "open"  # codes, of which none was 0 so far
SHOWN = 4  # answers, or codes, in a question to the author
WHICH = "Choose what the cells contain: the answers ({0}, {1}, …), or codes, where 0 means {0}, 1 means {1}, and so on."

Cells = tuple[int, int]  # how many there are, and the row of the first
Texts = dict[str, Cells]  # what stands in a column, folded
Codes = dict[int, Cells]


def way(item: FrozenQuestion, texts: Texts, earlier: Codes, version: int) -> str:
    """“labels”, “codes”, OPEN, or "" where no cell says anything. Numbers are the value.

    earlier: codes that came in the parts before. version: of the codebook, whose codes count from 0, if there is one;
    raises Invalid where answers are called by numbers, so that it does not tell.
    """
    if not is_coded(item):
        return "codes" if item.has_own_numbers or version == 1 else "labels"
    numbers, by_label = codes_in(item, texts), labels(item)
    answers = {text: n for text, (n, _) in texts.items() if stands_for(by_label, text) is not None}
    only_codes = sum(n for text, (n, _) in texts.items() if whole(text) in numbers and text not in answers)
    only_answers = sum(n for text, n in answers.items() if whole(text) not in numbers)
    if not earlier and only_answers >= only_codes:
        if version and not only_answers and any(whole(text) != stands_for(by_label, text) for text in answers):
            raise Invalid({"as": WHICH.format(*item.choices)})
        return "labels" if answers else ""
    return "codes" if version or 0 in numbers else OPEN


def codes_in(item: FrozenQuestion, texts: Texts) -> Codes:
    """The texts that are a code of this question, from wherever codes count."""
    numbers = ((whole(text), cells) for text, cells in texts.items())
    return together((number, cells) for number, cells in numbers if number is not None and number <= own(item))


def together(each: Iterable[tuple[int, Cells]]) -> Codes:
    """The same code may come as 1 and as 1.0, and in several parts."""
    sums: Codes = {}
    for code, (n, row) in each:
        before, first = sums.get(code, (0, row))
        sums[code] = before + n, min(first, row)
    return sums


def texts_of(item: FrozenQuestion, how: str, *, by_codebook: bool = False) -> dict[str, int]:
    """What stands for which report. A code stands for “Prefer not to say” only where that was scrambled like an answer,
    or where a codebook of ours has it.
    """
    if how == "labels":
        return labels(item)
    if how == OPEN:  # the record holds what from 0 means; from 1 is never taken without a word
        return {str(code): code if code < item.size else 0 for code in range(1, own(item) + 1)}
    if how == FROM_1:
        return {str(code + 1): code for code in range(item.size) if code != _unspoken(item)}
    texts = codes(item)
    if how == "codes" and not by_codebook and _unspoken(item) is not None:
        del texts[str(_unspoken(item))]
    return texts if how else {}


def own(item: FrozenQuestion) -> int:
    """How many answers the author wrote."""
    return item.size - item.aside


def _unspoken(item: FrozenQuestion) -> int | None:
    """The code that no bare number stands for."""
    return item.declined if item.mechanism is None and is_coded(item) else None


def question(item: FrozenQuestion, column: Codes) -> str:
    """What is asked of a column of codes of which none is 0."""
    listed = sorted(column.items())
    cells = ", ".join(f"{code} ({n:,} time{'' if n == 1 else 's'})" for code, (n, _) in listed[:SHOWN])
    return (
        f"Do these codes count from 0 ({_counted(item, 0)}) or from 1 ({_counted(item, 1)})? "
        f"The column has {cells}{', …' if len(listed) > SHOWN else ''}."
    )


def _counted(item: FrozenQuestion, first: int) -> str:
    answers = item.choices[: own(item)]
    listed = ", ".join(f"{code} = {answer}" for code, answer in enumerate(answers[:SHOWN], first))
    return listed + (", …" if len(answers) > SHOWN else "")
