"""What was found, made once for page, files and API: a sentence, a number if the range supports one, and the bars.

Sentences fit the kind of the question and are true at the report's confidence. They name unbiased estimates, possible
bounds, and no ranking that chance may have made.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from django.conf import settings

from surveys.definition.kinds import Kind, kind_of
from surveys.results.estimates.heavy_hitters import MOST_NAMED, FoundInWords
from surveys.results.estimates.numeric import FOR_THE_MEAN
from surveys.results.estimates.ranking import can_rank, lead, leaders
from surveys.results.estimates.report import YES, ChoiceReport, QuestionReport
from surveys.results.estimates.share_wording import FEW, Said, of_whom
from surveys.results.figures.histogram import distribution
from surveys.results.report.numeric_results import Written, mean_in_words
from surveys.site.number_format import count, level, listed, percent, percent_range, points_in_view, short_range

TOO_WIDE = "Four times as many responses would halve the range."
CANNOT_RANK = "Too few answers to rank these."
FILTERED = "The report is filtered by this question."
NOTHING_YET = "There is no response yet."


class Verdict(StrEnum):
    CLEAR = "clear"
    OVERLAP = "cannot be told apart"
    WIDE = "too wide"
    FEW = "too few"
    IMPOSSIBLE = "impossible"
    EMPTY = "nothing yet"
    FILTERED = "filtered"
    WITHHELD = "not shown"


@dataclass(frozen=True)
class Bar:
    """What the shared scale draws: unbiased, as estimated, not cut. Fractions; of a number its own unit."""

    label: str
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Finding:
    """stress: the words of the sentence that carry it. number, range: empty where no number is supported.

    scale: the least and the largest number allowed, for a question whose bars are numbers and not shares.
    """

    verdict: Verdict
    sentence: str
    detail: str = ""
    stress: str = ""
    number: str = ""
    range: str = ""
    bars: tuple[Bar, ...] = ()
    scale: tuple[float, float] | None = None

    @property
    def is_pale(self) -> bool:
        """Whether the bars show how little is known, and no result."""
        return self.verdict in (Verdict.FEW, Verdict.WIDE, Verdict.IMPOSSIBLE)

    @property
    def headline(self) -> str:
        """All of it in words."""
        return f"{self.sentence} {self.detail}".strip()


def finding(question: QuestionReport, *, filtered: bool = False) -> Finding:
    """filtered: whether the report is about respondents picked by this question."""
    if question.basis is None:
        return Finding(Verdict.WITHHELD, question.told) if question.told else Finding(Verdict.EMPTY, NOTHING_YET)
    if filtered:
        return Finding(Verdict.FILTERED, FILTERED)
    if question.fewest < max(settings.FEW_RESPONSES, 1):
        return _few(question)
    result = HEADLINES[kind_of(question).key](question)
    sentence, stress = of_whom(question.whom, result.sentence, result.stress)
    return result if result.verdict is Verdict.WITHHELD else replace(result, sentence=sentence, stress=stress)


def said(choice: ChoiceReport) -> Said:
    return Said(choice.estimate, *choice.interval)


def bar(choice: ChoiceReport) -> Bar:
    return Bar(choice.label, choice.estimate, *choice.interval)


def _few(question: QuestionReport) -> Finding:
    people = f"{count(question.n)} response{'' if question.n == 1 else 's'}"
    if question.picks:
        people += f", of which {count(question.fewest)} or more tell of each answer"
    detail, bars = "The figures show how little is known; they support no statement.", ()
    if question.is_yes_no and question.design:
        yes = question.choices[YES]
        detail = f"The {level(question.confidence)} range is {percent_range(yes.interval)}. {detail}"
        bars = (bar(yes),)
    return Finding(Verdict.FEW, f"Too few to say anything: {people}.", detail, bars=bars)


def _likely(question: QuestionReport) -> str:
    return "very likely" if question.confidence >= 0.95 else "probably"


def _yes_no(question: QuestionReport) -> Finding:
    yes = question.choices[YES]
    share, answer = said(yes), f"“{yes.label}”"
    if share.is_impossible:
        return _impossible(question, yes)
    if share.is_wide:
        return Finding(Verdict.WIDE, f"{answer}: {_too_wide(share)}", TOO_WIDE, bars=(bar(yes),))
    if share.low <= 0:
        few = share.high <= FEW
        sentence = f"Hardly anyone says {answer}: {share.words}." if few else f"{_capital(share.words)} say {answer}."
    elif share.high >= 1:
        most = share.low >= 1 - FEW
        sentence = (
            f"Nearly everyone says {answer}: {share.words}." if most else f"{_capital(share.words)} say {answer}."
        )
    else:
        sentence = f"{_capital(share.words)} say {answer}."
    stress = share.words.removeprefix("about ")
    stress = stress if stress in sentence else _capital(stress)
    return _clear(sentence, _at_the_ends(question, yes), stress, yes, (bar(yes),))


def _too_wide(share: Said) -> str:
    if share.low <= 0 and share.high >= 1:
        return "any share is possible."
    return f"too uncertain for one number ({share.range})."


def _at_the_ends(question: QuestionReport, choice: ChoiceReport) -> str:
    """One sentence on the range, with the unbiased estimate where it is not the number shown."""
    share = said(choice)
    unbiased = f"the unbiased estimate is {percent(choice.estimate, max(share.digits, 1))}"
    if share.low <= 0:
        return f"Shares up to {percent(share.high, share.digits)} fit the answers; {unbiased}."
    if share.high >= 1:
        return f"Shares from {percent(share.low, share.digits)} on fit the answers; {unbiased}."
    return f"{share.number}, and {_likely(question)} {share.bounds}."


def _impossible(question: QuestionReport, choice: ChoiceReport) -> Finding:
    """An interval misses now and then, so this is no proof of anything; the check of the recorded shares decides."""
    below = choice.interval[1] < 0
    end, than = ("0%", "Lower") if below else ("100%", "Higher")
    one_in = round(2 / (1 - question.basis.level))
    detail = (
        f"The range of “{choice.label}”, {percent_range(choice.interval)}, lies wholly {'below' if below else 'above'} "
        f"{end}; the unbiased estimate is {percent(choice.estimate)}. By chance that happens in about 1 of "
        f"{count(one_in)} surveys whose true share is {end}; the check of the observed shares says whether chance "
        "explains it here."
    )
    return Finding(Verdict.IMPOSSIBLE, f"{than} than any share can be.", detail, bars=(bar(choice),))


def _clear(sentence: str, detail: str, stress: str, choice: ChoiceReport, bars: tuple[Bar, ...]) -> Finding:
    share = said(choice)
    return Finding(Verdict.CLEAR, sentence, detail, stress, share.headline, share.range, bars)


def _one_of_several(question: QuestionReport) -> Finding:
    if question.found:
        return of_list(question)
    order = np.argsort(-question.basis.proportions, kind="stable").tolist()
    first, second = (question.choices[place] for place in order[:2])
    if said(first).is_impossible:
        return _impossible(question, first)
    if not can_rank(question.choices):
        return Finding(Verdict.WIDE, CANNOT_RANK, TOO_WIDE, bars=(bar(first), bar(second)))
    named = leaders(question.basis)
    if len(named) > 1:
        return _overlapping(question, named)
    sentence = f"Most common: “{first.label}”, {said(first).number}."
    detail = f"Lead over “{second.label}”: {_apart(question, *order[:2])}."
    return _clear(sentence, detail, first.label, first, (bar(first), bar(second)))


def _apart(question: QuestionReport, first: int, second: int) -> str:
    """ "6 points (95% range 1 to 11)": of all pairs at once, so that it excludes 0 where the first is ahead."""
    ahead = lead(question.basis, first, second)
    points = points_in_view(ahead.difference)
    return f"{points} points ({question.level_name} range {short_range(ahead.low, ahead.high, unit='')})"


def _overlapping(question: QuestionReport, places: list[int]) -> Finding:
    named = [question.choices[place] for place in places]
    bars = tuple(map(bar, named[:2]))
    if len(places) > MOST_NAMED:
        sentence = f"No clear leader: any of {len(places)} answers could be the most common."
        share = said(named[0])
        detail = f"Highest estimate: “{named[0].label}”, {share.number} ({share.bounds})."
        return Finding(Verdict.OVERLAP, sentence, detail, bars=bars)
    labels = listed([f"“{choice.label}”" for choice in named], "or")
    shares = listed([said(choice).number for choice in named])
    detail = f"Estimates: {shares}."
    if len(places) == 2:
        detail += f" Difference: {_apart(question, *places)}."
    return Finding(Verdict.OVERLAP, f"Most common: {labels} (too close to call).", detail, bars=bars)


def of_list(question: QuestionReport) -> Finding:
    """Of very many choices: which were found, and what so many responses cannot find."""
    said, choices = FoundInWords(question.found, question.n, question.level_name), question.found.choices
    if not choices:
        return Finding(Verdict.WIDE, said.sentence, said.detail)
    share = Said(choices[0].estimate, *choices[0].interval)
    bars = tuple(Bar(each.label, each.estimate, *each.interval) for each in choices[:MOST_NAMED])
    return Finding(Verdict.CLEAR, said.sentence, said.detail, choices[0].label, share.number, share.range, bars)


def _any_of_several(question: QuestionReport) -> Finding:
    """Each share by itself: people may choose several, so none is in the way of another."""
    first, second = sorted(question.choices, key=lambda choice: -choice.estimate)[:2]
    if said(first).is_impossible:
        return _impossible(question, first)
    bars = (bar(first), bar(second))
    if not can_rank(question.choices):
        return Finding(Verdict.WIDE, CANNOT_RANK, TOO_WIDE, bars=bars)
    words = ", ".join(f"“{each.label}” {_number_or_bound(said(each))}" for each in (first, second))
    detail = "Each person may choose several, so shares may add up to more than 100%."
    return _clear(f"Highest estimates: {words}.", detail, first.label, first, bars)


def _number_or_bound(share: Said) -> str:
    return share.number if share.low > 0 and share.high < 1 else share.bounds


def _background(question: QuestionReport) -> Finding:
    """What was recorded as it is: a count of these responses, and no ranking of the population."""
    most = max(choice.observed for choice in question.choices)
    top = [choice for choice in question.choices if choice.observed == most]
    first = top[0]
    counted = f"{count(round(most * question.n))} of {count(question.n)}"
    how = "Answers to this question are not scrambled: they are counted as they came."
    detail = " ".join(filter(None, [how, _declined(question), question.told]))
    if len(top) > 1:
        return Finding(Verdict.CLEAR, f"{len(top)} groups are equally large: {percent(most, 0)} each.", detail)
    sentence = f"The largest group is “{first.label}”: {percent(most, 0)} of the responses."
    return Finding(
        Verdict.CLEAR, sentence, detail, first.label, percent(most, 0), counted, (Bar(first.label, most, most, most),)
    )


def _number(question: QuestionReport) -> Finding:
    """Of a background number, sent as it is: the median, and the mean with the usual normal interval."""
    if question.all_declined:
        return Finding(Verdict.WITHHELD, "Nobody gave a number.", _declined(question))
    found = distribution(question)
    median = found.quartiles[1]
    return Finding(
        Verdict.CLEAR,
        f"Half: {median} or less.",
        f"On average {found.number} ({question.level_name} range {found.range}); the answers go from "
        f"{found.given.min()} to {found.given.max()}. {_declined(question)}".strip(),
        f"{median} or less",
        found.number,
        f"mean, {found.range}",
        (Bar("mean", found.mean, found.mean - found.half, found.mean + found.half),),
        (float(found.values.min()), float(found.values.max())),
    )


def _declined(question: QuestionReport) -> str:
    """How many said nothing to a background question."""
    share = question.share_declined
    if not share:
        return ""
    return f"{count(round(share * question.n))} of {count(question.n)} preferred not to say ({percent(share, 0)})."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def of_mean(question: QuestionReport) -> Finding:
    """Of a question that was made for the mean."""
    if question.average is None:
        return Finding(Verdict.WIDE, "Nothing definite yet.", "Nearly everybody seems to have declined to say.")
    written = Written(question.average)
    low, high = question.average.mean.interval
    found = Finding(
        Verdict.CLEAR,
        f"On average {written.number}{written.unit}{written.scale}.",
        f"{_likely(question).capitalize()} the mean of all is from {written.range}.{_besides(question)}",
        f"{written.number}{written.unit}",
        written.number,
        f"{written.range}{written.unit}",
        (Bar("mean", question.average.mean.value, low, high),),
        (float(written.first), float(written.last)),
    )
    if written.is_impossible:
        sentence = f"{'Lower' if high < written.first else 'Higher'} than any mean can be."
        detail = (
            f"Every answer is from {written.first} to {written.last}; the range of the mean lies wholly outside. By "
            "chance that is rare; the check of the observed shares says whether chance explains it here."
        )
        return replace(
            found, verdict=Verdict.IMPOSSIBLE, sentence=sentence, detail=detail, stress="", number="", range=""
        )
    if written.is_wide:
        sentence = f"On average: too uncertain for one number ({written.range}{written.unit}){written.scale}."
        return replace(found, verdict=Verdict.WIDE, sentence=sentence, detail=TOO_WIDE, stress="", number="", range="")
    return found


def _besides(question: QuestionReport) -> str:
    """The median, and that shares are not shown where none is."""
    median = next((each for each in question.average.quartiles if each.at == 0.5), None)
    why = "" if question.average.at_most else f" {FOR_THE_MEAN}"
    if median is None:
        return why
    low, high = median.interval
    return f" Half answer {median.number} or less (from {low} to {high}).{why}"


def _of_numbers(question: QuestionReport) -> Finding:
    """Of a number or a scale: its mean, behind the most frequent answer where shares were asked for."""
    if not question.choices:
        return of_mean(question)
    found = _one_of_several(question)
    return replace(found, detail=f"{found.detail} {mean_in_words(question.average)}") if question.average else found


HEADLINES = {
    Kind.YES_NO: _yes_no,
    Kind.CHOICE: _one_of_several,
    Kind.ANY: _any_of_several,
    Kind.QUANTITY: _of_numbers,
    Kind.SCALE: _of_numbers,
    Kind.WRITTEN: lambda question: Finding(Verdict.WITHHELD, question.told),  # candidates have a page of their own
    Kind.BACKGROUND: _background,
    Kind.NUMBER: _number,
}
