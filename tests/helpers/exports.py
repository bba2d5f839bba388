"""The files of a survey as whoever downloads them has them."""

from surveys.export import find_file
from surveys.models import Instrument


def export_file(instrument: Instrument, name: str = "responses.csv") -> bytes:
    """Return the content of an exported file."""
    return b"".join(find_file(name).stream(instrument))


def csv_of(instrument: Instrument, name: str = "responses.csv") -> str:
    return export_file(instrument, name).decode("utf-8-sig")
