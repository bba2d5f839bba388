"""What helps an author to choose: a sentence on each kind and mode. Those on designs are in their table."""

from surveys.models import Question

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
