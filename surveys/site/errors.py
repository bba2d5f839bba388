"""Define the errors whose messages are for people. Pages, the API and commands each render them."""

from collections.abc import Iterable

# At most this many unknown fields are named. Whoever sends very many has sent something else.
MOST_NAMED = 20

# The key of the message that counts the other ones.
MORE_KEY = "more"


class Invalid(ValueError):
    """Values that cannot be accepted. `errors` has a message for each field."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


class Unreadable(ValueError):
    """A file that cannot be read. Each of `lines` says what is wrong, and where."""

    def __init__(self, *lines: str) -> None:
        super().__init__(" ".join(lines))
        self.lines = lines


class Refused(Exception):
    """A step that the state of a survey does not allow.

    The message says why, and which state would allow it.
    """


def unknown_field_errors(names: Iterable[object], message: str) -> dict[str, str]:
    """Return the message for each of the first unknown fields, and how many more there are.

    The names are shortened, since they can be as long as the sender likes. The number of further
    fields is in a message with the key MORE_KEY.

    names: the names of all unknown fields.
    message: what is wrong with each of them.
    """
    short_names = [str(name)[:50] for name in names]
    errors = dict.fromkeys(short_names[:MOST_NAMED], message)
    if len(short_names) > MOST_NAMED:
        errors[MORE_KEY] = f"{len(short_names) - MOST_NAMED:,} more fields do not exist here."
    return errors
