"""The report as its page shows it: each question with its sentence, its drawing and what the reader asked for."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from mechanisms.planning.central import CentralComparison
from surveys.publishing.instruments import Paper
from surveys.reporting import outside, quality, readings
from surveys.reporting.curves import curve_plot
from surveys.reporting.drawings import dot_plot
from surveys.reporting.headlines import headline
from surveys.reporting.report import ChoiceReport, QuestionReport, SurveyReport
from surveys.workspace.report_options import Options, OptionsForm

FILTERED = "The report is filtered by this question."


@dataclass(frozen=True)
class Shown:
    """One question of the page. What has no meaning for it is None."""

    question: QuestionReport
    headline: str
    choices: list[tuple[int, ChoiceReport]]
    outside: str = ""
    drawing: SafeString | str = ""
    curve: readings.Curve | None = None
    curve_drawing: SafeString | str = ""
    test: readings.Test | None = None
    test_field: object = None
    sum: readings.Sum | None = None
    sum_field: object = None
    central: CentralComparison | None = None
    fakes: readings.Moved | None = None
    checks: tuple[quality.Check, ...] = ()

    @property
    def is_asked(self) -> bool:
        """Whether the reader asked for something below the table, which then stands open."""
        errors = [field.errors for field in (self.test_field, self.sum_field) if field]
        return bool(self.test or self.sum or any(errors))


def shown(frozen: Paper, result: SurveyReport, form: OptionsForm, options: Options) -> list[Shown]:
    checks = quality.check_counts(frozen, result, anchors=not options.group)
    return [_shown(question, form, options, checks) for question in result.questions]


def _shown(question: QuestionReport, form: OptionsForm, options: Options, checks: list[quality.Check]) -> Shown:
    choices = question.ordered(by_size=options.by_size)
    if question.is_number:
        choices = [(v, choice) for v, choice in choices if choice.observed]
    base = {
        "question": question,
        "headline": FILTERED if question.key in dict(options.group.conditions) else headline(question),
        "choices": choices,
    }
    if question.basis is None:
        return Shown(**base)
    return Shown(
        **base,
        outside=outside.note(question),
        **_figures(question, options),
        **_asked(question, form, options),
        central=readings.central(question),
        fakes=readings.fakes(question) if question.design else None,
        checks=tuple(check for check in checks if check.key == question.key),
    )


def _figures(question: QuestionReport, options: Options) -> dict:
    drawn = {"drawing": "" if question.is_number else dot_plot(question, by_size=options.by_size)}
    if readings.has_curve(question):
        curve = readings.likelihood(question)
        drawn |= {"curve": curve, "curve_drawing": curve_plot(curve, question.confidence)}
    return drawn


def _asked(question: QuestionReport, form: OptionsForm, options: Options) -> dict:
    fields = {}
    key = question.key
    if readings.has_curve(question):
        fields["test_field"] = form[f"test-{key}"]
        if key in options.tests:
            fields["test"] = readings.against(question, options.tests[key])
    elif question.adds_up and f"sum-{key}" in form.fields:
        fields["sum_field"] = form[f"sum-{key}"]
        if key in options.sums:
            fields["sum"] = readings.add_up(question, options.sums[key])
    return fields
