"""The report as its page shows it: each question with what was found, its figure and what the reader asked for."""

from dataclasses import dataclass, replace

from mechanisms.planning.central import CentralComparison
from surveys.definition.instrument import FrozenSurvey
from surveys.results.estimates import on_request
from surveys.results.estimates.answer_order import has_own_order
from surveys.results.estimates.report import ChoiceReport, QuestionReport, SurveyReport
from surveys.results.figures.dot_plot import Figure
from surveys.results.figures.likelihood import likelihood_figure
from surveys.results.report import impossible_shares, quality
from surveys.results.report.cards import Card, cards
from surveys.results.report.correction import correction
from surveys.results.report.figures import has_drawing, question_figure
from surveys.results.report.grids import GridReport, grids
from surveys.results.report.headlines import Finding, finding
from surveys.web.workspace.report.choice_lists import Listed, look_through
from surveys.web.workspace.report.options import Options, OptionsForm


@dataclass(frozen=True)
class Shown:
    """One question of the page. What has no meaning for it is None."""

    question: QuestionReport
    finding: Finding
    choices: list[tuple[int, ChoiceReport]]
    figure: Figure | None = None
    outside: str = ""
    listed: Listed | None = None  # of a long list the page of its table
    curve: Figure | None = None
    test: on_request.Test | None = None
    test_field: object = None
    sum: on_request.Sum | None = None
    sum_field: object = None
    central: CentralComparison | None = None
    fakes: on_request.Fakes | None = None
    checks: tuple[quality.Check, ...] = ()
    correction: str = ""  # how its number came about, in one line
    cards: tuple[Card, ...] = ()  # of a background number
    grid: GridReport | None = None  # of the first row of a grid: the section of all its rows
    rows: tuple["Shown", ...] = ()  # and these rows
    is_in_grid: bool = False  # whether it is shown in the section of its grid

    @property
    def is_asked(self) -> bool:
        """Whether the reader asked for something below the table, which then stands open."""
        errors = [field.errors for field in (self.test_field, self.sum_field) if field]
        return bool(self.test or self.sum or any(errors))

    @property
    def can_be_sorted(self) -> bool:
        return not has_own_order(self.question) and not self.question.is_list and len(self.question.choices) > 2


def shown(result: SurveyReport, form: OptionsForm, options: Options, checks: list[quality.Check]) -> list[Shown]:
    sections = grids(result.questions)
    each = [_shown(question, form, options, checks) for question in result.questions]
    return [_in_grid(one, each, sections) if one.question.key in sections else one for one in each]


def _in_grid(one: Shown, each: list[Shown], sections: dict[str, GridReport | None]) -> Shown:
    grid = sections[one.question.key]
    rows = tuple(other for other in each if grid and other.question in grid.questions)
    return replace(one, grid=grid, rows=rows, is_in_grid=True)


def counted(frozen: FrozenSurvey, result: SurveyReport, options: Options) -> list[quality.Check]:
    """The checks that need the counts alone; those of the single reports stand on their own page."""
    return quality.check_counts(frozen, result, anchors=not options.group)


def _shown(question: QuestionReport, form: OptionsForm, options: Options, checks: list[quality.Check]) -> Shown:
    listed = look_through(question, form.data) if question.is_list else None
    choices = listed.page.object_list if listed else question.ordered(by_size=options.by_size)
    if question.is_number:
        choices = [(v, choice) for v, choice in choices if choice.observed]
    found = finding(question, filtered=question.key in dict(options.group.conditions))
    base = {
        "question": question,
        "finding": found,
        "choices": choices,
        "listed": listed,
    }
    if question.basis is None:
        return Shown(**base)
    return Shown(
        **base,
        figure=question_figure(question, found, by_size=options.by_size) if has_drawing(question) else None,
        correction=correction(question),
        cards=cards(question),
        outside=impossible_shares.note(question),
        curve=likelihood_figure(question) if on_request.has_curve(question) else None,
        **_asked(question, form, options),
        central=on_request.central(question),
        fakes=on_request.fakes(question) if question.design and question.choices and not question.is_list else None,
        checks=tuple(check for check in checks if check.key == question.key),
    )


def _asked(question: QuestionReport, form: OptionsForm, options: Options) -> dict:
    fields = {}
    key = question.key
    if on_request.has_test(question):
        fields["test_field"] = form[f"test-{key}"]
        if key in options.tests:
            fields["test"] = on_request.against(question, options.tests[key])
    elif question.adds_up and f"sum-{key}" in form.fields:
        fields["sum_field"] = form[f"sum-{key}"]
        if key in options.sums:
            fields["sum"] = on_request.add_up(question, options.sums[key])
    return fields
