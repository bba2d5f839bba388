"""Who may have which file of a survey."""

from django.shortcuts import get_object_or_404

from surveys.accounts import access
from surveys.accounts.access import Right, User
from surveys.export.format import File
from surveys.export.formats import files
from surveys.models import Instrument


def published(user: User, slug: str, *, has_rows: bool = False) -> Instrument:
    """Return the instrument of a survey whose report, or whose rows, a person may read.

    Raises Http404 where there is none for this person, and PermissionDenied without the right to rows.
    """
    surveys = access.readable_by(user)
    if has_rows:
        access.survey_for(user, slug, Right.ROWS)
        surveys = access.surveys_of(user, Right.ROWS)
    instruments = Instrument.objects.select_related("survey")
    instrument: Instrument = get_object_or_404(instruments, survey__in=surveys, survey__slug=slug)
    return instrument


def files_for(user: User, instrument: Instrument) -> list[type[File]]:
    """Return the files that a person may have."""
    has_rows = (
        Right.ROWS in access.rights(user, instrument.survey) and instrument.deleted_on is None
    )
    return [file for file in files() if has_rows or not file.has_rows]
