"""The models of the last runs of commands, of tables to rewrite, and of the database's identity."""

from django.db import models


class Run(models.Model):
    """The end of the last run of a command that a timer starts. Each run overwrites the row.

    The rows of surveys.site.postgres_tables name a table instead, and their time means nothing.
    """

    # The name of the command, such as "seal", or "rewrite " and the name of a model.
    command = models.CharField(max_length=20, primary_key=True, editable=False)
    finished = models.DateTimeField(editable=False)
    # For the command `seal`: the times of clocks that are not believed yet, by the id of the start
    # of the machine. See surveys.site.clock.
    sights = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return self.command


class DatabaseIdentity(models.Model):
    """The identity that the database had when this row, the only one, was written.

    If the database now has another one, it was restored from a backup: see
    surveys.site.database_identity.
    """

    # Always 1, so that there is no second row.
    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    # Empty in a backup of SQLite's file.
    identity = models.CharField(max_length=60, editable=False)

    def __str__(self) -> str:
        return self.identity
