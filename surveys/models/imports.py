"""The models of a file of responses that is being imported.

Nothing of the file counts before all of it has arrived. Then only the row of Import is left.
"""

import uuid

from django.conf import settings
from django.db import models

from surveys.models.surveys import Survey


class Import(models.Model):
    """A file of responses that a researcher sends in parts, and how far its import has come.

    The row is created before the first part, and deleted on the second day after the last one. When
    the sender finishes the import, the responses of the file become a part of the survey.
    """

    class State(models.TextChoices):
        """The state of an import: parts arrive, and then it is done, or the file has problems."""

        # Parts of the file arrive.
        TAKING = "taking"
        # The file has problems, and can only be cancelled.
        WRONG = "wrong"
        # The responses of the file are imported.
        DONE = "done"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="imports", editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.TAKING, editable=False)
    # The day on which the last part arrived.
    day = models.DateField(editable=False)
    # Which columns have the answers to which questions, as far as the sender has stated it: see the
    # feature `response_import`.
    mapping = models.JSONField(null=True, editable=False)
    # The names of the columns; empty before the first part.
    header = models.JSONField(default=list, editable=False)
    # The number of parts that have arrived.
    parts = models.PositiveIntegerField(default=0, editable=False)
    # The number of parts of the file; null if its sender does not say it.
    total_parts = models.PositiveIntegerField(null=True, editable=False)
    # The number of responses that can be imported.
    rows = models.PositiveIntegerField(default=0, editable=False)
    # The number of rows without an answer to any question, which are left out.
    left_out = models.PositiveIntegerField(default=0, editable=False)
    # The number of rows of the file, the header and empty rows included.
    lines = models.PositiveIntegerField(default=0, editable=False)
    # The number of responses that have no answer to a question: {question key: number}.
    missing = models.JSONField(default=dict, editable=False)
    # The number of rows with each value whose meaning the sender has to state, such as 1 for
    # “Yes”: {question key: {value: number}}.
    codes = models.JSONField(default=dict, editable=False)
    # Spreadsheets leave empty rows at the end of a file, and only there they mean nothing. Whether
    # a filled row follows is known only with a later part. Until then, this is the number of the
    # first empty row.
    blank = models.PositiveIntegerField(null=True, editable=False)
    # The start of a row that ends in the next part.
    rest = models.BinaryField(default=b"", editable=False)
    # Shuffled records that are still too few for a Piece.
    held = models.BinaryField(default=b"", editable=False)
    # The counts of the answers in all pieces, in the form of `Instrument.tally`.
    tally = models.JSONField(default=dict, editable=False)
    # The first problems of the file: [{"row", "column", "message"}].
    problems = models.JSONField(default=list, editable=False)
    # The number of all problems, also of those that are not stored.
    found = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        # Old rows are found by their day, and deleted.
        indexes = [models.Index(fields=["day"], name="import_day")]

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.state}"

    @property
    def is_whole(self) -> bool:
        """True if all parts have arrived. It is never true if their number was not stated."""
        return self.parts == self.total_parts


class Part(models.Model):
    """A note that a part of a file has arrived, so that it is recognized if it is sent again.

    The part itself is not stored. The responses in it become Pieces.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The related name is short for “the parts that have come”.
    file = models.ForeignKey(Import, models.CASCADE, related_name="come", editable=False)
    # The number of the part in the file, counted from 1.
    number = models.PositiveIntegerField(editable=False)
    # The hash of the bytes of the part.
    sha256 = models.CharField(max_length=64, editable=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="part_once_a_file")]

    def __str__(self) -> str:
        return f"part {self.number}"


class Piece(models.Model):
    """Some of the responses of a file, which become a Batch when the file is complete.

    Until then no report and no export reads them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    file = models.ForeignKey(Import, models.CASCADE, related_name="pieces", editable=False)
    # The number of records.
    n = models.PositiveIntegerField(editable=False)
    # The responses in their stored bytes, in random order.
    records = models.BinaryField(editable=False)

    def __str__(self) -> str:
        return f"{self.n} responses"
