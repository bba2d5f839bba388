"""What leaves groups compared, weighted shares and tables of two questions: CSV and drawings. Shares are fractions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.table.result import Crossed, OfThose
from surveys.results.analysis.weighting.result import WeighedMean, Weighted
from surveys.results.figures.dot_plot import Figure, Row
from surveys.results.report.csv_tables import as_csv
from surveys.results.report.figures import Words, stand_alone
from surveys.site.number_format import count, epsilon

COMPARED = (
    *("variable", "question", "answer", "by", "first", "second", "difference", "standard_error", "low", "high"),
    *("confidence", "p", "p_holm", "group", "p_together", "verdict"),
)
WEIGHTED = (
    *(
        "variable",
        "question",
        "answer",
        "n",
        "effective_n",
        "design_effect",
        "weighted",
        "standard_error",
        "low",
        "high",
    ),
    *("unweighted", "unweighted_standard_error", "unweighted_low", "unweighted_high", "confidence", "by", "group"),
)
CROSSED = (
    *("rows", "columns", "row", "column", "n", "share", "standard_error", "low", "high", "constrained"),
    *("of_row", "of_row_low", "of_row_high", "of_column", "of_column_low", "of_column_high", "confidence", "group"),
)


def compared_csv(found: Compared, *, about: str = "") -> str:
    """One row for each group against all others; low and high hold for all these differences together."""
    of = found.question.key, found.question.text, found.answer, found.found.by.key
    rows = (
        (
            *(*of, each.group, each.versus, each.difference, each.standard_error, *each.simultaneous),
            *(found.confidence, each.p, each.p_holm, about or "everybody", each.p_together, each.verdict),
        )
        for each in found.differences
    )
    return as_csv(COMPARED, rows)


def weighted_csv(found: Weighted, *, about: str = "") -> str:
    """One row for each answer of all scrambled questions that have enough people, or for their mean."""
    by = " ".join(margin.key for margin in found.margins)
    rows = (
        (
            *(question.item.key, question.item.whole, answer.label, answer.weighted.n, answer.weighted.effective_n),
            *(answer.weighted.design_effect, answer.weighted.share, answer.weighted.standard_error),
            *(*answer.weighted.interval, answer.plain.estimate, answer.plain.standard_error, *answer.plain.interval),
            *(found.confidence, by, about or "everybody"),
        )
        for question in found.questions
        for answer in question.answers
    )
    means = (_mean(found, question.item, question.mean, by, about) for question in found.questions if question.mean)
    return as_csv(WEIGHTED, (*rows, *means))


def _mean(found: Weighted, item: FrozenQuestion, mean: WeighedMean, by: str, about: str) -> tuple:
    plain, weighted = mean.plain.mean, mean.weighted
    return (
        *(item.key, item.whole, mean.label, weighted.n, weighted.effective_n, weighted.design_effect),
        *(weighted.share, weighted.standard_error, *weighted.interval),
        *(plain.value, plain.standard_error, *plain.interval, found.confidence, by, about or "everybody"),
    )


def crossed_csv(found: Crossed, *, about: str = "") -> str:
    """One row for each cell."""
    return as_csv(CROSSED, _cells(found, about or "everybody"))


def _cells(found: Crossed, about: str) -> Iterator[tuple]:
    table = found.table
    for u, row in enumerate(found.rows):
        for v, column in enumerate(found.columns):
            yield (
                *(found.first.name, found.second.name, row, column, found.n, float(table.shares[u, v])),
                *(float(table.standard_errors[u, v]), *map(float, table.intervals[u, v])),
                *(float(table.constrained[u, v]), *_of(found.of_rows[u][v]), *_of(found.of_columns[u][v])),
                *(found.confidence, about),
            )


def _of(share: OfThose | None) -> tuple:
    if share is None:
        return (None, None, None)
    return (share.share, *(share.interval or (None, None)))


def compared_file(found: Compared, *, about: str = "") -> str:
    """An SVG file of the groups' shares."""
    return _drawn([found.figure], found.question.text, found.headline, found.sentences, [found.item], found.n, about)


def weighted_file(found: Weighted, *, about: str = "") -> str:
    """An SVG file of all shares, weighted and unweighted."""
    items = [question.item for question in found.questions]
    by = ", ".join(margin.item.whole for margin in found.margins)
    figures = [found.figure] if found.figure.rows else []
    for question, figure in found.means:
        figures.append(replace(figure, rows=(Row(question.item.whole, is_heading=True), *figure.rows)))
    return _drawn(figures, by, found.headline, found.sentences, items, found.n, about)


def crossed_file(found: Crossed, *, about: str = "") -> str:
    """An SVG file of the shares of the second question among those with each answer of the first."""
    items = [part.item for part in (found.first, found.second)]
    sentences = [*found.sentences, found.in_figure]
    return _drawn([found.figure], found.second.item.whole, found.headline, sentences, items, found.n, about)


def _drawn(  # noqa: PLR0917  # what stands around a figure, in its order
    figures: Sequence[Figure],
    question: str,
    headline: str,
    sentences: list[str],
    items: list[FrozenQuestion],
    n: int,
    about: str,
) -> str:
    designs = {
        f"“{item.mechanism.title}”, epsilon {epsilon(item.mechanism.epsilon)}" for item in items if item.mechanism
    }
    made = f"; randomized by {' and '.join(sorted(designs))}" if designs else ""
    whom = f" Only {about}." if about else ""
    source = f"n = {count(n)}{made}.{whom} Analysed with Candor."
    return stand_alone(None, Words(question, headline, " ".join(sentences), source), figures)
