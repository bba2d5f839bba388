"""What “make demo” opens on: a study of misconduct at a university, and beside it a survey with known figures and
drafts of each design.
"""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.demo import census, drafts, invented, misconduct
from surveys.models import Survey

TITLES = (
    misconduct.TITLE,
    census.TITLE,
    *(draft["title"] for draft in drafts.documents()),
)  # of what is loaded


@transaction.atomic
def load(owner: AbstractBaseUser) -> Survey:
    """All of it, the study last because lists begin with it; returns that. What is there already is not loaded again,
    but marked where an earlier version did not."""
    loaded = study()
    if loaded is None:
        drafts.load(owner)
    for survey, n in (
        (census.load(owner), census.PEOPLE),
        (loaded or misconduct.load(owner), misconduct.PEOPLE),
    ):
        if not survey.invented:
            invented.mark(survey, None, n)
    return survey


def study() -> Survey | None:
    """The study of misconduct, where it was loaded; it may have been closed since, and have more answers."""
    return Survey.objects.filter(slug=misconduct.SLUG).select_related("instrument").first()
