"""A kind of analysis as one row: what is asked of it, what it finds, and what of that is shown, sent and written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.literature import cited
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.report.methods import ASSUMPTIONS
from surveys.site.shape import ApiResult

LEVEL = ("confidence", "where")  # of the report's own parameters those that every analysis takes
FORMS = ("csv", "svg", "png", "txt")
Interval = tuple[float, float]


@dataclass(frozen=True)
class Parameter:
    """help: for programs. label: on the page. offer: what the survey of a reader has to choose from, as
    (value, label). read: the text of an address -> what `find` takes. choices: where they are the same for all.
    """

    name: str
    help: str
    label: str = ""
    offer: Callable[[ReaderView], list[tuple[str, str]]] | None = None
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True)
class AnalysisRequest:
    """The reader of an analysis, the options of its intervals, and the group it is about."""

    seen: ReaderView
    asked: IntervalOptions
    group: Group


class AnalysisResult(ApiResult):
    """What is told of what was found. items: the questions that were looked at. assumes: what has to hold, for a paper.
    Subclasses are dataclasses.
    """

    n: int
    methods: str
    references: tuple[str, ...]
    items: tuple[QuestionDefinition, ...]
    assumes: ClassVar[str] = ASSUMPTIONS

    @classmethod
    def from_result(cls, result: Any) -> Self:
        """Return the result as programs get it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Analysis:
    """name: as addresses have it. level: of the report's parameters those that it takes. offer: whether a reader's
    survey has what it needs. find: of a AnalysisRequest and the value of each parameter; raises
    what a report raises, Invalid
    at a parameter, TooFew and TooMuch. result: what programs get of what was found. csv, svg: return a file, made of
    what was found and whom it is about. template: of the part of the page that shows what was found. page: the one
    under Compare, where that is not of its own name. intro: what its page says before anything is chosen. form: for
    more than a list for each parameter, a subclass of surveys.web.workspace.analysis.section.AnalysisForm.
    has_own_view: whether its page is a view of the feature that adds it, whose urls.py gives it the name
    `compare-{place}`.
    """

    name: str
    title: str
    summary: str
    parameters: tuple[Parameter, ...]
    offer: Callable[[ReaderView], bool]
    find: Callable[..., Any]
    result: type[AnalysisResult]
    csv: Callable[[Any, str], str]
    svg: Callable[..., str]
    template: str = ""
    rules: str = ""
    level: tuple[str, ...] = LEVEL
    page: str = ""
    intro: str = ""
    form: type | None = None
    has_own_view: bool = False

    @property
    def page_slug(self) -> str:
        """The last part of the address of its page."""
        return self.page or self.name

    def parse_parameters(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of the parameters in an address."""
        return {each.name: each.read(given.get(each.name, "")) for each in self.parameters}


def references(methods: str, items: Iterable[QuestionDefinition]) -> tuple[str, ...]:
    """Of what was computed and of the designs, in the order of the alphabet."""
    sources = {item.mechanism.source for item in items if item.mechanism}
    return tuple(sorted({*cited(methods), *sources} - {""}))
