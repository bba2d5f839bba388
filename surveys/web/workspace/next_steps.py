"""What the people of a published survey may want to do next: the first three that hold."""

from dataclasses import dataclass

from features.demo import invented
from features.invitations import outbox
from surveys.accounts.access import Right
from surveys.models import Role, Survey
from surveys.site.number_format import count

MOST = 3
FILL = "Only in this demo: a simulation answers like respondents. The survey is marked “Invented answers” for good."
NO_EDITOR = "If you lose your account, no one else can close this survey."


@dataclass(frozen=True)
class Step:
    """url: the name of its page; part: of the page. is_post: the button does it at once, and may take a moment."""

    title: str
    why: str
    button: str
    url: str
    part: str = ""
    is_post: bool = False


def next_steps(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    """n: responses in the report."""
    steps = _over(survey, rights, n) if survey.is_over else _running(survey, rights, n)
    return steps[:MOST]


def _over(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    steps = []
    if Right.REPORT in rights and n:
        steps.append(Step("Read the report", "It only changes if you reopen the survey.", "Open report", "report"))
    if Right.WRITE in rights and n and not survey.public_results:
        why = "Then anyone can read them, with report groups of 30 people or more."
        steps.append(Step("Publish the results", why, "Publish results", "settings", "results"))
    if Right.ROWS in rights and n:
        steps.append(Step("Download the responses", "For Excel, SPSS, Stata, R or Python.", "Files", "files"))
    if Right.WRITE in rights:
        why = "A new version can be compared with this one."
        steps.append(Step("Ask again", why, "New version", "settings", "copies"))
    return steps


def _running(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    steps = []
    if Right.WRITE in rights and invented.takes_some(survey):
        button = f"Send {count(invented.N)} invented answers"
        steps.append(Step("Fill the report", FILL, button, "invented-answers", is_post=True))
    if Right.WRITE in rights and survey.state == "open" and not survey.closes:
        why = "Without one, the survey stays open until you close it."
        steps.append(Step("Set a closing date", why, "Set date", "settings", "dates"))
    if Right.OWN in rights and not survey.memberships.filter(role=Role.EDITOR).exists():
        steps.append(Step("Invite an editor", NO_EDITOR, "Invite", "people", "team"))
    if Right.REPORT in rights and n:
        steps.append(Step("Read what is known so far", "The report grows with each update.", "Open report", "report"))
    if Right.INVITE in rights and survey.tickets and outbox.gives_out(survey):
        why = "People who have no ticket yet can be reminded by email."
        steps.append(Step("Send a reminder", why, "Invitation list", "invite"))
    return steps
