"""The designs an author can choose, the parameters each asks for, and what is wrong with a choice, in plain words.

The statistics are in the mechanisms package; this is the list of what a survey may use and how people name it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Mechanism,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
)
from surveys.errors import Invalid

PROBABILITY = "A probability between 0 and 1, as 3/4 or 0.75."
EPSILON = "The privacy loss, a number above 0: 1 is strong protection, 4 is light."
NUMBER = re.compile(r"-?([0-9]{1,20}( ?/ ?[0-9]{1,20})?|[0-9]{0,20}\.[0-9]{1,20})")
MINIMUM_EPSILON = Fraction(1, 100)  # below it a million answers say nearly nothing
MAXIMUM_EPSILON = 20  # beyond it the odds are 500 million to one: nothing is protected any more


@dataclass(frozen=True)
class Design:
    key: str
    title: str
    parameters: dict[str, str]  # letter -> what it means
    build: Callable[..., Mechanism]  # (size, **parameters)
    check: Callable[..., dict[str, str]] = lambda **_: {}  # parameters -> errors by letter
    two_answers_only: bool = False
    select: str = "one"  # "any": for questions with several answers at once, and for nothing else


def _warner(p: Fraction) -> dict[str, str]:
    return {"p": "With p = 1/2 the answers say nothing: nothing can be estimated."} if p == Fraction(1, 2) else {}


def _generalized(p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "With p + q = 1 the answers say nothing: nothing can be estimated."} if p + q == 1 else {}


def _forced(truth: Fraction, yes: Fraction, no: Fraction) -> dict[str, str]:
    total = truth + yes + no
    return {"no": f"The three probabilities must sum to 1, not {total}."} if total != 1 else {}


def _unary(p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "p and q must differ, or nothing can be estimated."} if p == q else {}


DESIGNS = {
    design.key: design
    for design in (
        Design("two-coin", "Two coins", {}, lambda size: TwoCoin(), two_answers_only=True),
        Design(
            "warner",
            "Warner’s spinner",
            {"p": "Probability that the spinner lands on the statement itself, not on its opposite."},
            lambda size, p: Warner(p),
            _warner,
            two_answers_only=True,
        ),
        Design(
            "forced-response",
            "Forced response",
            {
                "truth": "Probability that the answer is kept.",
                "yes": "Probability that Yes is recorded whatever the answer.",
                "no": "Probability that No is recorded whatever the answer.",
            },
            lambda size, truth, yes, no: ForcedResponse(truth, yes, no),
            _forced,
            two_answers_only=True,
        ),
        Design(
            "unrelated-question",
            "Unrelated question",
            {
                "p": "Probability that the sensitive question is answered, not a harmless one.",
                "prevalence": "How often the answer to the harmless question is Yes.",
            },
            lambda size, p, prevalence: UnrelatedQuestion(p, prevalence),
            two_answers_only=True,
        ),
        Design(
            "generalized",
            "Yes and No kept with chances of their own",
            {"p": "Probability that a Yes stays Yes.", "q": "Probability that a No stays No."},
            lambda size, p, q: GeneralizedResponse(p, q),
            _generalized,
            two_answers_only=True,
        ),
        Design(
            "direct",
            "Direct: the chosen answer, or one of the others by chance",
            {"epsilon": EPSILON},
            lambda size, epsilon: DirectEncoding(size, epsilon, den="survey"),
        ),
        Design(
            "unary",
            "Unary: one scrambled bit per choice",
            {
                "p": "Probability that the mark of the chosen answer is set.",
                "q": "Probability that the mark of any other answer is set.",
            },
            UnaryEncoding,
            _unary,
        ),
        Design(
            "unary-symmetric",
            "Unary, symmetric, from epsilon",
            {"epsilon": EPSILON},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, den="survey"),
        ),
        Design(
            "unary-optimized",
            "Unary, optimized, from epsilon",
            {"epsilon": EPSILON},
            lambda size, epsilon: UnaryEncoding.optimized(size, epsilon, den="survey"),
        ),
        Design(
            "subset",
            "Subset selection: a small random group of answers, which the chosen one joins more often",
            {"epsilon": EPSILON},
            lambda size, epsilon: SubsetSelection(size, epsilon, den="survey"),
        ),
        Design(
            "unary-any",
            "One scrambled bit per choice, for several choices at once",
            {"epsilon": "The privacy loss of all choices together, shared out equally among them."},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, "any", den="survey"),
            select="any",
        ),
    )
}


def parse_number(letter: str, text: str) -> Fraction:
    """A parameter as typed -> an exact number. Raises ValueError with the message for its field."""
    text = text.strip()
    number, shown = _exact(text), _shortened(text)
    if letter == "epsilon":
        if not MINIMUM_EPSILON <= number <= MAXIMUM_EPSILON:
            raise ValueError(f"Epsilon must be from {float(MINIMUM_EPSILON)} to {MAXIMUM_EPSILON}, not {shown}.")
    elif not 0 <= number <= 1:
        raise ValueError(f"A probability lies between 0 and 1, not at {shown}.")
    elif number in (0, 1):
        raise ValueError(f"With {shown} a recorded answer could prove the truth. Take a value between 0 and 1.")
    return number


def _exact(text: str) -> Fraction:
    # Only what fits this form reaches Fraction, which would work on 1e999999999 for hours.
    if not text:
        raise ValueError("Enter a number, as 3/4 or 0.75.")
    if re.fullmatch(r"[0-9]{1,20},[0-9]{1,20}", text):
        raise ValueError(f"Write {text.replace(',', '.')}, with a point and no comma, or a fraction such as 3/4.")
    try:
        if NUMBER.fullmatch(text):
            return Fraction(text.replace(" ", ""))
    except ZeroDivisionError:
        pass
    raise ValueError(f"“{_shortened(text)}” is not a number. Write it as 3/4 or 0.75.")


def _shortened(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


def build(key: str, size: int, parameters: dict[str, str], select: str = "one") -> Mechanism:
    """The mechanism of a design for a question with `size` answers, one or any of them chosen. Raises Invalid."""
    design = DESIGNS.get(key)
    if design is None:
        raise Invalid({"design": "Choose a design."})
    if design.select != select:
        fitting = next(each.title for each in DESIGNS.values() if each.select == select and not each.two_answers_only)
        raise Invalid({"design": f"“{design.title}” does not fit this kind of question. Take “{fitting}”."})
    if design.two_answers_only and size != 2:
        answers = f"{size} (“Prefer not to say” counts as one where it is offered)"
        message = f"“{design.title}” is for exactly two answers; this question has {answers}. Take “Direct” or “Unary”."
        raise Invalid({"design": message})
    errors, numbers = {}, {}
    for letter in design.parameters:
        try:
            numbers[letter] = parse_number(letter, parameters.get(letter, ""))
        except ValueError as error:
            errors[letter] = str(error)
    errors = errors or design.check(**numbers)
    if errors:
        raise Invalid(errors)
    return _checked(design, size, numbers)


def _checked(design: Design, size: int, numbers: dict[str, Fraction]) -> Mechanism:
    first = next(iter(design.parameters), "design")
    try:
        mechanism = design.build(size, **numbers)
    except ValueError as error:  # all that is left: chances with no common denominator below 2**32
        message = "These numbers have too many digits. Round them, or write 1/3 instead of 0.3333333333."
        raise Invalid({first: message}) from error
    if not mechanism.publishable:
        raise Invalid({first: "With these values a recorded answer could prove the truth: epsilon is infinite."})
    if mechanism.epsilon > MAXIMUM_EPSILON:
        message = f"With these values almost nothing is protected: epsilon is above {MAXIMUM_EPSILON}."
        raise Invalid({first: message})
    if "epsilon" not in numbers and mechanism.epsilon < MINIMUM_EPSILON:
        message = f"With these values the answers say almost nothing: epsilon is below {float(MINIMUM_EPSILON)}."
        raise Invalid({first: message})
    return mechanism
