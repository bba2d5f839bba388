"""The models of answers. An answer arrives as a Response, in the inbox, and ends in a Batch.

Nothing in these models names a respondent.
"""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Instrument(models.Model):
    """The questions of a published survey as JSON that never changes, with hash and running tally.

    The tally counts the reports in the batches of released responses.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.OneToOneField(Survey, models.PROTECT, related_name="instrument")
    # The hash of `content`, in hexadecimal digits.
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    content = models.TextField(editable=False)
    # The short names of the questions, which are not part of the hash: see
    # surveys.definition.short_names. The dictionary is empty in older instruments.
    short_names = models.JSONField(default=dict, editable=False)
    # The codes of “none of these”, which are not part of the hash either: see
    # surveys.definition.none_of_these.none_codes.
    nones = models.JSONField(default=dict, editable=False)
    # The counts of surveys.fieldwork.responses.records.count_responses.
    tally = models.JSONField(default=dict, editable=False)
    # The shares of surveys.results.estimates.maximum_likelihood: {"n", "shares": {key: [...]}}.
    likeliest = models.JSONField(default=dict, editable=False)
    # The number of responses, in the inbox or pending, that the last release run did not release,
    # rounded down to a multiple of 20.
    waiting = models.PositiveIntegerField(default=0, editable=False)
    # The hour in which a release was last due, or the closing time of the survey.
    looked = models.DateTimeField(null=True, editable=False)
    # The day of the last release or import. A release has at least 20 responses.
    released_on = models.DateField(null=True, editable=False)
    # The day on which the responses were deleted, or began to be deleted: see
    # surveys.fieldwork.responses.deletion.
    deleted_on = models.DateField(null=True, editable=False)
    # True if the survey is closed, and no trace of its responses is left in SQLite's free pages.
    wiped = models.BooleanField(default=False, editable=False)

    def __str__(self) -> str:
        return self.sha256


class Cut(models.Model):
    """The report groups of a survey, in one row: the groups that readers without row access see.

    At most three background questions define them. The answers to each question are divided into
    groups, and a combination of one group of each question is a cell. The row has a tally for each
    cell, and no finer background answers.

    fieldwork.responses.background_groups creates the row after the survey is closed, and updates it
    after later closings. results.disclosure.access decides who reads what.
    """

    instrument = models.OneToOneField(
        Instrument, models.CASCADE, primary_key=True, related_name="cut", editable=False
    )
    # The day of the closing whose responses the cells count.
    on = models.DateField(editable=False)
    # The number of released responses when the groups were last created or updated.
    n = models.PositiveIntegerField(editable=False)
    # The first code of each group, by question: {question key: [first code of each group]}. A group
    # ends before the first code of the next one.
    starts = models.JSONField(editable=False)
    # The tally of each cell, without background answers: {"0,1": tally}. The key of a cell has the
    # index of a group for each question.
    cells = models.JSONField(editable=False)
    # The numbers of responses in each cell that later closings released: [{"0,1": n}]. The cells
    # that readers see do not count these responses yet.
    layers = models.JSONField(default=list, editable=False)

    def __str__(self) -> str:
        return f"as of {self.on}"


class Round(models.Model):
    """One round of candidate texts for a question with written answers, and their counts.

    texts: the candidates as they were typed.
    counted: {"n": n, "sums": [...]} as the mechanism counts the candidates in the responses that
        were released by then; empty until these responses are read.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="rounds", editable=False
    )
    # The key of the question.
    key = models.CharField(max_length=32, editable=False)
    # The number of the round among the rounds of the question, counted from 1.
    number = models.PositiveSmallIntegerField(editable=False)
    # The time at which the candidates were added.
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
    """One randomized response in the inbox, on its way into a batch.

    On purpose there are only these four fields: no user, token, address, user agent, time or
    sequence. Sealing removes `record` and stores the date. The key stays for a day, so that a retry
    is recognized, and is deleted then. In a survey with tickets the key is that of a spent ticket,
    and stays without a date until the tickets are finished.
    """

    # The device has chosen the key at random, or it is that of the ticket.
    key = models.UUIDField(primary_key=True, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, editable=False, db_index=False)
    # The stored bytes of the reports; null once the response is sealed.
    record = models.BinaryField(null=True)
    # The day of the sealing; null in the inbox, and for spent tickets.
    sealed_on = models.DateField(null=True, editable=False)

    class Meta:
        # Few responses wait in the inbox, but a busy day leaves many keys without a record. These
        # must not slow down the counting of the responses that wait.
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
    """Up to some ten thousand records in one value, in random order.

    n: the number of records.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    n = models.PositiveIntegerField(editable=False)
    records = models.BinaryField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.n} responses"


class Held(Records):
    """Pending responses, which are sealed and not released.

    Only fieldwork.responses.held and fieldwork.responses.release read this table.
    """

    instrument = models.ForeignKey(Instrument, models.PROTECT, related_name="held", editable=False)

    class Meta:
        verbose_name_plural = "held"


class Batch(Records):
    """Released responses. The report and the exports are made of these."""

    instrument = models.ForeignKey(
        Instrument, models.PROTECT, related_name="batches", editable=False
    )

    class Meta:
        verbose_name_plural = "batches"
