"""What a report says of numbers that no share can be, and of how the possible shares beside them are made."""

from surveys.results.estimates import maximum_likelihood
from surveys.results.estimates.report import QuestionReport

POSSIBLE = {
    "maximum likelihood": "the one among possible shares under which these counts of reports are likeliest",
    "Norm-Sub": "made from the nearest shares that are possible together: one number is taken from all shares, and "
    "what falls below 0 is 0",
    maximum_likelihood.NAME: "the one among possible shares under which the whole reports are likeliest",
    "clipping to [0, 1]": "the estimate cut to the range from 0 to 100%, each answer by itself",
}
NEVER = "No share can be below 0% or above 100%"


def note(question: QuestionReport) -> str:
    """Why numbers of this question leave the range of shares; empty where none does."""
    if not any(choice.is_outside or choice.reaches_outside for choice in question.choices):
        return ""
    if question.design is None:
        return f"{NEVER}. A Wald interval is as long to either side, and reaches beyond where the share is near an end."
    beyond = any(choice.is_outside for choice in question.choices)
    what = "a corrected share" if beyond else "the interval around a corrected share"
    reason = (
        f"{NEVER}, but {what} can: the noise that was expected is taken away, and by chance more or less of it came. "
        "With few respondents or strong protection that happens wherever the true share lies, with many only where it "
        "lies near 0 or 100%. It is shown as it came out, because cutting it off would bias sums and averages. "
        f"The adjusted share next to it is {POSSIBLE[question.constrained_by]} ({question.constrained_by})."
    )
    return f"{reason} The check of the observed shares says whether chance explains it." if beyond else reason
