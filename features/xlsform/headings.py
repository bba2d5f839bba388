"""Headings and types by their one name, whatever alias XLSForm allows for them.

This runs in a child process (surveys.site.files.untrusted), so nothing here loads Django.
"""

import re
from typing import Any

COLUMNS_READ = {
    "type",
    "name",
    "label",
    "hint",
    "list name",
    "title",
    "default_language",
    "disabled",
}


def named(sheet: str, heading: str) -> str:
    """A heading as XLSForm names it: caption is label, label : German is label::german."""
    from pyxform import aliases  # noqa: PLC0415 (needed in a child only)
    from pyxform.parsing.sheet_headers import process_header  # noqa: PLC0415

    known = {
        "survey": aliases.survey_header,
        "choices": aliases.list_header,
        "settings": aliases.settings_header,
    }
    _, parts = process_header(heading, False, known[sheet], COLUMNS_READ)
    return "::".join(parts).lower()


def typed(text: str) -> dict[str, Any]:
    """kind: select_one, select_multiple, integer, note, begin_group, ... or the type in lower case. list, other."""
    from pyxform import aliases  # noqa: PLC0415 (needed in a child only)

    plain = " ".join(text.split())
    selects = {key.replace("_", " "): value for key, value in aliases.select.items()} | {
        "select multiple from": "select all that apply",
        "select multiple": "select all that apply",
    }
    words = "|".join(key.replace(" ", "[ _]") for key in sorted(selects, key=len, reverse=True))
    select = re.fullmatch(
        rf"({words}) (\S+)( (or specify other|or_other|or other))?", plain, re.IGNORECASE
    )
    if select:
        command = select[1].lower().replace("_", " ")
        kinds = {"select one": "select_one", "select all that apply": "select_multiple"}
        kind = plain.lower() if "file" in command else kinds.get(selects[command], plain.lower())
        return {"kind": kind, "list": select[2], "other": bool(select[3])}
    around = re.fullmatch(
        rf"(begin|end)[ _]({'|'.join(aliases.control)})( (over )?\S+)?", plain, re.IGNORECASE
    )
    if around:
        return {
            "kind": f"{around[1]}_{aliases.control[around[2].lower()]}".lower(),
            "list": "",
            "other": False,
        }
    same = {"int": "integer", "q int": "integer", "add integer prompt": "integer"}
    same |= {"q note": "note", "add note prompt": "note"}
    kind = plain.lower()
    return {"kind": same.get(kind, kind), "list": "", "other": False}
