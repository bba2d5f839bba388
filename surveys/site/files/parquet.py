"""A Parquet file -> the same as CSV, read in a child process without Django: see surveys.site.files.untrusted.

Marks that are packed into bytes become the strings of responses-compact.csv: what they are stands in the codebook that
an export puts inside.
"""

import io
import json
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files.delimited import INCOMPLETE, Broken
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import Limits, WithText
from surveys.site.files.whole_table import read_table

START = b"PAR1"  # and the end
LIMITS = Limits(size=LARGEST_WHOLE_FILE, parts=0, memory=600_000_000, seconds=8)


def is_parquet(data: bytes) -> bool:
    return data.startswith(START)


def as_text(data: bytes, most: TableLimits) -> tuple[bytes, int]:
    """Return a file as CSV in UTF-8, and the version of the codebook inside, 0 if there is none. Raises Broken."""
    if not data.endswith(START) or len(data) < 12:
        raise Broken(INCOMPLETE)
    version, text = read_table(table, data, LIMITS, most)
    return text, version


def table(data: bytes, most: dict[str, Any]) -> WithText:
    """Return a file as CSV, and the version of its codebook. This runs in the child process.

    most: the fields of TableLimits.
    """
    import pyarrow as pa  # noqa: PLC0415 (large)
    import pyarrow.csv as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    file = pq.ParquetFile(io.BytesIO(data))
    limits, length = TableLimits(**most), file.metadata.num_rows + 1
    limits.require(rows=length, cells=length * file.metadata.num_columns)
    rows = file.read(use_threads=False)
    for place, field in enumerate(rows.schema):
        if pa.types.is_fixed_size_binary(field.type):
            rows = rows.set_column(
                place, field.name, pa.array(_strings(rows, field.name), pa.string())
            )
        elif pa.types.is_nested(field.type) or pa.types.is_binary(field.type):
            raise Unreadable(f"The column “{field.name[:60]}” holds neither numbers nor texts.")
    out = io.BytesIO()
    pc.write_csv(rows, out)
    book = _codebook(rows)
    limits.require(text=out.tell())
    return WithText(book.get("version", 1) if book else 0, out.getvalue())


def _codebook(rows: Any) -> dict[str, Any]:
    """What an export put inside; the first version had no number."""
    book: dict[str, Any] = json.loads((rows.schema.metadata or {}).get(b"candor.codebook", b"{}"))
    return book


def _strings(rows: Any, key: str) -> list[str | None]:
    """Packed marks as strings; None where there is no report. Of marks that were picked, these stand before them."""
    import numpy as np  # noqa: PLC0415

    (size,) = [len(each["choices"]) for each in _codebook(rows)["variables"] if each["name"] == key]
    column, width = rows.column(key).combine_chunks(), -(-size // 8)
    stored = np.frombuffer(
        b"".join(each or bytes(column.type.byte_width) for each in column.to_pylist()), np.uint8
    )
    picked, marks = np.full(width, 255, np.uint8), stored.reshape(len(column), -1)
    if marks.shape[1] != width:
        picked, marks = np.hsplit(marks, 2)
    letters = np.where(
        np.unpackbits(picked, axis=-1, count=size), np.unpackbits(marks, axis=1, count=size), 2
    )
    texts = np.frombuffer(b"01-", np.uint8)[letters].view(f"S{size}").ravel().astype(str).tolist()
    there = column.is_valid().to_pylist()
    return [f"m{text}" if given else None for text, given in zip(texts, there, strict=True)]
