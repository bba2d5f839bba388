"""Who is invited, and which tickets were taken. Nothing here leads to a response: no time, no order, no reference."""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Issuer(models.Model):
    """The key that signs the tickets of one survey. Its public half stands in the instrument, one for all."""

    survey = models.OneToOneField(
        Survey, models.CASCADE, primary_key=True, related_name="issuer", editable=False
    )
    modulus = models.CharField(max_length=342, editable=False)  # of 2048 bits, base64url
    # Encrypted under the site's TICKET_KEY, so that no copy of the database signs; null once finished.
    private = models.BinaryField(null=True, editable=False)
    # A mark of the rows of Fetched: fieldwork.responses.shuffling.
    mixed = models.PositiveIntegerField(default=0, editable=False)
    # How many people had a ticket, as the last release run said it: in whole groups while more can be taken.
    counted = models.PositiveIntegerField(default=0, editable=False)
    finished = models.JSONField(
        default=dict, editable=False
    )  # the counts of surveys.fieldwork.tickets.invitees, once finished

    def __str__(self) -> str:
        return "finished" if self.is_finished else "signing"

    @property
    def is_finished(self) -> bool:
        """Whether the key is gone: nothing more is signed, and nobody is on the list any more."""
        return self.private is None


class Invitee(models.Model):
    """Somebody who may fetch a ticket. Of the code only a digest is stored: fieldwork.tickets.codes derives it.

    Whoever is taken off the list of a published survey leaves an empty row, with a digest of no code: it says as little
    of one who took a ticket as of one who did not, and the counts hold.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="invitees", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    label = models.CharField(max_length=100, blank=True)
    email = models.EmailField(blank=True)
    generation = models.PositiveSmallIntegerField(
        default=0, editable=False
    )  # of the code: one more at each replacing
    allowed = models.PositiveSmallIntegerField(default=1, editable=False)  # tickets
    withdrawn = models.BooleanField(default=False, editable=False)
    mailed = models.BooleanField(
        default=False, editable=False
    )  # whether an invitation was sent, or waits to be

    def __str__(self) -> str:
        return self.label or self.email or str(self.pk)


class Fetched(models.Model):
    """A ticket was taken with this invitee's code. It was signed unseen: what was sent of it says nothing about it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    invitee = models.ForeignKey(
        Invitee, models.CASCADE, related_name="fetched", db_index=False, editable=False
    )
    number = models.PositiveSmallIntegerField(editable=False)  # less than the invitee's `allowed`
    blinded = models.CharField(
        max_length=64, editable=False
    )  # SHA-256 of what was signed, for a retry

    class Meta:
        verbose_name_plural = "fetched"
        constraints = [
            models.UniqueConstraint(fields=["invitee", "number"], name="one_ticket_a_number")
        ]

    def __str__(self) -> str:
        return "fetched"
