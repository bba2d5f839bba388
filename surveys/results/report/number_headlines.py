"""The key result of a question whose answers are numbers: its mean, where the range supports one."""

from django.conf import settings

from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures.histogram import distribution
from surveys.results.report.key_result import TOO_WIDE, Bar, Finding, Verdict, few, named
from surveys.results.report.numeric_results import Written, shown_quartiles
from surveys.site.number_format import format_count, format_percent
from surveys.statements.sentences import LOOK_AT_CHECKS

NO_NUMBER = "Too few people gave a number."


def of_mean(question: QuestionReport) -> Finding:
    """Of a scrambled number or scale."""
    if question.average is None:
        return Finding(Verdict.WIDE, NO_NUMBER)
    written, mean = Written(question.average), question.average.mean
    low, high = mean.interval
    ends = f"{question.level_name} range {written.range}"
    if written.scale:
        sentence, detail = f"{written.number}{written.unit} on average{written.scale}.", f"{ends}. "
    else:
        sentence, detail = f"{written.number}{written.unit} on average ({ends}).", ""
    result = Finding(
        Verdict.CLEAR,
        named(question, sentence),
        f"{detail}{_median(question.average, question.level_name)}".strip(),
        f"{written.number}{written.unit} on average",
        written.number,
        f"{written.range}{written.unit}",
        (Bar("mean", mean.value, low, high),),
        (float(written.first), float(written.last)),
    )
    if written.is_impossible:
        way, end = ("below", "lowest") if high < written.first else ("above", "highest")
        at = written.first if way == "below" else written.last
        ends = f"{low:.{written.digits}f} to {high:.{written.digits}f}"
        detail = f"The whole range ({ends}) is {way} {at}. {LOOK_AT_CHECKS}"
        sentence = named(question, f"the estimate is {way} the {end} possible answer.")
        return result.without_number(Verdict.IMPOSSIBLE, sentence, detail.replace("-", "−"))
    if written.is_wide:
        words = f"too uncertain for one number ({written.range}{written.unit})."
        return result.without_number(Verdict.WIDE, named(question, words), TOO_WIDE)
    return result


def _median(average: Average, level_name: str) -> str:
    median = next((quartile for quartile in shown_quartiles(average) if quartile.at == 0.5), None)
    if median is None:
        return ""
    low, high = median.interval
    unit = f" {average.unit}" if average.unit else ""
    if low == high:
        return median_in_words(median.number, average.numbers[0], average.numbers[-1], unit)
    words = f"The median is {median.number}{unit} ({level_name} range {low} to {high})."
    return words.replace("-", "−")


def median_in_words(median: int, lowest: int, highest: int, unit: str = "") -> str:
    """Return a sentence about a median that is known. lowest, highest: the numbers that can be answered.

    A median at one end of them is the answer of at least half of the people.
    """
    if median in (lowest, highest):
        return f"At least half answered {median}{unit}.".replace("-", "−")
    return f"The median is {median}{unit}.".replace("-", "−")


def of_background(question: QuestionReport) -> Finding:
    """Of a background number, which is not scrambled: the mean with the usual normal interval, and the median."""
    if question.all_declined:
        return Finding(Verdict.WITHHELD, "No one gave a number.", declined(question))
    numbers = distribution(question)
    if numbers.n < settings.FEW_RESPONSES:
        return few(question, numbers.n)
    ends = f"{question.level_name} range {numbers.range}"
    lowest, highest = int(numbers.values.min()), int(numbers.values.max())
    scale = float(lowest), float(highest)
    median = median_in_words(numbers.quartiles[1], lowest, highest)
    result = Finding(
        Verdict.CLEAR,
        named(question, f"{numbers.number} on average ({ends})."),
        f"{median} {declined(question)}".strip(),
        f"{numbers.number} on average",
        numbers.number,
        numbers.range,
        (Bar("mean", numbers.mean, numbers.mean - numbers.half, numbers.mean + numbers.half),),
        scale,
    )
    if numbers.is_wide:
        words = f"too uncertain for one number ({numbers.range})."
        return result.without_number(Verdict.WIDE, named(question, words), TOO_WIDE)
    return result


def declined(question: QuestionReport) -> str:
    """How many preferred not to answer a background question."""
    share = question.share_declined
    if not share:
        return ""
    return (
        f"{format_count(round(share * question.n))} of {format_count(question.n)} "
        f"preferred not to say ({format_percent(share, 0)})."
    )
