"""What is wrong with what a person asked for, in words for that person; every door says it in its own way."""


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
