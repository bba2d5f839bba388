"""What helps an author to choose: a sentence on each kind and mode. Those on designs are in their table."""

from surveys.models import Question

AIM_HINTS = {
    "mean": (
        "The mean",
        "Needs the fewest people. Shares of single answers then stay too uncertain to show.",
    ),
    "shares": (
        "The share of each answer",
        "For at most 11 answers. Shows the mean too, less precisely.",
    ),
}

LIKERT = ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree")

MODE_HINTS = {
    Question.Mode.AUTOMATIC: "The device does it in the background. Works with every method.",
    Question.Mode.SPINNER: (
        "People use the spinner on the screen and do what it says. Results rely on people following it."
    ),
    Question.Mode.BY_HAND: (
        "People use real coins or dice and enter only the answer it leads to. Results rely on people following the "
        "instructions."
    ),
}
PAPER_MODES = (  # of answers from files: who draws, and what that means for the printed sheet
    (
        Question.Mode.BY_HAND,
        "By hand",
        "People use coins, a die or slips of paper. The printed sheet says what to do.",
    ),
    (
        Question.Mode.SPINNER,
        "Spinner",
        "The printed sheet has a circle, on which people turn a paper clip.",
    ),
    (
        Question.Mode.AUTOMATIC,
        "Elsewhere",
        "Another tool, an interviewer or cards. There is no printed sheet then.",
    ),
)
