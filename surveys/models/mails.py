"""Mails to invited people that are still to be sent: to whom, and of which kind. No link, no code, no text, and no time
but that of the next attempt, after a mail server took the mail not yet.
"""

import uuid

from django.db import models


class Mail(models.Model):
    """Made while it is sent, and deleted once the mail server has taken it: the feature `invitations` does both."""

    class Kind(models.TextChoices):
        INVITATION = "invitation", "invitation"
        REMINDER = "reminder", "reminder to take the ticket"
        GENERAL = "general", "reminder to answer, for those who have a ticket"
        REPLACEMENT = "replacement", "new link for a lost one"

    id = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )  # in whose order they are sent: by chance
    invitee = models.ForeignKey(
        "surveys.Invitee", models.CASCADE, related_name="mails", editable=False
    )
    kind = models.CharField(max_length=12, choices=Kind, editable=False)
    refused = models.BooleanField(
        default=False, editable=False
    )  # by the mail server, for good or for three days
    attempts = models.PositiveSmallIntegerField(
        default=0, editable=False
    )  # that were refused for now
    due = models.DateTimeField(
        null=True, editable=False
    )  # when the next attempt is; null before the first refusal
    # After a restore: it may have been sent before, so that it waits for a person's decision.
    set_aside = models.BooleanField(default=False, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["invitee", "kind"], name="one_mail_of_a_kind")
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


class Turn(models.Model):
    """Who may send mails just now, and until when nobody else does. One row while somebody sends, and none after."""

    name = models.CharField(max_length=20, primary_key=True, editable=False)
    holder = models.UUIDField(editable=False)
    until = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return self.name
