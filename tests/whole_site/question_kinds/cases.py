"""A question of any kind, made from its traits and its form alone, with invented people who answer it.

No kind has an entry here: what is typed belongs to a field of the form. A field that is new needs a value in TYPED.
"""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.test import Client

from features.simulation.simulation import true_mean
from features.text_candidates import candidate_rounds
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.definition.designs.levels import EPSILONS
from surveys.definition.instrument import MOST_AT_ONCE, QuestionDefinition
from surveys.definition.kinds import KINDS, Traits
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Instrument, Question, Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport, report
from surveys.results.figures.histogram import distribution
from surveys.web.workspace.kind_forms import KIND_FORMS, SETTINGS
from tests.api.test_reading import client_of
from tests.definition.test_settings import settings
from tests.factories.surveys import create_researcher, publish_survey
from tests.helpers.html_forms import Form

KEY, TEXT = "it", "How is it with this?"
LABELS = ("Never", "Sometimes", "Often")
PLACES = tuple(f"Place {number}" for number in range(12 * MOST_AT_ONCE))
TYPED: dict[str, Any] = {
    **dict.fromkeys(("choices", "points", "candidates"), LABELS),
    **{"low": "0", "high": "50", "step": "5", "unit": "hours", "aim": "mean"},
    **{"minimum": "18", "maximum": "60", "design": "balanced"},
}
LEFT = (
    "file",
    "mode",
    "anchor",
    "cut",
    "decline",
    "declinable",
    "statements",
    "values",
)  # fields that stay as the page has them
PEOPLE = 600
SHARES = (0.5, 0.3, 0.2)  # of three answers: the first, the one in the middle and the last


@dataclass(frozen=True)
class Case:
    """A kind, and once more with a list of choices that is searched, where it may have one."""

    kind: str
    is_long: bool = False

    def __str__(self) -> str:
        return f"{self.kind}, long list" if self.is_long else self.kind

    @property
    def traits(self) -> Traits:
        return KINDS[self.kind]

    @property
    def fields(self) -> dict[str, Any]:
        """Of the form: field -> what an author types; lines as a tuple."""
        long = {"choices": PLACES} if self.is_long else {}
        return {
            name: (TYPED | long)[name] for name in KIND_FORMS[self.kind].fields if name not in LEFT
        }

    @property
    def typed(self) -> dict[str, str]:
        """What the form sends."""
        lines = {
            name: "\r\n".join(value)
            for name, value in self.fields.items()
            if isinstance(value, tuple)
        }
        method = (
            {"design": "automatic", "automatic-epsilon": EPSILONS["balanced"]}
            if "design" in self.fields
            else {}
        )
        return {"kind": self.kind, "text": TEXT, "key": KEY} | self.fields | lines | method

    @property
    def settings(self) -> dict[str, Any]:
        """The same as services take it."""
        return {"kind": self.kind, "text": TEXT} | {
            SETTINGS.get(name, name): v for name, v in self.fields.items()
        }

    @property
    def answering(self) -> dict[str, Any]:
        """Of them what decides how it is answered."""
        return {name: value for name, value in self.settings.items() if name != "text"}

    @property
    def as_json(self) -> dict[str, Any]:
        """The same as the API takes it."""
        numbers = {
            name: int(value) for name, value in self.settings.items() if str(value).isdigit()
        }
        return {"key": KEY} | self.settings | numbers


CASES = [
    Case(kind, long) for kind in KINDS for long in (False, True)[: 1 + KINDS[kind].may_be_long]
]


def shares_of(item: QuestionDefinition) -> np.ndarray:
    """The invented truth: of each answer its share. Of marks each by itself, of texts those of LABELS."""
    size = len(LABELS) if item.is_written else item.size
    shares = np.zeros(size)
    np.add.at(shares, [0, (size - 1) // 2, size - 1], SHARES)
    return shares


def answers_of(
    item: QuestionDefinition, n: int, rng: np.random.Generator
) -> np.ndarray | list[str]:
    """Of n invented people."""
    shares = shares_of(item)
    if item.traits.select == "any":
        return (rng.random((n, item.size)) < shares).astype(int)
    codes = rng.choice(len(shares), n, p=shares)
    return [LABELS[code] for code in codes] if item.is_written else codes


def reports_of(item: QuestionDefinition, n: int, seed: int = 1) -> list[Any]:
    """What the devices of n invented people send."""
    rng = np.random.default_rng(seed)
    answers = answers_of(item, n, rng)
    if item.mechanism is None:
        return np.asarray(answers).tolist()
    return item.report_format.reports(item.mechanism.randomize_stored(answers, rng))


class World:
    """A draft with one question of a kind, and a survey with the same one that was answered and closed.

    decline: whether “Prefer not to say” is offered in both.
    """

    def __init__(self, case: Case, *, decline: bool = False) -> None:
        self.case, self.traits = case, case.traits
        self.owner = create_researcher("kinds")
        self.client, self.api = Client(), client_of(self.owner)
        self.client.force_login(self.owner)
        self._draft, closed = self.new(decline=decline), self.new(decline=decline)
        instrument = publish_survey(closed)
        self.item = parse_instrument(instrument).items[0]
        self.reports = reports_of(self.item, PEOPLE)
        for each in self.reports:
            record = encode(parse_instrument(instrument), {KEY: each})
            assert store_response(instrument, uuid.uuid4(), record) is Outcome.RECORDED
        close_survey(closed)
        self._instrument = instrument.pk

    @property
    def draft(self) -> Survey:
        return Survey.objects.get(pk=self._draft.pk)

    @property
    def instrument(self) -> Instrument:
        return Instrument.objects.select_related("survey").get(pk=self._instrument)

    @cached_property
    def report(self) -> SurveyReport:
        return self.report_of(self.instrument)

    @property
    def result(self) -> QuestionReport:
        return self.report.questions[0]

    def report_of(self, instrument: Instrument) -> SurveyReport:
        """As the owner sees it."""
        return report(instrument, seen=view_for_reader(instrument, has_rows=True))

    def empty(self, **more: Any) -> Survey:
        return create_survey(owner=self.owner, title="A survey", **more)

    def new(self, *, import_only: bool = False, **more: Any) -> Survey:
        """Another draft with the same question; more: settings of that."""
        survey = self.empty(import_only=import_only)
        save_question(survey=survey, key=KEY, **self.case.settings | {"decline": False} | more)
        return Survey.objects.get(pk=survey.pk)

    def question(self, survey: Survey) -> Question:
        return survey.questions.get(key=KEY)

    def at(self, survey: Survey, path: str = "") -> str:
        return f"/surveys/{survey.slug}/{path}"

    def page(self, survey: Survey, path: str = "") -> str:
        """The text of a page of the workspace, which has to open."""
        answer = self.client.get(self.at(survey, path))
        assert answer.status_code == 200, path
        return answer.content.decode(errors="replace")

    def form(self, survey: Survey, path: str) -> Form:
        return Form(self.client.get(self.at(survey, path)))

    def save(
        self, survey: Survey, path: str, form: Form, typed: dict[str, str] | None = None
    ) -> None:
        """As a browser does: what was typed, and all else as the page has it."""
        answer = self.client.post(self.at(survey, path), form.data | (typed or {}))
        assert answer.status_code == 302, Form(answer).errors

    def reopen(self, survey: Survey, path: str, typed: dict[str, str]) -> None:
        """The page shows what was typed; saved as it stands, it changes no column."""
        form = self.form(survey, path)
        for name, text in typed.items():
            assert name in form.values, name
            assert text == "on" or form.values[name] == self._shown(name, text), name
        before = settings(survey)
        self.save(survey, path, form)
        assert settings(survey) == before

    def _shown(self, name: str, text: str) -> str:
        """A long list is not in the form: it is looked through on a page, and stays."""
        return "" if self.case.is_long and name == "choices" else text.replace("\r\n", "\n")


Way = tuple[
    Callable[[Case], bool], Callable[[World], None]
]  # which cases go it, and the way itself
Stages = dict[str, dict[str, Way]]


def every_kind(case: Case) -> bool:
    return True


def way_of(ways: dict[str, Way], case: Case) -> tuple[str, Callable[[World], None]]:
    """The only one through a stage that a case can go, with its name."""
    (way,) = ((name, test) for name, (applies, test) in ways.items() if applies(case))
    return way


def estimates(
    world: World, question: QuestionReport | None = None
) -> Iterator[tuple[float, float, float]]:
    """Each estimate of a report with the invented truth and its standard error. question: unless it is the world's."""
    item, question, shares = world.item, question or world.result, shares_of(world.item)
    if item.is_written:
        (first,) = candidate_rounds.round_results(world.instrument, item.key)
        yield from (
            (row.share, shares[LABELS.index(row.text)], row.standard_error) for row in first.rows
        )
    for choice, share in zip(question.choices, shares, strict=False):
        if choice.estimate is not None:
            yield choice.estimate, share, choice.standard_error
    if item.traits.has_mean:
        mean = true_mean(item, shares)
        if item.traits.sensitive:
            yield question.average.mean.value, mean, question.average.mean.standard_error
        else:
            whole = distribution(question)
            yield whole.mean.value, mean, whole.mean.standard_error
