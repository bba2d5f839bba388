"""No sentence of a report names a leader that chance may have made, and none passes over a larger share.

Surveys of all question types are generated, published and answered, and read as page and as JSON. What the
sentences say is compared with the shares by formulas that stand here again: the product's own ranking is not used.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from mechanisms import UnaryEncoding
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Instrument, Question, Survey
from tests.api.test_reading import client_of
from tests.factories.many_responses import simulated_records
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_text_question,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.factories.ticket_surveys import client_for
from tests.helpers.html_text import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SEED = 20
SURVEYS = 100
SIZES = (40, 150, 600, 2500, 10_000)  # people who answer
LABELS = ("None of these", "Wine", "Beer", "Nothing", "Other", "Rum", "Something else", "Gin")
PLACES = tuple(f"Place {number}" for number in range(30))
POINTS = ("Disagree", "Neither", "Agree")
LABEL = r"“([^”]+)”"
EXCLUDED = 0.05  # the chance of a wrong leader


def ask_choice(survey: Survey, key: str, rng: np.random.Generator) -> None:
    labels = draw_labels(rng)
    design, parameters = [("direct", {"epsilon": "3"}), ("unary", {"p": "9/10", "q": "1/10"})][
        rng.integers(2)
    ]
    more = {"none": labels[rng.integers(len(labels))]} if rng.random() < 0.4 else {}
    add_choice(
        survey, key, labels, design, parameters=parameters, decline=bool(rng.integers(2)), **more
    )


def ask_several(survey: Survey, key: str, rng: np.random.Generator) -> None:
    labels = draw_labels(rng)
    more = {"none": labels[0]} if rng.random() < 0.4 else {}
    add_choice(
        survey,
        key,
        labels,
        "unary-any",
        kind=Question.Kind.ANY,
        parameters={"epsilon": "4"},
        **more,
    )


def ask_list(survey: Survey, key: str, rng: np.random.Generator) -> None:
    add_choice(survey, key, PLACES, "direct", parameters={"epsilon": "4"})


def ask_yes_no(survey: Survey, key: str, rng: np.random.Generator) -> None:
    add_yes_no(survey, key)


def ask_scale(survey: Survey, key: str, rng: np.random.Generator) -> None:
    labels = draw_labels(rng)
    more = {"none": labels[-1]} if rng.random() < 0.3 else {}
    decline = bool(rng.integers(2))
    add_scale(
        survey,
        key,
        labels,
        aim="shares",
        design="direct",
        parameters={"epsilon": "3"},
        decline=decline,
        **more,
    )


def ask_mean(survey: Survey, key: str, rng: np.random.Generator) -> None:
    add_quantity(survey, key, maximum=6)


def ask_text(survey: Survey, key: str, rng: np.random.Generator) -> None:
    add_text_question(survey, key, ("Wine", "Beer"))


def ask_background(survey: Survey, key: str, rng: np.random.Generator) -> None:
    labels = draw_labels(rng)
    decline = bool(rng.integers(2))
    none = labels[rng.integers(len(labels))] if rng.random() < 0.4 else ""
    add_background(survey, key, labels, decline=decline, none=none)


def ask_background_list(survey: Survey, key: str, rng: np.random.Generator) -> None:
    add_background(survey, key, PLACES)


def ask_number(survey: Survey, key: str, rng: np.random.Generator) -> None:
    Question.objects.create(
        survey=survey,
        key=key,
        kind="number",
        text=f"{key}?",
        minimum=0,
        maximum=9,
        position=survey.questions.count() + 1,
    )


def ask_statements(survey: Survey, key: str, rng: np.random.Generator) -> None:
    decline = bool(rng.integers(2))
    for number in range(rng.integers(2, 7)):
        add_background(survey, f"{key}_{number}", POINTS, grid=f"Grid {key}", decline=decline)


def ask_scrambled_statements(survey: Survey, key: str, rng: np.random.Generator) -> None:
    for number in range(rng.integers(2, 5)):
        add_yes_no(survey, f"{key}_{number}", grid=f"Grid {key}")


Ask = Callable[[Survey, str, np.random.Generator], None]
TYPES: tuple[Ask, ...] = (
    *(ask_choice, ask_several, ask_list, ask_yes_no, ask_scale, ask_mean, ask_text),
    *(ask_background, ask_background_list, ask_number, ask_statements, ask_scrambled_statements),
)


def draw_labels(rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(rng.permutation(LABELS)[: rng.integers(2, len(LABELS) + 1)].tolist())


def draw_truths(item: QuestionDefinition, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return the true answers of n people: some surveys have a clear leader, others answers that are alike."""
    if item.is_written:
        return rng.choice(["wine", "beer", "milk"], n)
    shares = rng.dirichlet(np.full(item.size, rng.choice([0.3, 1.0, 20.0])))
    if item.traits.select == "any":
        return (rng.random((n, item.size)) < rng.random(item.size)).astype(np.uint8)
    return rng.choice(item.size, n, p=shares)


def create_answered(number: int, rng: np.random.Generator, owner: Any) -> Instrument:
    """Return a published survey with three questions or grids and its answers."""
    survey = create_draft(owner, title=f"Survey {number}")
    for place, ask in enumerate(rng.choice(len(TYPES), 3, replace=False)):
        TYPES[ask](survey, f"q{place}", rng)
    instrument = publish_survey(survey)
    frozen, n = parse_instrument(instrument), int(rng.choice(SIZES))
    add_to_report(
        instrument,
        simulated_records(
            frozen, {item.key: draw_truths(item, n, rng) for item in frozen.items}, rng
        ),
    )
    return Instrument.objects.get(pk=instrument.pk)


@dataclass(frozen=True)
class Shares:
    """The shares of a question as the API gives them, and the error of a difference, by the formulas of the designs."""

    item: QuestionDefinition
    told: dict[str, Any]

    @property
    def by_label(self) -> dict[str, float]:
        return {choice["label"]: choice["estimate"] for choice in self.told["choices"]}

    @property
    def may_stand_apart(self) -> set[str]:
        """Return the label that the author marked, and that of declining where it is no answer of the question."""
        codes = {self.item.none, self.item.decline_code} - {None}
        return {self.item.choices[code] for code in codes}

    def lowest_difference(self, one: str, two: str, size: int) -> float:
        """Return the lower end of the interval of one share minus another; all pairs of `size` hold together."""
        shares, z = self.by_label, norm.ppf(1 - EXCLUDED / (size * (size - 1)))
        return shares[one] - shares[two] - z * self._error(one, two)

    def _error(self, one: str, two: str) -> float:
        received = {choice["label"]: choice["observed"] for choice in self.told["choices"]}
        mechanism, r, s = self.item.mechanism, received[one], received[two]
        if isinstance(mechanism, UnaryEncoding):
            p, q = float(mechanism.p), float(mechanism.q)
            of_both = self.by_label[one] + self.by_label[two]
            both = of_both * p * q + (1 - of_both) * q**2
            variance = r * (1 - r) + s * (1 - s) - 2 * (both - r * s)
        else:
            p, q = (
                (1.0, 0.0)
                if mechanism is None
                else (mechanism.floats[0, 0], mechanism.floats[0, 1])
            )
            variance = r + s - (r - s) ** 2
        return float(np.sqrt(variance / self.told["n"])) / (p - q)


def check_question(item: QuestionDefinition, told: dict[str, Any]) -> str:
    """Check the sentence about one question, and return the form of the sentence."""
    sentence, detail = told["finding"]["sentence"], told["finding"]["detail"]
    if told["found"]:
        sentence = detail
    if item.traits.has_yes or not re.search(r"ommon|ighest| chose ", sentence):
        return "no order"
    shares = Shares(item, told)
    opening, _, rest = sentence.rpartition("Of the other answers")
    apart = set(re.findall(LABEL, opening))
    assert apart <= shares.may_stand_apart, sentence
    ranked = [label for label in item.choices if label not in apart]
    leader = re.search(
        rf"(?:Most common(?: answer)?:|the most common is) {LABEL}, (?:\d|at )", rest
    )
    if leader:
        for label in ranked:
            is_ahead = (
                label == leader[1] or shares.lowest_difference(leader[1], label, len(ranked)) > 0
            )
            assert is_ahead, (sentence, label, shares.by_label)
    is_long = re.search(r"\d (answers )?could be", sentence) is not None
    named = set(re.findall(LABEL, detail.partition("Lead over")[0] if is_long else rest))
    assert_no_larger_share(sentence, {label: shares.by_label[label] for label in ranked}, named)
    if leader:
        return "leader after none of these" if apart else "leader"
    if is_long or "too close" in sentence or "could be" in sentence:
        return "close after none of these" if apart else "close"
    return "highest"


def assert_no_larger_share(sentence: str, shares: dict[str, float], named: set[str]) -> None:
    largest = max(shares[label] for label in named if label in shares)
    larger = [
        label for label, share in shares.items() if share > largest + 1e-9 and label not in named
    ]
    assert not larger, (sentence, larger, shares)


def check_grid(
    headline: str, items: list[QuestionDefinition], told: dict[str, dict[str, Any]]
) -> str:
    """Check the headline of the rows of a grid, and return the form of the sentence."""
    shares, intervals = {}, {}
    for item in items:
        choices = told[item.key]["choices"]
        n = told[item.key]["n"]
        answered = round(n * (1 - choices[-1]["observed"])) if item.aside else n
        if answered < 30:
            continue
        received = choices[1 if item.mechanism else 2]["observed"] * n / answered
        interval = wilson_of_pair(received, answered, len(items))
        line = (0.25, 0.5) if item.mechanism else (0.0, 1.0)
        shares[item.text] = (received - line[0]) / line[1]
        intervals[item.text] = [(end - line[0]) / line[1] for end in interval]
    words = re.fullmatch(
        r"Highest (?:agreement|share of “Yes”): (.*?)(?: Lowest: “([^”]+)” \(.*\)\.)?", headline
    )
    if not words:
        assert re.search(r"^(No clear leader: \d|Too few |\d+% agree: |Grid )", headline), headline
        return "grid without an order"
    if words[2]:
        low, high = intervals.pop(words[2])
        assert all(high < other_low for other_low, _ in intervals.values()), (headline, shares)
        intervals[words[2]] = [low, high]
    named = re.findall(LABEL, words[1])
    assert_no_larger_share(headline, shares, set(named))
    if "too close" in words[1]:
        return "grid, close"
    low, _ = intervals.pop(named[0])
    assert all(low > other_high for _, other_high in intervals.values()), (headline, shares)
    return "grid, leader"


def wilson_of_pair(share: float, n: int, size: int) -> tuple[float, float]:
    z2 = norm.ppf(1 - EXCLUDED / max(size * (size - 1), 2)) ** 2
    half = np.sqrt(z2 * share * (1 - share) / n + z2**2 / (4 * n**2))
    return (share + z2 / (2 * n) - half) / (1 + z2 / n), (share + z2 / (2 * n) + half) / (
        1 + z2 / n
    )


def check_people(page: str, frozen: SurveyDefinition, told: dict[str, dict[str, Any]]) -> str:
    """Check that the line about who answered names no answer without those with a larger share, and return its form."""
    line = re.search(r"<strong>Who answered</strong> \(not scrambled\): (.*?)\. <a", page)
    assert bool(line) == ("Who answered" in page)
    if not line:
        return "no people"
    unread = {part for part in html.unescape(line[1]).split(", ") if "%" in part}
    for item in frozen.items:
        if item.mechanism is None and not item.grid and not item.traits.is_number:
            shares = {choice["label"]: choice["observed"] for choice in told[item.key]["choices"]}
            parts = {label: f"{100 * share:.0f}% {label}" for label, share in shares.items()}
            named = {label for label, part in parts.items() if part in unread}
            if named:
                assert_no_larger_share(line[1], shares, named)
            unread -= {parts[label] for label in named}
    assert not unread, line[1]
    return "people"


def check_survey(instrument: Instrument, page: str, report: dict[str, Any]) -> Iterator[str]:
    """Check all sentences of a survey on its page and in its JSON, and yield the form of each."""
    frozen = parse_instrument(instrument)
    told = {question["key"]: question for question in report["questions"]}
    titles = [
        text(title) for title in re.findall(r'<h2 class="result__title"[^>]*>(.*?)</h2>', page)
    ]
    grids: dict[str, list[QuestionDefinition]] = {}
    sentences = []
    for item in frozen.items:
        sentences += [told[item.key]["finding"]["sentence"], told[item.key]["finding"]["detail"]]
        yield check_question(item, told[item.key])
        if item.grid:
            grids.setdefault(item.grid, []).append(item)
        else:
            titles.remove(told[item.key]["finding"]["sentence"])
    assert len(titles) == len(grids)
    for headline, items in zip(titles, grids.values(), strict=True):
        yield check_grid(headline, items, told)
    yield check_people(page, frozen, told)
    unknown = text(page)
    for known in sorted([*titles, *sentences], key=len, reverse=True):
        unknown = unknown.replace(known, "")
    rogue = re.search(r".{0,60}(?:[Mm]ost common|[Hh]ighest|leader).{0,60}", unknown)
    assert not rogue, rogue[0]


def test_no_sentence_names_a_leader_without_a_lead_or_passes_over_a_larger_share() -> None:
    rng, owner, forms = np.random.default_rng(SEED), create_researcher(), Counter()
    client, api = client_for(owner), client_of(owner)

    for number in range(SURVEYS):
        instrument = create_answered(number, rng, owner)
        page = client.get(f"/surveys/{instrument.survey.slug}/report/").text
        report = api.get(f"/api/v1/surveys/{instrument.survey.slug}/report/").json()
        forms.update(check_survey(instrument, page, report))

    least = {
        "leader": 20,
        "close": 10,
        "leader after none of these": 5,
        "close after none of these": 5,
        "highest": 5,
    }
    least |= {"grid, leader": 5, "grid, close": 5, "people": 20}
    assert all(forms[form] >= count for form, count in least.items()), forms
