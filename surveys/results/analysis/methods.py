"""The methods section of a paper on an analysis: the survey and its designs, what was computed, and the references.

What was computed is said by the result itself, in the very words that the page has “for experts”.
"""

from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.literature import cited
from surveys.results.analysis.model.model import Model
from surveys.results.analysis.model.wording import method
from surveys.results.analysis.table.result import Crossed
from surveys.results.analysis.weighting.result import Weighted
from surveys.results.report.methods import ASSUMPTIONS, Methods, design_in_words, privacy_in_words, survey_in_words

Analysis = Model | Crossed | Compared | Weighted
OF_WEIGHTS = (
    "The estimates assume that respondents answered truthfully under this protection, that each person responded once, "
    "and that within the groups of the weights those who responded are like those who did not."
)


def methods(frozen: FrozenSurvey, found: Analysis, about: str = "", reason: str = "") -> Methods:
    """about: whom a filtered analysis is about. reason: as results.report.methods has it."""
    items = scrambled(found)
    return Methods(
        [
            survey_in_words(frozen, found.n, about),
            *map(design_in_words, items),
            OF_WEIGHTS if isinstance(found, Weighted) else ASSUMPTIONS,
            text(found),
            *([privacy_in_words(frozen, reason)] if items else []),
        ],
        references(found),
    )


def text(found: Analysis) -> str:
    """What was computed."""
    return method(found) if isinstance(found, Model) else found.methods


def references(found: Analysis) -> list[str]:
    """Of the designs and of what was computed, in the order of the alphabet."""
    return sorted({*cited(text(found)), *(item.mechanism.source for item in scrambled(found) if item.mechanism.source)})


def scrambled(found: Analysis) -> list[FrozenQuestion]:
    """The questions whose reports were looked at."""
    match found:
        case Model():
            items = [found.outcome.item, *(term.part.item for term in found.terms)]
        case Crossed():
            items = [found.first.item, found.second.item]
        case Compared():
            items = [found.item]
        case Weighted():
            items = [question.item for question in found.questions if question.answers]
    return [item for item in items if item.mechanism is not None]
