"""What a mail or a letter to an invited person says, in all languages of the survey: words and a link, nothing else."""

from collections.abc import Callable
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext, override

from features.invitations.links import Linked
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.link import Mail as Written
from surveys.models import Mail, Survey

BETWEEN = "\n\n* * *\n\n"  # one language and the next
NBSP = "\N{NO-BREAK SPACE}"
SUBJECT = 200  # letters at most
Kind = Mail.Kind


def compose_mail(kind: str, survey: Survey, to: Linked, site: str) -> Written:
    """The subject is the title; of a neutral title only that it is a survey, and so in the text: a locked phone shows
    how a mail begins.

    site: as https://survey.example.org.
    """
    frozen = parse_instrument(survey.instrument)
    answer = site.rstrip("/") + reverse("answering:survey", args=[survey.slug])
    parts, titles = [], []
    for code in frozen.languages:
        asked = frozen.in_language(code)
        with override(code):
            title = "" if frozen.neutral_title else asked.title
            lines = WORDS[kind](title, answer if kind == Kind.GENERAL else to.link, survey.tickets)
            titles.append(title or gettext("A survey"))
        parts.append("\n\n".join([*lines, *filter(None, [asked.contact])]))
    subject = " / ".join(dict.fromkeys(titles))
    return Written(" ".join(subject.split())[:SUBJECT], BETWEEN.join(parts) + "\n")


class Letter(NamedTuple):
    """The words of one language around the code. compare: what the digits of the instrument's hash are for."""

    language: str
    title: str
    lines: list[str]
    compare: str


def printable_letters(survey: Survey) -> list[Letter]:
    """Return the letter in each language."""
    frozen, found = parse_instrument(survey.instrument), []
    for code in frozen.languages:
        title = "" if frozen.neutral_title else frozen.in_language(code).title
        with override(code):
            invited, first, _, *more = _invitation(title, "", survey.tickets)
            typed = gettext("Scan the code, or type the address and the letters below it.")
            heading = gettext("A survey")
            compare = gettext(
                "Compare with a colleague’s: these digits are the same on every letter."
            )
        first = first.rstrip(f": {NBSP}") + "."  # no link follows on paper
        found.append(Letter(code, title or heading, [invited, first, typed, *more], compare))
    return found


def _invitation(title: str, link: str, steps: str) -> list[str]:
    invited = gettext("You are invited to a survey.")
    if title:
        invited = gettext("You are invited to a survey: “%(title)s”.") % {"title": title}
    return [invited, *_ticket(link, steps)]


def _ticket(link: str, steps: str) -> list[str]:
    """How to take a ticket, and what it is good for."""
    first = (
        gettext("Use this link to take your ticket now. You can answer once the survey opens:")
        if steps == Survey.Tickets.TWO
        else gettext("Take your ticket with this link, and answer with it:")
    )
    return [
        first,
        link,
        gettext(
            "We see that you took a ticket. The ticket does not show whose it is. Only the ticket is sent with your "
            "answers."
        ),
        gettext("This link is only for you. Please do not share it."),
    ]


def _reminder(title: str, link: str, steps: str) -> list[str]:
    asked = gettext("You are invited to a survey, and have not taken your ticket yet.")
    if title:
        asked = gettext(
            "You are invited to a survey, and have not taken your ticket yet: “%(title)s”."
        )
    return [asked % {"title": title}, *_ticket(link, steps)]


def _general(title: str, link: str, steps: str) -> list[str]:
    has = gettext("You have a ticket for a survey.")
    if title:
        has = gettext("You have a ticket for a survey: “%(title)s”.")
    return [
        has % {"title": title},
        gettext(
            "We cannot see whether you have answered. If you have, thank you. If not, there is still time:"
        ),
        link,
        gettext(
            "Open it on the device that keeps your ticket, or bring the ticket that you copied."
        ),
    ]


def _replacement(title: str, link: str, steps: str) -> list[str]:
    asked = gettext("Here is a new link for a survey. Your old link no longer works.")
    if title:
        asked = gettext(
            "Here is a new link for a survey: “%(title)s”. Your old link no longer works."
        )
    return [asked % {"title": title}, *_ticket(link, steps)]


WORDS: dict[str, Callable[[str, str, str], list[str]]] = {
    Kind.INVITATION: _invitation,
    Kind.REMINDER: _reminder,
    Kind.GENERAL: _general,
    Kind.REPLACEMENT: _replacement,
}
