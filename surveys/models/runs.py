"""The models of the last runs of commands, the identity of the database, and removals."""

from django.db import models


class Run(models.Model):
    """The end of the last run of a command that a timer starts, such as “manage.py seal”.

    There is one row for each command, and each run overwrites it. Other rows note that a table has
    to be rewritten, and one has the restore mark. Their times mean nothing: see
    surveys.site.postgres_tables and surveys.operation.restore_mark.
    """

    # The name of the command, such as "seal". In a note about a table it is "rewrite " and the name
    # of its model, and in the row with the restore mark "mark " and the mark.
    command = models.CharField(max_length=20, primary_key=True, editable=False)
    finished = models.DateTimeField(editable=False)
    # Only for the command `seal`: the times of clocks that are not believed yet, by the id of the
    # start of their machine: {id: {"clock": time, "running": seconds}}. See surveys.site.clock.
    sights = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return self.command


class DatabaseIdentity(models.Model):
    """The identity that the database had when this row was written. It is the only row.

    If the database has another identity now, it was restored from a backup, and this row came with
    it. surveys.site.database_identity says what the identity is.
    """

    # Always 1, so that there is no second row.
    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    # "" in a backup of SQLite's file, so that a restored file is recognized too.
    identity = models.CharField(max_length=60, editable=False)

    def __str__(self) -> str:
        return self.identity


class Removal(models.Model):
    """A thing that was removed, until the journal of removals has it: see surveys.site.removals."""

    # One of surveys.site.removals.Kind.
    kind = models.CharField(max_length=11, editable=False)
    # The id of what was removed. surveys.operation.repeated_removals says of which model it is.
    removed_id = models.CharField(max_length=60, editable=False)
    day = models.DateField(editable=False)

    def __str__(self) -> str:
        return f"{self.kind}, {self.day}"
