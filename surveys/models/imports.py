"""The models of a file of responses that is being imported.

Nothing of the file counts before all of it has arrived. Then only the row of Import is left.
"""

import uuid

from django.conf import settings
from django.db import models

from surveys.models.surveys import Survey


class Import(models.Model):
    """A file whose parts are arriving. For a day afterwards its number of responses is stored."""

    class State(models.TextChoices):
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
    # The mapping as its sender stated it: see the feature `response_import`.
    mapping = models.JSONField(null=True, editable=False)
    # The names of the columns; empty before the first part.
    header = models.JSONField(default=list, editable=False)
    # The number of parts that have arrived.
    parts = models.PositiveIntegerField(default=0, editable=False)
    # The number of parts of the file; null if its sender does not say it.
    total_parts = models.PositiveIntegerField(null=True, editable=False)
    # The number of responses that can be imported.
    rows = models.PositiveIntegerField(default=0, editable=False)
    # The number of rows of the file, the header and empty rows included.
    lines = models.PositiveIntegerField(default=0, editable=False)
    # The number of responses without a report to a question: {question key: number}.
    missing = models.JSONField(default=dict, editable=False)
    # The number of rows with a code, for codes whose meaning has to be stated:
    # {question key: {code: number}}.
    codes = models.JSONField(default=dict, editable=False)
    # The row number of an empty row that no filled row has followed so far.
    blank = models.PositiveIntegerField(null=True, editable=False)
    # The number of rows of empty cells that no filled row has followed so far.
    hollow = models.PositiveIntegerField(default=0, editable=False)
    # The start of a row that ends in the next part.
    rest = models.BinaryField(default=b"", editable=False)
    # Shuffled records that are still too few for a piece.
    held = models.BinaryField(default=b"", editable=False)
    # The tally of all pieces, in the form of an instrument's.
    tally = models.JSONField(default=dict, editable=False)
    # The first problems of the file: [{"row", "column", "message"}].
    problems = models.JSONField(default=list, editable=False)
    # The number of all problems.
    found = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        # Old rows are found by their day, and deleted.
        indexes = [models.Index(fields=["day"], name="import_day")]

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.state}"

    @property
    def is_whole(self) -> bool:
        """True if all parts are known to have arrived."""
        return self.parts == self.total_parts


class Part(models.Model):
    """A part of a file that has arrived, so that it is recognized if it is sent again.

    Only its number and hash are stored. The responses in it become Pieces.
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
    """Records of a file that become a batch when the file is complete.

    Until then no report and no export reads them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    file = models.ForeignKey(Import, models.CASCADE, related_name="pieces", editable=False)
    # The number of records.
    n = models.PositiveIntegerField(editable=False)
    # The records in random order.
    records = models.BinaryField(editable=False)

    def __str__(self) -> str:
        return f"{self.n} responses"
