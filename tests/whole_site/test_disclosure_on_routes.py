"""Questions with a condition were asked of a group by background answers: whoever has no right to rows sees them as
groups are seen, and no combination of all that is shown is about 1 to 19 people.
"""

import re
import uuid
from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import initialize, run_state_machine_as_test

from features.regression.model.model import model
from features.regression.table.counts import cross_tabulate, parse_table_variables
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import store_response
from surveys.fieldwork.responses.background_groups import merge_small_groups
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Cut, Instrument, Membership, Question, Survey
from surveys.results.analysis import selection
from surveys.results.analysis.cells import cells
from surveys.results.disclosure.access import GroupedView, ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.results.estimates.report import report
from surveys.results.report.data_quality import inspect
from tests.factories.inbox import run_next_timer
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.whole_site.test_disclosure_in_time import (
    AGES,
    FIRST,
    PLACES,
    REGIONS,
    Machine,
    Watching,
    history,
)

pytestmark = pytest.mark.django_db
WHO = ("who1", "who2", "who3")
CONDITIONS = {
    "young": {"of": "age", "from": 18, "to": 38},
    "northern": {"of": "region", "in": ["North", "East"]},
    "red": {"of": "colour", "in": ["Red"]},  # which is not of the cut
}


def marks(survey: Survey, key: str, **more: object) -> None:
    labels = list(map(str, range(PLACES)))
    add_choice(
        survey,
        key,
        labels,
        "unary-any",
        kind=Question.Kind.ANY,
        parameters={"epsilon": "0.5"},
        **more,
    )


def watched(*, after_closing: bool) -> Instrument:
    return publish_survey(with_paths(after_closing=after_closing))


def with_paths(*, after_closing: bool) -> Survey:
    survey = create_draft(
        create_researcher(f"ada{uuid.uuid4().hex}"), results_after_closing=after_closing
    )
    add_background(survey, "region", REGIONS, cut=True)
    age = add_background(survey, "age", (), cut=True)
    Question.objects.filter(pk=age.pk).update(kind="number", minimum=AGES[0], maximum=AGES[1])
    add_background(survey, "colour", ("Red", "Blue"))
    for key in WHO:
        marks(survey, key)
        for name, when in CONDITIONS.items():
            marks(survey, f"{key}_{name}", when=when)
    return survey


def is_asked(name: str, answers: dict) -> bool:
    return {
        "young": answers["age"] <= 20,
        "northern": answers["region"] < 2,
        "red": answers["colour"] == 0,
    }[name]


class OnPaths(Watching):
    """Everybody marks a place of their own in each question that they are asked."""

    who = WHO

    def __init__(self, *, after_closing: bool, made: Callable[..., Instrument] = watched) -> None:
        super().__init__(after_closing=after_closing, made=made)
        self.of_some: set[str] = set()  # conditions whose questions were shown

    def submit(self, n: int, region: int, age: int) -> None:
        for _ in range(min(n, PLACES * len(WHO) - len(self.people))):
            answers = {"region": region, "age": age, "colour": len(self.people) % 2}
            own = self._own()
            given = {
                f"{key}_{name}": marked if is_asked(name, answers) else None
                for key, marked in own.items()
                for name in CONDITIONS
            }
            self.people.append(answers)
            reports = own | given | answers | self._more(answers)
            store_response(
                self.instrument, uuid.uuid4(), encode(parse_instrument(self.instrument), reports)
            )

    def _more(self, answers: dict) -> dict:
        """Reports to further questions."""
        return {}

    def _own(self) -> dict[str, str]:
        which, place = divmod(len(self.people), PLACES)
        nothing = "0" * PLACES
        return {
            key: nothing[:place] + "1" + nothing[place + 1 :] if number == which else nothing
            for number, key in enumerate(WHO)
        }

    def _note(self, tally: dict) -> None:
        super()._note(tally)
        if not tally or not tally["n"]:
            return
        for name in CONDITIONS:
            found = [mark for key in WHO for mark in tally["counts"].get(f"{key}_{name}", [])]
            people = frozenset(np.flatnonzero(found).tolist())
            assert tally["answered"].get(f"who1_{name}", 0) == len(people)
            if people:
                assert all(is_asked(name, self.people[one]) for one in people)
                self.of_some.add(name)
                self.shown.add(people)

    def read(self) -> None:
        seen = view_for_reader(Instrument.objects.get(pk=self.instrument.pk), has_rows=False)
        if not Cut.objects.filter(instrument=self.instrument).exists():
            told = seen.tally(Group())["answered"]
            assert not any(told[f"who1_{name}"] for name in CONDITIONS)
        super().read()


class PathMachine(Machine):
    @initialize(after_closing=st.booleans())
    def publish(self, after_closing: bool) -> None:
        self.site = OnPaths(after_closing=after_closing)


RULES = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def test_no_combination_of_groups_and_paths_is_about_few_people() -> None:
    rules = settings(max_examples=3, stateful_step_count=9, derandomize=True, **RULES)
    run_state_machine_as_test(PathMachine, settings=rules)


def test_what_is_asked_of_whole_cells_is_shown_and_nothing_else() -> None:
    site = OnPaths(after_closing=True)
    history(site, FIRST, [(25, 0, 0), (5, 1, 0)])
    assert site.of_some == {"young", "northern"}
    assert site.singled_out() is None


def test_a_reader_who_sees_every_path_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question asked of a group across the cells tells, with these, about few."""
    monkeypatch.setattr(
        GroupedView,
        "_conditional_visibility",
        property(lambda seen: dict.fromkeys(shown_keys(seen), True)),
    )
    site = OnPaths(after_closing=True)
    history(site, [(50, 0, 0), (31, 1, 0), (31, 0, 41), (31, 1, 41)])
    assert site.of_some == {*CONDITIONS}
    assert site.singled_out()


def shown_keys(seen: GroupedView) -> list[str]:
    return [item.key for item in seen.paper.items if item.when and item.mechanism is not None]


# --- One survey: tax of everybody, care of women, young of those from 18 to 38.


def asked(*cut: str) -> Instrument:
    survey = create_draft()
    add_background(survey, "sex", ("Female", "Male", "Other"))
    age = add_background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(kind="number", minimum=18, maximum=79)
    add_yes_no(survey)
    add_yes_no(survey, "care", when={"of": "sex", "in": ["Female"]})
    add_yes_no(survey, "young", when={"of": "age", "from": 18, "to": 33})
    survey.questions.filter(key__in=cut).update(cut=True)
    return publish_survey(survey)


def colleague(instrument: Instrument) -> Client:
    client, person = Client(), create_researcher("analyst")
    Membership.objects.create(survey=instrument.survey, user=person, role="analyst")
    client.force_login(person)
    return client


def closed(instrument: Instrument) -> Instrument:
    close_survey(instrument.survey)
    run_next_timer()
    return Instrument.objects.get(pk=instrument.pk)


def questions(instrument: Instrument, **seen: bool) -> dict:
    reader = view_for_reader(instrument, has_rows=seen.get("has_rows", False))
    return {each.key: each for each in report(instrument, seen=reader).questions}


def test_while_it_is_open_whoever_has_no_right_to_rows_learns_nothing_of_a_path() -> None:
    instrument = asked("sex", "age")
    add_responses(instrument, 600)
    found, client = questions(instrument), colleague(instrument)
    assert found["care"].n == found["young"].n == 0
    assert found["care"].told == "Only some people get this question. It is shown after closing."
    assert found["tax"].n == 600
    n = questions(instrument, has_rows=True)["care"].n
    assert 30 < n < 600
    path = f"/api/v1/surveys/{instrument.survey.slug}"
    counted = client.get(f"{path}/tallies/").json()
    assert counted["counts"].keys() == {"tax"}
    assert counted["answered"] == {}
    for address in (
        f"{path}/report/",
        f"{path}/export/codebook.json",
        f"{path}/export/codebook.md",
        f"{path}/report/quality/",
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert not re.search(rf"(?<![0-9a-f.]){n}(?![0-9a-f])", body.decode()), address
    assert not [check for check in inspect(instrument) if check.key in ("care", "young")]


def test_from_the_closing_on_it_is_shown_with_the_groups_it_follows() -> None:
    instrument = asked("sex", "age")
    add_responses(instrument, 3000)
    instrument = closed(instrument)
    found, all_of_it = questions(instrument), questions(instrument, has_rows=True)
    cut = Cut.objects.get()
    assert 34 - 18 in cut.starts["age"]  # a group begins where the condition ends
    for key in ("care", "young"):
        assert found[key].n == all_of_it[key].n > 30
        assert found[key].choices[1].estimate == all_of_it[key].choices[1].estimate
        assert found[key].told.startswith("As of the closing of ")
        assert found[key].missing == 0


def test_a_question_that_follows_from_what_makes_no_groups_stays_with_the_right_to_rows() -> None:
    instrument = asked("age")
    add_responses(instrument, 3000)
    instrument = closed(instrument)
    found = questions(instrument)
    assert found["young"].n > 30
    assert found["care"].n == 0
    assert "Team members with row access can filter freely" in found["care"].told
    reader = colleague(instrument)
    for address in ("report/", "compare/linked/"):
        assert reader.get(f"/surveys/{instrument.survey.slug}/{address}").status_code == 200
    assert questions(instrument, has_rows=True)["care"].n > 30


def test_what_comes_after_a_reopening_enters_with_the_groups_only() -> None:
    site = OnPaths(after_closing=True)
    history(site, FIRST, [(30, 0, 0), (5, 1, 0)])
    seen = view_for_reader(Instrument.objects.get(pk=site.instrument.pk), has_rows=False)
    assert seen.tally(Group())["n"] == 195
    assert seen.tally(Group())["answered"]["who1_young"] == 80  # as of the first closing


def test_groups_keep_to_where_a_condition_begins() -> None:
    joint = np.array([10, 40, 40])
    assert merge_small_groups(joint.copy(), [[0, 1, 2]]) == [[0, 2]]
    joint = np.array([40, 10, 60])
    assert merge_small_groups(joint.copy(), [[0, 1, 2]], [{1}]) == [
        [0, 1]
    ]  # the larger neighbour, on the same side


def test_epsilon_and_whom_are_those_of_the_survey_whatever_a_reader_sees() -> None:
    instrument = asked("sex", "age")
    add_responses(instrument, 3000)
    instrument = closed(instrument)
    result = report(instrument)
    assert (
        result.epsilon
        == parse_instrument(instrument).epsilon
        == report(instrument, seen=ReaderView(instrument)).epsilon
    )
    assert {each.key: each.whom for each in result.questions if each.whom} == {
        "care": "“About sex?” is “Female”",
        "young": "“About age?” is 18 to 33",
    }


# --- With row access: any group, at any time, but of 30 who were asked the question, and of 30 others.


def of_sizes(**sizes: int) -> Instrument:
    """care is asked of women. sizes: "female_young" and the like, with people from 18 to 33 or older."""
    instrument = asked("sex", "age")
    people = [name.split("_") for name, n in sizes.items() for _ in range(n)]
    sexes, ages = {"female": 0, "male": 1}, {"young": 0, "old": 40}
    columns = {"sex": [sexes[sex] for sex, _ in people], "age": [ages[age] for _, age in people]}
    add_responses(instrument, len(people), **columns)
    return instrument


YOUNG = Group((("age", tuple(range(16))),))


@pytest.mark.parametrize(
    ("sizes", "n"),
    [
        ({"female_young": 40, "female_old": 40, "male_young": 60, "male_old": 60}, 40),
        (
            {"female_young": 40, "female_old": 0, "male_young": 60, "male_old": 60},
            40,
        ),  # all who were asked
        ({"female_young": 12, "female_old": 90, "male_young": 60, "male_old": 60}, 0),
        (
            {"female_young": 90, "female_old": 12, "male_young": 60, "male_old": 60},
            0,
        ),  # 102 less 90 are 12
    ],
)
def test_a_group_is_large_enough_for_each_question_or_shows_nothing_of_it(
    sizes: dict, n: int
) -> None:
    instrument = of_sizes(**sizes)
    reader = ReaderView(instrument)
    results = {each.key: each for each in report(instrument, group=YOUNG, seen=reader).questions}
    assert results["care"].n == n
    assert results["tax"].n == sizes["female_young"] + sizes["male_young"]
    assert (results["care"].basis is None) == (n == 0)
    assert not n or not results["care"].told
    client = Client()
    client.force_login(instrument.survey.owner)
    path = f"/api/v1/surveys/{instrument.survey.slug}/report/"
    where = {"where": f"age:{','.join(map(str, range(16)))}"}
    numbers = {each["key"]: each for each in client.get(path, where).json()["questions"]}
    assert numbers["care"]["n"] == n
    table = client.get(f"{path}shares.csv", where)
    body = b"".join(table.streaming_content) if table.streaming else table.content
    assert ("care" in body.decode()) == bool(n)


def test_a_model_of_a_group_leaves_none_or_thirty_who_were_asked() -> None:
    for old, is_refused in ((12, True), (40, False), (0, False)):
        reader = ReaderView(of_sizes(female_young=150, female_old=old, male_young=60, male_old=60))
        parts = [selection.outcome(reader, "care:1")]
        if is_refused:
            with pytest.raises(TooSmall):
                cells(reader, parts, YOUNG)
        else:
            assert cells(reader, parts, YOUNG).n == 150


def test_a_table_of_a_group_leaves_none_or_thirty_who_were_asked() -> None:
    reader = ReaderView(of_sizes(female_young=150, female_old=12, male_young=60, male_old=60))
    with pytest.raises(TooSmall):
        cross_tabulate(reader, *parse_table_variables(reader, "sex", "care"), group=YOUNG)
    assert (
        cross_tabulate(
            reader, *parse_table_variables(reader, "sex", "tax"), group=YOUNG
        ).table.tally.n
        == 210
    )


@pytest.mark.parametrize(("others", "rows"), [(29, 0), (30, 2)])
def test_in_a_model_a_group_with_few_others_has_no_row(others: int, rows: int) -> None:
    reader = ReaderView(of_sizes(female_young=200, male_young=others))
    fitted = model(reader, "tax:1", ["sex"])
    assert len({row.level.key for row in fitted.comparisons if row.observed is not None}) == rows
