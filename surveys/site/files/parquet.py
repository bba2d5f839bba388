"""Convert a Parquet file to CSV, in a child process without Django: see files.untrusted.

The exports of this program store their codebook inside the file: a dictionary that describes the
variables. They also pack each multiple selection into bytes, with a bit for each option. The
codebook says which option each bit is for. Here these bytes become strings such as "m01-".
"""

import io
import json
import math
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import Limits, WithText
from surveys.site.files.whole_table import Damaged, read_table

# The last version of the codebook by which cells of answers hold codes from 0.
LAST_VERSION_WITH_CODES = 2

# A Parquet file begins and ends with these bytes.
PARQUET_MARK = b"PAR1"

# The bytes of both marks and of the length of the metadata.
SHORTEST_FILE = 12

# A Parquet file is no archive, so it has no parts to count.
LIMITS = Limits(size=LARGEST_WHOLE_FILE, parts=0, memory=600_000_000, seconds=8)


def is_parquet(data: bytes) -> bool:
    """Return whether data begins like a Parquet file. Its end is checked when it is read."""
    return data.startswith(PARQUET_MARK)


def read_parquet(data: bytes, most: TableLimits) -> tuple[bytes, int]:
    """Return a Parquet file as CSV in UTF-8, and the version of its codebook.

    The version is 0 for a file that this program has not exported. Raises Damaged if the file
    cannot be read, and Broken if it holds more than `most`.
    """
    if not data.endswith(PARQUET_MARK) or len(data) < SHORTEST_FILE:
        raise Damaged
    version, text = read_table(convert_parquet, data, LIMITS, most)
    return text, version


def convert_parquet(data: bytes, most: dict[str, Any]) -> WithText:
    """Return the version of the codebook in a Parquet file as `about`, and the file as CSV.

    The version is 0 for a file without a codebook. This runs in the child process, for
    `read_parquet`. Raises Unreadable if the file holds more than `most`, or a column that is no
    column of a table of text.

    most: the fields of TableLimits.
    """
    # These libraries are large, and only the child process needs them.
    import pyarrow.csv as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    file = pq.ParquetFile(io.BytesIO(data))
    limits = TableLimits(**most)
    # The file says how large it is, so this is checked before it is unpacked. The names of the
    # columns become a row too.
    length = file.metadata.num_rows + 1
    limits.require(rows=length, cells=length * file.metadata.num_columns)

    responses = _without_bytes(file.read(use_threads=False))
    out = io.BytesIO()
    pc.write_csv(responses, out)

    codebook = _read_codebook(responses)
    limits.require(text=out.tell())
    return WithText(about=_version(codebook), text=out.getvalue())


def _version(codebook: dict[str, Any]) -> int:
    """Return the version of a codebook that says how the cells of its file are to be read.

    It is 0 for an empty codebook. Packed files still have codes, as those of version 2 had.
    """
    if not codebook:
        return 0
    reports = {variable.get("report") for variable in codebook.get("variables", ())}
    # The first version had no number.
    version: int = codebook.get("version", 1)
    return min(version, LAST_VERSION_WITH_CODES) if "code" in reports else version


def _without_bytes(responses: Any) -> Any:
    """Return a table with strings in place of the multiple selections that are packed into bytes.

    Raises Unreadable if a column holds lists, or bytes that are no packed selections.

    responses: the file, as a pyarrow.Table.
    """
    import pyarrow as pa  # noqa: PLC0415

    for index, field in enumerate(responses.schema):
        # In an export, only packed multiple selections are bytes of a fixed size.
        if pa.types.is_fixed_size_binary(field.type):
            strings = pa.array(_selection_strings(responses, field.name), pa.string())
            responses = responses.set_column(index, field.name, strings)
            continue
        is_bytes = pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type)
        if is_bytes or pa.types.is_nested(field.type):
            raise Unreadable(f"The column “{field.name[:60]}” holds neither numbers nor texts.")
    return responses


def _read_codebook(responses: Any) -> dict[str, Any]:
    """Return the codebook that this program stored in a file when it exported the file.

    For a file of another program this is an empty dictionary.

    responses: the file, as a pyarrow.Table.
    """
    metadata = responses.schema.metadata or {}
    codebook: dict[str, Any] = json.loads(metadata.get(b"candor.codebook", b"{}"))
    return codebook


def _selection_strings(responses: Any, key: str) -> list[str | None]:
    """Return the multiple selections of a column as strings such as "m01-", or None for no report.

    After the "m" there is a character for each option: "1" if the report has it, "0" if not, and
    "-" if the respondent's device did not pick it for the report.

    responses: the file, as a pyarrow.Table. If devices picked options, a value of the column has
        the bits of the picked options in its first half, and those of the report in the second.
    key: the name of the column.
    """
    import numpy as np  # noqa: PLC0415

    variables = _read_codebook(responses)["variables"]
    (variable,) = [variable for variable in variables if variable["name"] == key]
    size = len(variable["choices"])
    # Each option takes a bit, and the last byte is filled up.
    bytes_per_selection = math.ceil(size / 8)

    # The bytes of each value are a row of this array, and zeros if there is no report.
    column = responses.column(key).combine_chunks()
    no_report = bytes(column.type.byte_width)
    values = [no_report if value is None else value for value in column.to_pylist()]
    selections = np.frombuffer(b"".join(values), np.uint8).reshape(len(column), -1)

    # If the bytes suffice for one selection only, every option was picked: all bits are 1.
    picked_options = np.full(bytes_per_selection, 255, np.uint8)
    if selections.shape[1] != bytes_per_selection:
        picked_options, selections = np.hsplit(selections, 2)
    is_picked = np.unpackbits(picked_options, axis=-1, count=size)
    bits = np.unpackbits(selections, axis=1, count=size)

    # 0 and 1 are the bits of picked options, and 2 is an option that was not picked. These are the
    # indices of the characters.
    indices = np.where(is_picked, bits, 2)
    characters = np.frombuffer(b"01-", np.uint8)[indices]
    # The characters of each row are read as one text.
    texts = characters.view(f"S{size}").ravel().astype(str).tolist()

    strings: list[str | None] = []
    for text, has_report in zip(texts, column.is_valid().to_pylist(), strict=True):
        strings.append(f"m{text}" if has_report else None)
    return strings
