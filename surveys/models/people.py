"""Who works on a survey besides its owner, who is invited to, who did what, and which links and programs read."""

import uuid
from typing import Any, NoReturn

from django.conf import settings
from django.db import models

INVITATION_DAYS = 7


class Role(models.TextChoices):
    """What a colleague may do; surveys.accounts.access says it right by right."""

    EDITOR = "editor", "Editor"
    ANALYST = "analyst", "Analyst"
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
    """A link that makes one person, whoever follows it first, a member. Only the hash of its secret is kept."""

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
    """A secret address under which anyone reads a closed survey's report. Only the hash of its secret is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey("surveys.Survey", models.CASCADE, related_name="report_links")
    note = models.CharField(max_length=80, blank=True)  # for whom it is; only the team reads it
    until = models.DateField()  # the last day on which it works, in UTC
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )
    created = models.DateField()  # in UTC

    class Meta:
        ordering = ["until", "created", "pk"]

    def __str__(self) -> str:
        return f"until {self.until}"


class Unchangeable(Exception):
    """Somebody tried to rewrite the history."""


class AppendOnly(models.QuerySet):
    def update(self, **changes: Any) -> NoReturn:
        raise Unchangeable

    def delete(self) -> NoReturn:
        raise Unchangeable


class Event(models.Model):
    """One line of a survey's history: who did what, and when. It is written once and never changed.

    It is about researchers only; nothing about a respondent ever gets an event.
    """

    class What(models.TextChoices):
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

    id = models.BigAutoField(
        primary_key=True
    )  # the order of writing; never shown and in no address
    # None of what is left of a survey that was destroyed.
    survey = models.ForeignKey(
        "surveys.Survey", models.CASCADE, related_name="events", null=True, editable=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False)
    name = models.CharField(max_length=150, editable=False)  # stays when the account goes
    what = models.CharField(max_length=12, choices=What, editable=False)
    detail = models.CharField(max_length=600, blank=True, editable=False)
    when = models.DateTimeField(auto_now_add=True)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} {self.get_what_display()}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise Unchangeable
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise Unchangeable


class AccessToken(models.Model):
    """Lets a program read what its person may read. The token is shown once; only its hash is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)  # some of surveys.accounts.tokens.SCOPES
    expires = models.DateField(null=True, blank=True)  # the last day on which it is good
    created = models.DateField(auto_now_add=True)
    last_used = models.DateField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name
