"""What a report says of a survey that asked invited people only: how many, their tickets, what these do not stop."""

from surveys.fieldwork.tickets.invitees import Counts
from surveys.site.number_format import format_count

NOT_IN_INTERVALS = "The ranges describe only the people who answered."
QUALITY = (
    "Only people with a ticket could answer, each ticket once. That stops outsiders, and second answers of invited "
    "people. It doesn’t stop the people who invite: the responses don’t show whether a person on the list was real."
)


def in_words(counts: Counts) -> str:
    """ "210 people were invited and 205 took a ticket; 212 tickets ...: up to 2 duplicates"."""
    taken = f"{_people(counts.invited)} invited, and {format_count(counts.fetched)} took a ticket."
    return f"{taken} {_tickets(counts)}{NOT_IN_INTERVALS}"


def _people(invited: int) -> str:
    return "1 person was" if invited == 1 else f"{format_count(invited)} people were"


def _tickets(counts: Counts) -> str:
    if not counts.duplicates:
        return ""
    word = "duplicate" if counts.duplicates == 1 else "duplicates"
    return (
        f"{format_count(counts.tickets)} tickets for {format_count(counts.invited)} "
        f"invited people: up to {format_count(counts.duplicates)} "
        f"{word}, because lost tickets were replaced and no one can see which were lost. "
    )
