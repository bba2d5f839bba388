"""The models of a survey's team and history, and of the links and programs that read its report."""

import uuid
from typing import Any, NoReturn

from django.conf import settings
from django.db import models

# The days for which a link that invites a colleague works.
INVITATION_DAYS = 7


class Role(models.TextChoices):
    """The role of a colleague in a survey, which decides what the colleague may see and do.

    All roles may read the report. surveys.accounts.access has the complete rights.
    """

    # May also write the survey, publish it and invite people to answer.
    EDITOR = "editor", "Editor"
    ANALYST = "analyst", "Analyst"
    # May also download the randomized responses, row by row.
    EXPORTER = "exporter", "Exporter"


class Membership(models.Model):
    """A colleague's role in one survey. The owner has none: the survey itself names its owner."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey("surveys.Survey", models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        ordering = ["user__username"]
        constraints = [models.UniqueConstraint(fields=["survey", "user"], name="one_role_a_survey")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Invitation(models.Model):
    """A link that invites a colleague: whoever follows it first gets this role in the survey.

    Only the hash of the secret in the link is stored. The people who are invited to answer a survey
    are Invitees instead.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey("surveys.Survey", models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    expires = models.DateTimeField()

    class Meta:
        ordering = ["expires"]

    def __str__(self) -> str:
        return f"{self.get_role_display()} until {self.expires:%Y-%m-%d}"


class ReportLink(models.Model):
    """A secret address at which anyone can read the report of a closed survey.

    Only the hash of the secret in the address is stored.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey("surveys.Survey", models.CASCADE, related_name="report_links")
    # The person or group that the link is for. Only the team reads this note.
    note = models.CharField(max_length=80, blank=True)
    # The last day on which the link works, in UTC.
    until = models.DateField()
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    # The day on which the link was created, in UTC.
    created = models.DateField()

    class Meta:
        ordering = ["until", "created", "pk"]

    def __str__(self) -> str:
        return f"until {self.until}"


class Unchangeable(Exception):
    """An attempt to change or delete events of the history, which are only ever added."""


class AppendOnly(models.QuerySet):
    """A query set whose rows cannot be updated or deleted: both raise Unchangeable."""

    def update(self, **changes: Any) -> NoReturn:
        """Raise Unchangeable, because no row of this query may be updated."""
        raise Unchangeable

    def delete(self) -> NoReturn:
        """Raise Unchangeable, because no row of this query may be deleted."""
        raise Unchangeable


class Event(models.Model):
    """One line of a survey's history: who did what, and when.

    An event is written once and never changed. It is about researchers only: nothing that a
    respondent does becomes an event.
    """

    class What(models.TextChoices):
        """The kinds of events, each with the words that follow the name of the account.

        In the history an event reads “ada published it”, where “it” is the survey.
        """

        CREATED = "created", "wrote the draft"
        CHANGED = "changed", "changed the draft"
        PUBLISHED = "published", "published it"
        PREPARED = "prepared", "prepared it for import"
        IMPORTED = "imported", "imported responses"
        INVENTED = "invented", "sent invented answers"
        SCHEDULED = "scheduled", "changed times or target"
        PAUSED = "paused", "paused it"
        REOPENED = "reopened", "reopened it"
        CLOSED = "closed", "closed it"
        ARCHIVED = "archived", "archived it"
        UNARCHIVED = "unarchived", "took it out of the archive"
        SHOWN = "shown", "made the results public"
        HIDDEN = "hidden", "took the public results off"
        LINKED = "linked", "made a link to the report"
        UNLINKED = "unlinked", "ended a link to the report"
        DELETED = "deleted", "deleted the responses"
        DESTROYED = "destroyed", "deleted a survey permanently"
        CANDIDATES = "candidates", "added texts to count"
        EXPORTED = "exported", "downloaded responses"
        INVITED = "invited", "invited a colleague"
        WITHDRAWN = "withdrawn", "withdrew an invitation"
        JOINED = "joined", "joined the team"
        REMOVED = "removed", "removed a colleague from the team"
        TRANSFERRED = "transferred", "made a colleague the owner"
        CONNECTED = "connected", "added a webhook"
        DISCONNECTED = "disconnected", "removed a webhook"
        ASKED = "asked", "invited people to answer"
        UNASKED = "unasked", "removed people from the invitation list"
        MAILED = "mailed", "sent mails to invited people"
        REMINDED = "reminded", "reminded invited people"
        RESTORED = "restored", "set waiting mails aside after a restore"
        REPLACED = "replaced", "replaced a lost ticket"
        FINISHED = "finished", "finished the tickets for good"

    # The order in which events were written. No page shows these numbers, and no address has them.
    id = models.BigAutoField(primary_key=True)
    # Null for the last event of a survey that was deleted permanently.
    survey = models.ForeignKey(
        "surveys.Survey", models.CASCADE, related_name="events", null=True, editable=False
    )
    # Null if the site itself did it, as when a command runs, and once the account is deleted.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False)
    # The name of the account, which stays when the account is deleted.
    name = models.CharField(max_length=150, editable=False)
    what = models.CharField(max_length=12, choices=What, editable=False)
    # What the event was about, such as the name of a downloaded file, or "".
    detail = models.CharField(max_length=600, blank=True, editable=False)
    when = models.DateTimeField(auto_now_add=True)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} {self.get_what_display()}"

    def save(self, *args: Any, **options: Any) -> None:
        """Store a new event. Raises Unchangeable if the event is stored already."""
        # Django sets `adding` to False once an object is stored or was read from the database.
        if not self._state.adding:
            raise Unchangeable
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Raise Unchangeable, because no event may be deleted."""
        raise Unchangeable


class AccessToken(models.Model):
    """A token with which a program uses the API on behalf of the account `user`.

    The program may do what the account may do, within the scopes of the token. The token is shown
    once, and only its hash is stored.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    # Some of surveys.accounts.tokens.SCOPES.
    scopes = models.JSONField(default=list)
    # The last day on which the token is valid, in UTC; null if it has no end.
    expires = models.DateField(null=True, blank=True)
    created = models.DateField(auto_now_add=True)
    # The last day on which a program used the token; null if none has.
    last_used = models.DateField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name
