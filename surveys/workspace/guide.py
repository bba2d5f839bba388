"""What helps an author to choose a design: a sentence on each, numbers to start from, and a recommendation."""

from dataclasses import dataclass

from mechanisms import total_error
from surveys.designs import build

RECOMMENDED = "recommended"
EPSILON = "2"  # between strong (1) and light (4); a question with two answers gets two coins, at 1.0987


@dataclass(frozen=True)
class Advice:
    sentence: str
    start: dict[str, str]  # letter of a parameter -> a value that makes a good design


DESIGN_ADVICE = {
    "two-coin": Advice(
        "Heads on the first coin: the answer is recorded as it is. Tails: a second coin decides between Yes and No. "
        "Strong protection that respondents can try out with real coins.",
        {},
    ),
    "warner": Advice(
        "A spinner decides whether the answer or its opposite is recorded. The first design ever proposed (1965). "
        "With 3/4 it is as strong as two coins.",
        {"p": "3/4"},
    ),
    "forced-response": Advice(
        "Chance keeps the answer, or records Yes, or records No, whatever the answer was. "
        "The three probabilities must sum to 1.",
        {"truth": "2/3", "yes": "1/6", "no": "1/6"},
    ),
    "unrelated-question": Advice(
        "Chance picks the sensitive question, or a harmless one of which it is known how often the answer is Yes.",
        {"p": "2/3", "prevalence": "1/2"},
    ),
    "generalized": Advice(
        "A Yes and a No are each kept with a probability of their own. For readers of the literature.",
        {"p": "3/4", "q": "3/4"},
    ),
    "direct": Advice(
        "The chosen answer is recorded more often than any other; else one of the others is, by chance. "
        "The most precise for up to about 20 answers.",
        {"epsilon": EPSILON},
    ),
    "unary": Advice(
        "Every answer gets a mark, and chance decides which marks are set. For a design given by its two "
        "probabilities, as in the literature.",
        {"p": "3/4", "q": "1/4"},
    ),
    "unary-symmetric": Advice(
        "Every answer gets a mark; a mark is turned over equally often whether the answer was chosen or not.",
        {"epsilon": EPSILON},
    ),
    "unary-optimized": Advice(
        "Every answer gets a mark; the probabilities are those that measure rare answers best. "
        "The most precise for more than about 20 answers.",
        {"epsilon": EPSILON},
    ),
}


def recommended(size: int) -> tuple[str, dict[str, str]]:
    """The design for a question with so many answers, and its parameters."""
    if size == 2:
        return "two-coin", {}
    parameters = {"epsilon": EPSILON}
    candidates = ("direct", "unary-symmetric", "unary-optimized")
    return min(candidates, key=lambda design: total_error(build(design, size, parameters))), parameters
