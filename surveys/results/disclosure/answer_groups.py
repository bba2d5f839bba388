"""The groups that the answers to one background question make in the cut, and what they are called."""

from dataclasses import dataclass
from functools import cached_property

from surveys.definition.instrument import QuestionDefinition
from surveys.site.number_format import join_with_and

MOST_NAMED = 4  # answers of a group
NO_ANSWER = "no answer"


@dataclass(frozen=True)
class AnswerGroups:
    """Those of one question. codes: the choices of the survey in each; the last may hold one more, for no answer."""

    item: QuestionDefinition
    starts: list[int]
    optional: bool

    @cached_property
    def codes(self) -> list[tuple[int, ...]]:
        ends = [*self.starts[1:], self.item.size + self.optional]
        return [tuple(range(*pair)) for pair in zip(self.starts, ends, strict=True)]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._name(codes) for codes in self.codes)

    def _name(self, codes: tuple[int, ...]) -> str:
        labels = [
            self.item.choices[code]
            for code in codes
            if code < self.item.size and code != self.item.decline_code
        ]
        missing = [self.item.choices[code] for code in codes if code == self.item.decline_code]
        missing += [NO_ANSWER] if self.item.size in codes else []
        if self.item.traits.is_background_number and len(labels) > 1:
            labels = [f"{labels[0]} to {labels[-1]}"]
        if len(labels) > MOST_NAMED:
            labels = [*labels[: MOST_NAMED - 1], f"{len(labels) - MOST_NAMED + 1} more answers"]
        return join_with_and([*labels, *missing], "or")

    def matching_groups(self, codes: tuple[int, ...]) -> set[int] | None:
        """Return the groups that hold exactly these codes, or None."""
        inside = {place for place, each in enumerate(self.codes) if set(each) <= {*codes}}
        return (
            inside if {code for place in inside for code in self.codes[place]} == {*codes} else None
        )
