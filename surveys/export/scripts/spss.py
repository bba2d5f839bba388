"""SPSS syntax that reads the CSV and puts the questions and choices on it as labels."""

from surveys.publishing.instruments import Item, Paper

RESERVED = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}
VARIABLE_LABEL, VALUE_LABEL = 255, 120  # bytes, as SPSS counts


def spss_syntax(frozen: Paper) -> str:
    names = {item.key: name(item.key) for item in frozen.items}
    parts = [
        "* Encoding: UTF-8.",
        f"* {_comment(frozen.title)}.",
        f"* Instrument (SHA-256): {frozen.sha256}.",
        "* Randomized responses: correct for the chances in the codebook before reading shares off them.",
        *(["* An empty cell is system-missing: not asked / no report."] if frozen.optional else []),
        "",
        "GET DATA",
        "  /TYPE=TXT",
        '  /FILE="responses.csv"',
        "  /ENCODING='UTF8'",
        '  /DELIMITERS=","',
        "  /QUALIFIER='\"'",
        "  /ARRANGEMENT=DELIMITED",
        "  /FIRSTCASE=2",
        "  /VARIABLES=",
        *(f"    {line}" for item in frozen.items for line in _variables(item, names[item.key])),
        "  .",
        *(line for item in frozen.items for line in _labels(item, names[item.key])),
        "EXECUTE.",
    ]
    return "\n".join(parts) + "\n"


def name(key: str) -> str:
    return f"{key[:31]}_" if key in RESERVED else key


def _variables(item: Item, variable: str) -> list[str]:
    if item.wire.spreads:
        return [f"{_own(variable, place)} F1.0" for place in range(1, item.size + 1)]
    return [f"{variable} A{item.size}" if item.is_string else f"{variable} F{item.wire.longest}.0"]


def _own(variable: str, place: int) -> str:
    """One mark as a variable of its own."""
    return f"{variable[:28]}_{place}"


def _labels(item: Item, variable: str) -> list[str]:
    if item.wire.spreads:
        return [_label(_own(variable, place), label) for place, label in enumerate(item.choices, 1)]
    lines = [_label(variable, item.whole)]
    if item.is_string:
        return lines + [line for mark in enumerate(item.choices, 1) for line in _mark(variable, *mark)]
    if item.kind == "number":
        return [*lines, f"COMPUTE {variable} = {variable} + ({item.choices[0]}).", *_declined(item, variable)]
    if item.reported != item.choices:
        return lines
    pairs = [f"  {code} {quoted(label, VALUE_LABEL)}" for code, label in enumerate(item.choices)]
    return [*lines, f"VALUE LABELS {variable}", *pairs[:-1], f"{pairs[-1]}."]


def _declined(item: Item, variable: str) -> list[str]:
    """The number after the last one stands for having given none, and no mean counts it."""
    if item.declined is None:
        return []
    value = item.numbers[-1] + 1
    label = f"VALUE LABELS {variable} {value} {quoted(item.choices[-1], VALUE_LABEL)}."
    return [label, f"MISSING VALUES {variable} ({value})."]


def _label(variable: str, text: str) -> str:
    return f"VARIABLE LABELS {variable} {quoted(text, VARIABLE_LABEL)}."


def _mark(variable: str, place: int, label: str) -> list[str]:
    own = _own(variable, place)
    return [f"COMPUTE {own} = NUMBER(CHAR.SUBSTR({variable}, {place}, 1), F1.0).", _label(own, label)]


def quoted(text: str, limit: int) -> str:
    short = text.encode()[:limit].decode(errors="ignore")
    return "'" + short.replace("'", "''") + "'"


def _comment(text: str) -> str:
    # A full stop at the end of a line would end the comment; the one that is added does.
    return text.replace("\n", " ").rstrip(".")
