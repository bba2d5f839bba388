"""A file of responses on its way in. Nothing of it counts before all of it is there; then nothing of this is left."""

import uuid

from django.conf import settings
from django.db import models

from surveys.models.surveys import Survey


class Import(models.Model):
    """One file that comes in parts, for as long as it comes; afterwards its number of rows, for a day."""

    class State(models.TextChoices):
        TAKING = "taking"  # parts come
        WRONG = "wrong"  # it has problems: it can only be cancelled
        DONE = "done"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="imports", editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.TAKING, editable=False)
    day = models.DateField(editable=False)  # of the last part
    mapping = models.JSONField(
        null=True, editable=False
    )  # as asked for, in the words of the feature `response_import`
    header = models.JSONField(
        default=list, editable=False
    )  # names of the columns; empty before the first part
    parts = models.PositiveIntegerField(default=0, editable=False)  # that have come
    total_parts = models.PositiveIntegerField(
        null=True, editable=False
    )  # of the file, where its sender says it
    rows = models.PositiveIntegerField(default=0, editable=False)  # responses that can be taken
    lines = models.PositiveIntegerField(
        default=0, editable=False
    )  # rows of the file, with header and empty ones
    missing = models.JSONField(
        default=dict, editable=False
    )  # {question key: responses without a report to it}
    codes = models.JSONField(
        default=dict, editable=False
    )  # {question key: {code: rows}}, of codes that need a meaning
    blank = models.PositiveIntegerField(
        null=True, editable=False
    )  # an empty row with none behind it so far
    hollow = models.PositiveIntegerField(
        default=0, editable=False
    )  # rows of empty cells with none behind them so far
    rest = models.BinaryField(
        default=b"", editable=False
    )  # the start of a row that ends in the next part
    held = models.BinaryField(default=b"", editable=False)  # records, shuffled, too few for a piece
    tally = models.JSONField(
        default=dict, editable=False
    )  # what the pieces add up to, as an instrument's
    problems = models.JSONField(
        default=list, editable=False
    )  # [{"row", "column", "message"}], the first of them
    found = models.PositiveIntegerField(default=0, editable=False)  # problems in all

    class Meta:
        indexes = [models.Index(fields=["day"], name="import_day")]

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.state}"

    @property
    def is_whole(self) -> bool:
        """Whether all parts are known to have come."""
        return self.parts == self.total_parts


class Part(models.Model):
    """That a part of a file has come, to know it again when it is sent twice."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    file = models.ForeignKey(Import, models.CASCADE, related_name="come", editable=False)
    number = models.PositiveIntegerField(editable=False)  # from 1
    sha256 = models.CharField(max_length=64, editable=False)  # of its bytes

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="part_once_a_file")]

    def __str__(self) -> str:
        return f"part {self.number}"


class Piece(models.Model):
    """What becomes a batch when the file is complete; until then no report and no export sees it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    file = models.ForeignKey(Import, models.CASCADE, related_name="pieces", editable=False)
    n = models.PositiveIntegerField(editable=False)
    records = models.BinaryField(editable=False)  # shuffled

    def __str__(self) -> str:
        return f"{self.n} responses"
