"""What programs are told of a draft before it is published: what each question shows and costs, and what to mend."""

from dataclasses import dataclass
from typing import Literal, Self

from surveys.authoring.planning import checklist, levels, overview, precision, remedies, together
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field
from surveys.statements.results import StatementFields, statement_fields


@dataclass(frozen=True)
class VerdictResult(StatementFields):
    """How precise the question will be with n respondents: the target, or 1,000 without one."""

    n: int = api_field()
    margin: float = api_field(
        "half the length of the 95% interval, at the share where it is widest; of a mean as a part "
        "of the range of its numbers: at most this in 95 of 100 surveys, whatever people answer"
    )
    grade: Literal["useful", "rough", "nothing"] = api_field("up to 5 points, up to 10, beyond")
    needed: int = api_field("respondents for a margin of 5 points, or of a mean 5% of the range")
    asked: int = api_field("about how many of the n respondents get this question")
    for_number: int = api_field(
        "respondents needed to show a number, whatever they answer: a margin of 10 points, or of a "
        "mean 10% of the range"
    )
    sentence: str = api_field("the margin in words, or how many people a number needs")

    @classmethod
    def from_verdict(cls, verdict: precision.Verdict) -> Self:
        """Return a verdict for programs."""
        return cls.from_object(
            verdict, for_number=verdict.people_for_number, **statement_fields(verdict)
        )


@dataclass(frozen=True)
class RemedyResult(ApiResult):
    """A change that would make the question clearly more precise."""

    choice: str = api_field(
        "fewer: fewer sensitive questions; people: more people; the next level of protection; rows: yes/no rows of a "
        "grid"
    )
    number: int = api_field("of sensitive questions, people or rows; 0 for a level")
    verdict: VerdictResult = api_field()

    @classmethod
    def tell(cls, remedy: remedies.Remedy) -> Self:
        return cls.from_object(remedy, verdict=VerdictResult.from_verdict(remedy.verdict))


@dataclass(frozen=True)
class LineResult(ApiResult):
    key: str = api_field()
    design: str | None = api_field("in words; null where nothing is randomized")
    epsilon: float | None = api_field("null where there is no limit, or no design")
    problem: str = api_field("why you can’t publish it yet")
    advice: tuple[str, ...] = api_field("suggestions on wording, only for a draft")
    verdict: VerdictResult | None = api_field("null for a number, and where there is a problem")
    remedies: tuple[RemedyResult, ...] = api_field(
        "the first three fixes that help, where a draft’s target is too small"
    )

    @classmethod
    def tell(cls, line: overview.QuestionSummary) -> Self:
        design, epsilon = (
            (line.protection.design, finite_or_none(line.protection.epsilon))
            if line.protection
            else (None, None)
        )
        verdict = VerdictResult.from_verdict(line.verdict) if line.verdict else None
        options = tuple(map(RemedyResult.tell, line.remedies))
        return cls.from_object(
            line, design=design, epsilon=epsilon, verdict=verdict, remedies=options
        )


@dataclass(frozen=True)
class TogetherResult(ApiResult):
    """The privacy loss of a person who answers this survey and those that belong with it, if you can see them."""

    epsilon: float | None = api_field()
    versions: int = api_field("published versions of this survey, without this one")
    project: str = api_field()
    others: int = api_field("other published surveys of the project")

    @classmethod
    def tell(cls, spent: together.Together) -> Self:
        return cls.from_object(spent, epsilon=finite_or_none(spent.epsilon))


@dataclass(frozen=True)
class PointResult(ApiResult):
    """One thing to know before publishing, as “Review and publish” shows it."""

    severity: checklist.Worth = api_field(
        "must: fix it before publishing; think: consider it; fine: nothing to do"
    )
    short: str = api_field()
    sentence: str = api_field()
    mend: checklist.Mend = api_field(
        "where to fix it: a question, a new question, the survey’s protection. edit: the texts; schedule: times and "
        "target; languages: the texts in further languages; data-protection: what is said about the data"
    )
    question: str = api_field("the key of the question to fix, if it is about one")


@dataclass(frozen=True)
class WidestResult(ApiResult):
    question: str = api_field("the key of the question with the least precise share")
    margin: float = api_field(
        "half the length of its 95% interval with `people`, at the widest share"
    )
    people_for_number: int = api_field("how many people it takes to show its number")


@dataclass(frozen=True)
class LevelPriceResult(ApiResult):
    key: str = api_field()
    one: int = api_field("in 100, from one answer alone")
    all: int = api_field("in 100, from all answers together")
    epsilon: float = api_field("of all answers together")
    widest: WidestResult | None = api_field("null where there is no sensitive question")

    @classmethod
    def tell(cls, price: levels.LevelPrice) -> Self:
        return cls.from_object(
            price, widest=WidestResult.from_object(price.widest) if price.widest else None
        )
