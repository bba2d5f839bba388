"""Completing a restore: nothing that was removed returns, and no mail is sent twice."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import CommandError

from surveys import extensions
from surveys.accounts.account import end_all_logins
from surveys.fieldwork.responses.inbox_keys import drop_unreadable, replace_inbox_key
from surveys.models import Run
from surveys.operation import restore_mark, timers
from surveys.operation.repeated_removals import remove_again
from surveys.site.removals import (
    Kind,
    add_to_journal,
    has_machine_folder,
    journal_file,
    move_rows_to_journal,
    read_journal,
)

# What the sentence about each kind of removal says, for one and for several.
WORDS_BY_KIND = {
    Kind.SURVEY: ("survey", "surveys"),
    Kind.RESPONSES: ("survey’s responses", "surveys’ responses"),
    Kind.TICKETS: ("survey’s tickets", "surveys’ tickets"),
    Kind.INVITEE: ("invited person", "invited people"),
    Kind.ACCOUNT: ("account", "accounts"),
    Kind.TOKEN: ("access token", "access tokens"),
    Kind.REPORT_LINK: ("link to a report", "links to reports"),
    Kind.INVITATION: ("invitation to a team", "invitations to teams"),
}


def complete_restore(journal: Path | None = None) -> Iterator[str]:
    """Complete a restore step by step, and yield a sentence about each step.

    Each step can be repeated. The restore mark is the last one: until then the timers send nothing.
    Raise OSError if the folder VAR is not writable, and CommandError on a node without it.

    journal: a copy of the journal, whose lines are added to that of this machine.
    """
    if not has_machine_folder():
        raise CommandError("Run this on the machine of the timers.")
    yield _backup_sentence()
    for step in extensions.restore_steps:
        yield step()
    yield f"{end_all_logins()} sessions were ended."
    # The private key of the backup was deleted since. Removals may seal what still can be read.
    replace_inbox_key()
    yield f"The inbox has a new key. Unreadable responses deleted: {drop_unreadable():,}."
    if journal is not None:
        add_to_journal(read_journal(journal))
    move_rows_to_journal()
    yield _removal_sentence(remove_again(read_journal(journal_file())))
    restore_mark.accept_restore()
    yield "The restore is complete."


def _backup_sentence() -> str:
    """Say of which day the backup is, by the last command of a timer that it has."""
    last_run = Run.objects.filter(command__in=timers.PATIENCE).order_by("finished").last()
    if last_run is None:
        return "The day of the backup is not known: no timer had run."
    return f"The backup is of {last_run.finished:%Y-%m-%d} (UTC)."


def _removal_sentence(removed: Counter[str]) -> str:
    """Say how many things were removed again."""
    parts = []
    for kind, (one, several) in WORDS_BY_KIND.items():
        number = removed[kind]
        if number:
            parts.append(f"{number} {one if number == 1 else several}")
    if not parts:
        return "Nothing that was removed since the backup has returned."
    return f"Removed again, as before the restore: {', '.join(parts)}."
