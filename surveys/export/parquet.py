"""Rows as Parquet: typed columns, one row group for each batch, and the instrument with all chances in the metadata."""

import json

import numpy as np

from surveys.export.codebook import codebook
from surveys.export.columns import dtype, every, filled, may_lack
from surveys.export.file import Rows


class Parquet(Rows):
    """An integer column for each of the CSV, null where its cells are empty."""

    name = "responses.parquet"
    title = "Parquet: typed columns, with the instrument inside"
    media_type = "application/vnd.apache.parquet"
    is_packed = True

    def begin(self) -> None:
        # Imported here: it takes 50 MB of memory, which a site that exports no Parquet need not spend.
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        fields = [
            pa.field(column.name, pa.from_numpy_dtype(dtype(column)), nullable=may_lack(self.frozen, column))
            for column in every(self.frozen)
        ]
        metadata = {
            "candor.sha256": self.frozen.sha256,
            "candor.instrument": self.frozen.content,
            "candor.codebook": json.dumps(codebook(self.frozen), ensure_ascii=False),
        }
        self._pa, self._schema = pa, pa.schema(fields, metadata=metadata)
        self._writer = pq.ParquetWriter(self.out, self._schema, compression="zstd")

    def write(self, rows: np.ndarray) -> None:
        cells = [each for item in self.frozen.items for each in filled(self.frozen, rows, item)]
        columns = [
            self._pa.array(values.astype(field.type.to_pandas_dtype()), mask=absent)
            for field, (values, absent) in zip(self._schema, cells, strict=True)
        ]
        table = self._pa.Table.from_arrays(columns, schema=self._schema)
        self._writer.write_table(table, row_group_size=max(len(rows), 1))

    def end(self) -> None:
        self._writer.close()
