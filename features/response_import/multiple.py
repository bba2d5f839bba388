"""Multiple choice in files: a column for each answer, or one cell for all answers of a person.

Programs name the column of an answer after its question and the answer, each in its own spelling. In one cell they
separate the answers by a comma, a semicolon or a vertical bar, which may be part of an answer too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from features.response_import.meanings import clipped, folded
from surveys.definition.instrument import QuestionDefinition
from surveys.export.text import MARKS
from surveys.site.errors import Invalid

# How the column of an answer is named: Kobo, SurveyCTO and LimeSurvey, Google Forms, SurveyMonkey, REDCap, Qualtrics.
MARKED_SPELLINGS = (
    *("{}: {}", "{}/{}", "{}[{}]", "{} [{}]", "{}.{}", "{}___{}"),
    "{} (choice={})",
)
# These can be the variable names of other questions too.
PLAIN_SPELLINGS = ("{}_{}", "{} {}")
SPELLINGS = (*MARKED_SPELLINGS, *PLAIN_SPELLINGS)

# What a marked answer is called in columns in which all others are empty.
CROSSED = (
    "x",
    "×",
    "✗",
    "✘",
    "✓",
    "✔",
    "☒",
    "☑",
    "1",
    "true",
    "yes",
    "y",
    "checked",
    "selected",
    "marked",
)

# What stands between the answers in one cell. A space separates values only, which have none inside.
SPACE = " "
CELL_SEPARATORS = (",", ";", "|", SPACE)
# So many answers and parts of a cell are compared; a longer cell is no list of answers.
MOST_PARTS = 200
MOST_STEPS = 20_000

TWO_READINGS = "“{}” can be one answer or two. Export one column for each answer."
MARKS_OR_ANSWER = "“{}” can be an answer or a string of marks. Export one column for each answer."


@dataclass(frozen=True)
class AnswerColumns:
    """The columns of a question in which several answers can be chosen.

    names: the name of the column of each answer, in the order of the answers.
    is_numbered: they are named after the places of the answers, and not after the answers.
    """

    names: tuple[str, ...]
    is_numbered: bool = False


def answer_columns(
    item: QuestionDefinition, name_by_folded: dict[str, str]
) -> AnswerColumns | None:
    """Return the columns of a question with a column for each answer, or None if there are none.

    A spelling counts only if it covers every answer.

    name_by_folded: the names of all columns, by the name as texts are compared.
    """
    places = range(1, item.size + 1)
    for question in (item.key, item.text):
        for spelling in SPELLINGS:
            for endings in (item.choices, written_values(item), places):
                names = _spelled_names(name_by_folded, spelling, question, endings)
                if names:
                    return AnswerColumns(names, is_numbered=endings is places)
    return None


def written_values(item: QuestionDefinition) -> tuple[str, ...]:
    """Return the values that the author wrote for the answers, or nothing."""
    return item.values.texts[: item.size] if item.values.are_written else ()


def own_texts(item: QuestionDefinition, place: int) -> set[str]:
    """Return what an answer is called in files: its label, and its value if the author wrote one."""
    texts = {str(item.choices[place]), *written_values(item)[place : place + 1]}
    return set(map(folded, texts))


def _spelled_names(
    name_by_folded: dict[str, str], spelling: str, question: str, endings: Iterable[object]
) -> tuple[str, ...]:
    """Return the names of the columns in one spelling, or nothing if one of them does not exist."""
    names: list[str] = []
    for ending in endings:
        name = name_by_folded.get(folded(spelling.format(question, ending)))
        if name is None:
            return ()
        names.append(name)
    return tuple(names)


def holds_own_answers(item: QuestionDefinition, texts_by_choice: list[set[str]]) -> bool:
    """Return whether each column holds its answer and nothing else, so that the cells prove the match.

    texts_by_choice: the different texts in the column of each answer, without those that mean no answer.
    """
    filled = [texts - {""} for texts in texts_by_choice]
    for place, texts in enumerate(filled):
        if not texts <= own_texts(item, place):
            return False
    return any(filled)


def are_crosses(item: QuestionDefinition, texts_by_choice: list[set[str]]) -> bool:
    """Return whether columns hold crosses, or the answers themselves, against empty cells.

    Columns of 1 and 0, of true and false, or of checked and unchecked hold none: there an empty cell is no report.
    Neither do columns of 1, true or yes alone, since these words leave open what an empty cell means.

    texts_by_choice: the different texts in the column of each answer, without those that mean no answer.
    """
    present: set[str] = set()
    for place, texts in enumerate(texts_by_choice):
        if not texts <= {"", *CROSSED, *own_texts(item, place)}:
            return False
        present |= texts
    return bool(present - {"", "1", "true", "yes", "y"})


def cross_texts() -> dict[str, int]:
    """Return what stands for a mark, 1, and for none, 0, in columns of crosses."""
    return dict.fromkeys(CROSSED, 1) | {"": 0}


def is_mark_string(text: str, size: int) -> bool:
    """Return whether a folded text is a string of marks, such as 0110 or m0110."""
    marks = text.removeprefix(MARKS)
    return len(marks) == size and not marks.strip("01-")


def holds_mark_strings(item: QuestionDefinition, texts: Iterable[str]) -> bool:
    """Return whether a column holds strings of marks.

    Raises Invalid if such a string is also an answer, as the value 10 of one of two answers is.

    texts: the different texts in the column, folded.
    """
    strings = [text for text in texts if is_mark_string(text, item.size)]
    answers = set(map(folded, (*map(str, item.choices), *written_values(item))))
    for text in strings:
        if text in answers:
            raise Invalid({"column": MARKS_OR_ANSWER.format(clipped(text))})
    return bool(strings)


class Answers:
    """The answers of a question as they are found in a cell that lists several of them."""

    def __init__(self, item: QuestionDefinition) -> None:
        self._choices = [str(choice) for choice in item.choices]
        self._code_by_label = {folded(choice): code for code, choice in enumerate(self._choices)}
        values = written_values(item)
        self._code_by_value = {folded(value): code for code, value in enumerate(values)}
        self._code_by_answer = self._code_by_value | self._code_by_label
        # A text that is the value of one answer and the label of another could be either, so it is none.
        for text, code in self._code_by_value.items():
            if self._code_by_label.get(text, code) != code:
                del self._code_by_answer[text]

    def as_written(self, text: str) -> str:
        """Return a folded text as the author wrote it, if it is an answer."""
        code = self._code_by_label.get(text)
        return text if code is None else self._choices[code]

    def readings(self, text: str, separator: str) -> set[frozenset[int]]:
        """Return the different sets of answers that a cell can mean, as their codes; at most two.

        The cell is cut at every separator, and one or several parts that follow each other are an answer. All answers
        of a cell are different.

        text: the folded text of the cell, which is not empty.
        """
        self._codes = self._code_by_value if separator == SPACE else self._code_by_answer
        parts = text.split(separator)
        if len(parts) > MOST_PARTS:
            return set()
        self._parts, self._separator, self._steps = parts, separator, 0
        self._readings: set[frozenset[int]] = set()
        self._extend(0, ())
        return self._readings

    def _extend(self, start: int, codes: tuple[int, ...]) -> None:
        """Note the sets of answers that the parts from `start` on can mean, after the answers with these codes."""
        if start == len(self._parts):
            self._readings.add(frozenset(codes))
            return
        for end in range(start + 1, len(self._parts) + 1):
            self._steps += 1
            if len(self._readings) > 1 or self._steps > MOST_STEPS:
                return
            answer = folded(self._separator.join(self._parts[start:end]))
            code = self._codes.get(answer)
            if code is not None and code not in codes:
                self._extend(end, (*codes, code))


def cell_separator(
    item: QuestionDefinition, texts: Iterable[str], is_missing: Callable[[str], bool]
) -> str:
    """Return what separates the answers in the cells of a column, or "" if the cells do not list answers.

    Raises Invalid if a cell can be read in two ways.

    texts: the different texts in the column, folded.
    is_missing: returns whether a text means no answer.
    """
    answers = Answers(item)
    present = [text for text in texts if not is_missing(text)]
    usable = []
    for separator in CELL_SEPARATORS:
        if all(answers.readings(text, separator) for text in present):
            usable.append(separator)
    if not present or not usable:
        return ""
    for text in present:
        readings: set[frozenset[int]] = set()
        for separator in usable:
            readings |= answers.readings(text, separator)
        if len(readings) > 1:
            raise Invalid({"column": TWO_READINGS.format(clipped(answers.as_written(text)))})
    # If no cell lists several answers yet, the most usual separator is as good as any.
    for separator in usable:
        if any(separator in text for text in present):
            return separator
    return usable[0]
