"""The commands that timers start, and how long ago they came to their end."""

from datetime import datetime, timedelta

from django.db.migrations.recorder import MigrationRecorder

from surveys.models import Mail, Run, Webhook
from surveys.site import clock

# Since the last end of a command, until something is wrong. `seal` may compute for minutes after a closing; a night's
# backup may be missed once.
PATIENCE = {
    "seal": timedelta(hours=1),
    "deliver": timedelta(minutes=15),
    "backup": timedelta(days=2),
}


def note(command: str) -> None:
    """This command has just come to its end."""
    if command == clock.COMMAND:
        clock.note_run()
    else:
        Run.objects.update_or_create(command=command, defaults={"finished": clock.now()})


def finished() -> dict[str, datetime]:
    """When each command last came to its end; those that never did are missing."""
    return dict(Run.objects.filter(command__in=PATIENCE).values_list("command", "finished"))


def expected_commands() -> list[str]:
    """The commands that this site's timers have to start. Without webhooks and mails there is nothing to deliver; the
    first backup has its time from the last installation or update on.
    """
    commands = ["seal"]
    if Webhook.objects.exists() or Mail.objects.exists():
        commands.append("deliver")
    if not has_time_for_first_run("backup") or Run.objects.filter(command="backup").exists():
        commands.append("backup")
    return commands


def has_time_for_first_run(command: str) -> bool:
    """Return whether the last installation or update is so recent that the command need not have finished since."""
    updated = clock.happened(_last_update())
    return updated is not None and updated >= clock.clock_now() - PATIENCE[command]


def _last_update() -> datetime:
    return MigrationRecorder.Migration.objects.filter(app="surveys").latest("applied").applied
