"""What “make demo” opens on: a study of misconduct at a university, and beside it a survey with known figures and
drafts of each design.
"""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.demo import census, drafts, misconduct
from surveys.models import Survey

TITLES = (misconduct.TITLE, census.TITLE, *(draft["title"] for draft in drafts.documents()))  # of what is loaded


@transaction.atomic
def load(owner: AbstractBaseUser) -> Survey:
    """All of it, the study last so that lists begin with it; returns that. Where the study is there nothing is done."""
    if (found := study()) is not None:
        return found
    drafts.load(owner)
    census.load(owner)
    return misconduct.load(owner)


def study() -> Survey | None:
    """The study of misconduct, where it was loaded; it may have been closed since, and have more answers."""
    return Survey.objects.filter(slug=misconduct.SLUG).select_related("instrument").first()
