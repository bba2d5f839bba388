"""Everything that leaves for researchers' programs: randomized responses, what they mean, and scripts that read them.

A row is one response. Released batches only, one at a time in memory, each file from one statement. Batches come by
their random ids and are shuffled inside, so that no order of arrival is left; a closed survey always gives the same
bytes.
"""

from surveys.export.codebook import as_markdown, codebook
from surveys.export.files import FILES, File, find_file
from surveys.export.rows import batches, decoded
from surveys.export.text import as_csv, as_json, as_json_lines

__all__ = [
    "FILES",
    "File",
    "as_csv",
    "as_json",
    "as_json_lines",
    "as_markdown",
    "batches",
    "codebook",
    "decoded",
    "find_file",
]
