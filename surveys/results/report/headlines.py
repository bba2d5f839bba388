"""The key result of a question, made once for pages, files and the API.

The sentences are those of the statements about the question. This module only decides which of them
fits the kind of the question.
"""

from dataclasses import replace

from surveys.definition.kinds import Kind, kind_of
from surveys.results.estimates.answer_order import code_of_declining
from surveys.results.estimates.heavy_hitters import DetectedChoicesText
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.report.key_result import Bar, Finding, Verdict, few
from surveys.results.report.number_headlines import declined, of_background, of_mean
from surveys.statements.rankings import MOST_NAMED, Ranking, RankingState
from surveys.statements.sentences import Text, after_condition
from surveys.statements.shares import ShareStatement

__all__ = ["Bar", "Finding", "Verdict", "finding"]

FILTERED = "The report is filtered by this question."
NOTHING_YET = "No results yet."
NOT_SCRAMBLED = "Answers to this question are not scrambled."
SEVERAL = "Each person may choose several, so shares may add up to more than 100%."


def finding(question: QuestionReport, *, filtered: bool = False) -> Finding:
    """Return the key result of a question.

    filtered: True if the report is about respondents who were selected by this question.
    """
    if question.basis is None:
        if question.told:
            return Finding(Verdict.WITHHELD, question.told)
        return Finding(Verdict.EMPTY, NOTHING_YET)
    if filtered:
        return Finding(Verdict.FILTERED, FILTERED)
    if question.has_few_reports:
        return few(question, question.n)
    result = HEADLINES[kind_of(question).key](question)
    if result.verdict in (Verdict.WITHHELD, Verdict.FEW):
        return result
    text = Text(result.sentence, result.detail, result.stress)
    text = after_condition(question.among, text, question.short)
    return replace(result, sentence=text.sentence, stress=text.stress)


def ranking(question: QuestionReport) -> Ranking:
    """Return the statement about the order of the answers to a question."""
    return Ranking(
        shares=question.statements,
        estimate=question.basis,
        set_apart=question.none,
        declining=code_of_declining(question),
        has_several=kind_of(question).select == "any",
    )


def _yes_no(question: QuestionReport) -> Finding:
    """Return the key result of a scrambled yes/no question: the share of Yes."""
    share = question.statement(question.choices[YES])
    if share.is_shown:
        return _clear(share.text, share, (Bar.of(share),))
    if share.is_impossible:
        return _impossible(share)
    return Finding(Verdict.WIDE, share.sentence, bars=(Bar.of(share),))


def _clear(text: Text, share: ShareStatement, bars: tuple[Bar, ...]) -> Finding:
    """Return a key result with the number of a share."""
    return Finding(
        Verdict.CLEAR, text.sentence, text.detail, text.stress, share.number, share.range, bars
    )


def _impossible(share: ShareStatement) -> Finding:
    """Return the key result of a question with a share that no possible one explains.

    An interval misses now and then, so this is no proof of anything. The check of the received
    shares decides.
    """
    return Finding(Verdict.IMPOSSIBLE, share.sentence, share.detail, bars=(Bar.of(share),))


def _choice(question: QuestionReport) -> Finding:
    """Return the key result of a question with one answer from a list."""
    return of_list(question) if question.found else _one_of_several(question)


def _one_of_several(question: QuestionReport) -> Finding:
    """Return the key result of a choice or a scale: the largest shares."""
    order = ranking(question)
    impossible = _first_impossible(order)
    if impossible is not None:
        return _impossible(impossible)
    first = order.shares[order.order[0]]
    bars = tuple(Bar.of(order.shares[code]) for code in order.order[:2])
    if order.state == RankingState.WITHHELD:
        return Finding(Verdict.WIDE, order.text.sentence, bars=bars)
    if order.has_several:
        return _clear(replace(order.text, detail=SEVERAL), first, bars)
    if order.state == RankingState.NOT_CLEAR:
        bars = tuple(Bar.of(order.shares[code]) for code in order.leaders[:2])
        return Finding(Verdict.OVERLAP, order.text.sentence, order.text.detail, bars=bars)
    result = _clear(order.text, first, bars)
    if len(order.order) == 1:
        # There is no other answer with a rank, so the share is a number but no result.
        return replace(result, verdict=Verdict.OVERLAP)
    return result


def _first_impossible(order: Ranking) -> ShareStatement | None:
    """Return the share that a sentence would name although no possible share explains it.

    These are the answer that means none of the others, and the largest of the others.
    """
    codes = order.order[:1] if order.set_apart is None else [order.set_apart, *order.order[:1]]
    for code in codes:
        share = order.shares[code]
        if share.is_impossible:
            # The sentence is about the answer, not about the question.
            return replace(share, quantity=replace(share.quantity, name=""))
    return None


def of_list(question: QuestionReport) -> Finding:
    """Return the key result of a long list: the choices above 0, and what cannot be found."""
    words = DetectedChoicesText(question.found, question.n, question.level_name)
    detected = [question.statement(choice) for _, choice in question.told_apart()]
    if not detected:
        return Finding(Verdict.WIDE, words.sentence, words.detail)
    bars = tuple(Bar.of(share) for share in detected[:MOST_NAMED])
    first = detected[0]
    number, shown_range = "", ""
    if not first.is_withheld:
        number, shown_range = first.estimate_text, first.range
    return Finding(
        Verdict.CLEAR, words.sentence, words.detail, words.stress, number, shown_range, bars
    )


def _background(question: QuestionReport) -> Finding:
    """Return the key result of counted answers. A leader is named only if it is clear."""
    order = ranking(question)
    text = order.text
    detail = " ".join(filter(None, [NOT_SCRAMBLED, declined(question), question.told]))
    first = order.shares[order.order[0]]
    if not first.estimate:
        return Finding(Verdict.CLEAR, text.sentence, detail)
    if order.state == RankingState.NOT_CLEAR:
        bars = tuple(Bar.of(order.shares[code]) for code in order.leaders[:2])
        if text.detail and len(order.leaders) > MOST_NAMED:
            detail = f"{text.detail} {detail}"
        return Finding(Verdict.OVERLAP, text.sentence, detail, bars=bars)
    return _clear(replace(text, detail=detail), first, (Bar.of(first),))


def _of_numbers(question: QuestionReport) -> Finding:
    """Return the key result of a number or a scale.

    It is the mean, or if shares were asked for, the most frequent answer with the mean behind it.
    """
    if not question.choices:
        return of_mean(question)
    result = _one_of_several(question)
    if not question.average or not question.average.statement.is_shown:
        return result
    mean = question.average.statement
    detail = f"{result.detail} {mean.sentence_without_name} {mean.detail}"
    return replace(result, detail=detail.strip())


def _written(question: QuestionReport) -> Finding:
    """Return the key result of a text question, whose candidates have a page of their own."""
    return Finding(Verdict.WITHHELD, question.told)


HEADLINES = {
    Kind.YES_NO: _yes_no,
    Kind.CHOICE: _choice,
    Kind.ANY: _one_of_several,
    Kind.QUANTITY: _of_numbers,
    Kind.SCALE: _of_numbers,
    Kind.WRITTEN: _written,
    Kind.BACKGROUND: _background,
    Kind.NUMBER: of_background,
}
