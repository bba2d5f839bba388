"""What would show clearly more of a question of a draft that would be too uncertain, and with how many people."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from mechanisms import Mechanism
from surveys.authoring.drafts import drafts, grids
from surveys.authoring.planning.precision import Verdict, verdict
from surveys.definition import protection
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import design_aim
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.kinds import Kind, kind_of
from surveys.definition.protection import LEVELS, MOST_ASKED
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

CLEARLY = 0.9  # of today's margin
OFFERED = 3
ROW = Kind.YES_NO  # of a question with several answers


@dataclass(frozen=True)
class Remedy:
    """choice: "fewer", "people", the key of a level, or "rows". number: of sensitive questions, of people, or of rows.

    verdict: what the question would show then.
    """

    choice: str
    verdict: Verdict
    number: int = 0


@dataclass(frozen=True)
class Asking:
    """Each person gets at most `count` of `of` questions, this one among them; `part` of the people are on its path."""

    count: int = 1
    of: int = 1
    part: Fraction = Fraction(1)

    def share_asked(self, of: int) -> Fraction:
        """Return the share of all people who are asked."""
        return self.part * Fraction(min(self.count, of), of)


EVERYONE = Asking()


def remedies(
    survey: Survey, item: QuestionDefinition, asking: Asking, *, is_own: bool, declines: bool
) -> list[Remedy]:
    """The first three that help, of a question that is not useful with the people expected.

    is_own: whether it has a method of its own, which no level changes. declines: whether its last answer is “Prefer
    not to say”.
    """
    shown = {"step": item.answer_values.step, "unit": item.unit}
    people = survey.expected_people
    now = (
        verdict(item.kind, item.mechanism, people, asking.share_asked(asking.of), **shown)
        if people
        else None
    )
    if now is None or now.is_useful or not survey.protection:
        return []

    def at(of: int, mechanism: Mechanism = item.mechanism, n: int = now.n) -> Verdict:
        return verdict(item.kind, mechanism, n, asking.share_asked(of), **shown)

    def each() -> Iterator[Remedy]:
        sizes = range(asking.of - 1, asking.count - 1, -1)
        fewer = (Remedy("fewer", at(of), of + MOST_ASKED - asking.count) for of in sizes)
        yield from islice((remedy for remedy in fewer if helps(remedy)), 1)
        yield Remedy("people", at(asking.of, n=now.needed), now.needed)
        if (level := _lighter(survey)) and not is_own:
            yield Remedy(level, at(asking.of, _at(level, item)))
        rows = item.size - declines
        if item.traits.select == "any" and asking != EVERYONE and grids.LEAST <= rows <= grids.MOST:
            part = asking.share_asked(asking.of - 1 + rows)
            mechanism = _row(survey.protection, declines=declines)
            yield Remedy("rows", verdict(ROW, mechanism, now.n, part), rows)

    def helps(remedy: Remedy) -> bool:
        return remedy.verdict.margin < CLEARLY * now.margin

    return [remedy for remedy in each() if helps(remedy)][:OFFERED]


def _lighter(survey: Survey) -> str | None:
    """The next level, None behind the last and for an epsilon in numbers."""
    keys = list(LEVELS)
    place = keys.index(survey.protection) + 1 if survey.protection in keys else len(keys)
    return keys[place] if place < len(keys) else None


def _at(level: str, item: QuestionDefinition) -> Mechanism:
    aim = design_aim(item.mechanism.name) if item.is_ordered else ""
    key, parameters = protection.derive_method(level, item.size, item.kind, mode=item.mode, aim=aim)
    return build(key, item.size, parameters, item.traits.select, separate_decline=item.aside)


def _row(level: str, *, declines: bool) -> Mechanism:
    key, parameters = protection.derive_method(level, 2 + declines, ROW)
    return build(key, 2 + declines, parameters, "one")


@transaction.atomic
def ask_as_rows(*, survey: Survey, question: Question, by: AbstractBaseUser | None = None) -> None:
    """One yes/no question for each choice, as the rows of a grid where the question stood. Raises Invalid."""
    survey = survey.locked()
    require_draft(survey)
    if kind_of(question).select != "any" or not survey.protection or question.grid:
        raise Invalid(
            {"choice": "Look at the survey again. This question can’t be changed like that."}
        )
    rows = grids.save_grid(
        survey=survey,
        heading=question.text,
        rows=[choice.label for choice in question.choices.all()],
        help=question.help,
        section=question.section,
        when=question.when,
        when_section=question.when_section,
        kind=ROW,
        decline=question.decline,
        by=by,
    )
    order = [other for other in survey.questions.all() if other not in rows]
    place = order.index(question)
    order[place:place] = rows
    drafts.save_order(order)
    drafts.delete_question(survey=survey, question=question, by=by)
