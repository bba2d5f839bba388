"""The files of a survey as people download them."""

import json

from surveys.export import find_file
from surveys.export.text import JsonArray
from surveys.models import Instrument


def export_file(instrument: Instrument, name: str = "responses.csv") -> bytes:
    """Return the content of an exported file; `name` is the name under which it is downloaded."""
    return b"".join(find_file(name).stream(instrument))


def json_rows(instrument: Instrument) -> list[dict[str, int | None]]:
    """Return the responses as the API gives them in JSON: column -> value."""
    rows: list[dict[str, int | None]] = json.loads(b"".join(JsonArray.stream(instrument)))
    return rows


def csv_of(instrument: Instrument, name: str = "responses.csv") -> str:
    """Return an exported CSV file as text, without its byte order mark.

    The mark, by which spreadsheet programs recognize UTF-8, would be part of the first heading.
    """
    return export_file(instrument, name).decode("utf-8-sig")
