from features.demo import invented
from surveys.accounts.access import Right
from surveys.extensions import Step, next_steps
from surveys.models import Survey
from surveys.site.number_format import format_count

FILL = "Only in this demo: a simulation answers like respondents. The survey is marked “Invented answers” for good."


@next_steps.register
def fill_the_report(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    if Right.WRITE not in rights or not invented.takes_some(survey):
        return []
    button = f"Send {format_count(invented.N)} invented answers"
    return [Step("Fill the report", FILL, button, "invented-answers", is_post=True, is_first=True)]
