"""Whom the site tells that something happened to a survey, and what it has told or still has to tell.

Nothing in either is about a respondent, and no secret is kept: the feature `webhooks` derives it.
"""

import uuid

from django.db import models
from django.utils import timezone


class Occasion(models.TextChoices):
    """What a webhook can be told of."""

    PUBLISHED = "survey.published", "The survey is published"
    CLOSED = "survey.closed", "It is closed, by hand or by its closing time"
    REOPENED = "survey.reopened", "It is reopened"
    TARGET = "survey.target_reached", "Its report reaches the target"


class Webhook(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(
        "surveys.Survey", models.CASCADE, related_name="webhooks", editable=False
    )
    url = models.CharField(max_length=500, editable=False)
    events = models.JSONField(default=list, editable=False)  # some of Occasion
    name = models.CharField(
        max_length=150, editable=False
    )  # who added it; stays when the account goes
    created = models.DateTimeField(auto_now_add=True)
    told_closing = models.DateTimeField(
        null=True, editable=False
    )  # the closing time it was told of, or came after

    class Meta:
        ordering = ["created"]
        constraints = [
            models.UniqueConstraint(fields=["survey", "url"], name="one_webhook_an_address")
        ]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to one webhook, written in the transaction of what it tells of; so none is lost, and none is early.

    `attempts` and `due` together are a sender's claim: whoever counts the attempt up first, sends.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        DELIVERED = "delivered", "delivered"
        GIVEN_UP = "given-up", "given up"

    id = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )  # the message's, at every attempt
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", editable=False)
    event = models.CharField(max_length=30, editable=False)
    body = models.TextField(editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    due = models.DateTimeField(
        default=timezone.now, editable=False
    )  # of the next attempt, while it waits
    outcome = models.CharField(
        max_length=60, blank=True, editable=False
    )  # of the last attempt, in a word

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(fields=["due"], condition=models.Q(state="waiting"), name="due_deliveries")
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_state_display()}"
