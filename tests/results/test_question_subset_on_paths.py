"""Devices pick among questions of which some are on a path: who is counted, what is estimated, and who is shown it."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from django.test import Client
from scipy.stats import chi2

from mechanisms import FiniteEstimate
from surveys.authoring.drafts.question_subset import set_draw
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import QuestionSubset, Tickets
from surveys.export.codebook import as_markdown, codebook
from surveys.export.format import public_tally
from surveys.fieldwork.lifecycle import publish
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import (
    InvalidReports,
    count_responses,
    decode,
    drawable_respondents,
    encode,
    has_report,
    record_dtype,
)
from surveys.fieldwork.responses.simulated_records import leave_out_questions
from surveys.models import Batch, Cut, Instrument, Membership, Question, Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import report, summarize
from surveys.results.report import subset_check
from surveys.results.report.data_quality import inspect
from surveys.results.report.methods import methods
from surveys.results.report.quality import LOT, LOT_BY_GROUP, SETS, Verdict
from surveys.site.errors import Refused
from tests.factories.inbox import run_next_timer
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import add_background, add_yes_no, create_draft, create_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WOMEN, NORTH = {"of": "sex", "in": ["Female"]}, {"of": "area", "in": ["North"]}
HAND = {"design": "two-coin", "mode": Question.Mode.BY_HAND}
OF = ["tax", "spun", "care", "far"]


def mixed(count: int = 2, **texts: object) -> Survey:
    """Two of tax, spun (a spinner), care (by hand, of women) and far (of the north). Only sex makes groups."""
    survey = create_draft(**texts)
    add_background(survey, "sex", ("Female", "Male"), cut=True)
    add_background(survey, "area")
    add_yes_no(survey)
    add_yes_no(survey, "spun", mode=Question.Mode.SPINNER)
    add_yes_no(survey, "care", when=WOMEN, **HAND)
    add_yes_no(survey, "far", when=NORTH)
    return picking(survey, count, *OF)


def picking(survey: Survey, count: int, *of: str) -> Survey:
    set_draw(survey=survey, count=count, of=of)
    return Survey.objects.get(pk=survey.pk)


def closed(n: int = 3000) -> Instrument:
    instrument = publish(mixed(results_after_closing=False))
    add_invented_responses(instrument, n)
    close_survey(instrument.survey)
    run_next_timer()
    return Instrument.objects.get()


@pytest.fixture
def filled() -> Instrument:
    add_invented_responses(publish(mixed()), 3000)
    return Instrument.objects.get()


def rows_of(instrument: Instrument) -> np.ndarray:
    return decode(
        parse_instrument(instrument),
        b"".join(bytes(batch.records) for batch in instrument.batches.all()),
    )


# --- What is accepted.


def test_of_32_bodies_exactly_the_12_right_ones_pass() -> None:
    """One background question, four questions of which two are picked, one of them on a path."""
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male"))
    for key in ("a", "b", "c"):
        add_yes_no(survey, key)
    add_yes_no(survey, "care", when=WOMEN)
    keys = ("a", "b", "c", "care")
    frozen = build_definition(picking(survey, 2, *keys))
    passed = set()
    for sex in (0, 1):
        for places in range(16):
            asked = {key for place, key in enumerate(keys) if places >> place & 1}
            sent = {"sex": sex} | {key: 1 if key in asked else None for key in keys}
            try:
                row = decode(frozen, encode(frozen, sent))
            except InvalidReports:
                continue
            assert {key for key in keys if has_report(frozen, row, key)[0]} == asked
            passed.add((sex, *sorted(asked)))
    women = {(0, *pair) for pair in combinations(keys, 2)}
    men = {(1, *some) for size in (1, 2) for some in combinations(keys[:3], size)}
    assert passed == women | men
    assert len(passed) == 12


def test_the_numbers_of_reports_are_named_without_what_was_sent() -> None:
    frozen, sent = (
        build_definition(mixed()),
        {"sex": 1, "area": 1, "tax": None, "spun": None, "care": None, "far": None},
    )
    encode(frozen, sent)  # both that were picked are dropped
    with pytest.raises(InvalidReports, match="The report of care must be null"):
        encode(frozen, sent | {"care": 1})
    with pytest.raises(InvalidReports, match="Of tax, spun, care, far 1 to 2 must have a report"):
        encode(frozen, sent | {"sex": 0})
    with pytest.raises(InvalidReports, match="exactly 2 must have a report"):
        encode(frozen, sent | {"sex": 0, "area": 0, "tax": 1})
    assert len(frozen.keys_with_missing) == len(set(frozen.keys_with_missing)) == 4
    assert record_dtype(frozen).itemsize == 7  # six questions and one byte of the mask


def test_how_much_is_asked_and_spent_is_that_of_the_worst_path() -> None:
    frozen = build_definition(mixed())
    assert (
        frozen.max_questions_per_person == 4
    )  # two background questions and two of four, on each path
    assert frozen.epsilon == pytest.approx(2 * np.log(3))
    survey = mixed(owner=create_researcher("bea"))
    survey.questions.filter(key__in=["tax", "spun"]).update(when=WOMEN)
    survey.questions.filter(key__in=["care", "far"]).update(when={"of": "sex", "in": ["Male"]})
    assert build_definition(survey).max_questions_per_person == 4
    survey.questions.filter(key__in=["spun", "far"]).delete()
    assert build_definition(picking(survey, 1, "tax", "care")).epsilon == pytest.approx(np.log(3))


def test_a_broken_condition_is_named_for_a_picked_question_too() -> None:
    survey = mixed()
    survey.questions.filter(key="care").update(when={"of": "sex", "in": ["Nobody"]})
    with pytest.raises(Refused, match="“Nobody” is not an answer"):
        build_definition(Survey.objects.get(pk=survey.pk))


# --- The law.


def law(is_open: tuple[str, ...], of: list[str], count: int) -> dict[tuple[str, ...], float]:
    """By going through every set that can be picked, and dropping what is not open."""
    picked = list(combinations(of, count))
    sets = Counter(tuple(key for key in each if key in is_open) for each in picked)
    return {each: n / len(picked) for each, n in sets.items()}


def test_the_simulation_picks_without_replacement_and_drops() -> None:
    frozen = build_definition(mixed())
    rows = np.zeros(40_000, record_dtype(frozen))
    rows["sex"], rows["area"] = np.arange(40_000) % 2, np.arange(40_000) // 2 % 2
    leave_out_questions(frozen, rows, np.random.default_rng(1))
    asked = {key: has_report(frozen, rows, key) for key in OF}
    for sex, area in ((0, 0), (0, 1), (1, 0), (1, 1)):
        there = (rows["sex"] == sex) & (rows["area"] == area)
        is_open = ("tax", "spun", *["care"] * (sex == 0), *["far"] * (area == 0))
        sets = Counter(tuple(key for key in OF if asked[key][row]) for row in np.flatnonzero(there))
        expected = law(is_open, OF, 2)
        assert set(sets) == set(expected)
        assert all(abs(sets[each] - 10_000 * chance) < 250 for each, chance in expected.items())


def test_chances_of_sets_are_those_of_going_through_all_of_them() -> None:
    of = [f"q{number}" for number in range(6)]
    for count in range(1, 6):
        for size in range(7):
            expected = law(tuple(of[:size]), of, count)
            chances = subset_check._chances(QuestionSubset(count, tuple(of)), size)
            assert {each: chances[len(each)] for each in expected} == pytest.approx(expected)
            assert sum(comb(size, each) for each in chances) == len(expected)


# --- Who was on the path.


def test_how_many_were_on_each_path_is_stored_picked_or_not(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    women, north = int((rows["sex"] == 0).sum()), int((rows["area"] == 0).sum())
    assert filled.tally["on_path"] == {"care": women, "far": north}
    assert 0.45 < filled.tally["answered"]["care"] / women < 0.55
    assert count_responses(frozen, rows) == filled.tally
    close_survey(filled.survey)
    run_next_timer()
    cells = Cut.objects.get().cells
    assert sorted(cell["on_path"]["care"] for cell in cells.values()) == [0, women]
    assert sum(cell["on_path"]["far"] for cell in cells.values()) == north


def test_a_missing_background_answer_is_on_no_path() -> None:
    frozen = build_definition(mixed(import_only=True))
    nothing = dict.fromkeys(OF)
    rows = decode(frozen, b"".join(encode(frozen, nothing | each) for each in MISSING))
    assert count_responses(frozen, rows)["on_path"] == {"care": 1, "far": 2}


MISSING = [
    {"sex": 0, "area": 0, "tax": 1, "care": 0},
    {"sex": None, "area": 0, "tax": 1},
    {"sex": 1, "area": None},
]


def test_a_survey_without_both_has_no_such_numbers() -> None:
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male"))
    add_yes_no(survey)
    add_yes_no(survey, "care", when=WOMEN)
    instrument = publish(survey)
    add_invented_responses(instrument, 50)
    assert set(instrument.tally) == {"n", "counts", "answered"}


def questions(instrument: Instrument, *, has_rows: bool) -> dict:
    reader = view_for_reader(instrument, has_rows=has_rows)
    return {each.key: each for each in report(instrument, seen=reader).questions}


def test_errors_of_exactly_those_who_answered_are_of_those_on_the_path(filled: Instrument) -> None:
    frozen = replace(
        parse_instrument(filled), tickets=Tickets("", "one")
    )  # without which nobody is asked for such errors
    by_key = {each.key: each for each in summarize(frozen, filled.tally, sampling=False).questions}
    assert isinstance(by_key["care"].basis, FiniteEstimate)
    assert by_key["tax"].basis.population == 3000
    for key in ("care", "far"):
        assert by_key[key].basis.population == filled.tally["on_path"][key] > by_key[key].n


# --- Who is shown it.


def colleague(instrument: Instrument) -> Client:
    client, person = Client(), create_researcher("analyst")
    Membership.objects.create(survey=instrument.survey, user=person, role="analyst")
    client.force_login(person)
    return client


def test_after_closing_it_is_shown_with_its_groups_and_hidden_where_the_path_splits_a_cell() -> (
    None
):
    instrument = closed()
    everybody, all_of_it = (
        questions(instrument, has_rows=False),
        questions(instrument, has_rows=True),
    )
    women, north = (instrument.tally["on_path"][key] for key in ("care", "far"))
    care = everybody["care"]
    assert (care.n, care.on_path) == (all_of_it["care"].n, women)
    assert care.choices[1].estimate == all_of_it["care"].choices[1].estimate
    assert care.told.startswith("As of the closing of ")
    assert (everybody["far"].n, everybody["far"].on_path, everybody["far"].basis) == (0, None, None)
    assert all_of_it["far"].on_path == north

    reader, slug = colleague(instrument), instrument.survey.slug
    told_of = reader.get(f"/api/v1/surveys/{slug}/report/").json()["questions"]
    assert [each["on_path"] for each in told_of] == [None, None, None, None, women, None]
    pages = [
        reader.get(f"/surveys/{slug}/report/{rest}").content.decode()
        for rest in ("?everything=yes", "", "quality/", "quality.csv")
    ]
    assert f"n = {care.n:,} of {women:,}" in pages[0]
    api = [
        reader.get(f"/api/v1/surveys/{slug}/{rest}").content.decode()
        for rest in ("tallies/", "report/quality/")
    ]
    for text in (*pages, *api):
        assert not re.search(rf"(?<![0-9a-f.])({north}|{north:,})(?![0-9a-f])", text)


def test_while_it_is_open_nothing_tells_of_a_path(filled: Instrument) -> None:
    everybody = questions(filled, has_rows=False)
    assert [everybody[key].on_path for key in OF] == [None] * 4
    assert everybody["care"].n == everybody["far"].n == 0
    assert everybody["tax"].n > 1000
    assert "on_path" not in public_tally(filled)
    names = {(check.key, check.name) for check in inspect(filled)}
    assert ("tax", LOT) in names
    assert not [key for key, _ in names if key in ("care", "far", "")]


def test_a_group_has_the_path_of_its_own_people() -> None:
    instrument = closed()
    reader = view_for_reader(instrument, has_rows=False)
    _, _, parts = reader.tallies_by(Group(), "sex")
    assert [each["on_path"] for each in parts] == [
        {"care": instrument.tally["on_path"]["care"]},
        {"care": 0},
    ]
    assert all("far" not in cell["on_path"] for _, cell in reader.cells(Group()))


def test_words_say_both(filled: Instrument) -> None:
    frozen, reader = parse_instrument(filled), view_for_reader(filled, has_rows=True)
    result = report(filled, seen=reader)
    by_key, text = {each.key: each for each in result.questions}, str(methods(frozen, result))
    women = filled.tally["on_path"]["care"]
    assert "dropped and not replaced" in text
    assert f"care where “About sex?” is “Female” (n = {by_key['care'].n:,} of {women:,})" in text
    missing = codebook(frozen, filled.tally)["variables"][4]["missing"]
    assert "asked only if “About sex?” is “Female”; each respondent got 2 of 4 questions" in missing
    assert missing in as_markdown(frozen, filled.tally)


# --- Data checks.


def checks(instrument: Instrument, name: str) -> dict[str, Verdict]:
    return {
        check.key: check.verdict for check in inspect(instrument, rows=True) if check.name == name
    }


def without(instrument: Instrument, leave: np.ndarray) -> Instrument:
    """The same responses after some people left."""
    frozen, rows = parse_instrument(instrument), rows_of(instrument)[~leave]
    Batch.objects.all().delete()
    Batch.objects.create(instrument=instrument, n=len(rows), records=rows.tobytes())
    Instrument.objects.update(tally=count_responses(frozen, rows))
    return Instrument.objects.get()


def test_an_honest_selection_passes_every_check(filled: Instrument) -> None:
    assert checks(filled, LOT) == checks(filled, LOT_BY_GROUP) == dict.fromkeys(OF, Verdict.FINE)
    assert checks(filled, SETS) == {"": Verdict.FINE}
    women = filled.tally["on_path"]["care"]
    (care,) = [
        check for check in inspect(filled, rows=True) if (check.key, check.name) == ("care", LOT)
    ]
    assert (
        f"of {women:,} respondents where “About sex?” is “Female” got this question" in care.finding
    )
    assert inspect(filled, rows=True)[-1].name == SETS


def test_people_who_leave_because_of_a_question_on_their_path_show(filled: Instrument) -> None:
    frozen, rows = parse_instrument(filled), rows_of(filled)
    left = without(filled, has_report(frozen, rows, "care") & (np.arange(len(rows)) % 2 == 0))
    assert checks(left, LOT)["care"] == Verdict.IMPOSSIBLE
    assert checks(left, LOT)["far"] == Verdict.FINE
    assert checks(left, LOT_BY_GROUP)["care"] == Verdict.IMPOSSIBLE
    (sets,) = [check for check in inspect(left, rows=True) if check.name == SETS]
    assert sets.verdict == Verdict.SUSPICIOUS  # and never more, however small the chance is
    assert sets.p_value < 1e-9
    assert "private windows" in sets.advice


def test_pairs_that_are_avoided_show_though_each_question_came_as_often_as_it_should(
    filled: Instrument,
) -> None:
    """Where all four are open, of each of two opposite pairs half is left out: each question loses as many."""
    frozen, rows = parse_instrument(filled), rows_of(filled)
    asked = {key: has_report(frozen, rows, key) for key in OF}
    pairs = (asked["tax"] & asked["spun"]) | (asked["care"] & asked["far"])
    left = without(filled, pairs & (np.arange(len(rows)) % 2 == 0))
    assert checks(left, SETS) == {"": Verdict.SUSPICIOUS}


def selections(n: int, d: int, on_path: int, surveys: int, seed: int = 1) -> np.ndarray:
    """The p-value of each of so many surveys of n people: two of d questions are picked, and half of the people
    are not asked the last `on_path`. By what the check does with the rows of one."""
    rng, draw = np.random.default_rng(seed), QuestionSubset(2, tuple(map(str, range(d))))
    p_values = []
    is_open = np.ones((n, d), bool)
    is_open[: n // 2, d - on_path :] = False
    for _ in range(surveys):
        asked = (rng.random((n, d)).argsort(axis=1).argsort(axis=1) < 2) & is_open
        p_values.append(
            subset_check.chi_square(draw, subset_check.count_sets(is_open, asked)).p_value
        )
    return np.array(p_values)


def test_honest_selections_raise_few_false_alarms() -> None:
    for n, d, on_path in ((300, 4, 1), (1000, 6, 0)):
        p_values = selections(n, d, on_path, 300)
        assert 3 <= (p_values <= 0.05).sum() <= 30, (n, d, on_path)
        assert (p_values <= 0.001).sum() <= 4


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "d", "on_path"), [(300, 4, 0), (300, 4, 2), (1000, 6, 1), (3000, 10, 0), (3000, 10, 3)]
)
def test_honest_selections_raise_as_many_false_alarms_as_they_should(
    n: int, d: int, on_path: int
) -> None:
    p_values = selections(n, d, on_path, 4_000)
    for limit in (0.05, 0.01, 0.001):
        expected = limit * p_values.size
        assert abs((p_values <= limit).sum() - expected) < 5 * expected**0.5, limit


def test_the_statistic_is_pearsons_and_sets_with_few_people_are_left_out() -> None:
    draw, rng = QuestionSubset(2, ("a", "b", "c")), np.random.default_rng(2)
    is_open = np.repeat(
        [[True, True, True], [True, True, False], [True, False, False]], [300, 60, 8], axis=0
    )
    asked = (rng.random((368, 3)).argsort(axis=1).argsort(axis=1) < 2) & is_open
    sets = subset_check.chi_square(draw, subset_check.count_sets(is_open, asked))
    assert (sets.people, sets.freedom) == (360, 4)  # of the eight 8/3 are expected without a report
    statistic = 0.0
    for rows, expected in ((slice(0, 300), 100), (slice(300, 360), 20)):
        pairs = Counter(map(tuple, asked[rows].tolist()))
        assert len(pairs) == 3
        statistic += sum((n - expected) ** 2 / expected for n in pairs.values())
    assert sets.statistic == pytest.approx(statistic)
    assert sets.p_value == pytest.approx(chi2.sf(statistic, 4))
    assert (
        subset_check.chi_square(draw, subset_check.count_sets(is_open[360:], asked[360:])) is None
    )


def test_a_selection_of_too_many_sets_has_no_such_check(
    monkeypatch: pytest.MonkeyPatch, filled: Instrument
) -> None:
    assert subset_check.sets_asked(parse_instrument(filled), filled) is not None
    monkeypatch.setattr(subset_check, "MOST_SETS", 5)
    assert subset_check.sets_asked(parse_instrument(filled), filled) is None


def test_who_is_on_a_path_of_a_path_is_followed_through() -> None:
    """A background question that is on a path itself, and was not asked."""
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male"))
    add_background(survey, "times", ("Once", "Often"))
    survey.questions.filter(key="times").update(when=WOMEN)
    add_yes_no(survey)
    add_yes_no(survey, "more", when={"of": "times", "in": ["Once"]})
    frozen = build_definition(picking(survey, 1, "tax", "more"))
    sent = [
        {"sex": 0, "times": 0, "tax": None, "more": 1},
        {"sex": 1, "times": None, "tax": 0, "more": None},
    ]
    rows = decode(frozen, b"".join(encode(frozen, each) for each in sent))
    assert drawable_respondents(frozen, rows)["more"].tolist() == [True, False]
