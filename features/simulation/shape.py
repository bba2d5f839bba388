"""What programs are told of invented people: their report, and what a trusted server would have shown of them."""

from dataclasses import dataclass
from typing import Self

from features.regression.model.shape import ModelResult
from features.simulation import trusted_server
from features.simulation.power import Supposed
from features.simulation.simulation import Rehearsal
from surveys.results.report.shape import ReportResult
from surveys.site.shape import ApiResult, api_field
from surveys.statements.results import FamilyResult
from surveys.statements.statement import Printed


@dataclass(frozen=True)
class Count(ApiResult):
    label: str = api_field()
    true: int = api_field("invented people who gave this answer")
    shown: float = api_field()
    range: tuple[float, ...] = api_field("95%")
    error: float | None = api_field("as a fraction of the true count; null where that is 0")
    wrong_by: str = api_field("the same in words")


@dataclass(frozen=True)
class Noisy(ApiResult):
    error: float | None = api_field("mean over the answers that someone gave")
    counts: tuple[Count, ...] = api_field()

    @classmethod
    def tell(cls, way: trusted_server.Way) -> Self:
        return cls(
            way.error,
            tuple(
                Count(
                    each.label,
                    each.true,
                    each.shown,
                    (each.low, each.high),
                    each.error,
                    each.wrong_by,
                )
                for each in way.answers
            ),
        )


@dataclass(frozen=True)
class Beside(ApiResult):
    """One question at one epsilon."""

    epsilon: float = api_field()
    n: int = api_field()
    design: str = api_field("how the devices scramble")
    sentence: str = api_field()
    noise: float = api_field("how many people the server's noise adds or removes on average")
    server: Noisy = api_field("true counts with discrete Laplace noise")
    devices: Noisy = api_field("corrected counts of scrambled answers")

    @classmethod
    def tell(cls, beside: trusted_server.Beside) -> Self:
        about = beside.epsilon, beside.n, beside.design_title, beside.sentence, beside.noise
        return cls(*about, Noisy.tell(beside.server), Noisy.tell(beside.devices))


@dataclass(frozen=True)
class SupposedResult(ApiResult):
    """The chance that the report calls an assumed difference clear, and what it says of these people."""

    sentence: str = api_field("what was assumed, and how many respondents you need")
    power: float | None = api_field(
        "the chance that the report calls the difference clear with n respondents; null for a "
        "design without such a number"
    )
    method: str | None = api_field("enumeration, normal, or not_compared for too small a group")
    family: FamilyResult | None = api_field("the comparisons that the chance allows for")
    printed: Printed | None = api_field("the chance as surveys out of 100")
    needed_n: int | None = api_field(
        "respondents needed for a chance of 0.8; null if no number is enough"
    )
    report_sentences: tuple[str, ...] = api_field(
        "what the report says of these invented people: `report/compare/` of a group, and "
        "`report/model/` of a number"
    )
    report_refused: str | None = api_field("why the report says nothing")
    model: ModelResult | None = api_field("as `report/model/` gives it")
    refused: str | None = api_field("why there is no model")

    @classmethod
    def from_supposed(cls, supposed: Supposed) -> Self:
        """Return an assumed difference for programs."""
        plan, model = supposed.plan, supposed.model.result
        return cls(
            sentence=supposed.sentence,
            power=plan.power.chance if plan else None,
            method=plan.power.method if plan else None,
            family=FamilyResult.from_family(plan.family) if plan else None,
            printed=plan.printed if plan else None,
            needed_n=plan.people_for_target if plan else None,
            report_sentences=tuple(supposed.sentences),
            report_refused=supposed.problem or None,
            model=ModelResult.from_result(model) if model else None,
            refused=supposed.model.problem or None,
        )


@dataclass(frozen=True)
class Rehearsed(ReportResult):
    simulated: bool = api_field("always true: no respondent is behind these numbers", default=True)
    trusted: dict[str, Beside] = api_field(
        "question key -> what a trusted server would have shown for the same people",
        default_factory=dict,
    )
    supposed: SupposedResult | None = api_field("null without an assumed difference", default=None)

    @classmethod
    def of_people(cls, people: Rehearsal) -> Self:
        trusted = {key: Beside.tell(each) for key, each in people.trusted.items()}
        supposed = SupposedResult.from_supposed(people.supposed) if people.supposed else None
        report = vars(ReportResult.tell(people.report)) | {"invented": True}
        return cls(**report, trusted=trusted, supposed=supposed)


@dataclass(frozen=True)
class LessonShown(ApiResult):
    question: str = api_field()
    comparisons: tuple[Beside, ...] = api_field("one for each epsilon")
    simulated: bool = api_field("always true: no respondent is behind these numbers", default=True)
