"""Whom a question is asked, on its page: for each background question before it the answers, to tick, or a range.

Works without a script. What a file or a program wrote in another form is shown in words, and kept unless the author
says otherwise.
"""

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from surveys.authoring.drafts.conditions import Data
from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.definition.kinds import kind_of
from surveys.definition.routing import conditions
from surveys.definition.routing.conditions import Among, Condition, Joint
from surveys.definition.routing.filters import build_branching
from surveys.models import Question
from surveys.site.errors import Invalid

OWN = "when-of-"  # how the names of fields begin that say which answers
NOT_A_NUMBER = "Write whole numbers in a condition, for example 18 and 25."


class ConditionForm:
    """before: the questions asked before this one. stored: its condition. data: what was typed, if anything. after:
    those asked later, which move before this one where an answer to them is chosen.
    """

    def __init__(
        self,
        before: Sequence[Question],
        stored: Data | None,
        data: QueryDict | None,
        after: Sequence[Question] = (),
    ) -> None:
        self.before, self.data = before, data
        self.parents = [question for question in before if _is_parent(question)]
        self.later = [question for question in after if _is_parent(question) and not question.grid]
        self.stored = conditions.parse(stored) if stored else None
        self.is_plain = self._is_plain(self.stored)

    @property
    def every(self) -> bool:
        """Whether all parts have to hold, not any one."""
        if self.data is not None:
            return self.data.get("when-join") != "any"
        return not (isinstance(self.stored, Joint) and not self.stored.every)

    @property
    def keeps(self) -> bool:
        """Whether a condition that the page cannot show stays as it is."""
        return self.data is None or bool(self.data.get("when-keep"))

    def lines(self) -> list[dict[str, Any]]:
        """What the page draws for each background question: its answers, each with whether it is ticked, or a range."""
        return [self._line(question) for question in self.parents]

    def later_lines(self) -> list[dict[str, Any]]:
        """The same for those asked after this one."""
        return [self._line(question) for question in self.later]

    def to_move(self) -> list[Question]:
        """Those asked later of which an answer was chosen. Raises Invalid at "when"."""
        return [
            question for question in self.later if self.data is not None and self._typed(question)
        ]

    @property
    def has_several(self) -> bool:
        return len(self.parents) + len(self.later) > 1

    def to_move_open(self) -> bool:
        """Whether something was typed at a question that is asked later."""
        names = (
            f"{OWN}{question.key}{end}" for question in self.later for end in ("", "-from", "-to")
        )
        return self.data is not None and any(self.data.get(name) for name in names)

    def is_open(self) -> bool:
        """Whether there is a condition, stored or typed."""
        typed = self.data is not None and any(
            self.data.get(name) for name in self.data if name.startswith(OWN)
        )
        return self.stored is not None or typed

    def when(self) -> Data | None:
        """The condition that was typed. Raises Invalid at "when"."""
        if self.data is None or (self.stored and not self.is_plain and self.keeps):
            return conditions.condition_to_data(self.stored) if self.stored else None
        leaves = [
            leaf for question in (*self.parents, *self.later) if (leaf := self._typed(question))
        ]
        if not leaves:
            return None
        return conditions.condition_to_data(
            Joint(tuple(leaves), self.every) if len(leaves) > 1 else leaves[0]
        )

    def words(self) -> str:
        """The condition in words, as it is typed so far; empty for everybody."""
        try:
            condition = self.when()
        except Invalid:
            return ""
        if condition is None:
            return ""
        return build_branching(
            [*self.before, *self.later, Question(key="", when=condition)]
        ).condition_text("")

    def _is_plain(self, stored: Condition | None) -> bool:
        """Whether the page can show it: parts about different questions before this one, all of them or any."""
        if stored is None:
            return True
        parts = stored.parts if isinstance(stored, Joint) else (stored,)
        kinds = {question.key: question for question in self.parents}
        of = [part.of for part in parts if isinstance(part, Among)]
        return len({*of}) == len(parts) and all(
            part.of in kinds and _fits(kinds[part.of], part)
            for part in parts
            if isinstance(part, Among)
        )

    def _leaf(self, key: str) -> Among | None:
        """The stored part about a question."""
        parts = conditions.iter_leaves(self.stored) if self.stored and self.is_plain else ()
        return next((leaf for leaf in parts if leaf.of == key), None)

    def _line(self, question: Question) -> dict[str, Any]:
        leaf, name = self._leaf(question.key), f"{OWN}{question.key}"
        line = {"question": question, "name": name}
        if kind_of(question).is_number:
            held = leaf.answers if leaf and isinstance(leaf.answers, range) else None
            ends = (held[0], held[-1]) if held else ("", "")
            typed = (
                ends
                if self.data is None
                else tuple(self.data.get(f"{name}-{end}", "") for end in ("from", "to"))
            )
            return line | {"low": typed[0], "high": typed[1]}
        ticked = (leaf.answers if leaf else ()) if self.data is None else self.data.getlist(name)
        return line | {
            "answers": [(each.label, each.label in ticked) for each in question.choices.all()]
        }

    def _typed(self, question: Question) -> Among | None:
        name = f"{OWN}{question.key}"
        if not kind_of(question).is_number:
            there = [choice.label for choice in question.choices.all()]
            labels = tuple(label for label in self.data.getlist(name) if label in there)
            return Among(question.key, labels) if labels else None
        low, high = (self.data.get(f"{name}-{end}", "").strip() for end in ("from", "to"))
        if not low and not high:
            return None
        first, last = _whole(low, question.minimum), _whole(high, question.maximum)
        if first > last:
            raise Invalid(
                {"when": f"“{question.text}”: the range from {first} to {last} is empty."}
            )
        return Among(question.key, range(first, last + 1))


def _is_parent(question: Question) -> bool:
    return not kind_of(question).sensitive and not _is_long(question)


def _is_long(question: Question) -> bool:
    """Whether its choices are too many to tick; a file or a program may name some of them all the same."""
    return kind_of(question).may_be_long and question.choices.all().count() > MOST_IN_GROUPS


def _fits(question: Question, leaf: Among) -> bool:
    if kind_of(question).is_number:
        return isinstance(leaf.answers, range)
    return not isinstance(leaf.answers, range) and {*leaf.answers} <= {
        each.label for each in question.choices.all()
    }


def _whole(text: str, usual: int | None) -> int:
    """A number as typed; an end that is left empty is that of the question."""
    if not text and usual is not None:
        return usual
    digits = text.replace("−", "-")
    if not (digits.removeprefix("-").isdecimal() and digits.isascii() and len(digits) < 11):
        raise Invalid({"when": NOT_A_NUMBER})
    return int(digits)
