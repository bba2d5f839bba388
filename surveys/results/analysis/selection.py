"""What somebody asks for, as addresses name it: "tax" is a question, "tax:1" its answer with the code 1."""

from mechanisms import Tally
from surveys.definition.instrument import MOST_IN_GROUPS, QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import NotAReportGroup, ReaderView
from surveys.results.estimates.heavy_hitters import detect_choices
from surveys.results.estimates.report import EVERYBODY
from surveys.site.errors import Invalid

MOST_OFFERED = 200  # answers of one question, to choose from
LONGEST = 60  # characters of what was asked for, in a message


def questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Those of which this reader sees something, with the answers or groups of answers that they see.

    Not background questions with long lists, of whose answers each is of too few, nor written answers, which have no
    list of answers: candidates are counted over everybody.
    """
    shown = [item for item in seen.definition.items if seen.is_visible(item.key)]
    return [item for item in shown if not (_is_unsorted(item) or item.is_written)]


def _is_unsorted(item: QuestionDefinition) -> bool:
    return item.mechanism is None and not item.makes_groups


def scrambled_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the scrambled questions that this reader sees."""
    return [item for item in questions(seen) if item.mechanism is not None]


def questions_with_shares(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the scrambled questions whose reports estimate shares."""
    return [item for item in scrambled_questions(seen) if item.tells_shares]


def outcome_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the questions that can be explained or compared."""
    return scrambled_questions(seen) + [
        item for item in questions(seen) if item.mechanism is None and item.size > 1
    ]


def question(
    seen: ReaderView, key: str, field: str, allowed: list[QuestionDefinition] | None = None
) -> QuestionDefinition:
    """The question of a key. Invalid at `field`, with those that are allowed; NotAReportGroup where it is not shown."""
    choice = questions(seen) if allowed is None else allowed
    for item in choice:
        if item.key == key:
            return item
    if key in {item.key for item in seen.definition.items} and not seen.is_visible(key):
        raise NotAReportGroup(f"{seen.visibility_note(key)} {seen.note}".strip())
    names = ", ".join(item.key for item in choice) or "none here"
    for item in seen.definition.items:
        if item.key == key and _is_unsorted(item):
            most = (
                f"a list of {item.size:,} choices; background questions with at most "
                f"{MOST_IN_GROUPS} can be analysed"
            )
            raise Invalid({field: f"“{item.full_text}” has {most}. Choose one of {names}."})
        if item.key == key and item.is_written:
            raise Invalid({field: f"{written_alone(item)} Choose one of {names}."})
        if item.key == key and not item.tells_shares:
            raise Invalid({field: f"{mean_alone(item)} Choose one of {names}."})
    raise Invalid(
        {field: f"There is no question “{key[:LONGEST]}” to choose here. Choose one of {names}."}
    )


def written_alone(item: QuestionDefinition) -> str:
    """Why a question with written answers cannot be analysed."""
    return (
        f"“{item.full_text}” is a text question. Its texts are counted over all "
        "responses, and can’t be linked to other "
        "questions or compared between groups."
    )


def mean_alone(item: QuestionDefinition) -> str:
    """Why a question that was made for its mean cannot stand where shares of answers are needed."""
    return (
        f"“{item.full_text}” measures a mean, not shares, so you can’t choose it "
        "here. You can explain its mean, compare "
        "it between groups, and weight it."
    )


def answer(item: QuestionDefinition, code: str, field: str) -> int:
    """The answer of a code. Invalid at `field`."""
    if code.isascii() and code.isdigit() and len(code) < 6 and int(code) < item.size:
        return int(code)
    raise Invalid(
        {
            field: (
                f"“{code[:LONGEST]}” is not an answer to “{item.full_text}”. Choose a code "
                f"from 0 to {item.size - 1}."
            )
        }
    )


def parse_variable(
    seen: ReaderView, text: str, field: str, allowed: list[QuestionDefinition] | None = None
) -> SurveyVariable:
    """Return the variable that a text names: "tax" or "tax:1". Raises Invalid."""
    key, colon, code = text.strip().partition(":")
    item = question(seen, key, field, allowed)
    if colon and not item.tells_shares:
        raise Invalid(
            {
                field: f"Send {item.key} alone. For “{item.full_text}” the mean is analysed, not a single answer."
            }
        )
    return SurveyVariable(item, answer(item, code, field) if colon else None)


def outcome(seen: ReaderView, text: str) -> SurveyVariable:
    """ "tax:1" -> one answer, "hours" -> the mean of a number. Invalid at `outcome`."""
    chosen_part = parse_variable(seen, text, "outcome", outcome_questions(seen))
    if chosen_part.choice is None and not chosen_part.is_mean:
        raise Invalid(
            {
                "outcome": f"Add one of the answers, for example {chosen_part.item.key}:{chosen_part.item.size - 1}."
            }
        )
    return chosen_part


def answers_of(item: QuestionDefinition) -> list[tuple[str, str]]:
    """(as an address names it, label) of each answer, Yes before No; of a number its mean; nothing of very many."""
    if SurveyVariable(item).is_mean:
        return [(item.key, "Mean")]
    if item.size > MOST_OFFERED:
        return []
    pairs = [(f"{item.key}:{code}", label) for code, label in enumerate(item.choices)]
    return item.traits.in_order(pairs)


def answer_options(seen: ReaderView, item: QuestionDefinition) -> list[tuple[str, str]]:
    """Return (value, label) of the answers to choose from."""
    if item.size <= MOST_OFFERED or SurveyVariable(item).is_mean:
        return answers_of(item)
    tally = seen.tally(EVERYBODY)
    n = tally.get("answered", {}).get(item.key, tally["n"])
    if not n or item.mechanism is None:
        return []
    shown = detect_choices(
        item, item.mechanism.estimate(Tally(n, unpack(tally["counts"][item.key])))
    )
    return [(f"{item.key}:{each.code}", each.label) for each in shown.choices] if shown else []


def named_answers(seen: ReaderView, item: QuestionDefinition) -> list[tuple[str, str]]:
    """Each answer with its question, since a closed list shows no heading; the answer first, for narrow screens."""
    return [(value, f"{label} · {item.full_text}") for value, label in answer_options(seen, item)]
