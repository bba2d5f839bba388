"""A kind of analysis: its parameters, what it finds, and what is shown and sent of that."""

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

# The parameters of a report that every analysis takes.
LEVEL = ("confidence", "where")
FORMS = ("csv", "svg", "png", "txt")
Interval = tuple[float, float]


@dataclass(frozen=True)
class Parameter:
    """A parameter in the address of an analysis.

    help: the description for programs.
    label: the label on the page.
    offer: a function that returns the options of a reader's survey: pairs of value and label.
    read: a function that makes of the text in the address what `find` takes.
    choices: the values, if they are the same for all surveys.
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
    """The result of an analysis for programs. Subclasses are dataclasses.

    items: the questions that were analysed.
    assumes: what has to hold, for a paper.
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
    """A kind of analysis.

    name: the name in addresses.
    level: the parameters of a report that it takes.
    offer: a function that returns whether a reader's survey has what the analysis needs.
    find: a function of an AnalysisRequest and the value of each parameter. It raises what a report
        raises, Invalid for a parameter, TooFew and TooMuch.
    result: the class of what programs get.
    csv, svg: functions that return a file, of what was found and of the people it is about.
    template: the part of the page that shows what was found.
    page: the address under Compare, if it is not the name.
    intro: the text of the page before anything is chosen.
    form: a subclass of surveys.web.workspace.analysis.section.AnalysisForm, if the page has more
        than a list for each parameter.
    has_own_view: True if the feature that adds the analysis has a view for its page. Its urls.py
        gives the view the name `compare-{page_slug}`.
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

    def parse_parameters(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of the parameters in an address.

        texts: the parameters as they stand there.
        """
        values = {}
        for parameter in self.parameters:
            values[parameter.name] = parameter.read(texts.get(parameter.name, ""))
        return values


def references(methods: str, items: Iterable[QuestionDefinition]) -> tuple[str, ...]:
    """Return the literature of the methods and of the designs, sorted.

    methods: the text that cites works by author and year.
    """
    works = set(cited(methods))
    for item in items:
        if item.mechanism is not None and item.mechanism.source:
            works.add(item.mechanism.source)
    return tuple(sorted(works))
