"""The models of answers. An answer arrives as a Response, in the inbox, and ends in a Batch.

Nothing in these models names a respondent.
"""

import uuid

from django.db import models

from surveys.models.surveys import Survey


class Instrument(models.Model):
    """The questions of a published survey as JSON that never changes, and counts of its answers.

    Publishing creates this row. Respondents' pages, reports and exports are made of `content`, and
    `tally` counts the randomized answers in the responses that were released so far.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.OneToOneField(Survey, models.PROTECT, related_name="instrument")
    # The hash of `content`, in hexadecimal digits.
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    # The JSON with questions, choices and probabilities, which surveys.definition.parsing reads.
    content = models.TextField(editable=False)
    # The short names of the questions, which are not part of the hash: see
    # surveys.definition.short_names. The dictionary is empty in older instruments.
    short_names = models.JSONField(default=dict, editable=False)
    # The code of the choice “none of these” by question key, which is not part of the hash either:
    # see surveys.definition.none_of_these.none_codes.
    nones = models.JSONField(default=dict, editable=False)
    # The values that stand for the answers in files, by question key, for the questions whose author
    # wrote them. They are not part of the hash. Null in instruments from before there were values,
    # whose files have codes from 0: see surveys.definition.values.
    values = models.JSONField(null=True, editable=False)
    # The counts of all released responses, as surveys.fieldwork.responses.records.count_responses
    # makes them. Each release adds to them.
    tally = models.JSONField(default=dict, editable=False)
    # The most likely shares of the answers, which take long to compute:
    # {"n": responses, "shares": {question key: [...]}}. See
    # surveys.results.estimates.maximum_likelihood.
    likeliest = models.JSONField(default=dict, editable=False)
    # The number of responses that the last release run did not release, whether they were sealed or
    # not. It is rounded down to a multiple of 20, so that it does not show who has just answered.
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
    """The report groups of a survey: the groups by which readers without row access can filter.

    At most three background questions define them, such as age and region. The answers to each
    question are divided into groups, and a cell is a combination of one group of each question. The
    row has a tally for each cell, and no finer background answers.

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
    # The first answer of each group, by question: {question key: [first code of each group]}. Codes
    # are the numbers of the answers, and a group ends before the first code of the next one.
    starts = models.JSONField(editable=False)
    # The tally of each cell, without background answers: {"0,1": tally}. The key of this cell means
    # the first group of the first question, and the second group of the second question.
    cells = models.JSONField(editable=False)
    # The numbers of responses in each cell that later closings released: [{"0,1": n}]. The cells
    # that readers see do not count these responses yet.
    layers = models.JSONField(default=list, editable=False)

    def __str__(self) -> str:
        return f"as of {self.on}"


class Round(models.Model):
    """Texts that the team wants to have counted in a question with written answers.

    Reports of written answers do not show the texts. So the team adds rounds of candidate texts,
    and the site estimates how many people wrote each one.
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
    # The candidates as they were typed.
    texts = models.JSONField(editable=False)
    # {"n": responses, "sums": [...]}: what the mechanism of the question has counted for each
    # candidate in the released responses. It is empty until these responses are read.
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


class InboxKey(models.Model):
    """A public key under which responses are encrypted in the inbox.

    The private key is a file outside the database: see surveys.fieldwork.responses.inbox_keys. Both
    are deleted when no response is encrypted under them any more.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The 32 bytes of an X25519 key.
    public = models.BinaryField(editable=False)
    # True for the key of new responses.
    is_current = models.BooleanField(default=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["is_current"],
                condition=models.Q(is_current=True),
                name="one_current_inbox_key",
            )
        ]

    def __str__(self) -> str:
        return "current" if self.is_current else "replaced"


class Response(models.Model):
    """One randomized response in the inbox, where it waits until it is sealed.

    On purpose there are only these five fields: no user, token, address, user agent, time or
    sequence. Sealing moves `record` to a Held row, without its encryption, and stores the date
    here. The key stays for a day, so that a response that is sent twice is recognized, and is then
    deleted. In a survey with tickets the key is that of a spent ticket. It stays without a date
    until the tickets are finished, so that no ticket is used twice.
    """

    # The device has chosen the key at random, or it is that of the ticket.
    key = models.UUIDField(primary_key=True, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, editable=False, db_index=False)
    # The randomized answers as bytes, encrypted under `inbox_key`; null once the response is
    # sealed.
    record = models.BinaryField(null=True)
    # Null without a record, and where an earlier version stored the record without encryption.
    # Protected, so that a key is never deleted before the last response that needs it.
    inbox_key = models.ForeignKey(
        InboxKey, models.PROTECT, null=True, editable=False, db_index=False
    )
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
    """Base class of the models that hold many responses in one row, in random order.

    A record is one response in its stored bytes. A row has up to some ten thousand records.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The number of records.
    n = models.PositiveIntegerField(editable=False)
    # The records one after another, which all have the same length.
    records = models.BinaryField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.n} responses"


class Held(Records):
    """Responses that are sealed and not released yet, so that no report counts them.

    Only fieldwork.responses.held and fieldwork.responses.release read this table.
    """

    instrument = models.ForeignKey(Instrument, models.PROTECT, related_name="held", editable=False)

    class Meta:
        verbose_name_plural = "held"


class Batch(Records):
    """Responses that were released: the report and the exports are made of all batches."""

    instrument = models.ForeignKey(
        Instrument, models.PROTECT, related_name="batches", editable=False
    )

    class Meta:
        verbose_name_plural = "batches"
