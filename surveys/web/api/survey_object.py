"""A survey as the API shows it: what its author wrote, and what the site says of it."""

from typing import Any

from surveys.authoring.drafts import content
from surveys.models import Survey


def shown(survey: Survey) -> dict[str, Any]:
    instrument = getattr(survey, "instrument", None)
    return {
        "slug": survey.slug,
        "status": survey.status,
        "created": survey.created,
        "edition": survey.edition,
        "invented": survey.invented,
        "instrument": instrument.sha256 if instrument else None,
        **content.survey_content(survey),
    }
