"""What may be done with a survey that is a draft, and with one that is published."""

from surveys.models import Survey
from surveys.site.errors import Refused


def require_draft(survey: Survey) -> None:
    if not survey.is_draft:
        raise Refused("A published survey can’t be changed. Create a new version instead.")
