"""Conditions as authors, files and programs write them: checked, kept true through changes, and what changes break."""

from typing import Any

from surveys.definition.drafted import load_questions
from surveys.definition.routing import conditions
from surveys.definition.routing.conditions import Among
from surveys.definition.routing.filters import build_branching, iter_condition_problems
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

MOST = 20  # parts of one condition
DEEPEST = 4  # all and any inside one another
FORM = (
    'Write a condition as {"of": "age", "from": 18, "to": 25}, {"of": "sex", "in": ["Female"]}, {"all": [...]} or '
    '{"any": [...]}.'
)
LARGEST = 10**9
WORDS = tuple(conditions.WORD_BY_EVERY.values())
Data = dict[str, Any]


def validate_condition(data: Any) -> Data | None:
    """Return a condition as it is stored, or None. Raises ValueError."""
    if data in (None, "", {}):
        return None
    condition = _part(data, DEEPEST)
    if len(list(conditions.iter_leaves(conditions.parse(condition)))) > MOST:
        raise ValueError(f"Use at most {MOST} parts in a condition.")
    return condition


def _part(data: Any, deeper: int) -> Data:
    if not isinstance(data, dict):
        raise ValueError(FORM)
    word = next((word for word in WORDS if word in data), "")
    if not word:
        return _leaf(data)
    parts = data[word]
    if len(data) != 1 or not isinstance(parts, list) or not 1 <= len(parts) <= MOST:
        raise ValueError(FORM)
    if not deeper:
        raise ValueError(f"Nest “all” and “any” at most {DEEPEST} deep in a condition.")
    joined = [_part(part, deeper - 1) for part in parts]
    return {word: joined} if len(joined) > 1 else joined[0]


def _leaf(data: Data) -> Data:
    of = data.get("of")
    if not (isinstance(of, str) and 0 < len(of) <= 32):
        raise ValueError(FORM)
    if data.keys() == {"of", "in"} and isinstance(data["in"], list) and data["in"]:
        labels = list(dict.fromkeys(label for label in data["in"] if isinstance(label, str)))
        if len(labels) == len(data["in"]) and all(
            "\0" not in label and len(label) <= 200 for label in [of, *labels]
        ):
            return {"of": of, "in": labels}
    if data.keys() == {"of", "from", "to"}:
        ends = data["from"], data["to"]
        if all(type(end) is int and abs(end) <= LARGEST for end in ends) and ends[0] <= ends[1]:
            return {"of": of, "from": ends[0], "to": ends[1]}
    raise ValueError(FORM)


def require_fit(survey: Survey, question: Question) -> None:
    """Raises Invalid at "when" where a question's condition is about nothing that is asked before it."""
    said = [said for _, each, said in _problems(survey) if each.pk == question.pk]
    if said:
        raise Invalid({"when": " ".join(said)})


def require_fits(survey: Survey) -> None:
    """Raises Invalid at "questions.0.when" and so on, for all questions."""
    if wrong := {f"questions.{number - 1}.when": said for number, _, said in _problems(survey)}:
        raise Invalid(wrong)


def condition_problems(survey: Survey) -> dict[tuple[str, str], str]:
    """Return what is wrong with the conditions of a survey."""
    return {
        (question.key, said): f"Question {number} (“{question.text}”), condition: {said}"
        for number, question, said in _problems(survey)
    }


def depending(survey: Survey, key: str) -> list[Question]:
    """The questions whose condition names this one."""
    return build_branching(load_questions(survey)).questions_below(key)


def update_conditions(survey: Survey, question: Question, key: str, labels: list[str]) -> None:
    """Update the conditions that name a question whose key or answers changed.

    key, labels: what they were. An answer is the same under another label where one label alone took its place.
    """
    now = [choice.label for choice in question.choices.all()]
    names = _new_names(labels, now)
    if key == question.key and not names:
        return
    for other in survey.questions.exclude(when=None):
        condition = conditions.parse(other.when)
        moved = conditions.map_leaves(
            condition, lambda leaf: _moved(leaf, key, question.key, names)
        )
        if moved != condition:
            other.when = conditions.condition_to_data(moved)
            other.save(update_fields=["when"])


def _new_names(before: list[str], now: list[str]) -> dict[str, str]:
    if len(before) != len(now):
        return {}
    gone, fresh = {*before} - {*now}, {*now} - {*before}
    return {old: new for old, new in zip(before, now, strict=True) if old in gone and new in fresh}


def _moved(leaf: Among, key: str, now: str, names: dict[str, str]) -> Among:
    if leaf.of != key:
        return leaf
    answers = leaf.answers
    return Among(
        now,
        answers
        if isinstance(answers, range)
        else tuple(names.get(str(each), each) for each in answers),
    )


def _problems(survey: Survey) -> list[tuple[int, Question, str]]:
    return list(iter_condition_problems(load_questions(survey)))
