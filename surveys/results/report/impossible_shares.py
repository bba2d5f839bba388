"""What a report says of numbers that no share can be, and of how the possible shares beside them are made."""

from surveys.results.estimates import maximum_likelihood
from surveys.results.estimates.question_report import QuestionReport

POSSIBLE = {
    "maximum likelihood": "the share from 0 to 100% that makes these counts most likely",
    "Norm-Sub": (
        "one of the nearest shares possible together: the same number is subtracted from all shares, and negative ones "
        "become 0"
    ),
    maximum_likelihood.NAME: "the share from 0 to 100% that makes the whole reports most likely",
    "clipping to [0, 1]": "the estimate limited to 0 to 100%, each answer separately",
}
NEVER = "No share can be below 0% or above 100%"


def note(question: QuestionReport) -> str:
    """Why numbers of this question leave the range of shares; empty where none does."""
    if not any(choice.is_outside or choice.reaches_outside for choice in question.choices):
        return ""
    if question.design is None:
        return f"{NEVER}. A Wald interval has the same length on both sides, so it can cross the limit near an end."
    beyond = any(choice.is_outside for choice in question.choices)
    what = "a corrected share" if beyond else "the interval around a corrected share"
    reason = (
        f"{NEVER}, but {what} can: the expected noise is subtracted, and by chance there was more or less of it. With "
        "few respondents or strong protection this happens for any true share, with many only near 0 or 100%. It is "
        "shown uncut, because cutting would bias sums and averages. The adjusted share next to it is "
        f"{POSSIBLE[question.constrained_by]} ({question.constrained_by})."
    )
    return (
        f"{reason} The data check of the shares received says whether chance explains it."
        if beyond
        else reason
    )
