"""Workbooks that try to harm their reader.

Each is a small file, and becomes large or slow in a program that reads all of it. A workbook (.xlsx)
is a zip file of XML files, which are its parts.
"""

import io
import zipfile
from functools import cache

# The names of the parts that tests replace: the only sheet, the texts of its cells, and the styles.
SHEET = "xl/worksheets/sheet1.xml"
TEXTS = "xl/sharedStrings.xml"
STYLES = "xl/styles.xml"
# The namespaces and media types of the format (ECMA-376). Nothing is fetched from these addresses.
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"
# The parts that are alike in all these workbooks: the media type of each part, the place of the
# workbook, the workbook with its only sheet, and the places of its other parts.
CONTENT_TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="{RELATIONS}"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
    f'<Override PartName="/{SHEET}" ContentType="{KIND}.worksheet+xml"/>'
    f'<Override PartName="/{STYLES}" ContentType="{KIND}.styles+xml"/>'
    f'<Override PartName="/{TEXTS}" ContentType="{KIND}.sharedStrings+xml"/></Types>'
)
PACKAGE_RELATIONS = (
    f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>"
)
WORKBOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
WORKBOOK_RELATIONS = (
    f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/>'
    f'<Relationship Id="rId3" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    "</Relationships>"
)
# The parts of every workbook, by their names in the zip file.
COMMON_PARTS = {
    "[Content_Types].xml": CONTENT_TYPES,
    "_rels/.rels": PACKAGE_RELATIONS,
    "xl/workbook.xml": WORKBOOK,
    "xl/_rels/workbook.xml.rels": WORKBOOK_RELATIONS,
}


def build_zip(parts: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file with these parts, by their names; `method` is how they are packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet_xml(rows: str, preamble: str = "") -> str:
    """Return the XML of a sheet; `rows` and the `preamble` before them are XML, too."""
    return f'<worksheet xmlns="{MAIN}">{preamble}<sheetData>{rows}</sheetData></worksheet>'


def shared_strings_xml(items: str, doctype: str = "") -> str:
    """Return the XML of the texts that cells refer to by their number.

    items: the texts as XML, each in an <si>.
    doctype: the declaration of entities before them, or "".
    """
    return f'{doctype}<sst xmlns="{MAIN}">{items}</sst>'


def styles_xml(content: str = "") -> str:
    """Return the XML of the styles of a workbook; `content` is XML, and "" for no styles."""
    if not content:
        return f'<styleSheet xmlns="{MAIN}"/>'
    return f'<styleSheet xmlns="{MAIN}">{content}</styleSheet>'


def build_workbook(rows: str = "", **parts: bytes | str) -> bytes:
    """Return a workbook with these rows of XML.

    rows: the rows of the sheet; ignored if `sheet` is passed.
    parts: `sheet`, `texts` or `styles`, as whole XML files, in place of harmless ones.
    """
    defaults = {
        "styles": styles_xml(),
        "texts": shared_strings_xml("<si><t>type</t></si>"),
        "sheet": sheet_xml(rows),
    }
    contents = defaults | parts
    changing_parts = {
        SHEET: contents["sheet"],
        TEXTS: contents["texts"],
        STYLES: contents["styles"],
    }
    return build_zip(COMMON_PARTS | changing_parts)


def quadratic_entities_xml() -> str:
    """Return shared texts with one entity of 50,000 letters, used 20,000 times: a gigabyte.

    An entity is a text that XML defines once and then names. Their expansion is as long as the
    product of both numbers, so it grows with the square of the size of the file.
    """
    entity = "a" * 50_000
    doctype = f'<!DOCTYPE x [<!ENTITY a "{entity}">]>'
    uses = "&a;" * 20_000
    return shared_strings_xml(f"<si><t>{uses}</t></si>", doctype)


def _long_text_workbook() -> bytes:
    """Return a workbook in which 50,000 cells refer to one text of 32,767 letters.

    No cell can have a longer text. A program that copies the text for each cell needs 1.6 GB.
    """
    row = "<row>" + '<c t="s"><v>0</v></c>' * 20 + "</row>"
    long_text = "x" * 32_767
    texts = shared_strings_xml(f"<si><t>{long_text}</t></si>")
    return build_workbook(row * 2_500, texts=texts)


def _ebcdic_workbook(rows: str) -> bytes:
    """Return a workbook whose entities are hidden in the encoding EBCDIC.

    In this encoding, which XML can declare, the word <!ENTITY has other bytes than in UTF-8.
    """
    # Python's name of EBCDIC is "cp037". The declaration itself is in ASCII.
    declaration = b'<?xml version="1.0" encoding="cp037"?>'
    return build_workbook(rows, texts=declaration + quadratic_entities_xml().encode("cp037"))


def _widest_workbook() -> bytes:
    """Return a workbook with one cell in the last column of each of many rows.

    A program that fills up each row before its cell makes 16,384 cells of it: XFD is the last
    column. The sheet also claims to have all rows, of which 1,048,576 are possible.
    """
    rows = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 40_000))
    return build_workbook(sheet=sheet_xml(rows, '<dimension ref="A1:XFD1048576"/>'))


@cache
def hostile_workbooks() -> dict[str, bytes]:
    """Return workbooks that try to exhaust their reader, by what they contain."""
    # A row with one harmless cell, whose text is the first shared one.
    one_row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
    many_cells = "<c/>" * 1_000_000
    many_fonts = "<font/>" * 1_000_000
    zeros = b"\0" * 30_000_000
    many_parts = {f"{number}.xml": b"" for number in range(40_000)}

    workbooks = {}
    workbooks["a million cells in a row"] = build_workbook(f"<row>{many_cells}</row>")
    workbooks["a million rows"] = build_workbook("<row/>" * 1_000_000)
    workbooks["a bomb of one part"] = build_zip({SHEET: zeros})
    workbooks["a bomb beside a good workbook"] = build_workbook(one_row, styles=b" " * 30_000_000)
    workbooks["a million styles"] = build_workbook(
        one_row, styles=styles_xml(f"<fonts>{many_fonts}</fonts>")
    )
    workbooks["a million shared texts"] = build_workbook(
        one_row, texts=shared_strings_xml("<si/>" * 1_000_000)
    )
    workbooks["one long text shared by many cells"] = _long_text_workbook()
    workbooks["quadratic entities"] = build_workbook(one_row, texts=quadratic_entities_xml())
    workbooks["entities in UTF-16"] = build_workbook(
        one_row, texts=quadratic_entities_xml().encode("utf-16")
    )
    workbooks["entities in EBCDIC"] = _ebcdic_workbook(one_row)
    workbooks["a sheet as wide and long as can be"] = _widest_workbook()
    # Python unpacks this method in pieces of any length, not in pieces of the requested one.
    workbooks["packed in a way that unpacks without bounds"] = build_zip(
        {SHEET: zeros}, zipfile.ZIP_BZIP2
    )
    workbooks["forty thousand parts"] = build_zip(many_parts, zipfile.ZIP_STORED)
    return workbooks
