"""Answers a request with a file, for workspace and API alike: asks rights, writes history, streams bytes."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, StreamingHttpResponse

from surveys.accounts import history
from surveys.export.access import published
from surveys.export.formats import find_file, in_report, require_room
from surveys.fieldwork.responses.released import require_rows
from surveys.site.turn import Download


def download(request: HttpRequest, slug: str, name: str) -> StreamingHttpResponse:
    """Return the file of this name, in the form that the address asks for: `form`, which was called `marks`.

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
        pieces: Iterator[bytes] | Download = Download(
            file.stream(instrument), in_report(instrument)
        )
        if request.method == "GET":
            history.record(instrument.survey, request.user, history.What.EXPORTED, file.name)
    else:  # made whole, so that what fails is an answer that says so and not a file that breaks off
        pieces = iter([b"".join(file.stream(instrument))])
    response = StreamingHttpResponse(pieces, content_type=file.media_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response
