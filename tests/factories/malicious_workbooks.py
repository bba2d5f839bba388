"""Workbooks that mean harm: each is small as it comes, and large or slow in a program that reads it as it stands."""

import io
import zipfile
from functools import cache

SHEET = "xl/worksheets/sheet1.xml"
TEXTS = "xl/sharedStrings.xml"
STYLES = "xl/styles.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
AROUND = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
    'ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
    f'<Override PartName="/{SHEET}" ContentType="{KIND}.worksheet+xml"/>'
    f'<Override PartName="/{STYLES}" ContentType="{KIND}.styles+xml"/>'
    f'<Override PartName="/{TEXTS}" ContentType="{KIND}.sharedStrings+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/>'
    f'<Relationship Id="rId3" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
}


def build_zip(parts: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file with these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet_xml(rows: str, before: str = "", kind: str = "") -> str:
    return f'{kind}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData></worksheet>'


def shared_strings_xml(inside: str, kind: str = "") -> str:
    return f'{kind}<sst xmlns="{MAIN}">{inside}</sst>'


def build_workbook(rows: str = "", **parts: bytes | str) -> bytes:
    """A workbook written by hand. `parts`: sheet, texts or styles instead of harmless ones."""
    own = {
        "styles": f'<styleSheet xmlns="{MAIN}"/>',
        "texts": shared_strings_xml("<si><t>type</t></si>"),
        "sheet": sheet_xml(rows),
    }
    own |= parts
    return build_zip(AROUND | {SHEET: own["sheet"], TEXTS: own["texts"], STYLES: own["styles"]})


def quadratic_entities_xml() -> str:
    """One entity of 50,000 letters, named 20,000 times: a gigabyte."""
    kind = f'<!DOCTYPE x [<!ENTITY a "{"a" * 50_000}">]>'
    return shared_strings_xml(f"<si><t>{'&a;' * 20_000}</t></si>", kind)


@cache
def hostile_workbooks() -> dict[str, bytes]:
    """Return workbooks that try to exhaust the reader."""
    many = "<c/>" * 1_000_000
    empty = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    return {
        "a million cells in a row": build_workbook(f"<row>{many}</row>"),
        "a million rows": build_workbook("<row/>" * 1_000_000),
        "a bomb of one part": build_zip({SHEET: b"\0" * 30_000_000}),
        "a bomb beside a good workbook": build_workbook(empty, styles=b" " * 30_000_000),
        "a million styles": build_workbook(
            empty,
            styles=f'<styleSheet xmlns="{MAIN}"><fonts>{"<font/>" * 1_000_000}</fonts></styleSheet>',
        ),
        "a million shared texts": build_workbook(
            empty, texts=shared_strings_xml("<si/>" * 1_000_000)
        ),
        "one long text shared by many cells": build_workbook(
            ("<row>" + '<c t="s"><v>0</v></c>' * 20 + "</row>") * 2_500,
            texts=shared_strings_xml(f"<si><t>{'x' * 32_767}</t></si>"),
        ),
        "quadratic entities": build_workbook(empty, texts=quadratic_entities_xml()),
        "entities in UTF-16": build_workbook(
            empty, texts=quadratic_entities_xml().encode("utf-16")
        ),
        "entities in EBCDIC": build_workbook(
            empty,
            texts=b'<?xml version="1.0" encoding="cp037"?>'
            + quadratic_entities_xml().encode("cp037"),
        ),
        "a sheet as wide and long as can be": build_workbook(
            sheet=sheet_xml(
                "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 40_000)),
                '<dimension ref="A1:XFD1048576"/>',
            )
        ),
        "packed in a way that unpacks without bounds": build_zip(
            {SHEET: b"\0" * 30_000_000}, zipfile.ZIP_BZIP2
        ),
        "forty thousand parts": build_zip(
            {f"{n}.xml": b"" for n in range(40_000)}, zipfile.ZIP_STORED
        ),
    }
