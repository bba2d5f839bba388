"""What respondents send: an answer passes Response, the inbox, and ends in a Batch. Nothing here names a respondent."""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Instrument(models.Model):
    """A published survey: canonical JSON that never changes, its hash, and the running tally of its batches."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.OneToOneField(Survey, models.PROTECT, related_name="instrument")
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    content = models.TextField(editable=False)
    tally = models.JSONField(default=dict, editable=False)  # {"n": n, "counts": {question key: [counts]}}
    wiped = models.BooleanField(default=False, editable=False)  # closed, and nothing left in SQLite's free pages

    def __str__(self) -> str:
        return self.sha256


class Response(models.Model):
    """The inbox: one randomized response on its way into a batch.

    These four fields are all there is, on purpose: no user, token, address, user agent, time or sequence. Sealing
    empties `record` and notes the date; the bare key stays one day to answer retries, then it is deleted.
    """

    key = models.UUIDField(primary_key=True, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, editable=False, db_index=False)
    record = models.BinaryField(null=True)
    sealed_on = models.DateField(null=True, editable=False)

    class Meta:
        # What waits is few; the bare keys of a busy day are many, and must not slow the counting of what waits.
        indexes = [
            models.Index(fields=["instrument"], condition=models.Q(record__isnull=False), name="waiting"),
            models.Index(fields=["sealed_on"], condition=models.Q(record__isnull=True), name="sealed"),
        ]

    def __str__(self) -> str:
        return "waiting" if self.sealed_on is None else "sealed"


class Batch(models.Model):
    """Up to some ten thousand shuffled records in one value, with what they add up to."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, related_name="batches", editable=False)
    n = models.PositiveIntegerField(editable=False)
    counts = models.JSONField(editable=False)  # {question key: [counts]}
    records = models.BinaryField()

    class Meta:
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"{self.n} responses"
