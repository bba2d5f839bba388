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
    # Of its questions, in no hash: surveys.definition.short_names. Empty where it is older than these.
    short_names = models.JSONField(default=dict, editable=False)
    nones = models.JSONField(
        default=dict, editable=False
    )  # likewise: surveys.definition.none_of_these.none_codes
    tally = models.JSONField(
        default=dict, editable=False
    )  # surveys.fieldwork.responses.records.count_responses
    # {"n", "shares": {key: [...]}}: surveys.results.estimates.maximum_likelihood
    likeliest = models.JSONField(default=dict, editable=False)
    waiting = models.PositiveIntegerField(
        default=0, editable=False
    )  # unread at the last look, in whole groups of 20
    looked = models.DateTimeField(
        null=True, editable=False
    )  # the hour in which a release was last due, or its closing
    released_on = models.DateField(
        null=True, editable=False
    )  # the day of the last release, of 20 responses or more
    deleted_on = models.DateField(
        null=True, editable=False
    )  # responses gone, or going: surveys.fieldwork.responses.deletion
    wiped = models.BooleanField(
        default=False, editable=False
    )  # closed, and nothing left in SQLite's free pages

    def __str__(self) -> str:
        return self.sha256


class Cut(models.Model):
    """Groups by background answers, made at a closing: fieldwork.responses.background_groups says how,
    results.disclosure.access who reads what. It holds no background answer finer than its groups.
    """

    instrument = models.OneToOneField(
        Instrument, models.CASCADE, primary_key=True, related_name="cut", editable=False
    )
    on = models.DateField(editable=False)  # the day of the closing that the cells show
    n = models.PositiveIntegerField(editable=False)  # released responses when it was last looked at
    starts = models.JSONField(editable=False)  # {question key: [first code of each group]}
    cells = models.JSONField(
        editable=False
    )  # {"0,1": tally without background answers}: a group of each question
    layers = models.JSONField(
        default=list, editable=False
    )  # [{"0,1": n}]: what later closings released, not shown

    def __str__(self) -> str:
        return f"as of {self.on}"


class Round(models.Model):
    """Candidates that somebody gave for one question with written answers, and what the reports said of them.

    texts: as they were typed. counted: {"n": n, "sums": [...]} as the mechanism counts them, of the responses that
    were released then; empty until they are read.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="rounds", editable=False
    )
    key = models.CharField(max_length=32, editable=False)  # of the question
    number = models.PositiveSmallIntegerField(editable=False)  # 1, 2, ... of the question
    given = models.DateTimeField(auto_now_add=True)
    texts = models.JSONField(editable=False)
    counted = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["key", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "key", "number"], name="number_once_a_question"
            )
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.key}"


class Response(models.Model):
    """The inbox: one randomized response on its way into a batch.

    These four fields are all there is, on purpose: no user, token, address, user agent, time or sequence. Sealing
    empties `record` and notes the date; the bare key stays one day to answer retries, then it is deleted. Where people
    have tickets the key is one that was spent: it stays without a date until the tickets are finished.
    """

    key = models.UUIDField(primary_key=True, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, editable=False, db_index=False)
    record = models.BinaryField(null=True)
    sealed_on = models.DateField(null=True, editable=False)

    class Meta:
        # What waits is few; the bare keys of a busy day are many, and must not slow the counting of what waits.
        indexes = [
            models.Index(
                fields=["instrument"], condition=models.Q(record__isnull=False), name="waiting"
            ),
            models.Index(
                fields=["sealed_on"], condition=models.Q(record__isnull=True), name="sealed"
            ),
        ]

    def __str__(self) -> str:
        return "sealed" if self.record is None else "waiting"


class Records(models.Model):
    """Up to some ten thousand shuffled records in one value."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    n = models.PositiveIntegerField(editable=False)
    records = models.BinaryField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.n} responses"


class Held(Records):
    """Sealed, and not released: only fieldwork.responses.held and fieldwork.responses.release look in here."""

    instrument = models.ForeignKey(Instrument, models.PROTECT, related_name="held", editable=False)

    class Meta:
        verbose_name_plural = "held"


class Batch(Records):
    """Released: what report and exports are made of."""

    instrument = models.ForeignKey(
        Instrument, models.PROTECT, related_name="batches", editable=False
    )

    class Meta:
        verbose_name_plural = "batches"
