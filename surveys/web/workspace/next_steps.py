"""What the people of a published survey may want to do next: the first three that hold."""

from surveys import extensions
from surveys.accounts.access import Right
from surveys.extensions import Step
from surveys.models import Role, Survey

MOST = 3
NO_EDITOR = "If you lose your account, no one else can close this survey."


def next_steps(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    """Return at most three steps for a survey with `n` responses in the report."""
    steps = _over(survey, rights, n) if survey.is_over else _running(survey, rights, n)
    first_steps = []
    for suggest_steps in extensions.next_steps:
        for step in suggest_steps(survey, rights, n):
            if step.is_first:
                first_steps.append(step)
            else:
                steps.insert(_position(step, steps), step)
    return [*first_steps, *steps][:MOST]


def _position(step: Step, steps: list[Step]) -> int:
    """Return the place of a feature's step: behind the step that it names, or behind all."""
    urls = [other.url for other in steps]
    return urls.index(step.after) + 1 if step.after in urls else len(steps)


def _over(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    steps = []
    if Right.REPORT in rights and n:
        steps.append(
            Step(
                "Read the report",
                "It only changes if you reopen the survey.",
                "Open report",
                "report",
            )
        )
    if Right.ROWS in rights and n:
        steps.append(
            Step("Download the responses", "For Excel, SPSS, Stata, R or Python.", "Files", "files")
        )
    if Right.WRITE in rights:
        why = "A new version can be compared with this one."
        steps.append(Step("Ask again", why, "New version", "settings", "copies"))
    return steps


def _running(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    steps = []
    if Right.WRITE in rights and survey.state == "open" and not survey.closes:
        why = "Without one, the survey stays open until you close it."
        steps.append(Step("Set a closing date", why, "Set date", "settings", "dates"))
    if Right.MANAGE in rights and not survey.memberships.filter(role=Role.EDITOR).exists():
        steps.append(Step("Invite an editor", NO_EDITOR, "Invite", "people", "team"))
    if Right.REPORT in rights and n:
        steps.append(
            Step(
                "Read what is known so far",
                "The report grows with each update.",
                "Open report",
                "report",
            )
        )
    return steps
