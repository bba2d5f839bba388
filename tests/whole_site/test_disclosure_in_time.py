"""Whatever is read, by whom and when: no combination of what is shown without the right to rows is about 1 to 19
people. A state machine submits, closes, reopens and reads with every filter, and asks for models, tables, groups
compared and weights; each number shown is known as the people it adds up, since everybody marks a place of their own.
"""

import uuid
from collections.abc import Callable, Iterator
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import background_groups, release, store_response
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Cut, Instrument, Question, Survey
from surveys.results.disclosure.access import NotAReportGroup, view_for_reader
from surveys.results.disclosure.subgroups import Group, TooSmall
from tests.factories.inbox import run_next_timer
from tests.factories.surveys import (
    add_background,
    add_choice,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.whole_site.disclosed_analyses import (
    Claim,
    RecordingView,
    iter_claims,
    iter_weighting_claims,
)

pytestmark = pytest.mark.django_db
LEAST = 20
PLACES = 100  # marks in a question
WHO = ("who1", "who2", "who3", "who4", "who5")
REGIONS = ("North", "East", "South", "West")
AGES = (18, 59)
FIRST = [(40, 0, 0), (40, 1, 0), (40, 0, 41), (40, 1, 41)]  # people, region, age


def watched(*, after_closing: bool) -> Instrument:
    survey = create_draft(
        create_researcher(f"ada{uuid.uuid4().hex}"), results_after_closing=after_closing
    )
    for key in WHO:
        marks = list(map(str, range(PLACES)))
        add_choice(
            survey, key, marks, "unary-any", kind=Question.Kind.ANY, parameters={"epsilon": "1"}
        )
    add_background(survey, "region", REGIONS)
    Question.objects.create(
        survey=survey,
        key="age",
        kind="number",
        position=9,
        text="Age?",
        minimum=AGES[0],
        maximum=AGES[1],
    )
    add_background(survey, "colour", ("Red", "Blue"))  # not of the cut
    survey.questions.filter(key__in=("region", "age")).update(cut=True)
    return publish_survey(survey)


class Watching:
    """One survey, everybody who answered it, and everything that was shown of them: sets of people."""

    who: tuple[str, ...] = WHO

    def __init__(self, *, after_closing: bool, made: Callable[..., Instrument] = watched) -> None:
        self.instrument, self.after_closing = made(after_closing=after_closing), after_closing
        self.people: list[dict] = []
        self.shown: set[frozenset[int]] = set()
        self.analysed: set[str] = set()  # the cuts of which all analyses were looked at
        self.claims: set[Claim] = set()

    @property
    def survey(self) -> Survey:
        return Survey.objects.get(pk=self.instrument.survey_id)

    def submit(self, n: int, region: int, age: int) -> None:
        for _ in range(min(n, PLACES * len(WHO) - len(self.people))):
            own = divmod(len(self.people), PLACES)
            marks = dict.fromkeys(WHO, "0" * PLACES)
            marks[WHO[own[0]]] = "0" * own[1] + "1" + "0" * (PLACES - own[1] - 1)
            answers = {"region": region, "age": age, "colour": len(self.people) % 2}
            self.people.append(answers)
            store_response(
                self.instrument,
                uuid.uuid4(),
                encode(parse_instrument(self.instrument), marks | answers),
            )

    def close(self) -> None:
        close_survey(self.survey)

    def reopen(self) -> None:
        reopen_survey(self.survey)

    def read(self) -> None:
        """Everybody, each group and each filter; what is refused shows nobody."""
        seen = view_for_reader(Instrument.objects.get(pk=self.instrument.pk), has_rows=False)
        whole = seen.tally(Group())
        if (
            self.survey.is_over or self.after_closing
        ):  # totals while open are what the threat model leaves
            self._note(whole)
        for group in self._filters(seen):
            try:
                self._note(seen.tally(group))
            except (NotAReportGroup, TooSmall):
                continue
            for item in seen.filter_questions:
                for part in seen.tallies_by(group, item.key)[2]:
                    self._note(part)
        self._background(seen, whole)
        self._analyses(seen)

    def _analyses(self, seen) -> None:
        """Models, tables, groups compared and weights: of whom they are made, and that they say of nobody else.

        Once for each cut, since they are made of nothing else.
        """
        stored = (
            Cut.objects.filter(instrument=self.instrument).values_list("cells", flat=True).first()
        )
        if not seen.answer_groups or (now := str(stored)) in self.analysed:
            return
        self.analysed.add(now)
        recording = RecordingView(seen.instrument)
        key = seen.filter_questions[0].key
        groups = [
            Group(),
            *(Group(((key, seen.original_codes(key, [place])),)) for place in places(seen, key)),
        ]
        person = len(self.people) // 2
        claims = {*iter_claims(recording, f"{WHO[person // PLACES]}:{person % PLACES}", groups)}
        for tally in recording.handed:
            self._note(tally)
        assert claims <= {(len(people), int(person in people)) for people in self.shown}
        self.claims |= claims

    def _filters(self, seen) -> list[Group]:
        own = {
            "region": [*map(tuple, subsets(range(4)))],
            "age": [*nested(AGES[1] - AGES[0] + 1)],
            "colour": [(0,), (1,)],
        }
        own = {
            key: [*own[key], *(seen.original_codes(key, [p]) for p in places(seen, key))]
            for key in own
        }
        single = [Group(((key, codes),)) for key, each in own.items() for codes in each]
        joint = [
            Group(
                (
                    ("region", seen.original_codes("region", [a])),
                    ("age", seen.original_codes("age", [b])),
                )
            )
            for a in places(seen, "region")
            for b in places(seen, "age")
        ]
        return single + joint

    def _background(self, seen, whole: dict) -> None:
        """Counts of background answers are those of the groups, or there are none."""
        for key in ("region", "age", "colour"):
            counts = whole["counts"].get(key, [0])
            if key not in {item.key for item in seen.filter_questions}:
                assert not any(counts)
                continue
            for place, count in enumerate(counts):
                try:
                    assert (
                        count == seen.tally(Group(((key, seen.original_codes(key, [place])),)))["n"]
                    )
                except TooSmall:
                    assert count == 0

    def _note(self, tally: dict) -> None:
        if not tally or not tally["n"]:
            return
        marks = [mark for key in self.who for mark in tally["counts"][key]]
        assert set(marks) <= {0, 1}
        people = frozenset(np.flatnonzero(marks).tolist())
        assert len(people) == tally["n"]
        self.shown.add(people)

    def singled_out(self) -> list[int] | None:
        if not self.shown:
            return None
        return singled_out(
            np.array(
                [[person in each for person in range(len(self.people))] for each in self.shown]
            )
        )


def subsets(of: range) -> chain:
    return chain.from_iterable(combinations(of, size) for size in range(1, len(of)))


def nested(size: int) -> list[tuple[int, ...]]:
    return [tuple(range(end)) for end in range(1, size, 4)]


def places(seen, key: str) -> range:
    return range(len(seen.answer_groups[key].codes)) if key in seen.answer_groups else range(0)


def singled_out(told: np.ndarray) -> list[int] | None:
    """Sizes of the atoms that some linear combination of the rows is about, where they are 1 to 19 people together.

    Atoms: people whom no row tells apart. A combination is about some atoms alone where leaving them out costs rank.
    """
    atoms, sizes = np.unique(told, axis=1, return_counts=True)
    atoms, sizes = atoms[:, atoms.any(axis=0)], sizes[atoms.any(axis=0)]
    rank = np.linalg.matrix_rank(atoms)
    basis = np.linalg.svd(atoms)[2][:rank]  # all that the rows and their combinations are
    for some in fewer_than_least(sizes.tolist()):
        if np.linalg.matrix_rank(np.delete(basis, some, axis=1), tol=1e-9) < rank:
            return sizes[some].tolist()
    return None


def fewer_than_least(sizes: list[int], total: int = 0, first: int = 0) -> Iterator[list[int]]:
    """All choices of atoms with fewer than LEAST people together."""
    for place in range(first, len(sizes)):
        if total + sizes[place] < LEAST:
            yield [place]
            yield from (
                [place, *more] for more in fewer_than_least(sizes, total + sizes[place], place + 1)
            )


class Machine(RuleBasedStateMachine):
    grouped = 0  # histories in which groups were shown at all
    related = 0  # and those in which an analysis was

    def teardown(self) -> None:
        Machine.related += bool(self.site.claims)
        Machine.grouped += bool(view_for_reader(self.site.instrument, has_rows=False).answer_groups)

    @initialize(after_closing=st.booleans(), is_crowded=st.booleans())
    def publish(self, after_closing: bool, is_crowded: bool) -> None:
        """Crowded: with as many people as groups and analyses take."""
        self.site = Watching(after_closing=after_closing)
        for part in FIRST if is_crowded else ():
            self.site.submit(*part)

    @rule(n=st.integers(1, 70), region=st.integers(0, 3), age=st.sampled_from([0, 5, 20, 41]))
    def submit(self, n: int, region: int, age: int) -> None:
        self.site.submit(n, region, age)

    @rule()
    def an_hour_passes(self) -> None:
        run_next_timer()

    @precondition(lambda self: not self.site.survey.is_over)
    @rule()
    def close(self) -> None:
        self.site.close()

    @precondition(lambda self: self.site.survey.is_over)
    @rule()
    def reopen(self) -> None:
        self.site.reopen()

    @invariant()
    def nobody_is_singled_out(self) -> None:
        self.site.read()
        assert self.site.singled_out() is None


def test_no_combination_of_what_is_shown_is_about_few_people() -> None:
    rules = settings(
        max_examples=6,
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    Machine.grouped = Machine.related = 0
    run_state_machine_as_test(Machine, settings=rules)
    assert Machine.grouped > 0
    assert Machine.related > 0


def history(site: Watching, *parts: list[tuple[int, int, int]]) -> None:
    """Each part: (people, region, age) that come, then a closing at which all is read; opened again for the next."""
    for part in parts:
        if site.survey.is_over:
            site.reopen()
        for n, region, age in part:
            site.submit(n, region, age)
        site.close()
        site.read()


def test_later_responses_enter_the_groups_if_each_cell_gained_enough() -> None:
    site = Watching(after_closing=True)
    history(site, FIRST, [(20, 0, 0), (25, 1, 41)])
    assert site.singled_out() is None
    cut = Cut.objects.get(instrument=site.instrument)
    assert (sum(cell["n"] for cell in cut.cells.values()), cut.layers) == (205, [])


def test_otherwise_groups_stay_while_everybodys_results_go_on() -> None:
    site = Watching(after_closing=True)
    history(site, FIRST, [(30, 0, 0), (5, 1, 0)])
    assert site.singled_out() is None
    seen = view_for_reader(Instrument.objects.get(), has_rows=False)
    assert seen.tally(Group())["n"] == 195
    assert sum(cell["n"] for cell in Cut.objects.get().cells.values()) == 160
    history(
        site, [(30, 1, 0)]
    )  # both cells have gained 20 or more since, but 5 of them in a closing that was shown
    assert site.singled_out() is None
    assert sum(cell["n"] for cell in Cut.objects.get().cells.values()) == 160
    history(site, [(200, 1, 0), (60, 0, 0)])
    assert site.singled_out() is None
    assert (
        sum(cell["n"] for cell in Cut.objects.get().cells.values()) == 485
    )  # and now there are enough in both


def test_weights_and_other_analyses_are_made_of_cells_and_of_nobody_else() -> None:
    site = Watching(after_closing=True)
    history(site, FIRST)
    recording = RecordingView(Instrument.objects.get())
    claims = set(iter_weighting_claims(recording))
    assert {n for n, _ in claims} == {40, 160}
    assert claims == {(n, mark) for n in (40, 160) for mark in (0, 1)}
    assert {len(people) for people in site.shown} >= {tally["n"] for tally in recording.handed}
    assert site.claims == {(80, 0), (80, 1)}  # each region and each age


def made_anew(original):
    """At each closing, from what was released till then: finer, where more have come."""

    def anew(instrument: Instrument) -> None:
        Cut.objects.filter(instrument=instrument).delete()
        original(instrument)

    return anew


def of_the_cells_alone(original):
    """Adds up the closings that were not shown in groups, as if nobody had seen each of them whole."""
    return lambda layers: original(
        [{at: sum(each.get(at, 0) for each in layers) for layer in layers for at in layer}]
    )


UNEVEN = [(25, 0, 0), (5, 1, 0), (32, 0, 41), (31, 1, 41)]
LEAKS = {  # module, what of it, how it leaks, who comes first, and who later
    "never merged": (
        background_groups,
        "_next_merge",
        lambda original: lambda *asked: None,
        UNEVEN,
        [],
    ),
    "made anew": (release, "update_report_groups", made_anew, UNEVEN, [(25, 0, 0), (25, 1, 0)]),
    "always advances": (
        background_groups,
        "can_update_cells",
        lambda original: lambda layers: True,
        FIRST,
        [(25, 0, 0), (5, 1, 0)],
    ),
    "forgets totals": (
        background_groups,
        "can_update_cells",
        of_the_cells_alone,
        FIRST,
        [(25, 0, 0), (5, 1, 0)],
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leaky_cut_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, part, leaky, first, later = LEAKS[name]
    told = []
    for makes in (lambda original: original, leaky):
        with monkeypatch.context() as patch:
            patch.setattr(module, part, makes(getattr(module, part)))
            site = Watching(after_closing=True)
            history(site, first, later, [(5, 0, 0), (15, 1, 0)])
        told.append(site.singled_out())
    assert told[0] is None
    assert told[1]
