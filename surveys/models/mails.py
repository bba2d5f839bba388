"""The models of mails to invited people that are still to be sent.

Only the recipient and the kind of a mail are stored: no link, no code, no text, and no time except
that of the next attempt, after a mail server has refused the mail for now.
"""

import uuid

from django.db import models


class Mail(models.Model):
    """A mail to an invited person that waits to be sent, or that the mail server has refused.

    Its text is composed when it is sent. Once the mail server has accepted the mail, this row is
    deleted. The feature `invitations` does this.
    """

    class Kind(models.TextChoices):
        """The kinds of mails to invited people, each with its name in the API and the admin."""

        INVITATION = "invitation", "invitation"
        REMINDER = "reminder", "reminder to take the ticket"
        GENERAL = "general", "reminder to answer, for those who have a ticket"
        REPLACEMENT = "replacement", "new link for a lost one"

    # Mails are sent in the order of their ids, which is random.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    invitee = models.ForeignKey(
        "surveys.Invitee", models.CASCADE, related_name="mails", editable=False
    )
    kind = models.CharField(max_length=12, choices=Kind, editable=False)
    # True if the mail server has refused the mail for good, or again and again for three days.
    refused = models.BooleanField(default=False, editable=False)
    # The number of attempts that the mail server has refused for now.
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    # The time of the next attempt; null before the first refusal.
    due = models.DateTimeField(null=True, editable=False)
    # True after a restore of the database: the mail may have been sent before, so that it waits for
    # a person's decision.
    set_aside = models.BooleanField(default=False, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["invitee", "kind"], name="one_mail_of_a_kind")
        ]

    def __str__(self) -> str:
        return self.get_kind_display()


class Turn(models.Model):
    """The lock of the process that sends mails: no other process sends any until `until`.

    There is one row while a process sends mails, and none afterwards. If the process is killed, the
    row stays, and another process may take the lock after the time in `until`.
    """

    # The name of the lock: "mails".
    name = models.CharField(max_length=20, primary_key=True, editable=False)
    # A random id of the process that has the lock.
    holder = models.UUIDField(editable=False)
    until = models.DateTimeField(editable=False)

    def __str__(self) -> str:
        return self.name
