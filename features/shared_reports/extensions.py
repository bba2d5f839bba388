from features.shared_reports import receivers  # noqa: F401 (connects it to the signals)
from features.shared_reports.links import delete_links_again
from features.shared_reports.sections import RESULTS
from surveys.accounts.access import Right
from surveys.extensions import (
    Action,
    Page,
    RemovalKind,
    Step,
    actions,
    next_steps,
    pages,
    removal_kinds,
    reopening_notes,
    sections,
)
from surveys.models import Survey
from surveys.site.removals import Kind

pages.register(Page("share-links", tab="report", actions=()))
actions.register(Action("Share", "share-links", ("closed",), Right.WRITE, page="report"))
sections.register(RESULTS)
removal_kinds.register(RemovalKind(Kind.REPORT_LINK, delete_links_again))


@next_steps.register
def suggest_publication(survey: Survey, rights: set[Right], n: int) -> list[Step]:
    """Return the step to publish the results, where a closed survey has results that are not public."""
    may_publish = Right.WRITE in rights and survey.is_over and not survey.public_results
    if not may_publish or not n:
        return []
    why = "Then anyone can read them, with report groups of 30 people or more."
    return [
        Step("Publish the results", why, "Publish results", "settings", "results", after="report")
    ]


@reopening_notes.register
def tell_what_is_withdrawn(survey: Survey) -> list[str]:
    """Return what reopening a survey takes back from everyone outside its team."""
    notes = []
    if survey.public_results:
        notes.append("The results are no longer public.")
    if survey.report_links.exists():
        notes.append("All links to the report end.")
    return notes
