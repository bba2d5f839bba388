"""What is wrong with what a person asked for, in words for that person; every door says it in its own way."""

from collections.abc import Iterable

NAMED = 20  # unknown names of one body; whoever sends very many has sent something else
MORE = "more"


class Invalid(ValueError):
    """Values that cannot be taken: `errors` maps each field to a message."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


class Unreadable(ValueError):
    """A file that is no survey. `lines` say what is wrong and where, one each."""

    def __init__(self, *lines: str) -> None:
        super().__init__(" ".join(lines))
        self.lines = lines


class Refused(Exception):
    """A step that the survey's state does not allow; the message says why and what would."""


def unknown_field_errors(names: Iterable[object], said: str) -> dict[str, str]:
    """Return an error for each of the first unknown fields, and how many more there are."""
    every = [str(name)[:50] for name in names]
    told = dict.fromkeys(every[:NAMED], said)
    return (
        told | {MORE: f"{len(every) - NAMED:,} more fields do not exist here."}
        if len(every) > NAMED
        else told
    )
