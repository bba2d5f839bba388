"""How often the interval of a question on a path holds the truth, through records, tally and report."""

import numpy as np
import pytest

from surveys.definition.freezing import build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import count_responses, record_dtype
from surveys.fieldwork.responses.simulated_records import leave_out_questions
from surveys.results.estimates.report import summarize
from tests.factories.surveys import add_background, add_choice, add_yes_no, create_draft

pytestmark = pytest.mark.django_db
PEOPLE = 2_000
PART = 0.3  # of whom the questions are asked
SHARES = {
    "care": 0.2,
    "fruit": 0.4,
}  # of those who are asked; of the others everybody would say the same
LABELS = ("Apple", "Pear", "Plum")


def asked() -> SurveyDefinition:
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male"))
    women = {"of": "sex", "in": ["Female"]}
    add_yes_no(survey, "care", when=women)
    add_choice(survey, "fruit", LABELS, "direct", parameters={"epsilon": "1.0986"}, when=women)
    add_yes_no(survey, "tax")
    return build_definition(survey)


def covered(frozen: SurveyDefinition, runs: int, seed: int) -> dict[str, float]:
    """Of so many surveys the part whose interval holds the true share, of each question."""
    rng, hits = np.random.default_rng(seed), dict.fromkeys(SHARES, 0)
    items = {item.key: item for item in frozen.items}
    for _ in range(runs):
        rows = np.zeros(PEOPLE, record_dtype(frozen))
        rows["sex"] = rng.random(PEOPLE) >= PART
        women = rows["sex"] == 0
        truths = {
            "care": np.where(women, rng.random(PEOPLE) < SHARES["care"], 1).astype(int),
            "fruit": np.where(women, rng.choice(3, PEOPLE, p=[SHARES["fruit"], 0.35, 0.25]), 2),
            "tax": rng.integers(2, size=PEOPLE),
        }
        for key, each in truths.items():
            rows[key] = items[key].mechanism.randomize_stored(each, rng)
        leave_out_questions(frozen, rows, rng)
        found = {
            each.key: each for each in summarize(frozen, count_responses(frozen, rows)).questions
        }
        assert found["care"].n == int(women.sum())
        for key, answer in (("care", 1), ("fruit", 0)):
            low, high = found[key].choices[answer].interval
            hits[key] += low <= SHARES[key] <= high
    return {key: hit / runs for key, hit in hits.items()}


def test_intervals_hold_the_share_among_those_who_were_asked() -> None:
    for key, part in covered(asked(), 150, seed=1).items():
        assert 0.9 <= part <= 1, key


@pytest.mark.long
def test_intervals_hold_the_share_in_93_to_97_of_100_surveys() -> None:
    for key, part in covered(asked(), 4_000, seed=2).items():
        assert 0.93 <= part <= 0.97, (key, part)
