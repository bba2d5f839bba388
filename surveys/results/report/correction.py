"""How the number of a question came about, in one line of arithmetic that a reader can do again."""

import numpy as np

from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import format_percent

MOST_DIGITS = 4


def correction(question: QuestionReport) -> str:
    """ "27%: received “Yes” 38.3%, minus 25.0% by chance, divided by 0.5.": from an observed share λ = cπ + d.

    Empty where no share depends on its own observed share alone, or where no number is supported.
    """
    line = (
        question.basis.mechanism.line()
        if question.design and question.basis and question.choices
        else None
    )
    if line is None:
        return ""
    slope, offset = np.asarray(line.slope, dtype=float), np.asarray(line.offset, dtype=float)
    if question.is_yes_no and len(question.choices) == 2:
        return _of_yes(question, float(slope[YES]), float(offset[YES]))
    if np.ptp(slope) > 1e-12 or np.ptp(offset) > 1e-12 or question.picks:
        return ""
    return (
        f"Each share: what was received, minus {format_percent(float(offset[0]))} by "
        f"chance, divided by {slope[0]:.4g}."
    )


def _of_yes(question: QuestionReport, slope: float, offset: float) -> str:
    """With as many decimals as the printed numbers need to give the printed result."""
    yes = question.choices[YES]
    share = Said(yes.estimate, *yes.interval)
    if share.is_wide or share.is_impossible:
        return ""
    is_bound = share.low <= 0 or share.high >= 1  # then the detail has the unbiased estimate
    digits = max(share.digits, 1) if is_bound else share.digits
    for more in range(1, MOST_DIGITS + 1):
        received, chance, divisor = (
            round(100 * yes.observed, more),
            round(100 * offset, more),
            float(f"{slope:.4g}"),
        )
        if round((received - chance) / divisor, digits) == round(100 * yes.estimate, digits):
            break
    parts = (
        format_percent(yes.observed, more),
        format_percent(offset, more),
        f"{divisor:g}".replace("-", "−"),
    )
    return (
        f"{format_percent(yes.estimate, digits)}: received “{yes.label}” {parts[0]}, "
        f"minus {parts[1]} by chance, divided by "
        f"{parts[2]}."
    )
