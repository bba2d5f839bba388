"""What the cells of a question with choices stand for: the words of its answers, their values, or other codes.

A code says nothing by itself: SPSS, Stata, SurveyCTO, REDCap and Qualtrics let people number answers as they like, so
the position of an answer in its list does not tell its code. A code means the answer that has it as its value if the
author wrote the values. Default values are only a proposal: these codes and all others are asked for, with the number
of rows that have each, once the whole column has come.
"""

import re
from collections import Counter
from collections.abc import Mapping

from features.response_import.meanings import (
    codes,
    codes_by_value,
    is_coded,
    labels,
    plain,
    stands_for,
    whole,
)
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid

FROM_1 = "codes-from-1"
VALUES = "values"
VALUES_SINCE = 3  # the version of the codebook
OPEN = "open"  # the words of the answers, and codes that have a meaning or still need one
SHOWN = 8  # answers, or codes, in a question to the author
EXTRA_CODES = (
    100  # different codes in a column beyond the number of answers; more are no codes of a list
)
CODE = re.compile("-?[0-9]{1,18}")
YES_NO_CODES = {"0": 0, "1": 1}
WHICH = "Choose what the cells contain: the answers ({0}, {1}, …), or codes, where 0 means {0}, 1 means {1}, and so on."
TOO_MANY = "“{}” has more than {:,} different numbers. Choose the column with the answers to “{}”."

TWO_ANSWERS = "“{}” is the value of one answer and the label of another. Say what the file contains for each answer."

Texts = Mapping[str, int]  # what stands in a column, folded -> in how many rows
Codes = dict[str, int]  # a whole number as it is written -> in how many rows


class OpenCodes(Invalid):
    """Codes that nobody has given a meaning yet. codes: question key -> its codes."""

    def __init__(self, errors: dict[str, str], codes: dict[str, Codes]) -> None:
        super().__init__(errors)
        self.codes = codes


def is_code(text: str) -> bool:
    """Return whether a folded text is a whole number, as codes are."""
    return CODE.fullmatch(plain(text)) is not None


def codes_in(texts: Texts) -> Codes:
    """Return the whole numbers among the texts of a column; 1 and 1.0 are the same."""
    counts: Counter[str] = Counter()
    for text, rows in texts.items():
        if is_code(text):
            counts[plain(text)] += rows
    return dict(counts)


def add_codes(earlier: Codes, later: Codes) -> Codes:
    """Return the codes of two parts of a column together."""
    return dict(Counter(earlier) + Counter(later))


def column_problem(item: QuestionDefinition, name: str, column_codes: Codes) -> str:
    """Return why a column with these codes cannot hold answers from a list, or "" if it can."""
    most = item.size + EXTRA_CODES
    return TOO_MANY.format(name, most, item.text) if len(column_codes) > most else ""


def open_codes(item: QuestionDefinition, column_codes: Codes, meanings: dict[str, int]) -> Codes:
    """Return the codes of a whole column that still need a meaning.

    column_codes: all of them. meanings: what the author said of some of them. If one code needs a meaning, the others
    are no longer taken for words of answers, or for the Yes and No of a yes/no question: a column has one coding. Only
    values that the author wrote keep their meaning.
    """
    if item.values.are_written:
        clear = _clear_values(item)
        return {
            code: rows
            for code, rows in column_codes.items()
            if code not in meanings and code not in clear
        }
    if not meanings:
        clear_words = labels(item).keys() & _clear_values(item)
        are_words = column_codes.keys() <= clear_words
        are_yes_and_no = (
            item.traits.has_yes
            and "0" in column_codes
            and column_codes.keys() <= YES_NO_CODES.keys()
        )
        if are_words or are_yes_and_no:
            return {}
    return {code: rows for code, rows in column_codes.items() if code not in meanings}


def codes_to_show(item: QuestionDefinition, column_codes: Codes, unknown: Codes) -> Codes:
    """Return the codes that are shown where the `unknown` ones need a meaning.

    These are all codes of a column without written values, because it has one coding.
    """
    return unknown if item.values.are_written else column_codes


def _clear_values(item: QuestionDefinition) -> set[str]:
    """Return the values, and the labels, that can mean one answer only."""
    by_value, by_label = _spoken_values(item), labels(item)
    texts = by_value.keys() | by_label.keys()
    return {
        text
        for text in texts
        if by_value.get(text, by_label.get(text)) == by_label.get(text, by_value.get(text))
    }


def _spoken_values(item: QuestionDefinition) -> dict[str, int]:
    """Return what the values stand for, without the default value of “Prefer not to say”."""
    by_value = codes_by_value(item)
    if not item.values.declines:
        return by_value
    decline_code = len(item.values.texts) - 1
    return {text: code for text, code in by_value.items() if code != decline_code}


def value_problem(item: QuestionDefinition, texts: Texts) -> str:
    """Return that a text is the value of one answer and the label of another, or "" if none is.

    Whole numbers are asked for instead: see `open_codes`.

    texts: what stands in a column.
    """
    if not item.values.are_written:
        return ""
    clear = _clear_values(item)
    for text in sorted(texts):
        is_known = text in _spoken_values(item)
        if is_known and text not in clear and not is_code(text):
            return TWO_ANSWERS.format(text)
    return ""


def texts_with_codes(
    item: QuestionDefinition, column_codes: Codes, meanings: dict[str, int]
) -> dict[str, int]:
    """Return what stands for which report in a column of words and codes.

    A code without a meaning gets a placeholder, so that the rows can be read; the import ends only once it has one.
    """
    texts = dict.fromkeys(column_codes, 0)
    if item.values.are_written:
        return texts | labels(item) | _spoken_values(item) | meanings
    if item.traits.has_yes:
        texts |= YES_NO_CODES
    return texts | labels(item) | meanings


def way_of_codebook(item: QuestionDefinition, texts: Texts, version: int) -> str:
    """Return “labels”, “codes”, “values”, or "" where no cell says anything, for a file with a codebook of ours.

    Raises Invalid if the answers are called by numbers, so that the cells of an earlier version do not tell.

    version: of the codebook.
    """
    if version >= VALUES_SINCE:
        return _values_or_labels(item, texts)
    by_label = labels(item)
    numbers = {text for text in texts if (number := whole(text)) is not None and number < item.size}
    answers = {text for text in texts if stands_for(by_label, text) is not None}
    only_codes = sum(texts[text] for text in numbers - answers)
    only_answers = sum(texts[text] for text in answers - numbers)
    if only_answers < only_codes:
        return "codes"
    if not only_answers and any(whole(text) != stands_for(by_label, text) for text in answers):
        raise Invalid({"as": WHICH.format(*item.choices)})
    return "labels" if answers else ""


def _values_or_labels(item: QuestionDefinition, texts: Texts) -> str:
    """Return which of both fits more rows of a column; "" where no cell says anything.

    If both fit equally many, the cells are values, because the codebook says so.
    """
    by_value, by_label = codes_by_value(item), labels(item)
    rows_of_values = sum(
        rows for text, rows in texts.items() if stands_for(by_value, text) is not None
    )
    rows_of_labels = sum(
        rows for text, rows in texts.items() if stands_for(by_label, text) is not None
    )
    if not rows_of_values and not rows_of_labels:
        return ""
    return VALUES if rows_of_values >= rows_of_labels else "labels"


def texts_of(item: QuestionDefinition, way: str, *, by_codebook: bool = False) -> dict[str, int]:
    """Return what stands for which report where codes are positions, or words are the answers.

    A code stands for “Prefer not to say” only where that was scrambled like an answer, or where a codebook has it.
    """
    if way == "labels":
        return labels(item)
    if way == VALUES:
        return labels(item) | codes_by_value(item)
    if way == FROM_1:
        return {str(code + 1): code for code in range(item.size) if code != _unspoken(item)}
    texts = codes(item)
    if way == "codes" and not by_codebook and _unspoken(item) is not None:
        del texts[str(_unspoken(item))]
    return texts if way else {}


def _unspoken(item: QuestionDefinition) -> int | None:
    """Return the code that no bare number stands for, if there is one."""
    return item.decline_code if item.mechanism is None and is_coded(item) else None


def sorted_codes(column_codes: Codes) -> list[str]:
    """Return the codes of a column in the order of their numbers."""
    return sorted(column_codes, key=lambda code: (int(code), code))


def proposed_meanings(item: QuestionDefinition) -> dict[str, str]:
    """Return the code of the answer that has a value, as text, by the value.

    Nothing is proposed for the value of “Prefer not to say”, since many files have −99 for what is missing. Neither is
    anything proposed for the value of one answer that is the label of another.
    """
    clear = _clear_values(item)
    return {text: str(code) for text, code in _spoken_values(item).items() if text in clear}


def question(item: QuestionDefinition, column_codes: Codes) -> str:
    """Return what a program, or a person at the command line, is asked about codes without a meaning."""
    listed = [
        f"“{code}” ({_rows(column_codes[code])})" for code in sorted_codes(column_codes)[:SHOWN]
    ]
    values_of_answers = item.values.texts or tuple(codes(item))
    answers = [
        f"{value} = {answer}"
        for value, answer in zip(values_of_answers[:SHOWN], item.report_labels[:SHOWN], strict=True)
    ]
    return (
        f"Choose what each of these codes means: {', '.join(listed)}{_more(column_codes)}. The answers are "
        f"{', '.join(answers)}{_more(item.report_labels)}. Under “texts”, give each code its answer, counted from 0 in "
        "this order, and under “missing” the codes that mean no answer."
    )


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"


def _more(listed: Codes | tuple[str, ...]) -> str:
    return ", …" if len(listed) > SHOWN else ""
