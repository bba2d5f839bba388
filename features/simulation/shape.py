"""What programs are told of invented people: their report, and what a trusted server would have shown of them."""

from dataclasses import dataclass
from typing import Self

from features.regression.model.shape import ModelResult
from features.simulation import trusted_server
from features.simulation.power import Supposed
from features.simulation.simulation import Rehearsal
from surveys.results.report.shape import ReportResult
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class Count(Result):
    label: str = of()
    true: int = of("invented people who gave this answer")
    shown: float = of()
    range: tuple[float, ...] = of("95%")
    error: float | None = of("as a fraction of the true count; null where that is 0")
    wrong_by: str = of("the same in words")


@dataclass(frozen=True)
class Noisy(Result):
    error: float | None = of("mean over the answers that someone gave")
    counts: tuple[Count, ...] = of()

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
class Beside(Result):
    """One question at one epsilon."""

    epsilon: float = of()
    n: int = of()
    design: str = of("how the devices scramble")
    sentence: str = of()
    noise: float = of("how many people the server's noise adds or removes on average")
    server: Noisy = of("true counts with discrete Laplace noise")
    devices: Noisy = of("corrected counts of scrambled answers")

    @classmethod
    def tell(cls, beside: trusted_server.Beside) -> Self:
        about = beside.epsilon, beside.n, beside.design_title, beside.sentence, beside.noise
        return cls(*about, Noisy.tell(beside.server), Noisy.tell(beside.devices))


@dataclass(frozen=True)
class SupposedResult(Result):
    """What the analysis of the survey shows for the same invented people."""

    sentence: str = of("what was assumed, and how many respondents you need")
    power: float | None = of("the chance to detect the difference with n respondents")
    needed_n: int | None = of("respondents needed for a chance of 0.8")
    model: ModelResult | None = of("as `report/model/` gives it")
    refused: str | None = of("why there is no model")

    @classmethod
    def tell(cls, supposed: Supposed) -> Self:
        model = ModelResult.tell(supposed.model) if supposed.model else None
        return cls(
            supposed.sentence, supposed.power, supposed.needed, model, supposed.refused or None
        )


@dataclass(frozen=True)
class Rehearsed(ReportResult):
    simulated: bool = of("always true: no respondent is behind these numbers", default=True)
    trusted: dict[str, Beside] = of(
        "question key -> what a trusted server would have shown for the same people",
        default_factory=dict,
    )
    supposed: SupposedResult | None = of("null without an assumed difference", default=None)

    @classmethod
    def of_people(cls, people: Rehearsal) -> Self:
        trusted = {key: Beside.tell(each) for key, each in people.trusted.items()}
        supposed = SupposedResult.tell(people.supposed) if people.supposed else None
        report = vars(ReportResult.tell(people.report)) | {"invented": True}
        return cls(**report, trusted=trusted, supposed=supposed)


@dataclass(frozen=True)
class LessonShown(Result):
    question: str = of()
    comparisons: tuple[Beside, ...] = of("one for each epsilon")
    simulated: bool = of("always true: no respondent is behind these numbers", default=True)
