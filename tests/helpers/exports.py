"""The files of a survey as whoever downloads them has them."""

from surveys.export import find_file
from surveys.models import Instrument


def written(instrument: Instrument, name: str = "responses.csv") -> bytes:
    return b"".join(find_file(name).stream(instrument))


def csv_of(instrument: Instrument, name: str = "responses.csv") -> str:
    return written(instrument, name).decode("utf-8-sig")
