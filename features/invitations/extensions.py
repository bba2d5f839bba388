from features.invitations import outbox
from features.invitations.restored_mails import complete_restore
from features.invitations.tasks import send_mails
from surveys.accounts.access import Right
from surveys.extensions import (
    Page,
    PeriodicTask,
    Step,
    next_steps,
    pages,
    periodic_tasks,
    restore_steps,
)
from surveys.models import Survey

for name in ("tickets", "invite", "letters", "letter"):
    pages.register(Page(name, tab="people"))
periodic_tasks.register(PeriodicTask("deliver", send_mails))
restore_steps.register(complete_restore)


@next_steps.register
def suggest_reminder(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    """Return the step to remind people, where a running survey has a list of invited people to remind."""
    may_remind = Right.INVITE in rights and survey.tickets and not survey.is_over
    if not may_remind or not outbox.gives_out(survey):
        return []
    why = "People who have no ticket yet can be reminded by email."
    return [Step("Send a reminder", why, "Invitation list", "invite")]
