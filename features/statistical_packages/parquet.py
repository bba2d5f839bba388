"""Rows as Parquet: typed columns, one row group for each batch, and the instrument with all chances in the metadata."""

import json
from dataclasses import replace
from typing import Any

import numpy as np

from surveys.definition.instrument import QuestionDefinition
from surveys.export.codebook import codebook
from surveys.export.columns import Column, column_values, columns, dtype, may_lack, one_line
from surveys.export.format import Rows
from surveys.export.scrambled import NOTE, has_scrambled, is_scrambled
from surveys.fieldwork.responses.records import has_report


class Parquet(Rows):
    """A column of integers or texts for each of the CSV, null where its cells are empty."""

    name = "responses.parquet"
    title = "Parquet: typed columns, with the instrument inside"
    media_type = "application/vnd.apache.parquet"
    is_packed = True
    packs_marks = False

    def begin(self) -> None:
        # Imported here: it takes 50 MB of memory, which a site that exports no Parquet need not spend.
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        metadata = {
            **({"candor.note": NOTE} if has_scrambled(self.frozen) else {}),
            "candor.sha256": self.frozen.sha256,
            "candor.instrument": self.frozen.content,
            "candor.codebook": json.dumps(
                codebook(self.frozen, packed=self.packs_marks), ensure_ascii=False
            ),
        }
        self._pa = pa
        fields = [field for item in self.frozen.items for field in self.fields(item)]
        self._schema = pa.schema(fields, metadata=metadata)
        plain = [field.name for field in fields if not pa.types.is_fixed_size_binary(field.type)]
        # Scrambled bytes hardly repeat: a dictionary of them makes a file larger, and five times slower to read.
        self._writer = pq.ParquetWriter(
            self.out, self._schema, compression="zstd", use_dictionary=plain
        )

    def columns(self, item: QuestionDefinition) -> tuple[Column, ...]:
        """The columns of a question as the CSV has them."""
        return columns(self.frozen)[item.key]

    def fields(self, item: QuestionDefinition) -> list[Any]:
        """The same as Arrow has them."""
        fields = []
        for column in self.columns(item):
            kind = self._pa.from_numpy_dtype(dtype(column))
            if column.is_text:
                kind = self._pa.string()
            nullable = may_lack(self.frozen, column)
            metadata = _field_metadata(column.label(), item)
            field = self._pa.field(column.name, kind, nullable=nullable, metadata=metadata)
            fields.append(field)
        return fields

    def write(self, rows: np.ndarray) -> None:
        arrays = [array for item in self.frozen.items for array in self.arrays(rows, item)]
        table = self._pa.Table.from_arrays(arrays, schema=self._schema)
        self._writer.write_table(table, row_group_size=max(len(rows), 1))

    def arrays(self, rows: np.ndarray, item: QuestionDefinition) -> list[Any]:
        """What stands in them."""
        own = self.columns(item)
        arrays = []
        filled = column_values(self.frozen, rows, item, own)
        for column, (values, absent) in zip(own, filled, strict=True):
            if column.is_text:
                # The numbers of texts count from 1, and are 0 in empty cells.
                texts = np.array(["", *column.answer_values], dtype=object)
                arrays.append(self._pa.array(texts[values], self._pa.string(), mask=absent))
            else:
                arrays.append(self._pa.array(values.astype(dtype(column)), mask=absent))
        return arrays

    def end(self) -> None:
        self._writer.close()


class PackedParquet(Parquet):
    """The marks of a report in one column, as they are stored: as many bytes for each report, a bit for each mark."""

    name = "responses-packed.parquet"
    title = "for very many responses: the marks of a report packed into bytes"
    is_packed = False
    packs_marks = True

    def columns(self, item: QuestionDefinition) -> tuple[Column, ...]:
        """The columns of a question, with codes in place of values."""
        return tuple(replace(column, keeps_codes=True) for column in super().columns(item))

    def fields(self, item: QuestionDefinition) -> list[Any]:
        if not item.is_string:
            return super().fields(item)
        marks = self._pa.binary(item.report_format.field.itemsize)
        nullable = item.key in self.frozen.keys_with_missing
        metadata = _field_metadata(one_line(item.full_text), item)
        return [self._pa.field(item.key, marks, nullable=nullable, metadata=metadata)]

    def arrays(self, rows: np.ndarray, item: QuestionDefinition) -> list[Any]:
        if not item.is_string:
            return super().arrays(rows, item)
        there, marks = has_report(self.frozen, rows, item.key), np.ascontiguousarray(rows[item.key])
        valid = None if there.all() else self._pa.py_buffer(np.packbits(there, bitorder="little"))
        buffers = [valid, self._pa.py_buffer(marks)]
        kind = self._pa.binary(marks.shape[1])
        return [self._pa.FixedSizeBinaryArray.from_buffers(kind, len(rows), buffers)]


def _field_metadata(label: str, item: QuestionDefinition) -> dict[str, str]:
    """Return what a column of a Parquet file says of itself."""
    scrambled = "true" if is_scrambled(item) else "false"
    return {"label": label, "scrambled": scrambled}


Parquet.forms = {"packed": PackedParquet}
