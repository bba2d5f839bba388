"""How the number of a question came about, in one line of arithmetic that a reader can do again."""

import numpy as np

from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.site.number_format import format_percent
from surveys.statements.rounding import round_to_nearest

# More decimals do not help a reader who does the arithmetic again.
MOST_DECIMALS = 6


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
    """Return the arithmetic of Yes, with the decimals that give the printed result."""
    yes = question.choices[YES]
    share = question.statement(yes)
    if not share.is_shown:
        return ""
    # Of a bound, the detail of the key result has the unbiased estimate with these decimals.
    digits = share.rounding.decimals
    divisor = float(f"{slope:.4g}")
    for decimals in range(1, MOST_DECIMALS + 1):
        received = round(100 * yes.observed, decimals)
        by_chance = round(100 * offset, decimals)
        result = (received - by_chance) / divisor
        if round_to_nearest(result, digits) == round_to_nearest(100 * yes.estimate, digits):
            break
    divisor_text = f"{divisor:g}".replace("-", "−")
    return (
        f"{share.unbiased_text}: received “{yes.label}” "
        f"{format_percent(yes.observed, decimals)}, minus {format_percent(offset, decimals)} "
        f"by chance, divided by {divisor_text}."
    )
