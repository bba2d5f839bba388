"""An analysis is a feature of a file, a template and a line: on the page, in the API, its schema, files and client."""

from pathlib import Path

from tests.whole_site.examples.tree import Tree

FILES = 4  # the template and the empty __init__.py are two of them; may only fall
ROW = '''"""A toy: how many people were asked a question, and how many of their reports say each answer."""

from dataclasses import dataclass
from typing import Self

from surveys.definition.instrument import QuestionDefinition
from surveys.extensions import analyses
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis import selection
from surveys.results.analysis.analysis import Analysis, AnalysisResult, AnalysisRequest, Parameter, references
from surveys.results.analysis.drawing import analysis_svg
from surveys.results.analysis.refusals import require_enough
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.question_report import ChoiceReport
from surveys.results.figures.dot_plot import figure_of, row
from surveys.site.files.lines import write_csv
from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class Counted:
    item: QuestionDefinition
    n: int
    counts: tuple[int, ...]
    sentence = "These are reports, and not answers."


@dataclass(frozen=True)
class Said(ApiResult):
    label: str = api_field()
    reports: int = api_field("that say it")


@dataclass(frozen=True)
class ToyResult(AnalysisResult):
    """How many reports say each answer."""

    question: str = api_field()
    n: int = api_field("people who were asked")
    said: tuple[Said, ...] = api_field()
    sentence: str = api_field("as the page says it")
    methods: str = api_field("for a paper")
    references: tuple[str, ...] = api_field()
    items: tuple[QuestionDefinition, ...] = api_field(sent=False)

    @classmethod
    def from_result(cls, found: Counted) -> Self:
        said = tuple(map(Said, found.item.choices, found.counts))
        methods, items = "Reports were counted.", (found.item,)
        return cls(found.item.key, found.n, said, found.sentence, methods, references(methods, items), items)


def _csv(found: Counted, about: str) -> str:
    rows = [{"variable": found.item.key, "answer": label, "reports": count, "group": about}
            for label, count in zip(found.item.choices, found.counts)]
    return write_csv(("variable", "answer", "reports", "group"), rows)


def _find(looking: AnalysisRequest, question: str) -> Counted:
    item = selection.question(looking.seen, question, "question", selection.questions_with_shares(looking.seen))
    tally = looking.seen.tally(looking.group)
    require_enough(tally["n"])
    return Counted(item, tally["n"], tuple(unpack(tally["counts"][item.key]).tolist()))


def _svg(found: Counted, about: str = "") -> str:
    rows = [row(ChoiceReport(label, None, count / found.n, 0.0, (0.0, 1.0)), recorded=False)
            for label, count in zip(found.item.choices, found.counts)]
    return analysis_svg(
        [figure_of(rows, ranges="all")],
        question=found.item.full_text,
        headline="Reports",
        sentences=[found.sentence],
        items=[found.item],
        n=found.n,
        about=about,
    )


def _questions(seen: ReaderView) -> list[tuple[str, str]]:
    return [(item.key, item.full_text) for item in selection.questions_with_shares(seen)]


TOY = Analysis(
    name="reports-counted",
    title="Reports counted",
    summary="How many reports say each answer",
    parameters=(Parameter("question", "a scrambled question", "Question", _questions),),
    offer=lambda seen: bool(selection.questions_with_shares(seen)),
    find=_find,
    result=ToyResult,
    csv=_csv,
    svg=_svg,
    template="toy/reports-counted.html",
)
analyses.register(TOY)
'''
PAGE = "<p>{{ found.sentence }} {{ found.n }} people.</p>"


def test_one_more_analysis_is_a_file_a_template_and_a_line(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("features/toy/__init__.py", "")
    tree.write("features/toy/extensions.py", ROW)
    tree.write("features/toy/templates/toy/reports-counted.html", PAGE)
    tree.put("config/settings.py", after="FEATURES = [\n", text='    "features.toy",\n')
    assert len(tree.touched()) + 1 <= FILES, tree.touched()
    tree.test("tests/whole_site/examples/analysis_program.py")
