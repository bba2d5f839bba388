"""The report as its page shows it: each question with its key result and figure, and on request all details."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mechanisms.planning.central import CentralComparison
from surveys.definition.instrument import SurveyDefinition
from surveys.results.estimates import on_request
from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.figures.dot_plot import Figure
from surveys.results.figures.likelihood import likelihood_figure
from surveys.results.report import impossible_shares, quality
from surveys.results.report.cards import Card, cards
from surveys.results.report.correction import correction
from surveys.results.report.figures import has_drawing, question_figure
from surveys.results.report.grids import GridReport, grid_sections
from surveys.results.report.headlines import Finding, finding
from surveys.web.workspace.report.choice_lists import Listed, look_through
from surveys.web.workspace.report.options import Options, OptionsForm


@dataclass(frozen=True)
class Shown:
    """One question of the page. What has no meaning for it is None.

    has_details: whether there is anything behind its folds. is_full: whether that is here, rather than on its own page.
    """

    question: QuestionReport
    finding: Finding
    has_details: bool = False
    is_full: bool = False
    choices: Sequence[tuple[int, ChoiceReport]] = ()
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
    def is_queried(self) -> bool:
        """Whether the query has something for the fold Method, which then stands open."""
        errors = [field.errors for field in (self.test_field, self.sum_field) if field]
        return bool(self.test or self.sum or any(errors))


def shown(
    result: SurveyReport,
    form: OptionsForm,
    options: Options,
    checks: list[quality.Check],
    *,
    everything: bool = False,
    received: bool = False,
) -> list[Shown]:
    """everything: with the details of every question, and not only of those that the query speaks of. received: with
    the shares before the correction in the figures.
    """
    sections = grid_sections(result.questions)
    each = [
        _shown(
            question,
            form,
            options,
            checks if everything or _is_queried(question.key, form) else None,
            received,
        )
        for question in result.questions
    ]
    return [_in_grid(one, each, sections) if one.question.key in sections else one for one in each]


def _in_grid(one: Shown, each: list[Shown], sections: dict[str, GridReport | None]) -> Shown:
    grid = sections[one.question.key]
    rows = tuple(other for other in each if grid and other.question in grid.questions)
    return replace(one, grid=grid, rows=rows, is_in_grid=True)


def details(
    question: QuestionReport, form: OptionsForm, options: Options, checks: list[quality.Check]
) -> Shown:
    """One question with all that its folds hold."""
    return _shown(question, form, options, checks)


def _is_queried(key: str, form: OptionsForm) -> bool:
    return any(f"{part}-{key}" in form.data for part in ("test", "sum", "find", "page"))


def counted(
    frozen: SurveyDefinition, result: SurveyReport, options: Options
) -> list[quality.Check]:
    """The checks that need the counts alone; those of the single reports stand on their own page."""
    return quality.check_counts(frozen, result, anchors=not options.group)


def _shown(
    question: QuestionReport,
    form: OptionsForm,
    options: Options,
    checks: list[quality.Check] | None,
    received: bool = False,
) -> Shown:
    """checks: None for what the page has at once: computing and sending the details of 60 questions takes long."""
    key_result = finding(question, filtered=question.key in dict(options.group.conditions))
    if question.basis is None:
        return Shown(question, key_result)
    drawn = {"by_size": options.by_size, "recorded": received}
    base = {
        "question": question,
        "finding": key_result,
        "has_details": question.has_figure or question.is_list,
        "figure": question_figure(question, key_result, **drawn) if has_drawing(question) else None,
        "cards": cards(question),
    }
    if checks is None:
        return Shown(**base)
    listed = look_through(question, form.data) if question.is_list else None
    choices = (
        listed.page.object_list if listed else display_order(question, by_size=options.by_size)
    )
    if question.is_number:
        choices = [(v, choice) for v, choice in choices if choice.observed]
    return Shown(
        **base,
        is_full=True,
        choices=choices,
        listed=listed,
        correction=correction(question),
        outside=impossible_shares.note(question),
        curve=likelihood_figure(question) if on_request.has_curve(question) else None,
        **_asked(question, form, options),
        central=on_request.central_comparison(question),
        fakes=None if question.is_list else on_request.effect_of_false_reports(question),
        checks=tuple(check for check in checks if check.key == question.key),
    )


def _asked(question: QuestionReport, form: OptionsForm, options: Options) -> dict:
    fields = {}
    key = question.key
    if on_request.has_test(question):
        fields["test_field"] = form[f"test-{key}"]
        if key in options.tests:
            fields["test"] = on_request.test_share(question, options.tests[key])
    elif question.adds_up and f"sum-{key}" in form.fields:
        fields["sum_field"] = form[f"sum-{key}"]
        if key in options.sums:
            fields["sum"] = on_request.add_up(question, options.sums[key])
    return fields
