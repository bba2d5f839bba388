"""A rehearsal: people with assumed answers, randomized and counted as real responses are. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from features.simulation.assumed_difference import Difference
from features.simulation.power import Supposed, suppose
from features.simulation.trusted_server import Beside, compare_with_server
from mechanisms import recommend
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.kinds import Kind
from surveys.fieldwork.responses.records import count_responses, has_report, record_dtype
from surveys.fieldwork.responses.simulated_records import leave_out_questions, randomize_column
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport, summarize
from surveys.site.errors import Invalid
from surveys.site.expressions import full_match

MOST = 100_000  # people
USUAL = 1_000
FIRST_OF_A_LIST = (
    "20",
    "10",
    "5",
    "3",
    "2",
)  # per cent of the first choices of a long list; all others share the rest
WITHIN = 0.005  # by which shares may miss 1, as thirds do
FEW_DECLINE = "5"  # per cent
ASSUMED = {  # per cent of Yes, and of each mark; "": nothing, so that answers share what is left
    Kind.YES_NO: "20",
    Kind.CHOICE: "",
    Kind.ANY: "30",
    Kind.QUANTITY: "",
    Kind.SCALE: "",
    Kind.WRITTEN: "",
    Kind.BACKGROUND: "",
    Kind.NUMBER: "",
}

LESSON = QuestionDefinition(  # what the invented people of the page “What a trusted server would have shown” are asked
    key="drove",
    kind=Kind.CHOICE,
    text="How often did you drive after drinking in the last 12 months?",
    help="",
    choices=("Never", "Once", "2 to 5 times", "6 to 11 times", "12 times or more"),
    mechanism=None,
)
LESSON_SHARES = ("40", "25", "20", "10", "5")  # per cent
LESSON_EPSILONS = (0.1, 1.0, 5.0)


@dataclass(frozen=True)
class Rehearsal:
    """report: what the invented people's scrambled answers give.

    trusted: question key -> what a trusted server would have shown of their true ones, beside that. Not of questions
    that are not scrambled, or whose reports can prove a truth. supposed: what an analysis says of an assumed difference
    between groups; None where none is assumed.
    """

    report: SurveyReport
    trusted: dict[str, Beside]
    supposed: Supposed | None = None


def rehearse(
    frozen: SurveyDefinition,
    shares: Mapping[str, Sequence[float]],
    n: int,
    seed: int | None = None,
    difference: Difference | None = None,
    *,
    with_people: bool = True,
) -> Rehearsal:
    """What n respondents would give if the true shares were these.

    shares: question key -> one share for each answer, as fractions. They sum to 1, but for choose-all-that-apply,
    where each is by itself. difference: between groups, Invalid where it is not possible with these shares.
    with_people: whether to compute how many people the difference needs. Records, tally, report and analysis are those
    of real responses.
    """
    rng = np.random.default_rng(seed)
    rows, truths = np.zeros(n, record_dtype(frozen)), {}
    if difference:
        truths[difference.by.key] = truths_of(difference.by, shares[difference.by.key], n, rng)
    for item in frozen.items:
        if difference and item.key == difference.outcome.item.key:
            truths[item.key] = difference.truths(truths[difference.by.key], shares, rng)
        elif item.key not in truths:
            truths[item.key] = truths_of(item, shares[item.key], n, rng)
        rows[item.key] = randomize_column(item, truths[item.key], rng)
    leave_out_questions(frozen, rows, rng)
    report = _quick(summarize(frozen, count_responses(frozen, rows)))
    trusted = {
        item.key: _beside(item, truths[item.key][has_report(frozen, rows, item.key)], question, rng)
        for item, question in zip(frozen.items, report.questions, strict=True)
        if _is_compared(item) and item.mechanism.publishable and item.makes_groups
    }
    supposed = None
    if difference:
        supposed = suppose(frozen, rows, difference, shares, with_people=with_people)
    return Rehearsal(report, trusted, supposed)


def _quick(report: SurveyReport) -> SurveyReport:
    """Without quartiles: each look is another sample, for which nobody waits."""
    parts = [
        (each, each.average and replace(each.average, is_quick=True)) for each in report.questions
    ]
    return replace(
        report, questions=tuple(replace(each, average=average) for each, average in parts)
    )


def _is_compared(item: QuestionDefinition) -> bool:
    """Whether a trusted server would show how many gave each answer."""
    return item.mechanism is not None and item.traits.select in ("one", "any")


def lesson(
    shares: Sequence[float],
    n: int,
    seed: int | None = None,
    epsilons: Sequence[float] = LESSON_EPSILONS,
) -> list[Beside]:
    """What a trusted server would have shown of n people with these shares of LESSON, beside the best design's.

    The true counts are the shares as nearly as whole people can be; only the noise is chance.
    """
    rng = np.random.default_rng(seed)
    people = np.diff(np.rint(np.cumsum([0.0, *shares]) * n).astype(int))
    truths = np.repeat(np.arange(len(people)), people)
    found = []
    for epsilon in epsilons:
        mechanism = recommend(len(people), epsilon)[0].mechanism
        estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)))
        found.append(
            compare_with_server(LESSON.choices, people.tolist(), estimate, rng, epsilon=epsilon)
        )
    return found


def truths_of(
    item: QuestionDefinition, shares: Sequence[float], n: int, rng: np.random.Generator
) -> np.ndarray:
    """Of each person; for choose-all-that-apply of 0 and 1, shape (n, size). Nobody assumes what people write."""
    if item.is_written:
        return np.full(n, "a text")
    if item.traits.select == "any":
        return (rng.random((n, item.size)) < np.array(shares)).astype(np.uint8)
    return rng.choice(item.size, n, p=shares)


def _counts(item: QuestionDefinition, truths: np.ndarray) -> list[int]:
    """How many gave each answer."""
    found = (
        truths.sum(axis=0)
        if item.traits.select == "any"
        else np.bincount(truths, minlength=item.size)
    )
    return [int(number) for number in found]


def _beside(
    item: QuestionDefinition, truths: np.ndarray, question: QuestionReport, rng: np.random.Generator
) -> Beside:
    return compare_with_server(
        item.choices, _counts(item, truths), question.basis, rng, answers=asked(item)
    )


def asked(item: QuestionDefinition) -> list[int]:
    """The answers whose share is asked for, as people read them: Yes before No, and Yes alone where No is the rest.

    None of a number or a scale that is asked for its mean, and of a written answer; the first few of a long list.
    """
    if not item.tells_shares:
        return []
    if not item.makes_groups:
        return list(range(len(FIRST_OF_A_LIST)))
    return item.traits.in_order(range(item.size))[
        : 1 if item.traits.has_yes and item.size == 2 else None
    ]


def place(item: QuestionDefinition, answer: int) -> str:
    """The name of an answer's share, in forms and messages."""
    return f"{item.key}-{answer}"


def usual(item: QuestionDefinition) -> dict[str, str]:
    """What is assumed where nobody says otherwise: place -> per cent as an author would type it."""
    if item.is_written:
        return {}
    if not item.tells_shares:
        first, last = item.answer_values[0], item.answer_values[-1]
        return {
            f"{item.key}-mean": f"{(first + last) / 2:g}",
            f"{item.key}-spread": f"{(last - first) / 4:g}",
        }
    if not item.makes_groups:
        return {place(item, answer): share for answer, share in enumerate(FIRST_OF_A_LIST)}
    assumed = ASSUMED[item.kind] if item.size == 2 or item.traits.select == "any" else ""
    each = {place(item, answer): assumed for answer in asked(item)}
    return (
        each if item.decline_code is None else each | {place(item, item.decline_code): FEW_DECLINE}
    )


def parse_shares(item: QuestionDefinition, typed: Mapping[str, str]) -> list[float]:
    """Per cent as typed, by place -> one fraction for each answer. Raises Invalid at the places.

    Empty ones share what is left of 100; of choose-all-that-apply they mean nobody.
    """
    if item.is_written:
        return []
    if not item.tells_shares:
        return _around(item, typed)
    shares, errors = [None] * item.size, {}
    for answer in asked(item):
        at = place(item, answer)
        try:
            shares[answer] = _per_cent(typed.get(at, ""))
        except ValueError as wrong:
            errors[at] = str(wrong)
    if errors:
        raise Invalid(errors)
    if item.traits.select == "any":
        return [share or 0.0 for share in shares]
    return _filled(item, shares)


def _around(item: QuestionDefinition, typed: Mapping[str, str]) -> list[float]:
    """Shares as those of a normal distribution cut to the numbers that can be answered; nobody declines."""
    first, last = item.answer_values[0], item.answer_values[-1]
    found, errors = {}, {}
    for name, least, most in (("mean", first, last), ("spread", item.step / 10, last - first)):
        text = typed.get(f"{item.key}-{name}", "").strip().replace("−", "-").replace(",", ".")
        if (
            not full_match(r"-?[0-9]{1,10}([.][0-9]{0,6})?", text, longest=18)
            or not least <= float(text) <= most
        ):
            errors[f"{item.key}-{name}"] = f"Write a number from {least:g} to {most:g}."
        else:
            found[name] = float(text)
    if errors:
        raise Invalid(errors)
    numbers = np.array(item.answer_values, dtype=np.float64)
    heights = np.exp(
        -(((numbers - found["mean"]) / found["spread"]) ** 2) / 2 + _highest(numbers, **found)
    )
    return [*(heights / heights.sum()).tolist(), *[0.0] * item.aside]


def _highest(numbers: np.ndarray, mean: float, spread: float) -> float:
    """What keeps the largest exponent at 0, where the mean lies between two numbers and the spread is small."""
    return float((((numbers - mean) / spread) ** 2).min() / 2)


def true_mean(item: QuestionDefinition, shares: Sequence[float]) -> float:
    """Of those who give a number; `shares` may hold that of “Prefer not to say” as well."""
    given = np.array(shares[: len(item.answer_values)])
    return float(given @ np.array(item.answer_values) / given.sum())


def _filled(item: QuestionDefinition, shares: list[float | None]) -> list[float]:
    given = sum(share for share in shares if share is not None)
    empty = shares.count(None)
    if given > 1 + WITHIN or (not empty and given < 1 - WITHIN):
        raise Invalid(
            {place(item, asked(item)[0]): f"These numbers must sum to 100, not to {100 * given:g}."}
        )
    rest = max(1 - given, 0.0) / (empty or 1)
    filled = [rest if share is None else share for share in shares]
    return [share / sum(filled) for share in filled]


def _per_cent(text: str) -> float | None:
    text = text.strip().removesuffix("%").strip().replace(",", ".")
    if not text:
        return None
    if not full_match(r"[0-9]{1,3}([.][0-9]{0,6})?", text, longest=10) or float(text) > 100:
        raise ValueError("Write a number from 0 to 100, or leave it empty.")
    return float(text) / 100
