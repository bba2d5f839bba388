"""The models of invited people and of the tickets that they have taken.

Nothing in these models leads to a response: no time, no order, no reference.
"""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Issuer(models.Model):
    """The key that signs all tickets of a survey, created when a survey with tickets is published.

    `modulus` is the public half of the key, which is also part of the instrument, and `private` is
    the other half. The other columns have counts of the tickets.
    """

    survey = models.OneToOneField(
        Survey, models.CASCADE, primary_key=True, related_name="issuer", editable=False
    )
    # The modulus of 2048 bits, in base64url.
    modulus = models.CharField(max_length=342, editable=False)
    # The private half, encrypted with the TICKET_KEY of the site, so that a copy of the database
    # cannot sign. It is null once the tickets are finished.
    private = models.BinaryField(null=True, editable=False)
    # A hash of the keys of the rows of Fetched, as of their last shuffling. Rows that still have
    # this hash are not shuffled again: see fieldwork.responses.shuffling.
    mixed = models.PositiveIntegerField(default=0, editable=False)
    # The number of people with a ticket at the last release run. It grows by whole multiples of
    # LEAST_TICKETS until the survey is over, so that it does not show who has just taken one.
    counted = models.PositiveIntegerField(default=0, editable=False)
    # How many people were invited, and how many tickets they took, once the tickets are finished:
    # the fields of surveys.fieldwork.tickets.invitees.Counts. The dictionary is empty until then.
    finished = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return "finished" if self.is_finished else "signing"

    @property
    def is_finished(self) -> bool:
        """True if the private key is deleted, so that no ticket can be signed any more.

        Then nobody is on the list of invited people any more.
        """
        return self.private is None


class Invitee(models.Model):
    """A person who may take a ticket.

    Only a digest of the person's code is stored: see fieldwork.tickets.codes.

    If a person is removed from the list of a published survey, an empty row stays, with a digest of
    no code. It does not show whether the person took a ticket, and the counts stay right.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="invitees", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # The name or number by which the team knows the person.
    label = models.CharField(max_length=100, blank=True)
    email = models.EmailField(blank=True)
    # How often the code was replaced.
    generation = models.PositiveSmallIntegerField(default=0, editable=False)
    # The number of tickets that the person may take.
    allowed = models.PositiveSmallIntegerField(default=1, editable=False)
    # True if the person was removed from the list of a published survey.
    withdrawn = models.BooleanField(default=False, editable=False)
    # True if an invitation was sent, or waits to be sent.
    mailed = models.BooleanField(default=False, editable=False)

    def __str__(self) -> str:
        return self.label or self.email or str(self.pk)


class Fetched(models.Model):
    """A ticket that was taken with the code of an invited person.

    The ticket was signed blindly, so that nothing in this row reveals the ticket.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    invitee = models.ForeignKey(
        Invitee, models.CASCADE, related_name="fetched", db_index=False, editable=False
    )
    # The number of the ticket among those of the person, less than `Invitee.allowed`.
    number = models.PositiveSmallIntegerField(editable=False)
    # The SHA-256 of the blinded ticket that was signed, by which a retry is recognized.
    blinded = models.CharField(max_length=64, editable=False)

    class Meta:
        verbose_name_plural = "fetched"
        constraints = [
            models.UniqueConstraint(fields=["invitee", "number"], name="one_ticket_a_number")
        ]

    def __str__(self) -> str:
        return "fetched"
