"""What stands around the figures of an analysis that leave as a file."""

from collections.abc import Sequence

from surveys.definition.instrument import QuestionDefinition
from surveys.results.figures.dot_plot import Figure
from surveys.results.report.figures import Words, stand_alone
from surveys.site.number_format import epsilon, format_count


def drawn(  # noqa: PLR0917  # in its order from top to bottom
    figures: Sequence[Figure],
    question: str,
    headline: str,
    sentences: list[str],
    items: list[QuestionDefinition],
    n: int,
    about: str,
) -> str:
    designs = {
        f"“{item.mechanism.title}”, epsilon {epsilon(item.mechanism.epsilon)}"
        for item in items
        if item.mechanism
    }
    made = f"; randomized by {' and '.join(sorted(designs))}" if designs else ""
    whom = f" Only {about}." if about else ""
    source = f"n = {format_count(n)}{made}.{whom} Analysed with Candor."
    return stand_alone(None, Words(question, headline, " ".join(sentences), source), figures)
