"""The key result of a question, made once for page, files and API: a sentence, a number if the range supports one, and
the bars.

Sentences fit the kind of the question and are true at the report's confidence. They name unbiased estimates, possible
bounds, and no ranking that chance may have made.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from surveys.definition.kinds import Kind, kind_of
from surveys.results.estimates.answer_order import code_of_declining, rank_answers, share_decimals
from surveys.results.estimates.heavy_hitters import MOST_NAMED, DetectedChoicesText
from surveys.results.estimates.question_report import YES, ChoiceReport, QuestionReport
from surveys.results.estimates.ranking import can_rank, lead, leaders
from surveys.results.estimates.share_wording import Said, of_whom, possible
from surveys.results.report.key_result import (
    TOO_WIDE,
    Bar,
    Finding,
    Verdict,
    few,
    impossible,
    named,
)
from surveys.results.report.number_headlines import declined, of_background, of_mean
from surveys.results.report.numeric_results import mean_in_words
from surveys.site.number_format import (
    decimals_excluding_zero,
    format_bound,
    format_count,
    format_percent,
    join_with_and,
    points_in_view,
    short_range,
)

__all__ = ["Bar", "Finding", "Verdict", "finding"]

CANNOT_RANK = "Too few answers to rank these."
FILTERED = "The report is filtered by this question."
NOTHING_YET = "No results yet."
NOT_SCRAMBLED = "Answers to this question are not scrambled."
SEVERAL = "Each person may choose several, so shares may add up to more than 100%."


def finding(question: QuestionReport, *, filtered: bool = False) -> Finding:
    """filtered: whether the report is about respondents picked by this question."""
    if question.basis is None:
        return (
            Finding(Verdict.WITHHELD, question.told)
            if question.told
            else Finding(Verdict.EMPTY, NOTHING_YET)
        )
    if filtered:
        return Finding(Verdict.FILTERED, FILTERED)
    if question.fewest < max(settings.FEW_RESPONSES, 1):
        return few(question, question.n)
    result = HEADLINES[kind_of(question).key](question)
    sentence, stress = of_whom(question.whom, result.sentence, result.stress, question.short)
    is_silent = result.verdict in (Verdict.WITHHELD, Verdict.FEW)
    return result if is_silent else replace(result, sentence=sentence, stress=stress)


def _share(question: QuestionReport, choice: ChoiceReport) -> Said:
    """With the decimals of the question's column."""
    return Said(choice.estimate, *choice.interval, share_decimals(question))


def _yes_no(question: QuestionReport) -> Finding:
    yes = question.choices[YES]
    share, name = _share(question, yes), question.short or f"“{yes.label}”"
    if share.is_impossible:
        return impossible(question, yes, name)
    if share.is_wide:
        return Finding(Verdict.WIDE, f"{name}: {_too_wide(share)}", TOO_WIDE, bars=(Bar.of(yes),))
    sentence = named(question, share.words) + (
        "." if question.short else f" answered “{yes.label}”."
    )
    stress = share.words.removeprefix("about ")
    stress = stress if stress in sentence else stress[:1].upper() + stress[1:]
    return _clear(sentence, _range(question, share), stress, share, (Bar.of(yes),))


def _too_wide(share: Said) -> str:
    if share.low <= 0 and share.high >= 1:
        return "any share is possible."
    return f"too uncertain for one number ({share.span})."


def _range(question: QuestionReport, share: Said) -> str:
    """The range, with the unbiased estimate where that is not the number shown; a bound is rounded outwards."""
    digits = max(share.digits, 1)
    unbiased, name = (
        f"unbiased estimate {format_percent(share.estimate, digits)}.",
        f"{question.level_name} range",
    )
    if share.low <= 0:
        return f"{name} up to {format_bound(possible(share.high), digits, up=True)}; {unbiased}"
    if share.high >= 1:
        return f"{name} from {format_bound(possible(share.low), digits, up=False)}; {unbiased}"
    return f"{share.number} ({name} {share.span})."


def _clear(sentence: str, detail: str, stress: str, share: Said, bars: tuple[Bar, ...]) -> Finding:
    return Finding(Verdict.CLEAR, sentence, detail, stress, share.headline, share.range, bars)


def _one_of_several(question: QuestionReport) -> Finding:
    if question.found:
        return of_list(question)
    if (unsupported := _unsupported(question)) is not None:
        return unsupported
    order, family = rank_answers(question), _compared(question)
    named_first = _named_first(question, leaders(question.basis, family))
    if len(order) == 1:
        return _highest(question, Verdict.OVERLAP, "", named_first)
    opening = _chosen(question, named_first)
    ahead = leaders(question.basis, order, len(family))
    if len(ahead) > 1:
        return _overlapping(question, ahead, opening)
    first, second = (question.choices[code] for code in order[:2])
    share = _share(question, first)
    sentence = _after_opening(
        opening,
        alone=f"Most common: “{first.label}”, {share.number_or_bound}.",
        of_others=f"the most common is “{first.label}”, {share.number_or_bound}.",
    )
    detail = f"Lead over “{second.label}”: {_apart(question, *order[:2])}."
    return _clear(sentence, detail, first.label, share, (Bar.of(first), Bar.of(second)))


def _unsupported(question: QuestionReport) -> Finding | None:
    """Where nothing can be said of which answers are the largest; else None."""
    first_ones = [question.choices[code] for code in rank_answers(question)[:2]]
    named_first = (
        first_ones[:1]
        if question.none is None
        else [question.choices[question.none], *first_ones[:1]]
    )
    for choice in named_first:
        if _share(question, choice).is_impossible:
            return impossible(question, choice, f"“{choice.label}”")
    if first_ones and can_rank(question.choices):
        return None
    return Finding(Verdict.WIDE, CANNOT_RANK, TOO_WIDE, bars=tuple(map(Bar.of, first_ones)))


def _compared(question: QuestionReport) -> list[int]:
    """The answers among which a leader is looked for: all but the one that means none of the others."""
    return [code for code in range(len(question.choices)) if code != question.none]


def _named_first(question: QuestionReport, ahead: Sequence[int]) -> list[int]:
    """Return the codes of the answers without a rank that a sentence names before it speaks of the others.

    The answer that the author marked as “none of these” is always named. Declining is named where it is among those
    that may be the largest: the codes in `ahead`.
    """
    codes = [] if question.none is None else [question.none]
    declining = code_of_declining(question)
    if declining in ahead:
        codes.append(declining)
    return codes


def _chosen(question: QuestionReport, codes: Sequence[int]) -> str:
    """Return "35% chose “None of these” and 30% “A”." about the answers with these codes, "" if there are none."""
    parts = []
    for code in codes:
        choice = question.choices[code]
        is_count = question.design is None
        number = (
            format_percent(choice.observed, 0)
            if is_count
            else _share(question, choice).number_or_bound
        )
        verb = "" if parts else "chose "
        parts.append(f"{number} {verb}“{choice.label}”")
    if not parts:
        return ""
    words = join_with_and(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _apart(question: QuestionReport, first: int, second: int) -> str:
    """Return "6 points (95% range 1 to 11)", for all pairs at once, so that it excludes 0 where the first is ahead.

    The difference is that of the printed shares, unless its range needs more decimals. No lead is above 100 points: a
    range that reaches beyond gives its lower end alone, "at least 93 points (95% range)".
    """
    ahead = lead(question.basis, first, second, _compared(question))
    column_digits = share_decimals(question)
    digits = decimals_excluding_zero((100 * ahead.low, 100 * ahead.high), column_digits)
    if ahead.high > 1:
        least = format_bound(ahead.low, digits, up=False).removesuffix("%")
        return f"at least {least} points ({question.level_name} range)"

    one = possible(question.choices[first].estimate)
    two = possible(question.choices[second].estimate)
    difference = one - two
    if digits == column_digits:
        difference = (round(100 * one, digits) - round(100 * two, digits)) / 100
    points = points_in_view(difference, digits)
    return f"{points} points ({question.level_name} range {short_range(ahead.low, ahead.high, digits, unit='')})"


def _overlapping(question: QuestionReport, ahead: Sequence[int], opening: str) -> Finding:
    """Return the key result where several answers may be the largest.

    ahead: the codes of these answers, at least two.
    opening: what is said of the answers without a rank, or "".
    """
    first_ones = [question.choices[code] for code in ahead]
    bars = tuple(map(Bar.of, first_ones[:2]))
    if len(ahead) > MOST_NAMED:
        share = _share(question, first_ones[0])
        detail = f"Highest estimate: “{first_ones[0].label}”, {_range(question, share)}"
        return Finding(Verdict.OVERLAP, _no_leader(len(ahead), opening), detail, bars=bars)
    labels = join_with_and([f"“{choice.label}”" for choice in first_ones], "or")
    detail = f"Estimates: {join_with_and([_share(question, choice).number_or_bound for choice in first_ones])}."
    if len(ahead) == 2:
        difference = lead(question.basis, *ahead, _compared(question))
        ends = short_range(
            max(difference.low, -1.0), min(difference.high, 1.0), share_decimals(question), unit=""
        )
        detail += f" The difference could be anything from {ends} points."
    sentence = _after_opening(
        opening,
        alone=f"Most common: {labels} (too close to call).",
        of_others=f"{labels} could be the most common.",
    )
    return Finding(Verdict.OVERLAP, sentence, detail, bars=bars)


def of_list(question: QuestionReport) -> Finding:
    """Of very many choices: which are above 0, and what so many responses cannot find."""
    words, choices = (
        DetectedChoicesText(question.found, question.n, question.level_name),
        question.found.choices,
    )
    if not choices:
        return Finding(Verdict.WIDE, words.sentence, words.detail)
    share = Said(choices[0].estimate, *choices[0].interval)
    bars = tuple(Bar(each.label, each.estimate, *each.interval) for each in choices[:MOST_NAMED])
    number, range_ = ("", "") if share.is_wide else (share.number, share.range)
    return Finding(Verdict.CLEAR, words.sentence, words.detail, words.stress, number, range_, bars)


def _any_of_several(question: QuestionReport) -> Finding:
    """Each share by itself: people may choose several, so none is in the way of another."""
    if (unsupported := _unsupported(question)) is not None:
        return unsupported
    return _highest(question, Verdict.CLEAR, SEVERAL, _named_first(question, ahead=()))


def _highest(
    question: QuestionReport, verdict: Verdict, detail: str, named_first: Sequence[int]
) -> Finding:
    """Return the two largest estimates without a ranking, after the answers with the codes in `named_first`."""
    codes = rank_answers(question)[:2]
    first_ones = [question.choices[code] for code in codes]
    shares = [_share(question, choice) for choice in first_ones]
    words = [
        f"“{choice.label}” {share.number_or_bound}"
        for choice, share in zip(first_ones, shares, strict=True)
        if not share.is_impossible
    ]
    if named_first and len(words) == 1:
        sentence = _chosen(question, [*named_first, codes[0]])
    else:
        sentence = _after_opening(
            _chosen(question, named_first),
            alone=f"Highest estimate{'' if len(words) == 1 else 's'}: {', '.join(words)}.",
            of_others=f"the highest estimates are {join_with_and(words)}.",
        )
    result = _clear(
        sentence, detail, first_ones[0].label, shares[0], tuple(map(Bar.of, first_ones))
    )
    return replace(result, verdict=verdict)


def _background(question: QuestionReport) -> Finding:
    """Return the key result of counted answers. A leader is named only if its lead is more than chance.

    That is the rule of the other questions, too.
    """
    order, family = rank_answers(question), _compared(question)
    most = max((question.choices[code].observed for code in order), default=0)
    named_first = _named_first(question, leaders(question.basis, family))
    opening = _chosen(question, named_first)
    detail = " ".join(filter(None, [NOT_SCRAMBLED, declined(question), question.told]))
    if not most:
        return Finding(Verdict.CLEAR, f"{opening} No one chose any of the other answers.", detail)
    ahead = leaders(question.basis, order, len(family))
    if len(ahead) > 1:
        return _close_counts(question, ahead, opening, detail)
    first, number = question.choices[order[0]], format_percent(most, 0)
    if opening and len(order) == 1:
        sentence = _chosen(question, [*named_first, order[0]])
    else:
        sentence = _after_opening(
            opening,
            alone=f"Most common answer: “{first.label}”, {number} of responses.",
            of_others=f"the most common is “{first.label}”, {number} of responses.",
        )
    counted = f"{format_count(round(most * question.n))} of {format_count(question.n)}"
    return Finding(
        Verdict.CLEAR, sentence, detail, first.label, number, counted, (_count_bar(first),)
    )


def _close_counts(
    question: QuestionReport, ahead: Sequence[int], opening: str, detail: str
) -> Finding:
    """Return the largest counts, where chance may have put the answers with the codes in `ahead` in this order."""
    first_ones = [question.choices[code] for code in ahead]
    bars = tuple(map(_count_bar, first_ones[:2]))
    if len(ahead) > MOST_NAMED:
        first = first_ones[0]
        detail = f"Highest share: “{first.label}”, {format_percent(first.observed, 0)} of responses. {detail}"
        return Finding(Verdict.OVERLAP, _no_leader(len(ahead), opening), detail, bars=bars)
    words = [f"“{choice.label}” {format_percent(choice.observed, 0)}" for choice in first_ones]
    sentence = _after_opening(
        opening,
        alone=f"Highest shares: {', '.join(words)} of responses (too close to call).",
        of_others=f"the highest shares are {join_with_and(words)} (too close to call).",
    )
    return Finding(Verdict.OVERLAP, sentence, detail, bars=bars)


def _count_bar(choice: ChoiceReport) -> Bar:
    """Return the bar of an answer that was not scrambled, whose share is known and has no range."""
    return Bar(choice.label, choice.observed, choice.observed, choice.observed)


def _no_leader(size: int, opening: str) -> str:
    return _after_opening(
        opening,
        alone=f"No clear leader: any of {size} answers could be the most common.",
        of_others=f"any of {size} could be the most common.",
    )


def _after_opening(opening: str, *, alone: str, of_others: str) -> str:
    """Return a key sentence: `alone`, or what it says of the other answers after the opening.

    opening: what is said of the answers without a rank, or "" if none of them is named first.
    """
    return f"{opening} Of the other answers, {of_others}" if opening else alone


def _of_numbers(question: QuestionReport) -> Finding:
    """Of a number or a scale: its mean, behind the most frequent answer where shares were asked for."""
    if not question.choices:
        return of_mean(question)
    result = _one_of_several(question)
    if not question.average:
        return result
    return replace(result, detail=f"{result.detail} {mean_in_words(question)}".strip())


HEADLINES = {
    Kind.YES_NO: _yes_no,
    Kind.CHOICE: _one_of_several,
    Kind.ANY: _any_of_several,
    Kind.QUANTITY: _of_numbers,
    Kind.SCALE: _of_numbers,
    Kind.WRITTEN: lambda question: Finding(
        Verdict.WITHHELD, question.told
    ),  # candidates have a page of their own
    Kind.BACKGROUND: _background,
    Kind.NUMBER: of_background,
}
