"""Questions of surveys into which tests import files."""

from mechanisms import UnaryEncoding, Warner
from surveys.definition.instrument import QuestionDefinition


def yes_no(key: str, text: str = "Did you?") -> QuestionDefinition:
    """Return a sensitive question with Yes and No."""
    return QuestionDefinition(key, "yes-no", text, "", ("No", "Yes"), Warner("3/4"))


def background_question(key: str, text: str, *choices: str) -> QuestionDefinition:
    """Return a background question with these answers."""
    return QuestionDefinition(key, "background", text, "", choices, None)


def multiple(key: str, text: str, *choices: str) -> QuestionDefinition:
    """Return a sensitive question in which several answers can be chosen."""
    mechanism = UnaryEncoding(len(choices), "3/4", "1/4")
    return QuestionDefinition(key, "choice", text, "", choices, mechanism)


def number(key: str, least: int, largest: int) -> QuestionDefinition:
    """Return a background question that asks for a whole number."""
    choices = tuple(map(str, range(least, largest + 1)))
    return QuestionDefinition(key, "number", "How many?", "", choices, None)
