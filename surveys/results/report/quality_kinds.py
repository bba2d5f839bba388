"""The data checks by kind, as their page lists them: a line for each kind that passed, and for each failed check."""

from dataclasses import dataclass

from surveys.results.report.quality import (
    EVENNESS,
    KNOWN_SHARE,
    LOT,
    LOT_BY_GROUP,
    MARKS,
    REPEATS,
    SETS,
    SHARES,
    Check,
    Verdict,
    worst,
)

KINDS = {  # what passed in words -> the checks of that kind
    ("What arrived is possible", "The shares received are possible with this method."): (SHARES,),
    ("Questions were picked at random", "Each person’s questions were picked as chance would."): (
        LOT,
        LOT_BY_GROUP,
        SETS,
    ),
    ("Answers were picked at random", "Devices picked each answer about equally often."): (
        EVENNESS,
    ),
    (
        "Known shares were met",
        "The estimates of the check questions agree with their known shares.",
    ): (KNOWN_SHARE,),
    ("Answers vary as chance makes them", "No pattern came more often than chance makes it."): (
        MARKS,
        REPEATS,
    ),
}


@dataclass(frozen=True)
class CheckKind:
    """The checks of one kind: what they say together where all passed, and those that did not."""

    title: str
    passed: str
    checks: tuple[Check, ...]

    @property
    def verdict(self) -> Verdict:
        return worst(list(self.checks))

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.failed]


def by_kind(checks: list[Check]) -> list[CheckKind]:
    """Only the kinds that the survey has; those with a check that did not pass come first."""
    kinds = [
        CheckKind(*words, tuple(check for check in checks if check.name in names))
        for words, names in KINDS.items()
    ]
    return sorted((kind for kind in kinds if kind.checks), key=lambda kind: not kind.failed)
