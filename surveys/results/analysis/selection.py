"""The questions and answers that an address names: "tax" is a question, "tax:1" its answer 1."""

from mechanisms import Tally
from surveys.definition.instrument import MOST_IN_GROUPS, QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import NotAReportGroup, ReaderView
from surveys.results.estimates.heavy_hitters import detect_choices
from surveys.results.estimates.report import EVERYBODY
from surveys.site.errors import Invalid

# The most answers of one question that are offered to choose from.
MOST_OFFERED = 200
# The most characters of an address that a message repeats.
LONGEST = 60


def questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the questions that this reader sees, with the answers or groups that they see.

    Background questions with long lists are left out, because too few people gave each answer. So
    are written answers, which have no list: candidates are counted over everybody.
    """
    visible = []
    for item in seen.definition.items:
        if seen.is_visible(item.key) and not _is_long_list(item) and not item.is_written:
            visible.append(item)
    return visible


def _is_long_list(item: QuestionDefinition) -> bool:
    """Return whether a question is a background question with too many answers for groups."""
    return item.mechanism is None and not item.makes_groups


def scrambled_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the scrambled questions that this reader sees."""
    return [item for item in questions(seen) if item.mechanism is not None]


def questions_with_shares(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the scrambled questions whose reports estimate shares."""
    return [item for item in scrambled_questions(seen) if item.tells_shares]


def outcome_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the questions that can be explained or compared, the scrambled ones first."""
    background = []
    for item in questions(seen):
        if item.mechanism is None and item.size > 1:
            background.append(item)
    return scrambled_questions(seen) + background


def question(
    seen: ReaderView, key: str, field: str, allowed: list[QuestionDefinition] | None = None
) -> QuestionDefinition:
    """Return the question with a key.

    allowed: the questions that can be chosen; by default all that the reader sees.

    Raises Invalid at `field`, with the questions that are allowed, and NotAReportGroup for a
    question that the reader does not see.
    """
    allowed_items = questions(seen) if allowed is None else allowed
    for item in allowed_items:
        if item.key == key:
            return item
    items = {item.key: item for item in seen.definition.items}
    if key in items and not seen.is_visible(key):
        raise NotAReportGroup(f"{seen.visibility_note(key)} {seen.note}".strip())
    names = ", ".join(item.key for item in allowed_items) or "none here"
    problem = f"There is no question “{key[:LONGEST]}” to choose here. Choose one of {names}."
    if key in items:
        problem = _question_problem(items[key], names) or problem
    raise Invalid({field: problem})


def _question_problem(item: QuestionDefinition, names: str) -> str:
    """Return why a question of the survey cannot be chosen; "" if there is no reason of its own.

    names: the keys of the questions that can be chosen.
    """
    if _is_long_list(item):
        return (
            f"“{item.full_text}” has a list of {item.size:,} choices; background questions with "
            f"at most {MOST_IN_GROUPS} can be analysed. Choose one of {names}."
        )
    if item.is_written:
        return f"{written_alone(item)} Choose one of {names}."
    if not item.tells_shares:
        return f"{mean_alone(item)} Choose one of {names}."
    return ""


def written_alone(item: QuestionDefinition) -> str:
    """Return why a question with written answers cannot be analysed."""
    return (
        f"“{item.full_text}” is a text question. Its texts are counted over all responses, and "
        "can’t be linked to other questions or compared between groups."
    )


def mean_alone(item: QuestionDefinition) -> str:
    """Return why a question that was made for its mean cannot stand where shares are needed."""
    return (
        f"“{item.full_text}” measures a mean, not shares, so you can’t choose it here. You can "
        "explain its mean, compare it between groups, and weight it."
    )


def answer(item: QuestionDefinition, code: str, field: str) -> int:
    """Return the answer with a code. Raises Invalid at `field`."""
    if code.isascii() and code.isdigit() and len(code) < 6 and int(code) < item.size:
        return int(code)
    problem = (
        f"“{code[:LONGEST]}” is not an answer to “{item.full_text}”. Choose a code from 0 to "
        f"{item.size - 1}."
    )
    raise Invalid({field: problem})


def parse_variable(
    seen: ReaderView, text: str, field: str, allowed: list[QuestionDefinition] | None = None
) -> SurveyVariable:
    """Return the variable that a text names: "tax" or "tax:1".

    allowed: as of `question`.

    Raises what `question` and `answer` raise.
    """
    key, colon, code = text.strip().partition(":")
    item = question(seen, key, field, allowed)
    if not colon:
        return SurveyVariable(item)
    if not item.tells_shares:
        problem = (
            f"Send {item.key} alone. For “{item.full_text}” the mean is analysed, not a single "
            "answer."
        )
        raise Invalid({field: problem})
    return SurveyVariable(item, answer(item, code, field))


def outcome(seen: ReaderView, text: str) -> SurveyVariable:
    """Return what is explained or compared: "tax:1" is one answer, "hours" the mean of a number.

    Raises what `parse_variable` raises, and Invalid at `outcome` if an answer is missing.
    """
    variable = parse_variable(seen, text, "outcome", outcome_questions(seen))
    if variable.choice is None and not variable.is_mean:
        example = f"{variable.item.key}:{variable.item.size - 1}"
        raise Invalid({"outcome": f"Add one of the answers, for example {example}."})
    return variable


def answers_of(item: QuestionDefinition) -> list[tuple[str, str]]:
    """Return (name in addresses, label) of each answer, Yes before No; of a number, of its mean.

    There are none if a question has too many answers to choose from.
    """
    if SurveyVariable(item).is_mean:
        return [(item.key, "Mean")]
    if item.size > MOST_OFFERED:
        return []
    pairs = [(f"{item.key}:{code}", label) for code, label in enumerate(item.choices)]
    return item.traits.in_order(pairs)


def answer_options(seen: ReaderView, item: QuestionDefinition) -> list[tuple[str, str]]:
    """Return (value, label) of the answers to choose from.

    Of a long list these are the answers that the reports detect.
    """
    if item.size <= MOST_OFFERED or SurveyVariable(item).is_mean:
        return answers_of(item)
    tally = seen.tally(EVERYBODY)
    n = tally.get("answered", {}).get(item.key, tally["n"])
    if not n or item.mechanism is None:
        return []
    counts = unpack(tally["counts"][item.key])
    detected = detect_choices(item, item.mechanism.estimate(Tally(n, counts)))
    if not detected:
        return []
    return [(f"{item.key}:{choice.code}", choice.label) for choice in detected.choices]


def named_answers(seen: ReaderView, item: QuestionDefinition) -> list[tuple[str, str]]:
    """Return (value, label) of the answers, whose labels name the question.

    A closed list shows no heading. The answer comes first, for narrow screens.
    """
    options = []
    for value, label in answer_options(seen, item):
        options.append((value, f"{label} · {item.full_text}"))
    return options
