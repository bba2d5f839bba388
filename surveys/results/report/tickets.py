"""What a report says of a survey that asked invited people only: how many, their tickets, what these do not stop."""

from surveys.fieldwork.tickets.invitees import Counts
from surveys.site.number_format import count

NOT_IN_INTERVALS = "The ranges describe only the people who answered."
QUALITY = (
    "Only people with a ticket could answer, each ticket once. That stops outsiders, and second answers of invited "
    "people. It does not stop whoever invites: nobody can see from the responses whether a person on the list was real."
)


def in_words(found: Counts) -> str:
    """ "210 people were invited and 205 took a ticket; 212 tickets ...: up to 2 duplicates"."""
    taken = f"{_people(found.invited)} invited, and {count(found.fetched)} took a ticket."
    return f"{taken} {_tickets(found)}{NOT_IN_INTERVALS}"


def _people(invited: int) -> str:
    return "1 person was" if invited == 1 else f"{count(invited)} people were"


def _tickets(found: Counts) -> str:
    if not found.duplicates:
        return ""
    word = "duplicate" if found.duplicates == 1 else "duplicates"
    return (
        f"{count(found.tickets)} tickets for {count(found.invited)} invitees: up to {count(found.duplicates)} {word}, "
        "because lost tickets were replaced and nobody can see which was lost. "
    )
