"""The designs an author can choose, the parameters each asks for, and what is wrong with a choice, in plain words.

The statistics are in the mechanisms package; this is the list of what a survey may use and how people name it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Geometry,
    Marks,
    Mechanism,
    Rappor,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    Window,
    Written,
)
from mechanisms.designs.orders import LONGEST, MOST_POINTS
from mechanisms.designs.window import LEAST_EPSILON

MOST_MARKED = LONGEST  # answers; of more of them a report of one mark for each would be long, and a matrix larger still
PROBABILITY = "A probability between 0 and 1, as 3/4 or 0.75."
EPSILON = "The privacy loss, a number above 0: 1 is strong protection, 4 is light."


@dataclass(frozen=True)
class Design:
    key: str
    title: str
    parameters: dict[str, str]  # letter -> what it means
    build: Callable[..., Mechanism]  # (size, **parameters)
    check: Callable[..., dict[str, str]] = lambda **_: {}  # parameters -> errors by letter
    two_answers_only: bool = False
    select: str = "one"  # "any": for questions with several answers at once, and for nothing else; "ordered": for
    # numbers and scales, and for nothing else; "text": for written answers, and for nothing else
    ordered: bool = False  # whether it serves numbers and scales too
    devices_only: bool = False  # whether no file brings such reports
    most: int = MOST_MARKED  # answers


def _warner(p: Fraction) -> dict[str, str]:
    return even("p", p)


def even(letter: str, value: Fraction) -> dict[str, str]:
    message = f"With {letter} = 1/2 the answers say nothing: nothing can be estimated."
    return {letter: message} if value == Fraction(1, 2) else {}


def above_zero(letter: str) -> Callable[..., dict[str, str]]:
    return lambda **given: (
        {letter: "With 0 the answers say nothing: nothing can be estimated."} if not given[letter] else {}
    )


def _generalized(p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "With p + q = 1 the answers say nothing: nothing can be estimated."} if p + q == 1 else {}


def _forced(truth: Fraction, yes: Fraction, no: Fraction) -> dict[str, str]:
    total = truth + yes + no
    if not truth:
        return {"truth": "With 0 no answer is kept: nothing can be estimated."}
    return {"no": f"The three probabilities must sum to 1, not {total}."} if total != 1 else {}


def _unary(p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "p and q must differ, or nothing can be estimated."} if p == q else {}


def _window(epsilon: Fraction) -> dict[str, str]:
    least = f"For a mean epsilon must be at least {LEAST_EPSILON}: below it a million answers say nearly nothing."
    return {"epsilon": least} if epsilon < Fraction(str(LEAST_EPSILON)) else {}


def _rappor(hashes: Fraction, f: Fraction, p: Fraction, q: Fraction) -> dict[str, str]:
    return {"q": "q must be below p, or nothing can be estimated."} if p <= q else {}


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
            above_zero("p"),
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
            "gamma",
            "Yes and No kept alike, given by gamma",
            {"gamma": "Yes and No are each kept with probability 1/2 + gamma. It is below 1/2; 1/4 is two coins."},
            lambda size, gamma: GeneralizedResponse.from_gamma(gamma),
            two_answers_only=True,
        ),
        Design(
            "direct",
            "Direct: the chosen answer, or one of the others by chance",
            {"epsilon": EPSILON},
            lambda size, epsilon: DirectEncoding(size, epsilon, den="survey"),
            ordered=True,
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
            ordered=True,
        ),
        Design(
            "geometry",
            "Geometry: a number that stands for a large group of answers, which the chosen one joins more often",
            {"epsilon": EPSILON},
            lambda size, epsilon: Geometry(size, float(epsilon), den="survey"),
            most=MOST_POINTS,
        ),
        Design(
            "marks",
            "Some marks picked by chance, for several choices at once",
            {"epsilon": "The privacy loss of all choices together, spent on the marks that are picked."},
            lambda size, epsilon: Marks(size, epsilon, den="survey"),
            select="any",
        ),
        Design(
            "unary-any",
            "One scrambled bit per choice, for several choices at once",
            {"epsilon": "The privacy loss of all choices together, shared out equally among them."},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, "any", den="survey"),
            select="any",
        ),
        Design(
            "window",
            "Window: a number, most often from a wide band around the true one",
            {"epsilon": EPSILON},
            lambda size, epsilon, aside=False: Window(size - aside, float(epsilon), aside=aside, den="survey"),
            _window,
            select="ordered",
            ordered=True,
        ),
        Design(
            "written",
            "A hash: a number that speaks for the text more often than for any other",
            {"epsilon": EPSILON},
            lambda size, epsilon: Written(float(epsilon), den="survey"),
            select="text",
        ),
        Design(
            "rappor",
            "RAPPOR: scrambled bits of the text, from which a device can answer again",
            {
                "hashes": "How many bits a text sets, 1 to 4. One needs the fewest people.",
                "f": "The permanent step turns each bit over with probability f/2.",
                "p": "Probability that a bit that is then 1 is sent as 1, each time anew.",
                "q": "Probability that a bit that is then 0 is sent as 1.",
            },
            lambda size, hashes, f, p, q: Rappor(hashes=int(hashes), f=f, p=p, q=q),
            _rappor,
            select="text",
            devices_only=True,
        ),
    )
}
