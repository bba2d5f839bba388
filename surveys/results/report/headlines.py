"""The key result of a question, made once for page, files and API: a sentence, a number if the range supports one, and
the bars.

Sentences fit the kind of the question and are true at the report's confidence. They name unbiased estimates, possible
bounds, and no ranking that chance may have made.
"""

from dataclasses import replace

from django.conf import settings

from surveys.definition.kinds import Kind, kind_of
from surveys.results.estimates.answer_order import decimals, ranked, unranked
from surveys.results.estimates.heavy_hitters import MOST_NAMED, FoundInWords
from surveys.results.estimates.ranking import can_rank, lead, leaders
from surveys.results.estimates.report import YES, ChoiceReport, QuestionReport
from surveys.results.estimates.share_wording import Said, of_whom, possible
from surveys.results.report.key_result import TOO_WIDE, Bar, Finding, Verdict, few, impossible, named
from surveys.results.report.number_headlines import declined, of_background, of_mean
from surveys.results.report.numeric_results import mean_in_words
from surveys.site.number_format import count, listed, percent, points_in_view, rounded_outwards, short_range

__all__ = ["Bar", "Finding", "Verdict", "finding"]

CANNOT_RANK = "Too few answers to rank these."
FILTERED = "The report is filtered by this question."
NOTHING_YET = "No results yet."
NOT_SCRAMBLED = "Answers to this question are not scrambled."
SEVERAL = "Each person may choose several, so shares may add up to more than 100%."


def finding(question: QuestionReport, *, filtered: bool = False) -> Finding:
    """filtered: whether the report is about respondents picked by this question."""
    if question.basis is None:
        return Finding(Verdict.WITHHELD, question.told) if question.told else Finding(Verdict.EMPTY, NOTHING_YET)
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
    return Said(choice.estimate, *choice.interval, decimals(question))


def _yes_no(question: QuestionReport) -> Finding:
    yes = question.choices[YES]
    share, name = _share(question, yes), question.short or f"“{yes.label}”"
    if share.is_impossible:
        return impossible(question, yes, name)
    if share.is_wide:
        return Finding(Verdict.WIDE, f"{name}: {_too_wide(share)}", TOO_WIDE, bars=(Bar.of(yes),))
    sentence = named(question, share.words) + ("." if question.short else f" answered “{yes.label}”.")
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
    unbiased, name = f"unbiased estimate {percent(share.estimate, digits)}.", f"{question.level_name} range"
    if share.low <= 0:
        return f"{name} up to {rounded_outwards(possible(share.high), digits, up=True)}; {unbiased}"
    if share.high >= 1:
        return f"{name} from {rounded_outwards(possible(share.low), digits, up=False)}; {unbiased}"
    return f"{share.number} ({name} {share.span})."


def _clear(sentence: str, detail: str, stress: str, share: Said, bars: tuple[Bar, ...]) -> Finding:
    return Finding(Verdict.CLEAR, sentence, detail, stress, share.headline, share.range, bars)


def _one_of_several(question: QuestionReport) -> Finding:
    if question.found:
        return of_list(question)
    if (unsupported := _unsupported(question)) is not None:
        return unsupported
    order, last = ranked(question), unranked(question)
    ahead = leaders(question.basis, _compared(question))
    is_open = any(code in ahead for code in last)
    if len(order) == 1 or (is_open and len(ahead) == 1):
        return _highest(question, Verdict.OVERLAP, "")
    if len(ahead) > 1:
        return _overlapping(question, ahead, rest=is_open)
    first, second = (question.choices[place] for place in order[:2])
    share = _share(question, first)
    sentence = f"Most common: “{first.label}”, {share.number_or_bound}."
    detail = f"Lead over “{second.label}”: {_apart(question, *order[:2])}. {_none(question)}".strip()
    return _clear(sentence, detail, first.label, share, (Bar.of(first), Bar.of(second)))


def _unsupported(question: QuestionReport) -> Finding | None:
    """Where nothing can be said of which answers are the largest; else None."""
    first_ones = [question.choices[place] for place in ranked(question)[:2]]
    if first_ones and _share(question, first_ones[0]).is_impossible:
        return impossible(question, first_ones[0], f"“{first_ones[0].label}”")
    if first_ones and can_rank(question.choices):
        return None
    return Finding(Verdict.WIDE, CANNOT_RANK, TOO_WIDE, bars=tuple(map(Bar.of, first_ones)))


def _compared(question: QuestionReport) -> list[int]:
    """The answers among which a leader is looked for: all but the one that means none of the others."""
    return [code for code in range(len(question.choices)) if code != question.none]


def _apart(question: QuestionReport, first: int, second: int) -> str:
    """ "6 points (95% range 1 to 11)": of all pairs at once, so that it excludes 0 where the first is ahead.

    The difference is that of the printed shares.
    """
    ahead, digits = lead(question.basis, first, second, _compared(question)), decimals(question)
    one, two = (round(100 * possible(question.choices[place].estimate), digits) for place in (first, second))
    ends = digits
    while ahead.low > 0 and round(100 * ahead.low, ends) == 0 and ends < 4:
        ends += 1
    points = points_in_view((one - two) / 100, digits)
    return f"{points} points ({question.level_name} range {short_range(ahead.low, ahead.high, ends, unit='')})"


def _overlapping(question: QuestionReport, places: list[int], *, rest: bool = False) -> Finding:
    """rest: whether answers that stand for many others are among those which may be the largest."""
    first_ones = [question.choices[place] for place in places if place not in unranked(question)]
    bars = tuple(map(Bar.of, first_ones[:2]))
    if rest or len(places) > MOST_NAMED:
        sentence = f"No clear leader: any of {len(places)} answers could be the most common."
        share = _share(question, first_ones[0])
        detail = f"Highest estimate: “{first_ones[0].label}”, {_range(question, share)} {_none(question)}".strip()
        return Finding(Verdict.OVERLAP, sentence, detail, bars=bars)
    labels = listed([f"“{choice.label}”" for choice in first_ones], "or")
    detail = f"Estimates: {listed([_share(question, choice).number_or_bound for choice in first_ones])}."
    if len(places) == 2:
        ahead = lead(question.basis, *places, _compared(question))
        ends = short_range(ahead.low, ahead.high, decimals(question), unit="")
        detail += f" The difference could be anything from {ends} points."
    sentence = f"Most common: {labels} (too close to call)."
    return Finding(Verdict.OVERLAP, sentence, f"{detail} {_none(question)}".strip(), bars=bars)


def _none(question: QuestionReport) -> str:
    """ "None of these: 34%.", or nothing."""
    if question.none is None:
        return ""
    choice = question.choices[question.none]
    share = _share(question, choice)
    if share.is_impossible or share.is_wide:
        return ""
    return f"{choice.label}: {share.number_or_bound}."


def of_list(question: QuestionReport) -> Finding:
    """Of very many choices: which are above 0, and what so many responses cannot find."""
    words, choices = FoundInWords(question.found, question.n, question.level_name), question.found.choices
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
    return _highest(question, Verdict.CLEAR, SEVERAL)


def _highest(question: QuestionReport, verdict: Verdict, detail: str) -> Finding:
    """The two largest estimates without a ranking, the answer that means none, and those that stand for the rest."""
    two = [question.choices[place] for place in ranked(question)[:2]]
    bars, shares = tuple(map(Bar.of, two)), [_share(question, each) for each in two]
    words = [
        f"“{each.label}” {share.number_or_bound}"
        for each, share in zip(two, shares, strict=True)
        if not share.is_impossible
    ]
    sentence = f"Highest estimate{'' if len(words) == 1 else 's'}: {', '.join(words)}. {_none(question)}".strip()
    return replace(_clear(sentence, detail, two[0].label, shares[0], bars), verdict=verdict)


def _background(question: QuestionReport) -> Finding:
    """A count of these responses, and no ranking of the population."""
    order = ranked(question)
    most = max((question.choices[place].observed for place in order), default=0)
    detail = " ".join(filter(None, [NOT_SCRAMBLED, declined(question), question.told]))
    if not most:
        return Finding(Verdict.WITHHELD, "No one chose one of these answers.", detail)
    top = [question.choices[place] for place in order if question.choices[place].observed == most]
    first, number = top[0], percent(most, 0)
    if len(top) > MOST_NAMED:
        return Finding(
            Verdict.CLEAR, f"{len(top)} answers are equally common, with {number} of responses each.", detail
        )
    if len(top) > 1:
        labels = listed([f"“{choice.label}”" for choice in top])
        return Finding(Verdict.CLEAR, f"Most common answers: {labels}, {number} of responses each.", detail)
    counted = f"{count(round(most * question.n))} of {count(question.n)}"
    sentence = f"Most common answer: “{first.label}”, {number} of responses."
    bars = (Bar(first.label, most, most, most),)
    return Finding(Verdict.CLEAR, sentence, detail, first.label, number, counted, bars)


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
    Kind.WRITTEN: lambda question: Finding(Verdict.WITHHELD, question.told),  # candidates have a page of their own
    Kind.BACKGROUND: _background,
    Kind.NUMBER: of_background,
}
