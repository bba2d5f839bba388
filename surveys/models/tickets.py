"""The models of invited people and of the tickets that they have taken.

Nothing in these models leads to a response: no time, no order, no reference.
"""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Issuer(models.Model):
    """The key that signs all tickets of a survey, and counts of these tickets.

    It is created when a survey with tickets is published. `modulus` is the public half of the RSA
    key, which is also part of the instrument, and `private` is the other half.
    """

    survey = models.OneToOneField(
        Survey, models.CASCADE, primary_key=True, related_name="issuer", editable=False
    )
    # The modulus of 2048 bits, in base64url.
    modulus = models.CharField(max_length=342, editable=False)
    # The private half, encrypted with the TICKET_KEY of the site, so that a copy of the database
    # cannot sign. It is null once the tickets are finished.
    private = models.BinaryField(null=True, editable=False)
    # The rows of Fetched are shuffled now and then, so that their order on the disk shows nothing.
    # This is a hash of their primary keys after the last time. If they still have this hash, they
    # are not shuffled again: see fieldwork.responses.shuffling.
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
        """True if the private key is deleted, so that no ticket can ever be signed again.

        The list of invited people is deleted next, and then only `finished` has their number.
        """
        return self.private is None


class Invitee(models.Model):
    """A person who was invited to answer, and may take a ticket with a code.

    Only a digest of the code is stored: see fieldwork.tickets.codes.

    If a person is removed from the list of a published survey, an empty row stays, with a digest of
    no code. It does not show whether the person took a ticket, and the counts stay right.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="invitees", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # The name or number by which the team knows the person.
    label = models.CharField(max_length=100, blank=True)
    email = models.EmailField(blank=True)
    # The number of times that the code was replaced by a new one.
    generation = models.PositiveSmallIntegerField(default=0, editable=False)
    # The number of tickets that the person may take: 1, and one more for each lost ticket.
    allowed = models.PositiveSmallIntegerField(default=1, editable=False)
    # True if the person was removed from the list of a published survey.
    withdrawn = models.BooleanField(default=False, editable=False)
    # True if an invitation was sent, or waits to be sent.
    mailed = models.BooleanField(default=False, editable=False)

    def __str__(self) -> str:
        return self.label or self.email or str(self.pk)


class Fetched(models.Model):
    """A note that an invited person has taken a ticket: one row for each ticket of the person.

    The ticket was signed blindly: the site never saw it, and nothing in this row reveals it. So
    nobody can find the response that arrives with the ticket.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    invitee = models.ForeignKey(
        Invitee, models.CASCADE, related_name="fetched", db_index=False, editable=False
    )
    # The number of the ticket among those of the person, counted from 0: less than
    # `Invitee.allowed`.
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
