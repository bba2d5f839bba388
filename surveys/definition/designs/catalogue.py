"""The table of designs: a row has all that is said of one, but for its statistics, which are in the mechanisms package.

These are what respondents may be asked with; those of answers from elsewhere are in `external`.
"""

from fractions import Fraction

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Geometry,
    Marks,
    Rappor,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    Window,
    Written,
)
from mechanisms.designs.orders import MOST_POINTS
from mechanisms.designs.window import LEAST_EPSILON
from surveys.definition.designs.design import EPSILON, USUAL_EPSILON, Design, Level, anything_but, even
from surveys.definition.designs.reasons import most_precise, one_number, picked

OF_TWO = "For two answers no design with this epsilon is more precise."


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
        Design(
            "two-coin",
            "Two coins",
            "Heads on the first coin: the answer is recorded as it is. Tails: a second coin decides between Yes and "
            "No. Strong protection that respondents can try out with real coins.",
            {},
            {},
            lambda size: TwoCoin(),
            two_answers_only=True,
            by_people=True,
            level=Level("two", OF_TWO, lambda epsilon, kept: {} if kept == Fraction(3, 4) else None),
        ),
        Design(
            "warner",
            "Warner’s spinner",
            "A spinner decides whether the answer or its opposite is recorded. The first design ever proposed (1965). "
            "With 3/4 it is as strong as two coins.",
            {"p": "Probability that the spinner lands on the statement itself, not on its opposite."},
            {"p": "3/4"},
            lambda size, p: Warner(p),
            even("p"),
            two_answers_only=True,
            by_people=True,
            level=Level("two", OF_TWO, lambda epsilon, kept: {"p": str(kept)}),
        ),
        Design(
            "forced-response",
            "Forced response",
            "Chance keeps the answer, or records Yes, or records No, whatever the answer was. "
            "The three probabilities must sum to 1.",
            {
                "truth": "Probability that the answer is kept.",
                "yes": "Probability that Yes is recorded whatever the answer.",
                "no": "Probability that No is recorded whatever the answer.",
            },
            {"truth": "2/3", "yes": "1/6", "no": "1/6"},
            lambda size, truth, yes, no: ForcedResponse(truth, yes, no),
            _forced,
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            "unrelated-question",
            "Unrelated question",
            "Chance picks the sensitive question, or a harmless one of which it is known how often the answer is Yes.",
            {
                "p": "Probability that the sensitive question is answered, not a harmless one.",
                "prevalence": "How often the answer to the harmless question is Yes.",
            },
            {"p": "2/3", "prevalence": "1/2"},
            lambda size, p, prevalence: UnrelatedQuestion(p, prevalence),
            anything_but(0, "p"),
            two_answers_only=True,
            by_people=True,
            tells_yes=True,
        ),
        Design(
            "generalized",
            "Yes and No kept with chances of their own",
            "A Yes and a No are each kept with a probability of their own. For readers of the literature.",
            {"p": "Probability that a Yes stays Yes.", "q": "Probability that a No stays No."},
            {"p": "3/4", "q": "3/4"},
            lambda size, p, q: GeneralizedResponse(p, q),
            _generalized,
            two_answers_only=True,
            tells_yes=True,
        ),
        Design(
            "gamma",
            "Yes and No kept alike, given by gamma",
            "A Yes and a No are each kept with probability 1/2 + gamma, as textbooks on privacy write it. Epsilon is "
            "ln((1 + 2 gamma)/(1 − 2 gamma)).",
            {"gamma": "Yes and No are each kept with probability 1/2 + gamma. It is below 1/2; 1/4 is two coins."},
            {"gamma": "1/4"},
            lambda size, gamma: GeneralizedResponse.from_gamma(gamma),
            two_answers_only=True,
        ),
        Design(
            "direct",
            "Direct: the chosen answer, or one of the others by chance",
            "The chosen answer is recorded more often than any other; else one of the others is, by chance. "
            "The easiest to explain.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: DirectEncoding(size, epsilon, den="survey"),
            ordered=True,
            level=Level("one", most_precise),
        ),
        Design(
            "unary",
            "Unary: one scrambled bit per choice",
            "Every answer gets a mark, and chance decides which marks are set. For a design given by its two "
            "probabilities, as in the literature.",
            {
                "p": "Probability that the mark of the chosen answer is set.",
                "q": "Probability that the mark of any other answer is set.",
            },
            {"p": "3/4", "q": "1/4"},
            UnaryEncoding,
            _unary,
        ),
        Design(
            "unary-symmetric",
            "Unary, symmetric, from epsilon",
            "Every answer gets a mark; a mark is turned over equally often whether the answer was chosen or not.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, den="survey"),
            level=Level("one", most_precise),
        ),
        Design(
            "unary-optimized",
            "Unary, optimized, from epsilon",
            "Every answer gets a mark; the probabilities are those that measure rare answers best.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.optimized(size, epsilon, den="survey"),
            level=Level("one", most_precise),
            after="subset",
        ),
        Design(
            "subset",
            "Subset selection: a small random group of answers, which the chosen one joins more often",
            "A group of answers is sent, drawn by chance; the chosen answer is in it more often than any other. "
            "Good for many answers.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: SubsetSelection(size, epsilon, den="survey"),
            ordered=True,
            level=Level("one", most_precise),
            after="direct",
        ),
        Design(
            "geometry",
            "Geometry: a number that stands for a large group of answers, which the chosen one joins more often",
            "A number is sent that stands for a large group of answers; the chosen answer is in it more often than any "
            "other. Made for lists of hundreds and thousands of answers.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: Geometry(size, float(epsilon), den="survey"),
            most=MOST_POINTS,
            level=Level("list", one_number),
        ),
        Design(
            "marks",
            "Some marks picked by chance, for several choices at once",
            "For “choose all that apply”: the device picks one or a few marks by chance, scrambles them, and sends "
            "only these. Needs by far the fewest people; says nothing of two choices together.",
            {"epsilon": "The privacy loss of all choices together, spent on the marks that are picked."},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: Marks(size, epsilon, den="survey"),
            select="any",
            level=Level("any", picked),
        ),
        Design(
            "unary-any",
            "One scrambled bit per choice, for several choices at once",
            "For “choose all that apply” where pairs of choices matter: each choice has a mark, turned over with the "
            "same chance, and all are sent. Needs many more people.",
            {"epsilon": "The privacy loss of all choices together, shared out equally among them."},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: UnaryEncoding.symmetric(size, epsilon, "any", den="survey"),
            select="any",
            level=Level("any", most_precise),
        ),
        Design(
            "window",
            "Window: a number, most often from a wide band around the true one",
            "A number is sent; it lies in a wide band that belongs to the answer more often than chance would put it "
            "there. Made for a mean.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon, aside=False: Window(size - aside, float(epsilon), aside=aside, den="survey"),
            _window,
            select="ordered",
            ordered=True,
            level=Level("ordered", "No other known design tells a mean more precisely."),
        ),
        Design(
            "written",
            "A hash: a number that speaks for the text more often than for any other",
            "For written answers: a number is sent that speaks for what was written more often than for any other "
            "text.",
            {"epsilon": EPSILON},
            {"epsilon": USUAL_EPSILON},
            lambda size, epsilon: Written(float(epsilon), den="survey"),
            select="text",
            level=Level("text", "Of rare texts no other known design tells more."),
        ),
        Design(
            "rappor",
            "RAPPOR: scrambled bits of the text",
            "For written answers, to compare with studies that were made with it. The hash needs fewer people.",
            {
                "hashes": "How many bits a text sets, 1 to 4. One needs the fewest people.",
                "f": "The permanent step turns each bit over with probability f/2.",
                "p": "Probability that a bit that is then 1 is sent as 1, each time anew.",
                "q": "Probability that a bit that is then 0 is sent as 1.",
            },
            {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"},
            lambda size, hashes, f, p, q: Rappor(hashes=int(hashes), f=f, p=p, q=q),
            _rappor,
            select="text",
            devices_only=True,
        ),
    )
}
