"""The models of webhooks, and of the messages that are sent to them when something happens.

Nothing in them is about a respondent. No secret is stored: the feature `webhooks` derives it.
"""

import uuid

from django.db import models
from django.utils import timezone


class Occasion(models.TextChoices):
    """The events of a survey that a webhook can receive."""

    PUBLISHED = "survey.published", "The survey is published"
    CLOSED = "survey.closed", "It is closed, by hand or by its closing time"
    REOPENED = "survey.reopened", "It is reopened"
    TARGET = "survey.target_reached", "Its report reaches the target"


class Webhook(models.Model):
    """An address that receives messages about some events of a survey."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(
        "surveys.Survey", models.CASCADE, related_name="webhooks", editable=False
    )
    url = models.CharField(max_length=500, editable=False)
    # The values of Occasion for which the webhook receives messages.
    events = models.JSONField(default=list, editable=False)
    # The name of the account that added the webhook, which stays when the account is deleted.
    name = models.CharField(max_length=150, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    # The last closing time for which no message has to be sent any more: one was sent, or the
    # webhook was added afterwards.
    told_closing = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["created"]
        # With two webhooks an address would receive each message twice.
        constraints = [
            models.UniqueConstraint(fields=["survey", "url"], name="one_webhook_an_address")
        ]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to one webhook, and the state of its delivery.

    The row is written in the transaction of the event, so that no message is lost, and none is sent
    for an event that was rolled back. The feature `webhooks` sends the message later.

    Several processes may find that a delivery is due. The one that first increases `attempts` sends
    the message. It also sets `due` to the time of the next attempt, so that the message is sent
    again if this process is killed.
    """

    class State(models.TextChoices):
        """The state of a delivery. If a person sends a delivery again, it is waiting again."""

        # No attempt has succeeded so far, and the next one is made when it is due.
        WAITING = "waiting", "waiting"
        DELIVERED = "delivered", "delivered"
        # No attempt has succeeded, and the site makes no other one unless a person asks for it.
        GIVEN_UP = "given-up", "given up"

    # The id of the message, which is the same in every attempt.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", editable=False)
    # A value of Occasion, or "ping" for a message that a person sends to test the webhook.
    event = models.CharField(max_length=30, editable=False)
    # The message as it is sent.
    body = models.TextField(editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, editable=False)
    # The number of attempts that were begun.
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    # The time of the next attempt, while the delivery is waiting.
    due = models.DateTimeField(default=timezone.now, editable=False)
    # The result of the last attempt, in a few words.
    outcome = models.CharField(max_length=60, blank=True, editable=False)

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "deliveries"
        # Deliveries that are due are searched every minute, and most rows do not wait any more.
        indexes = [
            models.Index(fields=["due"], condition=models.Q(state="waiting"), name="due_deliveries")
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_state_display()}"
