"""A Stata do-file that reads the CSV and puts the questions and choices on it as labels."""

from surveys.publishing.instruments import Item, Paper

RESERVED = {
    *("byte", "double", "float", "if", "in", "int", "long", "strl", "using", "with"),
    *(f"str{length}" for length in range(1, 2046)),
}
VARIABLE_LABEL = 80  # characters


def stata_do(frozen: Paper) -> str:
    names = {item.key: name(item.key) for item in frozen.items}
    columns = [(item, own) for item in frozen.items for own in _variables(item, names[item.key])]
    strings = [str(number) for number, (item, _) in enumerate(columns, 1) if item.is_string and not item.wire.spreads]
    options = ["varnames(1)", 'encoding("UTF-8")', "clear"]
    if strings:
        options.insert(1, f"stringcols({' '.join(strings)})")
    parts = [
        f"* {_comment(frozen.title)}",
        f"* Instrument (SHA-256): {frozen.sha256}",
        "* Randomized responses: correct for the chances in the codebook before reading shares off them.",
        *(["* An empty cell is missing: not asked / no report."] if frozen.optional else []),
        "version 14",
        f'import delimited {" ".join(own for _, own in columns)} using "responses.csv", {" ".join(options)}',
        *(
            line
            for number, item in enumerate(frozen.items, 1)
            for line in _labels(item, names[item.key], f"choices{number}")
        ),
        f"label data {quoted(frozen.title[:VARIABLE_LABEL])}",
    ]
    return "\n".join(parts) + "\n"


def _comment(text: str) -> str:
    """On one line. Stata reads "/*" and "///" in a comment too, and expands macros there."""
    plain = " ".join(text.split()).replace("`", "’").replace("$", "＄")
    return plain.replace("/", "⁄").replace("\\", "⧵")


def name(key: str) -> str:
    return f"{key[:31]}_" if key in RESERVED else key


def _variables(item: Item, variable: str) -> list[str]:
    if not item.wire.spreads:
        return [variable]
    return [_own(variable, place) for place in range(1, item.size + 1)]


def _own(variable: str, place: int) -> str:
    """One mark as a variable of its own."""
    return f"{variable[:28]}_{place}"


def _label(variable: str, text: str) -> str:
    return f"label variable {variable} {quoted(text[:VARIABLE_LABEL])}"


def _labels(item: Item, variable: str, label: str) -> list[str]:
    if item.wire.spreads:
        return [_label(_own(variable, place), text) for place, text in enumerate(item.choices, 1)]
    lines = [_label(variable, item.whole)]
    if item.is_string:
        return lines + [line for place, text in enumerate(item.choices, 1) for line in _mark(variable, place, text)]
    if item.kind == "number":
        return [*lines, f"replace {variable} = {variable} + ({item.choices[0]})", *_declined(item, variable, label)]
    if item.reported != item.choices:
        return lines
    values = [f"label define {label} {code} {quoted(text)}, add" for code, text in enumerate(item.choices)]
    return [*lines, *values, f"label values {variable} {label}"]


def _declined(item: Item, variable: str, label: str) -> list[str]:
    """Having given no number is a missing value of its own, which no mean counts."""
    if item.declined is None:
        return []
    return [
        f"replace {variable} = .a if {variable} == {item.numbers[-1] + 1}",
        f"label define {label} .a {quoted(item.choices[-1])}",
        f"label values {variable} {label}",
    ]


def _mark(variable: str, place: int, text: str) -> list[str]:
    own = _own(variable, place)
    return [f"generate byte {own} = real(substr({variable}, {place}, 1))", _label(own, text)]


def quoted(text: str) -> str:
    """In Stata's compound quotes. A double quote becomes a typographic one: only its own kind could end the text."""
    plain = text.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$").replace('"', "”")
    return f'`"{plain}"\''
