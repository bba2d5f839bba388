"""Rows as Parquet: typed columns, one row group for each batch, and the instrument with all chances in the metadata."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from surveys.ballots.records import given
from surveys.export.codebook import codebook
from surveys.export.rows import decoded
from surveys.export.sink import Sink
from surveys.models import Instrument
from surveys.publishing.instruments import Item, Paper, paper

if TYPE_CHECKING:
    import pyarrow as pa


class ParquetStream:
    """A Parquet file that is written batch by batch."""

    def __init__(self, frozen: Paper, file: object) -> None:
        # Imported here: it takes 50 MB of memory, which a site that exports no Parquet need not spend.
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        self._pa, self._frozen = pa, frozen
        self._schema = _schema(frozen, pa)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")

    def add(self, rows: np.ndarray) -> None:
        columns = [column for item in self._frozen.items for column in self._columns(item, rows)]
        table = self._pa.Table.from_arrays(columns, schema=self._schema)
        self._writer.write_table(table, row_group_size=max(len(rows), 1))

    def _columns(self, item: Item, rows: np.ndarray) -> "list[pa.Array]":
        is_missing = ~given(self._frozen, rows, item.key) if item.key in self._frozen.optional else None
        if item.wire.spreads:
            return _each(item, rows[item.key], is_missing, self._pa)
        return [_column(item, rows[item.key], is_missing, self._pa)]

    def close(self) -> None:
        self._writer.close()


def as_parquet(instrument: Instrument) -> Iterator[bytes]:
    """An integer column for each question with one answer, a list of 0 and 1 for marks, null for no report.

    Where a report holds some marks of many each has a column of its own, null where it was not picked.
    """
    sink = Sink()
    stream = ParquetStream(paper(instrument), sink)
    for rows in decoded(instrument):
        stream.add(rows)
        yield sink.take()
    stream.close()
    yield sink.take()


def _schema(frozen: Paper, pa: "pa") -> "pa.Schema":
    fields = [
        pa.field(name, _type(item, pa), nullable=item.wire.spreads or item.key in frozen.optional)
        for item in frozen.items
        for name in item.wire.names(item.key)
    ]
    metadata = {
        "candor.sha256": frozen.sha256,
        "candor.instrument": frozen.content,
        "candor.codebook": json.dumps(codebook(frozen), ensure_ascii=False),
    }
    return pa.schema(fields, metadata=metadata)


def _type(item: Item, pa: "pa") -> "pa.DataType":
    if item.is_string:
        return pa.uint8() if item.wire.spreads else pa.list_(pa.uint8())
    return pa.from_numpy_dtype(item.wire.field)


def _column(item: Item, column: np.ndarray, is_missing: np.ndarray | None, pa: "pa") -> "pa.Array":
    if not item.is_string:
        return pa.array(column, type=_type(item, pa), mask=is_missing)
    bits = item.wire.spread(column)
    ends = np.arange(0, bits.size + 1, item.size, dtype=np.int32)
    mask = None if is_missing is None else pa.array(is_missing)
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(bits.ravel()), type=_type(item, pa), mask=mask)


def _each(item: Item, column: np.ndarray, is_missing: np.ndarray | None, pa: "pa") -> "list[pa.Array]":
    marks = item.wire.spread(column)
    if is_missing is not None:
        marks[is_missing] = -1
    return [pa.array(np.maximum(mark, 0), type=pa.uint8(), mask=mark < 0) for mark in marks.T]
