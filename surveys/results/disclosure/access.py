"""Who sees what of background answers: the one place that decides it, for pages, files and the API alike.

Readers with row access choose any group at any time, of 30 people or more. All others see the groups of the cut
(fieldwork.responses.background_groups), as they were at a closing, and whatever is a union of its cells. Before the
closing, and of questions that are not of the cut, they see nothing: no count, no filter, no group.

A question with a condition was asked of a group by background answers, so the same holds for it: it is shown as it was
at a closing, and only where every cell was asked it whole or not at all; where devices pick, was on its path.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from surveys.definition.freezing import LEAST_IN_A_CELL
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.kinds import BANDS
from surveys.definition.parsing import described
from surveys.fieldwork.responses.background_groups import cut_items
from surveys.fieldwork.responses.records import add_up
from surveys.fieldwork.responses.released import released
from surveys.models import Cut, Instrument, Survey
from surveys.results.disclosure import subgroups
from surveys.results.disclosure.answer_groups import AnswerGroups
from surveys.results.disclosure.kept import Counted, kept
from surveys.results.disclosure.shape import CutResult, GroupOfTheCut, QuestionOfTheCut
from surveys.results.disclosure.stored_cells import axes_of, total, whole_paths, within, without
from surveys.results.disclosure.subgroups import Group, TooSmall, filterable, no_reports
from surveys.site.number_format import day_of

GONE = "The responses were deleted on {day}. There are no finer groups."
SIZES = f"only in groups of at least {LEAST_IN_A_CELL} people"
ROW_ACCESS = "Team members with row access can filter freely. The survey’s owner grants it."


class NotOfTheCut(ValueError):
    """People are asked for who are no union of cells; the message says which groups there are."""


class ReaderView:
    """What one reader sees of a survey: everything. `paper`: its questions; in `frozen` they have the answers, or
    groups of answers, that this reader sees."""

    has_rows = True
    note = ""

    def __init__(self, instrument: Instrument) -> None:
        self.instrument, self.paper = instrument, described(instrument)

    @property
    def frozen(self) -> FrozenSurvey:
        return self.paper

    @property
    def filterable(self) -> list[FrozenQuestion]:
        """The questions by which this reader may pick people, as in `frozen`."""
        return filterable(self.paper)

    @property
    def version(self) -> str:
        """Another one whenever this reader sees something else of the same responses."""
        return "rows"

    @property
    def sizes(self) -> dict[str, int]:
        """How many codes each background question has by which people may be asked for."""
        return {item.key: item.size for item in filterable(self.paper)}

    def codes(self, key: str, places: list[int]) -> tuple[int, ...]:
        """Choices of a question of `frozen` -> those of the survey."""
        return tuple(places)

    def unknown(self, key: str) -> set[int]:
        """The choices of a question of `frozen` that are only of people whose answer nobody knows."""
        return {
            item.declined
            for item in self.frozen.items
            if item.key == key and item.declined is not None
        }

    def words(self, group: Group) -> str:
        """Whom a report is about; empty for everybody."""
        return group.in_words(self.paper)

    def tally(self, group: Group) -> dict:
        """Of everybody or a group, in the answers of `frozen`. Raises TooSmall, or NotOfTheCut."""
        return (
            subgroups.tally_of(self.instrument, group) if group else released(self.instrument).tally
        )

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        """As surveys.results.disclosure.subgroups.tallies_by: one for each choice of a question of `frozen`."""
        return subgroups.tallies_by(self.instrument, group, key)

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        """The responses of everybody or a group by batches. TooSmall after the last, NotOfTheCut without rows."""
        return subgroups.rows_of(self.instrument, group)

    def kept(self, asked: tuple[Hashable, ...], count: Callable[[], Counted]) -> Counted:
        """What is counted over `rows`, found again as surveys.results.disclosure.kept says."""
        return kept(self.instrument, asked, count)

    def of_everyone(self, by_question: dict) -> dict:
        """What a dictionary holds of the questions of which this reader sees the counts of everyone, not of groups."""
        return by_question

    def told(self, key: str) -> str:
        """Why, and as of when, a question shows what it shows; empty where it shows all there is."""
        return ""

    def shows(self, key: str) -> bool:
        """Whether anything of this question is shown."""
        return True

    def bound(self) -> CutResult | None:
        """The groups that this reader is bound to; None where there is no bound."""
        return None


class InGroups(ReaderView):
    """What everybody sees who has no right to rows."""

    has_rows = False

    @property
    def _ask(self) -> str:
        """Whether anybody sees more: what follows a sentence."""
        day = self.instrument.deleted_on
        return f" {GONE.format(day=day_of(day)) if day else ROW_ACCESS}"

    @cached_property
    def _cut(self) -> Cut | None:
        """Read once, so that all that is shown together is of one closing."""
        return Cut.objects.filter(instrument=self.instrument).first() if self.paper.cut else None

    @cached_property
    def groups(self) -> dict[str, AnswerGroups]:
        """Question key -> its groups, for the questions of the cut that have more than one."""
        starts = self._cut.starts if self._cut else {}
        items = [item for item in cut_items(self.paper) if len(starts.get(item.key, ())) > 1]
        return {
            item.key: AnswerGroups(item, starts[item.key], item.key in self.paper.optional)
            for item in items
        }

    @cached_property
    def frozen(self) -> FrozenSurvey:
        return replace(self.paper, items=tuple(map(self._as_seen, self.paper.items)))

    def _as_seen(self, item: FrozenQuestion) -> FrozenQuestion:
        if not (groups := self.groups.get(item.key)):
            return item
        kind = BANDS if item.traits.is_background_number else item.kind
        none = groups.codes.index((item.none,)) if (item.none,) in groups.codes else None
        return replace(
            item,
            kind=kind,
            choices=groups.names,
            aside=groups.codes[-1] == (item.declined,),
            none=none,
        )

    @property
    def filterable(self) -> list[FrozenQuestion]:
        return [item for item in self.frozen.items if item.key in self.groups]

    @property
    def sizes(self) -> dict[str, int]:
        """With one for no answer, where that is allowed."""
        return {key: size + (key in self.paper.optional) for key, size in super().sizes.items()}

    @property
    def version(self) -> str:
        return f"{self.note} {self._cut.n if self._cut else 0}"

    @property
    def as_of(self) -> str:
        return f"As of the closing of {day_of(self._cut.on)}" if self.groups else ""

    @cached_property
    def _of_some(self) -> dict[str, bool]:
        """Each scrambled question with a condition -> whether those who were asked it are cells of the cut."""
        return whole_paths(self.paper, self._cut.cells if self._cut else {})

    @cached_property
    def note(self) -> str:
        """What this reader sees of background answers, and since when or from when on."""
        if not filterable(self.paper):
            return ""
        if not self.paper.cut:
            return f"No groups are shown: the survey has no questions for report groups.{self._ask}"
        if self.groups:
            return f"{self.as_of}, background answers are shown {SIZES}. They never become finer."
        if self._cut:
            return f"No groups are shown: too few people answered for a group of {LEAST_IN_A_CELL}.{self._ask}"
        if Survey.objects.get(pk=self.instrument.survey_id).is_over:
            return "The groups appear with the next update, within an hour after closing."
        return f"Background answers are available after closing, for groups of {LEAST_IN_A_CELL} or more."

    def codes(self, key: str, places: list[int]) -> tuple[int, ...]:
        return tuple(code for place in places for code in self.groups[key].codes[place])

    def words(self, group: Group) -> str:
        chosen = Group(
            tuple((key, tuple(sorted(places))) for key, places in self._places(group).items())
        )
        return f"{chosen.in_words(self.frozen)}. {self.as_of}" if group else ""

    def tally(self, group: Group) -> dict:
        if not group:
            return self._with_groups(
                released(self.instrument).tally, self._cut.cells if self._cut else {}
            )
        cells = self._cells(group)
        if not (added := total(cells)):
            raise TooSmall("No one is in this group. Choose more answers or fewer conditions.")
        return self._with_groups(added, cells)

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        raise NotOfTheCut(self.note or ROW_ACCESS)

    def of_everyone(self, by_question: dict) -> dict:
        shown = scrambled_only(self.paper, by_question)
        return {key: each for key, each in shown.items() if key not in self.paper.conditional}

    def joint(self, group: Group) -> list[tuple[dict[str, int], dict]]:
        """Each cell of everybody or a group: (question key -> its group there, the tally of the scrambled answers that
        this reader sees)."""
        axes, cells = self.paper.cut, self._cells(group).items()
        labelled = [
            (dict(zip(axes, axes_of(at), strict=True)), without(cell, self._of_some))
            for at, cell in cells
        ]
        return [
            ({key: place for key, place in at.items() if key in self.groups}, cell)
            for at, cell in labelled
        ]

    def unanswered(self, key: str) -> set[int]:
        """The groups of a question that hold nobody but those without an answer."""
        return {
            place
            for place, codes in enumerate(self.groups[key].codes)
            if codes == (self.groups[key].item.size,)
        }

    def unknown(self, key: str) -> set[int]:
        whole = self.groups[key].item
        return {
            place
            for place, codes in enumerate(self.groups[key].codes)
            if {*codes} <= {whole.declined, whole.size}
        }

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        cells, axis = self._cells(group), self.paper.cut.index(key)
        parts: list[dict] = [{}] * len(self.groups[key].codes)
        for at, cell in cells.items():
            place = axes_of(at)[axis]
            parts[place] = add_up(parts[place], self._with_groups(cell, {at: cell}))
        return total(self._cut.cells)["n"], sum(cell["n"] for cell in cells.values()), parts

    def told(self, key: str) -> str:
        if key in self._of_some:
            return self._told_of_some(key)
        if key in self.groups:
            return f"{self.as_of}, {SIZES}."
        if self.shows(key):
            return ""
        if key not in self.paper.cut:
            return f"Only team members with row access see {'this' if self.paper.cut else 'background answers'}."
        if self._cut:
            return "Too few people for groups by this question."
        return f"Available after closing, for groups of {LEAST_IN_A_CELL} or more."

    def _told_of_some(self, key: str) -> str:
        if self._of_some[key]:
            return f"As of the closing of {day_of(self._cut.on)}."
        if self._cut or not self.paper.cut:
            return f"Not shown: the report groups don’t match the people who got this question.{self._ask}"
        return "Only some people get this question. It is shown after closing."

    def shows(self, key: str) -> bool:
        is_scrambled = key not in {item.key for item in filterable(self.paper)}
        return self._of_some.get(key, is_scrambled or key in self.groups)

    def bound(self) -> CutResult:
        named = (
            (key, zip(own_groups.names, own_groups.codes, strict=True))
            for key, own_groups in self.groups.items()
        )
        questions = tuple(
            QuestionOfTheCut(key, tuple(GroupOfTheCut(*each) for each in groups))
            for key, groups in named
        )
        return CutResult(self._cut.on if self.groups else None, self.note, questions)

    def _cells(self, group: Group) -> dict[str, dict]:
        if not self._cut:
            raise NotOfTheCut(self.note)
        return within(self._cut.cells, self.paper.cut, self._places(group))

    def _places(self, group: Group) -> dict[str, set[int]]:
        """Question key -> its groups that the conditions name. Raises NotOfTheCut."""
        wanted: dict[str, set[int]] = {}
        for key, codes in group.conditions:
            places = self.groups[key].places(codes) if key in self.groups else None
            if places is None:
                raise NotOfTheCut(" ".join([self.note, *self._allowed()]))
            wanted[key] = wanted.get(key, places) & places
        return wanted

    def _allowed(self) -> Iterator[str]:
        """The groups of each question as an address names them."""
        for key, own_groups in self.groups.items():
            pairs = zip(own_groups.codes, own_groups.names, strict=True)
            named = (
                f"{'-'.join(map(str, dict.fromkeys([codes[0], codes[-1]])))} ({name})"
                for codes, name in pairs
            )
            yield f"{key}: {', '.join(named)}."

    def _with_groups(self, tally: dict, cells: dict[str, dict]) -> dict:
        """A tally of scrambled answers with the counts of the groups; nothing of the questions that are not shown."""
        answered = {item.key: 0 for item in filterable(self.paper)}
        counts = {item.key: [0] * item.size for item in self.frozen.items if item.key in answered}
        for at, cell in cells.items():
            for key, place in zip(self.paper.cut, axes_of(at), strict=True):
                if key in self.groups:
                    counts[key][place] += cell["n"]
                    answered[key] += cell["n"]
        for key, shown in self._of_some.items():
            item, whole = self.items[key], total(cells) if shown else {}
            counts[key] = whole["counts"][key] if whole else no_reports(item)
            answered[key] = whole["answered"][key] if whole else 0
        return tally | {
            "counts": tally["counts"] | counts if tally["n"] else {},
            "answered": tally.get("answered", {}) | answered,
            "on_path": {
                key: n for key, n in total(cells).get("on_path", {}).items() if self._of_some[key]
            },
        }

    @cached_property
    def items(self) -> dict[str, FrozenQuestion]:
        return {item.key: item for item in self.paper.items}


class Public(InGroups):
    """What everybody sees who has no account: the same, with nobody to ask for more."""

    _ask = ""


class Remaining(InGroups):
    """What is left for whoever had the right to rows once the responses are deleted: the counts of everybody, and the
    groups of the closing."""

    def of_everyone(self, by_question: dict) -> dict:
        return by_question

    def shows(self, key: str) -> bool:
        return True

    def told(self, key: str) -> str:
        return super().told(key) if key in self.groups else ""

    def tally(self, group: Group) -> dict:
        totals = super().tally(group)
        if group or not totals["n"]:
            return totals
        whole = released(self.instrument).tally
        own = [item.key for item in filterable(self.paper) if item.key not in self.groups]
        answered = {key: whole.get("answered", {}).get(key, whole["n"]) for key in own}
        counts = {key: whole["counts"][key] for key in own}
        return totals | {
            "counts": totals["counts"] | counts,
            "answered": totals["answered"] | answered,
        }


def scrambled_only(frozen: FrozenSurvey, by_question: dict) -> dict:
    """What a dictionary holds of scrambled questions."""
    return {
        item.key: by_question[item.key]
        for item in frozen.items
        if item.mechanism and item.key in by_question
    }


def sight(instrument: Instrument, *, has_rows: bool) -> ReaderView:
    """has_rows: whether the reader has the right to rows, and asks with what may use it."""
    if instrument.deleted_on is not None:
        return Remaining(instrument) if has_rows else InGroups(instrument)
    return ReaderView(instrument) if has_rows else InGroups(instrument)
