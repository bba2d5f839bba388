"""The family of a page that compares groups: it comes from questions and sizes, before any answer."""

from dataclasses import replace

import numpy as np
import pytest

from surveys.models import Instrument
from surveys.results.analysis.groups.groups import compare_groups, page_family
from surveys.results.analysis.groups.page import page_of, question_of_page
from surveys.results.disclosure.access import ReaderView
from surveys.results.report.groups import SideBySide, side_by_side
from surveys.statements.family import Family, compared_answers
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

REGIONS = ("North", "East", "South")


def groups_of(instrument: Instrument) -> SideBySide:
    return side_by_side(ReaderView(instrument), "region")


def publish_questions(*, decline: bool = False) -> Instrument:
    """Publish a survey with Yes/no, four fruits, a number, a scale and three regions."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_quantity(survey, decline=decline)
    add_scale(survey)
    add_background(survey, labels=REGIONS)
    return publish_survey(survey)


def without_counts(sides: SideBySide, *keys: str) -> SideBySide:
    """Return groups in which no answer to these questions can be read."""
    parts = []
    for part in sides.parts:
        counts = {key: None if key in keys else value for key, value in part["counts"].items()}
        parts.append(part | {"counts": counts})
    return replace(sides, parts=tuple(parts))


def test_family_of_a_page_is_that_of_its_questions_and_group_sizes() -> None:
    instrument = publish_questions()
    add_responses(instrument, 600, region=np.arange(600) % 3)
    sides = groups_of(instrument)
    sizes = {}
    for item in sides.frozen.items:
        for code in compared_answers(item):
            sizes[item.key, code] = [200, 200, 200]

    page = page_of(sides)

    assert page.family == Family.for_page(sides.frozen.items, sizes)
    assert page.family.size == 3 * (1 + 4 + 1 + 1)
    differences = [difference for answer in page.answers for difference in answer.differences]
    assert len(differences) == page.family.size
    assert {difference.family for difference in differences} == {page.family}


def test_family_of_a_page_needs_no_answer() -> None:
    instrument = publish_questions()
    add_responses(instrument, 600, region=np.arange(600) % 3)
    sides = groups_of(instrument)
    keys = [item.key for item in sides.frozen.items]
    assert page_family(without_counts(sides, *keys)) == page_family(sides)


def test_group_that_falls_below_30_leaves_the_family_of_that_question_only() -> None:
    survey = create_draft()
    add_background(survey, "sex", ("Men", "Women"))
    add_background(survey, labels=REGIONS)
    add_yes_no(survey)
    add_yes_no(survey, "fee", when={"of": "sex", "in": ["Women"]})
    instrument = publish_survey(survey)
    rows = []
    for place, (people, women) in enumerate([(200, 100), (200, 100), (60, 29)]):
        for number in range(people):
            is_woman = number < women
            row = {"region": place, "sex": int(is_woman), "tax": number % 2}
            rows.append(row | {"fee": number % 2 if is_woman else None})
    release_reports(instrument, rows)
    sides = groups_of(instrument)
    tax, fee = (item for item in sides.frozen.items if item.key in ("tax", "fee"))

    page = page_of(sides)

    # The women of South are too few for a row, and join the smallest other group.
    assert sides.row_sizes(tax, 1) == [200, 200, 60]
    assert sorted(sides.row_sizes(fee, 1)) == [100, 129]
    expected = {("tax", 1): [200, 200, 60], ("fee", 1): [100, 129]}
    assert page.family == Family.for_page(sides.frozen.items, expected)
    assert page.family.size == 3 + 1
    assert len(page.question("fee").differences) == 1


def test_unknown_mean_stays_in_the_family() -> None:
    """No one in South seems to have given a number, which is known from the answers alone."""
    instrument = publish_questions(decline=True)
    region = np.arange(900) % 3
    add_responses(instrument, 900, region=region, hours=np.full(900, 25))
    sides = groups_of(instrument)
    item = next(item for item in sides.frozen.items if item.key == "hours")
    # All reports of South are the one that speaks most for “Prefer not to say”.
    gave_number = np.append(np.ones(51), 0.0)
    weights = item.mechanism.unbiased_weights(gave_number)
    counts = [0] * len(weights)
    counts[int(np.argmin(weights))] = 300
    north, east, south = sides.parts
    south = south | {"counts": south["counts"] | {"hours": counts}}
    sides = replace(sides, parts=(north, east, south))
    page = page_of(sides)
    hours_compared = page.question("hours").answers[0]
    names = [group.name for group in hours_compared.groups]

    assert sides.row_sizes(item, None) == [300, 300, 300]
    assert names == ["North", "East"]
    assert len(hours_compared.differences) == 1
    assert page.family.size == 3 * (1 + 4 + 1 + 1)


def test_options_that_devices_pick_have_sizes_of_their_own() -> None:
    survey = create_draft()
    add_choice(survey, "drugs", ("A", "B", "C"), "marks", kind="any", parameters={"epsilon": "2"})
    add_background(survey, labels=REGIONS)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 300)
    sides = groups_of(Instrument.objects.get(pk=instrument.pk))
    item = sides.frozen.items[0]
    sizes = {(item.key, code): sides.row_sizes(item, code) for code in range(3)}

    page = page_of(sides)

    assert page.family == Family.for_page(sides.frozen.items, sizes)
    for answer in page.answers:
        expected = [n for n in sizes[item.key, answer.code] if n >= 30]
        assert [group.n for group in answer.groups] == expected
    assert all(sum(sizes_of_option) < 300 for sizes_of_option in sizes.values())


def test_one_question_is_decided_as_on_the_page_without_reading_another() -> None:
    instrument = publish_questions()
    region = np.arange(900) % 3
    add_responses(instrument, 900, region=region, tax=(region == 0).astype(int))
    sides = groups_of(instrument)
    page = page_of(sides)
    unread = without_counts(sides, "fruit", "hours", "agrees")

    alone = question_of_page(unread, "tax")

    assert alone.differences == page.question("tax").differences
    assert alone.sentences == page.question("tax").sentences
    tax = next(item for item in sides.frozen.items if item.key == "tax")
    assert list(compare_groups(unread, tax, 1).differences) == alone.differences
    with pytest.raises(KeyError):
        question_of_page(sides, "region")


def test_condition_of_a_question_opens_its_sentences() -> None:
    survey = create_draft()
    add_background(survey, "sex", ("Men", "Women"))
    add_background(survey, labels=REGIONS[:2])
    add_yes_no(survey, when={"of": "sex", "in": ["Women"]})
    instrument = publish_survey(survey)
    rows = []
    for number in range(1200):
        region = number % 2
        rows.append({"sex": 1, "region": region, "tax": int(region == 0)})
    release_reports(instrument, rows)

    (sentence,) = page_of(groups_of(instrument)).question("tax").sentences

    assert sentence.startswith("Among people who answered “Women” to ")
    assert ", Tax: 100 points higher in “North” than in “East” (95% range " in sentence
