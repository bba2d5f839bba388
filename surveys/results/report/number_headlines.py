"""The key result of a question whose answers are numbers: its mean, if the range supports one."""

from dataclasses import replace

from django.conf import settings

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures.histogram import distribution
from surveys.results.report.key_result import Bar, Finding, Verdict, few
from surveys.site.number_format import format_count, format_percent
from surveys.statements.means import MeanStatement
from surveys.statements.sentences import SENTENCES, after_name
from surveys.statements.statement import State

# The verdict of a key result by the state of the statement about its mean.
VERDICTS = {
    State.NUMBER: Verdict.CLEAR,
    State.WITHHELD: Verdict.WIDE,
    State.IMPOSSIBLE: Verdict.IMPOSSIBLE,
    State.TOO_FEW: Verdict.FEW,
}


def of_mean(question: QuestionReport) -> Finding:
    """Return the key result of a scrambled number or scale that was made for its mean."""
    average = question.average
    if average is None:
        sentence = after_name(question.short, SENTENCES["mean too_few"].sentence)
        return Finding(Verdict.WIDE, sentence)
    return _mean_finding(average.statement, average.median_sentence)


def of_background(question: QuestionReport) -> Finding:
    """Return the key result of a background number, which is not scrambled."""
    if question.all_declined:
        return Finding(Verdict.WITHHELD, "No one gave a number.", declined(question))
    numbers = distribution(question)
    if numbers.n < settings.FEW_RESPONSES:
        return few(question, numbers.n)
    return _mean_finding(numbers.statement, numbers.median.sentence, declined(question))


def declined(question: QuestionReport) -> str:
    """Return how many preferred not to answer a background question, in words; "" if nobody."""
    share = question.share_declined
    if not share:
        return ""
    return (
        f"{format_count(round(share * question.n))} of {format_count(question.n)} "
        f"preferred not to say ({format_percent(share, 0)})."
    )


def _mean_finding(mean: MeanStatement, *details: str) -> Finding:
    """Return the key result that is a mean.

    details: sentences behind that about the mean; "" for none.
    """
    low, high = mean.interval
    detail = " ".join(filter(None, [mean.detail, *details]))
    finding = Finding(
        verdict=VERDICTS[mean.state],
        sentence=mean.sentence,
        detail=detail,
        stress=mean.stress,
        bars=(Bar("mean", mean.estimate, low, high, is_withheld=mean.is_withheld),),
        scale=(mean.quantity.lowest, mean.quantity.highest),
    )
    if not mean.is_shown:
        return finding
    return replace(finding, number=mean.number_without_unit, range=mean.range)
