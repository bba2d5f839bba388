"""Families of statements that share one confidence level."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mechanisms.designs.wire import Cohorts
from surveys.definition.instrument import QuestionDefinition
from surveys.site.number_format import format_level

# The least number of reports in each group that is compared. A group of fewer people is not shown.
LEAST_IN_GROUP = 30
# The code of Yes in every yes/no question.
YES = 1

# The key of a question, and the code of an answer; None stands for the mean of the answers.
Compared = tuple[str, int | None]


@dataclass(frozen=True)
class Family:
    """The statements that are decided together, with one confidence level for all of them.

    Whether any of them is wrong has at most the probability 1 − confidence. For that, each of them
    alone is decided at the level alpha (Bonferroni). The size is known before any answer is read.

    size: the number of statements.
    confidence: the confidence level of all statements together.
    """

    size: int = 1
    confidence: float = 0.95

    @classmethod
    def for_page(
        cls,
        questions: Iterable[QuestionDefinition],
        group_sizes: Mapping[Compared, Sequence[int]],
        confidence: float = 0.95,
    ) -> "Family":
        """Return the family of all comparisons on a page that compares groups.

        group_sizes: the number of reports in each group, for each answer that is compared.
        """
        size = 0
        for question in questions:
            for answer in compared_answers(question):
                size += comparisons_of_groups(group_sizes.get((question.key, answer), ()))
        return cls(size=max(size, 1), confidence=confidence)

    @classmethod
    def for_pairs(cls, size: int, confidence: float = 0.95) -> "Family":
        """Return the family of the differences of all pairs of `size` shares."""
        pairs = size * (size - 1) // 2
        return cls(size=max(pairs, 1), confidence=confidence)

    @classmethod
    def for_level(cls, level: float, confidence: float) -> "Family":
        """Return the family whose statements have intervals of this confidence level each.

        confidence: the confidence level of all statements together.
        """
        return cls(size=round((1 - confidence) / (1 - level)), confidence=confidence)

    @property
    def alpha(self) -> float:
        """The level at which each statement of the family is decided."""
        return (1 - self.confidence) / self.size

    @property
    def range_name(self) -> str:
        """The name of an interval of this family in sentences: "95% range"."""
        return f"{format_level(self.confidence)} range"


# The family of a statement that stands alone.
ALONE = Family()


def compared_answers(question: QuestionDefinition) -> Sequence[int | None]:
    """Return the codes of the answers whose shares are compared between groups.

    None stands for the mean, which is compared for numbers and rating scales. For yes/no questions
    only Yes is compared, since No would repeat it. Nothing is compared for a question that is not
    scrambled, for long lists and for texts: their answers are found over all people.
    """
    if question.mechanism is None or question.is_list or question.is_written:
        return ()
    if isinstance(question.report_format, Cohorts):
        return ()
    if question.is_ordered:
        return (None,)
    if question.traits.has_yes:
        return (YES,)
    return range(question.size)


def comparisons_of_groups(sizes: Iterable[int]) -> int:
    """Return how many comparisons the groups of these sizes give.

    Two large groups are compared with each other, and each of more groups with all others together.
    """
    large_groups = [size for size in sizes if size >= LEAST_IN_GROUP]
    if len(large_groups) < 2:
        return 0
    if len(large_groups) == 2:
        return 1
    return len(large_groups)
