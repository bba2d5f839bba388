"""A check that a survey can still be changed, for everything that changes a draft."""

from surveys.models import Survey
from surveys.site.errors import Refused


def require_draft(survey: Survey) -> None:
    """Raise Refused if the survey is published."""
    if not survey.is_draft:
        raise Refused("A published survey can’t be changed. Create a new version instead.")
