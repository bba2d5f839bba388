"""Define the errors whose messages are for people. Pages, the API and commands each render them."""

from collections.abc import Iterable

# At most this many unknown fields are named. Whoever sends very many has sent something else.
MOST_NAMED = 20

# The key of the message that counts the other ones.
MORE_KEY = "more"


class Invalid(ValueError):
    """Values that a person or program has sent, and that cannot be accepted.

    errors: a message for each field, by the name of the field.
    """

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


class Unreadable(ValueError):
    """A file that cannot be read.

    lines: sentences that say what is wrong and where, or what to do.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__(" ".join(lines))
        self.lines = lines


class Refused(Exception):
    """A step that the state of a survey does not allow, such as pausing a closed survey.

    The message says why, and which state would allow it.
    """


def unknown_field_errors(names: Iterable[object], message: str) -> dict[str, str]:
    """Return the errors about unknown fields that were sent: the message by the name of the field.

    Only the first MOST_NAMED fields are named. How many more there are is said under the key
    MORE_KEY. The names are shortened, since they can be as long as the sender likes.

    names: the names of all unknown fields.
    message: what is wrong with each of them.
    """
    short_names = [str(name)[:50] for name in names]
    errors = dict.fromkeys(short_names[:MOST_NAMED], message)
    if len(short_names) > MOST_NAMED:
        errors[MORE_KEY] = f"{len(short_names) - MOST_NAMED:,} more fields do not exist here."
    return errors
