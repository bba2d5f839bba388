"""Whom the outputs single out: for each question, the people who were asked it, or are on its path.

A state machine submits, closes, reopens and reads. After each step all tallies are read with every filter, and between
steps single outputs (disclosed_outputs.py) at their doors. Each person marks a place of their own, so
each number is known as the people it adds up. Without row access no combination of numbers is about 1 to 19 people;
with row access each group, and all others, are 30 who were asked the question. What a device draws is known to it
alone: a drawn question counts by its path.
"""

import uuid
from collections import Counter, defaultdict

import pytest
from django.test import Client
from hypothesis import Phase, settings, strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.files import survey_file
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Membership, Survey
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import MINIMUM
from surveys.web.api.views import query
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import add_yes_no, create_researcher, publish_survey
from tests.whole_site.disclosed_outputs import FREE, OUTPUTS, About, Door, Sum, sums
from tests.whole_site.test_disclosure_in_time import AGES, FIRST, PLACES, Machine, history
from tests.whole_site.test_disclosure_on_routes import (
    CONDITIONS,
    RULES,
    WHO,
    OnPaths,
    is_asked,
    with_paths,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def watched(*, after_closing: bool) -> Instrument:
    """Devices pick tax or far, which is asked in the north and east. An earlier version was answered by others."""
    survey = with_paths(after_closing=after_closing)
    add_yes_no(survey)
    add_yes_no(survey, "far", when=CONDITIONS["northern"])
    set_draw(survey=survey, count=1, of=["tax", "far"])
    earlier = publish_survey(Survey.objects.get(pk=survey.pk))
    add_invented_responses(earlier, 300)
    close_survey(earlier.survey)
    return publish_survey(survey_file.new_version(earlier.survey, earlier.survey.owner))


class AtDoors(OnPaths):
    """Reads outputs as an analyst, and as the owner, who has row access."""

    def __init__(self, *, after_closing: bool) -> None:
        super().__init__(after_closing=after_closing, made=watched)
        self.outputs: Counter[str] = Counter()  # those that showed something
        self.owner = Client()
        self.owner.force_login(self.survey.owner)
        person = create_researcher(f"analyst{uuid.uuid4().hex}")
        for survey in (self.survey, self.survey.predecessor):
            Membership.objects.create(survey=survey, user=person, role="analyst")
        self.analyst = Client()
        self.analyst.force_login(person)

    def _more(self, answers: dict) -> dict:
        """The device of every second pair picks far, and asks it where it is on the path."""
        is_far = len(self.people) // 2 % 2
        return {
            "tax": None if is_far else 1,
            "far": 1 if is_far and is_asked("northern", answers) else None,
        }

    def _note(self, tally: dict) -> None:
        super()._note(tally)
        if tally and tally["n"]:
            assert tally["on_path"].get("far", 0) == tally["answered"].get("who1_northern", 0)

    def door(self, person: tuple[str, int], *, has_rows: bool) -> Door:
        instrument = Instrument.objects.get(pk=self.instrument.pk)
        client = self.owner if has_rows else self.analyst
        return Door(instrument, client, view_for_reader(instrument, has_rows=has_rows), person)

    def read_output(self, output: str, person: tuple[str, int], which: int) -> None:
        """Of everyone and of a group, without row access."""
        door = self.door(person, has_rows=False)
        groups = self._filters(door.reader)
        for about in ((), groups[which % len(groups)].conditions):
            shown = sums(door, output, about)
            people = sets_of(shown)
            for question, each in people.items():
                for members in each:
                    assert all(is_on_path(question, self.people[one]) for one in members)
            if about or self.survey.is_over or self.after_closing:
                self.shown |= {members for each in people.values() for members in each if members}
                self._claim(shown)
            self.outputs[output] += bool(shown)

    def _claim(self, shown: list[Sum]) -> None:
        """What is shown of one mark, or of none, is of people whose sum is shown."""
        sizes = {len(people) for people in self.shown}
        for each in shown:
            if each.question in ("tax", "far") and not each.is_path:
                continue  # whom a device asked is known to it alone
            assert each.n in sizes, each
            if len(each.marks) == 1:
                ((place, marked),) = each.marks.items()
                person = WHO.index(each.question[:4]) * PLACES + place
                assert (each.n, marked) in {
                    (len(people), int(person in people)) for people in self.shown
                }, each

    def read_freely(self, output: str, person: tuple[str, int], about: About) -> None:
        """With row access: a group is 30 who were asked, and all others none or 30."""
        door = self.door(person, has_rows=True)
        everyone = sets_of(sums(door, "report", ()))
        for each in sums(door, output, about):
            path = "_northern" if each.is_path else each.question[4:]
            if each.question.startswith("who") or each.is_path:
                others = len(everyone[path][0]) - each.n
                assert each.n >= MINIMUM, (output, about, each)
                assert others == 0 or others >= MINIMUM, (output, about, each)


def sets_of(shown: list[Sum]) -> dict[str, list[frozenset[int]]]:
    """Path ("" for everyone, "_young") -> the people of each sum that shows all marks."""
    columns: dict[str, dict[str, list[Sum]]] = defaultdict(lambda: defaultdict(list))
    for each in shown:
        if each.question.startswith("who") and len(each.marks) == PLACES:
            columns[each.question[4:]][each.question[:4]].append(each)
    people: dict[str, list[frozenset[int]]] = defaultdict(list)
    for path, by_place in columns.items():
        for parts in zip(*(by_place[key] for key in WHO), strict=True):
            marks = [count for part in parts for _, count in sorted(part.marks.items())]
            assert {*marks} <= {0, 1}
            people[path].append(frozenset(place for place, count in enumerate(marks) if count))
            assert {part.n for part in parts} == {len(people[path][-1])}
    return people


def is_on_path(path: str, answers: dict) -> bool:
    return not path or is_asked(path[1:], answers)


persons = st.tuples(st.sampled_from(WHO), st.integers(0, PLACES - 1))
on_paths = st.tuples(
    st.sampled_from([f"who1{path}" for path in ("", "_young", "_northern", "_red")]), st.just(3)
)


@st.composite
def filters(draw: st.DrawFn) -> About:
    """Any answers to some of the background questions."""
    ages = st.integers(0, AGES[1] - AGES[0]).map(lambda last: tuple(range(last + 1)))
    regions = st.sets(st.integers(0, 3), min_size=1).map(lambda codes: tuple(sorted(codes)))
    codes = {"region": regions, "age": ages, "colour": st.sampled_from([(0,), (1,)])}
    keys = draw(st.sets(st.sampled_from([*codes]), min_size=1))
    return tuple((key, draw(codes[key])) for key in sorted(keys))


class OutputMachine(Machine):
    outputs: Counter[str] = Counter()

    def teardown(self) -> None:
        OutputMachine.outputs += self.site.outputs
        super().teardown()

    @initialize(after_closing=st.booleans(), is_crowded=st.booleans())
    def publish(self, after_closing: bool, is_crowded: bool) -> None:
        self.site = AtDoors(after_closing=after_closing)
        for part in FIRST if is_crowded else ():
            self.site.submit(*part)

    @precondition(lambda self: self.site.people)
    @rule(output=st.sampled_from([*OUTPUTS]), person=persons, which=st.integers(0, 1000))
    def read_output(self, output: str, person: tuple[str, int], which: int) -> None:
        self.site.read_output(output, person, which)

    @precondition(lambda self: self.site.people)
    @rule(output=st.sampled_from(FREE), person=on_paths, about=filters())
    def read_freely(self, output: str, person: tuple[str, int], about: About) -> None:
        self.site.read_freely(output, person, about)


WALKS = {
    "phases": [Phase.generate],
    "print_blob": True,
} | RULES  # a walk is not made shorter: that takes minutes


def test_no_combination_of_outputs_is_about_few_people() -> None:
    rules = settings(max_examples=4, stateful_step_count=12, derandomize=True, **WALKS)
    run_state_machine_as_test(OutputMachine, settings=rules)


@pytest.mark.long
def test_no_combination_of_outputs_is_about_few_people_in_500_walks() -> None:
    OutputMachine.outputs = Counter()
    run_state_machine_as_test(
        OutputMachine, settings=settings(max_examples=500, stateful_step_count=14, **WALKS)
    )
    assert {*+OutputMachine.outputs} == {*OUTPUTS}


def test_every_output_shows_something_once_a_survey_is_closed() -> None:
    site = AtDoors(after_closing=True)
    history(site, FIRST)
    for output in OUTPUTS:
        site.read_output(output, ("who1", 3), 0)
    assert {*+site.outputs} == {*OUTPUTS}
    assert site.singled_out() is None


def test_a_model_of_an_answer_that_no_one_gave_is_json() -> None:
    site = AtDoors(after_closing=True)
    history(site, FIRST)
    told = site.door(("who3", 25), has_rows=False).json(
        "report/model/", outcome="who3:25", explain="region"
    )
    assert {term["observed"] for term in told["terms"]} == {0.0}


def test_an_output_that_takes_an_analyst_for_the_owner_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = AtDoors(after_closing=True)
    history(site, [(60, 0, 0), (10, 0, 5), (40, 1, 0), (60, 1, 41)])

    def read_nested_ages() -> None:
        for which in range(14, 18):
            site.read_output("report", ("who1", 3), which)
        assert site.singled_out() is None

    read_nested_ages()
    monkeypatch.setattr(
        query, "view_for_reader", lambda instrument, has_rows: ReaderView(instrument)
    )
    with pytest.raises(AssertionError):
        read_nested_ages()
