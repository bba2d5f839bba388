"""The page of questions keeps its promise: a short answer to each, and where to read on."""

import re

import pytest

from tests.docs.code_blocks import DOCS

ANSWERS = re.findall(
    r"^## (.+?)\n\n(.*?)(?=\n## |\Z)", (DOCS / "questions.md").read_text(), re.DOTALL | re.MULTILINE
)


def test_there_are_questions() -> None:
    assert len(ANSWERS) > 15
    assert all(question.endswith("?") for question, _ in ANSWERS)


@pytest.mark.parametrize(("question", "answer"), ANSWERS, ids=[question for question, _ in ANSWERS])
def test_an_answer_has_three_to_six_sentences_and_a_link(question: str, answer: str) -> None:
    assert 3 <= len(re.findall(r"[.?!](?=\s|$)", answer)) <= 6
    assert "](" in answer
