"""What programs are told of a draft before it is published: what each question shows and costs, and what to mend."""

from dataclasses import dataclass
from typing import Literal, Self

from surveys.authoring.planning import checklist, levels, overview, precision, remedies, together
from surveys.site.number_format import finite
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class VerdictResult(Result):
    """How precise the question will be with n respondents: the target, or 1,000 without one."""

    n: int = of()
    margin: float = of("half the length of the 95% interval, at the share where it is widest")
    grade: Literal["useful", "rough", "nothing"] = of("up to 5 points, up to 10, beyond")
    needed: int = of("respondents for a margin of 5 points")
    asked: int = of("about how many of the n respondents get this question")
    for_number: int = of("respondents needed to show a number: a margin of 10 points")

    @classmethod
    def tell(cls, verdict: precision.Verdict | None) -> Self | None:
        return cls.like(verdict) if verdict else None


@dataclass(frozen=True)
class RemedyResult(Result):
    """A change that would make the question clearly more precise."""

    choice: str = of(
        "fewer: fewer sensitive questions; people: more people; the next level of protection; rows: yes/no rows of a "
        "grid"
    )
    number: int = of("of sensitive questions, people or rows; 0 for a level")
    verdict: VerdictResult = of()

    @classmethod
    def tell(cls, remedy: remedies.Remedy) -> Self:
        return cls.like(remedy, verdict=VerdictResult.like(remedy.verdict))


@dataclass(frozen=True)
class LineResult(Result):
    key: str = of()
    design: str | None = of("in words; null where nothing is randomized")
    epsilon: float | None = of("null where there is no limit, or no design")
    problem: str = of("why you can’t publish it yet")
    advice: tuple[str, ...] = of("suggestions on wording, only for a draft")
    verdict: VerdictResult | None = of("null for a number, and where there is a problem")
    remedies: tuple[RemedyResult, ...] = of(
        "the first three fixes that help, where a draft’s target is too small"
    )

    @classmethod
    def tell(cls, line: overview.Line) -> Self:
        design, epsilon = (
            (line.protection.design, finite(line.protection.epsilon))
            if line.protection
            else (None, None)
        )
        verdict, options = (
            VerdictResult.tell(line.verdict),
            tuple(map(RemedyResult.tell, line.remedies)),
        )
        return cls.like(line, design=design, epsilon=epsilon, verdict=verdict, remedies=options)


@dataclass(frozen=True)
class TogetherResult(Result):
    """The privacy loss of a person who answers this survey and those that belong with it, if you can see them."""

    epsilon: float | None = of()
    versions: int = of("published versions of this survey, without this one")
    project: str = of()
    others: int = of("other published surveys of the project")

    @classmethod
    def tell(cls, spent: together.Together) -> Self:
        return cls.like(spent, epsilon=finite(spent.epsilon))


@dataclass(frozen=True)
class PointResult(Result):
    """One thing to know before publishing, as “Review and publish” shows it."""

    severity: checklist.Worth = of(
        "must: fix it before publishing; think: consider it; fine: nothing to do"
    )
    short: str = of()
    sentence: str = of()
    mend: checklist.Mend = of(
        "where to fix it: a question, a new question, the survey’s protection. edit: the texts; schedule: times and "
        "target; languages: the texts in further languages; data-protection: what is said about the data"
    )
    question: str = of("the key of the question to fix, if it is about one")


@dataclass(frozen=True)
class WidestResult(Result):
    question: str = of("the key of the question with the least precise share")
    margin: float = of("half the length of its 95% interval with `people`, at the widest share")
    people_for_number: int = of("how many people it takes to show its number")


@dataclass(frozen=True)
class LevelPriceResult(Result):
    key: str = of()
    one: int = of("in 100, from one answer alone")
    all: int = of("in 100, from all answers together")
    epsilon: float = of("of all answers together")
    widest: WidestResult | None = of("null where there is no sensitive question")

    @classmethod
    def tell(cls, price: levels.LevelPrice) -> Self:
        return cls.like(price, widest=WidestResult.like(price.widest) if price.widest else None)
