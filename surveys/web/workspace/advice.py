"""What helps an author to choose: a sentence on each kind, level and mode. Those on designs are in their table."""

from surveys.models import Question

LEVELS = {
    "strong": ("Strong", "For what could cost somebody their job, freedom or safety."),
    "balanced": ("Balanced", "For most questions. As two coins protect."),
    "light": ("Light", "For what is embarrassing rather than dangerous."),
}

KIND_HINTS = {
    Question.Kind.YES_NO: "The respondent’s device scrambles the answer before sending it.",
    Question.Kind.CHOICE: "The respondent picks one answer of 2 to 20,000; the device scrambles it before sending it.",
    Question.Kind.ANY: (
        "The respondent ticks any number of 2 to 100 choices; the device picks one or a few by chance, scrambles "
        "these, and sends nothing else. Each choice has a part of the respondents only, so keep them few."
    ),
    Question.Kind.QUANTITY: (
        "The respondent types a number, such as hours or an amount in steps; the device sends a scrambled one. "
        "The report gives the mean."
    ),
    Question.Kind.SCALE: "2 to 11 points in order, such as agreement. The report gives the mean, or the shares.",
    Question.Kind.WRITTEN: (
        "A short text, such as a name or a place. The device hashes and scrambles it; you count texts that you think "
        "of, before or after. Needs thousands of people."
    ),
    Question.Kind.BACKGROUND: (
        "Not protected: the true answer is stored, and together with others it can identify a person. "
        "Respondents are told so. Ask only what you need."
    ),
    Question.Kind.NUMBER: "Not protected either: for example an age in years. Groups identify people less easily.",
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
