"""What helps an author to choose: a sentence on each kind, level, design and mode, and numbers to start from."""

from dataclasses import dataclass

from surveys.models import Question

EPSILON = "1"


@dataclass(frozen=True)
class Advice:
    sentence: str
    start: dict[str, str]  # letter of a parameter -> a value that makes a good design


DESIGN_ADVICE = {  # in the order of the page: what is taken most often stands first
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
    "gamma": Advice(
        "A Yes and a No are each kept with probability 1/2 + gamma, as textbooks on privacy write it. Epsilon is "
        "ln((1 + 2 gamma)/(1 − 2 gamma)).",
        {"gamma": "1/4"},
    ),
    "direct": Advice(
        "The chosen answer is recorded more often than any other; else one of the others is, by chance. "
        "The easiest to explain.",
        {"epsilon": EPSILON},
    ),
    "subset": Advice(
        "A group of answers is sent, drawn by chance; the chosen answer is in it more often than any other. "
        "Good for many answers.",
        {"epsilon": EPSILON},
    ),
    "unary-optimized": Advice(
        "Every answer gets a mark; the probabilities are those that measure rare answers best.",
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
    "geometry": Advice(
        "A number is sent that stands for a large group of answers; the chosen answer is in it more often than any "
        "other. Made for lists of hundreds and thousands of answers.",
        {"epsilon": EPSILON},
    ),
    "marks": Advice(
        "For “choose all that apply”: the device picks one or a few marks by chance, scrambles them, and sends only "
        "these. Needs by far the fewest people; says nothing of two choices together.",
        {"epsilon": EPSILON},
    ),
    "unary-any": Advice(
        "For “choose all that apply” where pairs of choices matter: each choice has a mark, turned over with the same "
        "chance, and all are sent. Needs many more people.",
        {"epsilon": EPSILON},
    ),
    "window": Advice(
        "A number is sent; it lies in a wide band that belongs to the answer more often than chance would put it "
        "there. Made for a mean.",
        {"epsilon": EPSILON},
    ),
    "written": Advice(
        "For written answers: a number is sent that speaks for what was written more often than for any other text.",
        {"epsilon": EPSILON},
    ),
    "rappor": Advice(
        "For written answers that are asked again in later versions: whoever agrees lets the device keep scrambled "
        "bits, and later reports come from them without asking. All of them together cost the epsilon once.",
        {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"},
    ),
    "crosswise": Advice(
        "People said whether their answers to the sensitive and to a harmless question are the same or differ. "
        "In the file, “the same” counts as Yes.",
        {"prevalence": "1/4"},
    ),
    "triangular": Advice(
        "People said whether both answers, the sensitive and a harmless one, are No. A recorded No proves a true No.",
        {"prevalence": "1/4"},
    ),
    "mangat": Advice(
        "Everybody with the trait said Yes; the others said No as often as chance had it. "
        "A recorded No proves a true No.",
        {"p": "3/4"},
    ),
    "kuk": Advice(
        "People drew a card from one of two decks, by their true answer, and named its colour. Red counts as Yes.",
        {"p1": "3/4", "p2": "1/4"},
    ),
    "one-sided": Advice(
        "Some No answers were turned into Yes before anybody saw them. A recorded No proves a true No.", {"rate": "1/3"}
    ),
    "matrix": Advice(
        "Any other design whose chances are known, with as many answers as the question has.",
        {"rows": "3/4 1/4; 1/4 3/4"},
    ),
}


LEVELS = {
    "strong": ("Strong", "For what could cost somebody their job, freedom or safety."),
    "balanced": ("Balanced", "For most questions. As two coins protect."),
    "light": ("Light", "For what is embarrassing rather than dangerous."),
}

AIM_HINTS = {
    "mean": ("The mean", "Needs the fewest people. Shares of single answers then stay too uncertain to show."),
    "shares": ("The share of each answer", "For at most 11 answers. The mean is told too, less precisely."),
}

LIKERT = ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree")

MODE_HINTS = {
    Question.Mode.AUTOMATIC: "The respondent just answers; the device draws unseen. For every design.",
    Question.Mode.SPINNER: (
        "The device shows what chance landed on, and the respondent answers accordingly. "
        "Works only as well as people do what they are told."
    ),
    Question.Mode.BY_HAND: (
        "The respondent throws real coins or dice and enters only the outcome: for people who trust no page. "
        "Works only as well as people do what they are told."
    ),
}
