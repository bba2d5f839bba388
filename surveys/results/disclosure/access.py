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
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.kinds import BANDS
from surveys.definition.parsing import definition_for_readers
from surveys.fieldwork.responses.background_groups import grouping_questions
from surveys.fieldwork.responses.records import add_tallies
from surveys.fieldwork.responses.released import read_released
from surveys.models import Cut, Instrument, Survey
from surveys.results.disclosure import subgroups
from surveys.results.disclosure.answer_groups import AnswerGroups
from surveys.results.disclosure.kept import Counted, cached_count
from surveys.results.disclosure.shape import CutResult, GroupOfTheCut, QuestionOfTheCut
from surveys.results.disclosure.stored_cells import (
    conditional_visibility,
    filter_cells,
    group_indexes,
    hide_questions,
    sum_cells,
)
from surveys.results.disclosure.subgroups import Group, TooSmall, background_questions, no_reports
from surveys.site.number_format import day_of

GONE = "The responses were deleted on {day}. There are no finer groups."
SIZES = f"only in groups of at least {LEAST_IN_A_CELL} people"
ROW_ACCESS = "Team members with row access can filter freely. The survey’s owner grants it."


class NotAReportGroup(ValueError):
    """The requested people are not a union of report groups; the message lists the groups."""


class ReaderView:
    """What one reader sees of a survey: everything. `paper`: its questions; in `frozen` they have the answers, or
    groups of answers, that this reader sees."""

    has_rows = True
    note = ""

    def __init__(self, instrument: Instrument) -> None:
        self.instrument, self.paper = instrument, definition_for_readers(instrument)

    @property
    def definition(self) -> SurveyDefinition:
        """The questions with the answers, or groups of answers, that this reader sees."""
        return self.paper

    @property
    def filter_questions(self) -> list[QuestionDefinition]:
        """The questions by which this reader may filter respondents."""
        return background_questions(self.paper)

    @property
    def cache_version(self) -> str:
        """Changes whenever this reader sees something else of the same responses."""
        return "rows"

    @property
    def filterable_sizes(self) -> dict[str, int]:
        """The number of codes of each question that can be filtered by."""
        return {item.key: item.size for item in background_questions(self.paper)}

    def original_codes(self, key: str, places: list[int]) -> tuple[int, ...]:
        """Return the codes of the survey's answers for codes of the visible answers."""
        return tuple(places)

    def codes_without_answer(self, key: str) -> set[int]:
        """Return the visible codes that hold only people without a known answer."""
        return {
            item.decline_code
            for item in self.definition.items
            if item.key == key and item.decline_code is not None
        }

    def describe_group(self, group: Group) -> str:
        """Return in words whom a report is about; empty for everyone."""
        return group.in_words(self.paper)

    def tally(self, group: Group) -> dict:
        """Of everybody or a group, in the answers of `frozen`. Raises TooSmall, or NotAReportGroup."""
        return (
            subgroups.count_group(self.instrument, group)
            if group
            else read_released(self.instrument).tally
        )

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        """As surveys.results.disclosure.subgroups.count_by_answer: one for each choice of a question of `frozen`."""
        return subgroups.count_by_answer(self.instrument, group, key)

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        """The responses of everybody or a group by batches. TooSmall after the last, NotAReportGroup without rows."""
        return subgroups.iter_group_rows(self.instrument, group)

    def cached_count(self, asked: tuple[Hashable, ...], count: Callable[[], Counted]) -> Counted:
        """Return a count over the rows, cached until the responses change."""
        return cached_count(self.instrument, asked, count)

    def visible_counts(self, by_question: dict) -> dict:
        """Return the entries of questions whose total counts this reader may see."""
        return by_question

    def visibility_note(self, key: str) -> str:
        """Return why, and as of when, a question is shown only in part; empty if all is shown."""
        return ""

    def is_visible(self, key: str) -> bool:
        """Return whether anything of this question is visible."""
        return True

    def report_groups_result(self) -> CutResult | None:
        """Return the report groups that limit this reader, or None."""
        return None


class GroupedView(ReaderView):
    """The view of readers without row access: report groups, as of the last update."""

    has_rows = False

    @property
    def _ask(self) -> str:
        """Whether anybody sees more: what follows a sentence."""
        day = self.instrument.deleted_on
        return f" {GONE.format(day=day_of(day)) if day else ROW_ACCESS}"

    @cached_property
    def _report_groups(self) -> Cut | None:
        """The stored report groups, read once so that one page shows one update."""
        return Cut.objects.filter(instrument=self.instrument).first() if self.paper.cut else None

    @cached_property
    def answer_groups(self) -> dict[str, AnswerGroups]:
        """The report groups of each question that has more than one."""
        starts = self._report_groups.starts if self._report_groups else {}
        items = [
            item for item in grouping_questions(self.paper) if len(starts.get(item.key, ())) > 1
        ]
        return {
            item.key: AnswerGroups(item, starts[item.key], item.key in self.paper.keys_with_missing)
            for item in items
        }

    @cached_property
    def definition(self) -> SurveyDefinition:
        return replace(self.paper, items=tuple(map(self._with_report_groups, self.paper.items)))

    def _with_report_groups(self, item: QuestionDefinition) -> QuestionDefinition:
        """Return the question with its report groups in place of its answers."""
        if not (groups := self.answer_groups.get(item.key)):
            return item
        kind = BANDS if item.traits.is_background_number else item.kind
        none = groups.codes.index((item.none,)) if (item.none,) in groups.codes else None
        return replace(
            item,
            kind=kind,
            choices=groups.names,
            values=item.values.for_groups(groups.codes),
            aside=groups.codes[-1] == (item.decline_code,),
            none=none,
        )

    @property
    def filter_questions(self) -> list[QuestionDefinition]:
        return [item for item in self.definition.items if item.key in self.answer_groups]

    @property
    def filterable_sizes(self) -> dict[str, int]:
        """With one for no answer, where that is allowed."""
        return {
            key: size + (key in self.paper.keys_with_missing)
            for key, size in super().filterable_sizes.items()
        }

    @property
    def cache_version(self) -> str:
        return f"{self.note} {self._report_groups.n if self._report_groups else 0}"

    @property
    def as_of(self) -> str:
        return (
            f"As of the closing of {day_of(self._report_groups.on)}" if self.answer_groups else ""
        )

    @cached_property
    def _conditional_visibility(self) -> dict[str, bool]:
        """Visibility of each conditional scrambled question: True if whole cells were asked it."""
        return conditional_visibility(
            self.paper, self._report_groups.cells if self._report_groups else {}
        )

    @cached_property
    def note(self) -> str:
        """What this reader sees of background answers, and since when or from when on."""
        if not background_questions(self.paper):
            return ""
        if not self.paper.cut:
            return f"No groups are shown: the survey has no questions for report groups.{self._ask}"
        if self.answer_groups:
            return f"{self.as_of}, background answers are shown {SIZES}. They never become finer."
        if self._report_groups:
            return f"No groups are shown: too few people answered for a group of {LEAST_IN_A_CELL}.{self._ask}"
        if Survey.objects.get(pk=self.instrument.survey_id).is_over:
            return "The groups appear with the next update, within an hour after closing."
        return f"Background answers are available after closing, for groups of {LEAST_IN_A_CELL} or more."

    def original_codes(self, key: str, places: list[int]) -> tuple[int, ...]:
        return tuple(code for place in places for code in self.answer_groups[key].codes[place])

    def describe_group(self, group: Group) -> str:
        chosen = Group(
            tuple(
                (key, tuple(sorted(places))) for key, places in self._selected_groups(group).items()
            )
        )
        return f"{chosen.in_words(self.definition)}. {self.as_of}" if group else ""

    def tally(self, group: Group) -> dict:
        if not group:
            return self._with_groups(
                read_released(self.instrument).tally,
                self._report_groups.cells if self._report_groups else {},
            )
        cells = self._cells(group)
        if not (added := sum_cells(cells)):
            raise TooSmall("No one is in this group. Choose more answers or fewer conditions.")
        return self._with_groups(added, cells)

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        raise NotAReportGroup(self.note or ROW_ACCESS)

    def visible_counts(self, by_question: dict) -> dict:
        shown = scrambled_only(self.paper, by_question)
        return {
            key: each for key, each in shown.items() if key not in self.paper.keys_with_condition
        }

    def cells(self, group: Group) -> list[tuple[dict[str, int], dict]]:
        """Each cell of everybody or a group: (question key -> its group there, the tally of the scrambled answers that
        this reader sees)."""
        axes, cells = self.paper.cut, self._cells(group).items()
        labelled = [
            (
                dict(zip(axes, group_indexes(at), strict=True)),
                hide_questions(cell, self._conditional_visibility),
            )
            for at, cell in cells
        ]
        return [
            ({key: place for key, place in at.items() if key in self.answer_groups}, cell)
            for at, cell in labelled
        ]

    def groups_without_answer(self, key: str) -> set[int]:
        """Return the groups that hold only people without an answer."""
        return {
            place
            for place, codes in enumerate(self.answer_groups[key].codes)
            if codes == (self.answer_groups[key].item.size,)
        }

    def codes_without_answer(self, key: str) -> set[int]:
        whole = self.answer_groups[key].item
        return {
            place
            for place, codes in enumerate(self.answer_groups[key].codes)
            if {*codes} <= {whole.decline_code, whole.size}
        }

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        cells, axis = self._cells(group), self.paper.cut.index(key)
        parts: list[dict] = [{}] * len(self.answer_groups[key].codes)
        for at, cell in cells.items():
            place = group_indexes(at)[axis]
            parts[place] = add_tallies(parts[place], self._with_groups(cell, {at: cell}))
        return (
            sum_cells(self._report_groups.cells)["n"],
            sum(cell["n"] for cell in cells.values()),
            parts,
        )

    def visibility_note(self, key: str) -> str:
        if key in self._conditional_visibility:
            return self._told_of_some(key)
        if key in self.answer_groups:
            return f"{self.as_of}, {SIZES}."
        if self.is_visible(key):
            return ""
        if key not in self.paper.cut:
            return f"Only team members with row access see {'this' if self.paper.cut else 'background answers'}."
        if self._report_groups:
            return "Too few people for groups by this question."
        return f"Available after closing, for groups of {LEAST_IN_A_CELL} or more."

    def _told_of_some(self, key: str) -> str:
        if self._conditional_visibility[key]:
            return f"As of the closing of {day_of(self._report_groups.on)}."
        if self._report_groups or not self.paper.cut:
            return f"Not shown: the report groups don’t match the people who got this question.{self._ask}"
        return "Only some people get this question. It is shown after closing."

    def is_visible(self, key: str) -> bool:
        is_scrambled = key not in {item.key for item in background_questions(self.paper)}
        return self._conditional_visibility.get(key, is_scrambled or key in self.answer_groups)

    def report_groups_result(self) -> CutResult:
        named = (
            (key, zip(own_groups.names, own_groups.codes, strict=True))
            for key, own_groups in self.answer_groups.items()
        )
        questions = tuple(
            QuestionOfTheCut(key, tuple(GroupOfTheCut(*each) for each in groups))
            for key, groups in named
        )
        return CutResult(
            self._report_groups.on if self.answer_groups else None, self.note, questions
        )

    def _cells(self, group: Group) -> dict[str, dict]:
        if not self._report_groups:
            raise NotAReportGroup(self.note)
        return filter_cells(self._report_groups.cells, self.paper.cut, self._selected_groups(group))

    def _selected_groups(self, group: Group) -> dict[str, set[int]]:
        """Return, by question, the indexes of the groups that a filter names.

        Raises NotAReportGroup.
        """
        wanted: dict[str, set[int]] = {}
        for key, codes in group.conditions:
            places = (
                self.answer_groups[key].matching_groups(codes)
                if key in self.answer_groups
                else None
            )
            if places is None:
                raise NotAReportGroup(" ".join([self.note, *self._describe_groups()]))
            wanted[key] = wanted.get(key, places) & places
        return wanted

    def _describe_groups(self) -> Iterator[str]:
        """Yield the groups of each question, as they are written in an address."""
        for key, own_groups in self.answer_groups.items():
            pairs = zip(own_groups.codes, own_groups.names, strict=True)
            named = (
                f"{'-'.join(map(str, dict.fromkeys([codes[0], codes[-1]])))} ({name})"
                for codes, name in pairs
            )
            yield f"{key}: {', '.join(named)}."

    def _with_groups(self, tally: dict, cells: dict[str, dict]) -> dict:
        """A tally of scrambled answers with the counts of the groups; nothing of the questions that are not shown."""
        answered = {item.key: 0 for item in background_questions(self.paper)}
        counts = {
            item.key: [0] * item.size for item in self.definition.items if item.key in answered
        }
        for at, cell in cells.items():
            for key, place in zip(self.paper.cut, group_indexes(at), strict=True):
                if key in self.answer_groups:
                    counts[key][place] += cell["n"]
                    answered[key] += cell["n"]
        for key, shown in self._conditional_visibility.items():
            item, whole = self.items[key], sum_cells(cells) if shown else {}
            counts[key] = whole["counts"][key] if whole else no_reports(item)
            answered[key] = whole["answered"][key] if whole else 0
        return tally | {
            "counts": tally["counts"] | counts if tally["n"] else {},
            "answered": tally.get("answered", {}) | answered,
            "on_path": {
                key: n
                for key, n in sum_cells(cells).get("on_path", {}).items()
                if self._conditional_visibility[key]
            },
        }

    @cached_property
    def items(self) -> dict[str, QuestionDefinition]:
        return {item.key: item for item in self.paper.items}


class PublicView(GroupedView):
    """The view of people without an account."""

    _ask = ""


class DeletedView(GroupedView):
    """What is left for whoever had the right to rows once the responses are deleted: the counts of everybody, and the
    groups of the closing."""

    def visible_counts(self, by_question: dict) -> dict:
        return by_question

    def is_visible(self, key: str) -> bool:
        return True

    def visibility_note(self, key: str) -> str:
        return super().visibility_note(key) if key in self.answer_groups else ""

    def tally(self, group: Group) -> dict:
        totals = super().tally(group)
        if group or not totals["n"]:
            return totals
        whole = read_released(self.instrument).tally
        own = [
            item.key
            for item in background_questions(self.paper)
            if item.key not in self.answer_groups
        ]
        answered = {key: whole.get("answered", {}).get(key, whole["n"]) for key in own}
        counts = {key: whole["counts"][key] for key in own}
        return totals | {
            "counts": totals["counts"] | counts,
            "answered": totals["answered"] | answered,
        }


def scrambled_only(frozen: SurveyDefinition, by_question: dict) -> dict:
    """What a dictionary holds of scrambled questions."""
    return {
        item.key: by_question[item.key]
        for item in frozen.items
        if item.mechanism and item.key in by_question
    }


def view_for_reader(instrument: Instrument, *, has_rows: bool) -> ReaderView:
    """Return what a reader may see of a survey."""
    if instrument.deleted_on is not None:
        return DeletedView(instrument) if has_rows else GroupedView(instrument)
    return ReaderView(instrument) if has_rows else GroupedView(instrument)
