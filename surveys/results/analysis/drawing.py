"""The frame of figures that leave an analysis as a file: headline, sentences and source."""

from collections.abc import Sequence

from surveys.definition.instrument import QuestionDefinition
from surveys.results.figures.dot_plot import Figure
from surveys.results.report.figures import Words, stand_alone
from surveys.site.number_format import epsilon, format_count


def analysis_svg(
    figures: Sequence[Figure],
    *,
    question: str,
    headline: str,
    sentences: Sequence[str],
    items: Sequence[QuestionDefinition],
    n: int,
    about: str,
) -> str:
    """Return an SVG file of an analysis.

    question: the text of the question, or what was analysed.
    items: the questions that were analysed, whose designs the source names.
    about: the people that a filtered analysis is about; "" for everybody.
    """
    designs = set()
    for item in items:
        mechanism = item.mechanism
        if mechanism is not None:
            designs.add(f"“{mechanism.title}”, epsilon {epsilon(mechanism.epsilon)}")
    source = f"n = {format_count(n)}"
    if designs:
        source += f"; randomized by {' and '.join(sorted(designs))}"
    source += "."
    if about:
        source += f" Only {about}."
    source += " Analysed with Candor."
    return stand_alone(None, Words(question, headline, " ".join(sentences), source), figures)
