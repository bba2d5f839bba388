"""Mails in a database that was restored. They may have been sent since the backup, so people decide about them."""

from django.db import transaction

from surveys.accounts import history
from surveys.models import DatabaseIdentity, Invitee, Mail, Survey
from surveys.site.database_identity import current_identity

Kind = Mail.Kind
SHOWN = (Kind.INVITATION, Kind.REPLACEMENT)  # not reminders: who gets one has a ticket, or has none


def set_aside_after_restore() -> bool:
    """Set all waiting mails aside if this database was restored, and return whether it was.

    A database that has mails and no identity may come from a backup of an earlier version. It counts as restored.
    """
    identity = current_identity()
    if DatabaseIdentity.objects.filter(identity=identity).exists():
        return False
    with transaction.atomic():
        rows = DatabaseIdentity.objects.select_for_update()
        row, is_new = rows.get_or_create(pk=1, defaults={"identity": identity})
        if is_new and not Mail.objects.exists():
            return False
        if not is_new and row.identity == identity:
            return False  # Another process has done it meanwhile.
        DatabaseIdentity.objects.update(identity=identity)
        set_aside_waiting()
    return True


@transaction.atomic
def complete_restore() -> str:
    """Set all waiting mails aside because an operator says that this database was restored.

    The database gets its present identity. Otherwise mails would be set aside once more after a
    person has decided to send them. Return a sentence.
    """
    DatabaseIdentity.objects.update_or_create(pk=1, defaults={"identity": current_identity()})
    number = set_aside_waiting()
    return (
        f"{number} mails were set aside, and waiting reminders were deleted. Owners and editors "
        "decide on the page Invite."
    )


@transaction.atomic
def set_aside_waiting() -> int:
    """Set the waiting mails of all surveys aside, and return how many. Reminders are deleted.

    How many reminders waited would say how many people have a ticket. So each survey with a list notes in its history
    that the site was restored, whether anything waited or not, and can send its reminders again.
    """
    Mail.objects.exclude(kind__in=SHOWN).delete()
    number = Mail.objects.filter(refused=False, set_aside=False).update(set_aside=True)
    for survey in Survey.objects.filter(pk__in=Invitee.objects.values("survey")):
        history.record(survey, None, history.What.RESTORED)
    return number
