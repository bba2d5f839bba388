"""Everything that leaves for researchers' programs: randomized responses, what they mean, and scripts that read them.

A row is one response. Released batches only, one at a time in memory but for the files that a library writes as a
whole, which have a limit; each file from one statement. Batches come by their random ids and are shuffled inside, so
that no order of arrival is left; a closed survey always gives the same bytes.

columns: which columns the responses make. format: what a file is. formats: the list. All else is one form or another.
"""

from surveys.export.codebook import as_markdown, codebook
from surveys.export.format import File
from surveys.export.formats import earlier_names, files, find_file
from surveys.export.rows import decoded

__all__ = ["File", "as_markdown", "codebook", "decoded", "earlier_names", "files", "find_file"]
