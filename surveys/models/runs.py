"""When the commands that timers start last came to their end; nothing is noted of what they did."""

from django.db import models


class Run(models.Model):
    """One row for each command, overwritten each time."""

    command = models.CharField(max_length=20, primary_key=True, editable=False)
    finished = models.DateTimeField(editable=False)
    # Of `seal`: clocks that are not believed yet, by the start of the machine that saw them: surveys.site.clock.
    sights = models.JSONField(default=dict, editable=False)

    def __str__(self) -> str:
        return self.command
