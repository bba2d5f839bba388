"""Entries of packed files, the same bytes whenever and on whatever machine they are made."""

import zipfile

BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the format
PACKED_ALREADY = (".parquet",)


def entry(name: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, BEGINNING)
    made.compress_type = (
        zipfile.ZIP_STORED if name.endswith(PACKED_ALREADY) else zipfile.ZIP_DEFLATED
    )
    made._compresslevel = (
        1  # rows of chance hardly shrink further, and nine tenths of the time went into trying
    )
    made.external_attr = 0o644 << 16
    made.create_system = 3  # whatever machine it is made on
    return made
