"""A file as an answer to a request, for workspace and API alike: rights asked, history written, bytes streamed."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404

from surveys.accounts import access, history
from surveys.accounts.access import Right, User
from surveys.export.format import File
from surveys.export.formats import files, find_file, in_report, require_room
from surveys.fieldwork.responses.released import require_rows
from surveys.models import Instrument
from surveys.site.turn import Download


def download(request: HttpRequest, slug: str, name: str) -> StreamingHttpResponse:
    """The file of this name, in the form that the address asks for: `form`, which was called `marks`.

    Http404 where survey, instrument, file or form do not exist for this person, PermissionDenied without the right.

    Refused where the file holds responses and these are deleted, or more than it takes; site.turn.Busy while another
    large file is on its way. HEAD gives no rows, so it writes no history.
    """
    file = find_file(name, request.GET.get("form", request.GET.get("marks")))
    if file is None:
        raise Http404("There is no such file.")
    instrument = published(request.user, slug, has_rows=file.has_rows)
    if file.has_rows:
        require_rows(instrument)
        require_room(file, instrument)
        pieces: Iterator[bytes] | Download = Download(file.stream(instrument), in_report(instrument))
        if request.method == "GET":
            history.record(instrument.survey, request.user, history.What.EXPORTED, file.name)
    else:  # made whole, so that what fails is an answer that says so and not a file that breaks off
        pieces = iter([b"".join(file.stream(instrument))])
    response = StreamingHttpResponse(pieces, content_type=file.media_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response


def published(user: User, slug: str, *, has_rows: bool = False) -> Instrument:
    """The instrument of a survey whose report, or whose rows, the person may read."""
    surveys = access.readable_by(user)
    if has_rows:
        access.survey_for(user, slug, Right.ROWS)
        surveys = access.surveys_of(user, Right.ROWS)
    found = Instrument.objects.select_related("survey")
    instrument: Instrument = get_object_or_404(found, survey__in=surveys, survey__slug=slug)
    return instrument


def files_for(user: User, instrument: Instrument) -> list[type[File]]:
    """The files that this person may have."""
    has_rows = Right.ROWS in access.rights(user, instrument.survey) and instrument.deleted_on is None
    return [file for file in files() if has_rows or not file.has_rows]
