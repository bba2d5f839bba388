"""When the commands that timers start last came to their end, which tables have to be rewritten, and which database
this is.
"""

from django.db import models


class Run(models.Model):
    """One row for each command, overwritten each time.

    The rows that surveys.site.postgres_tables writes name a table, and their time says nothing.
    """

    command = models.CharField(max_length=20, primary_key=True, editable=False)
    finished = models.DateTimeField(editable=False)
    # Of `seal`: clocks that are not believed yet, by the start of the machine that saw them: surveys.site.clock.
    sights = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return self.command


class DatabaseIdentity(models.Model):
    """The database in which this row was written, in its only row: surveys.site.database_identity."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    identity = models.CharField(max_length=60, editable=False)

    def __str__(self) -> str:
        return self.identity
