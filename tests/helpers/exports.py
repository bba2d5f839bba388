"""The files of a survey as people download them."""

from surveys.export import find_file
from surveys.models import Instrument


def export_file(instrument: Instrument, name: str = "responses.csv") -> bytes:
    """Return the content of an exported file."""
    return b"".join(find_file(name).stream(instrument))


def csv_of(instrument: Instrument, name: str = "responses.csv") -> str:
    """Return an exported CSV file as text, without its byte order mark."""
    return export_file(instrument, name).decode("utf-8-sig")
