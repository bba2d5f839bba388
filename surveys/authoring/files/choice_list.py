"""A list of choices from a file: a text with one on each line, or a table."""

from typing import NamedTuple

from surveys.authoring.files.languages import language_code
from surveys.definition.texts import Text
from surveys.definition.values import split_value, with_value
from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.files.rows import MOST_ROWS, decode_text, rows, too_many_lines
from surveys.site.files.sizes import too_large_message

LARGEST = 1_900_000  # bytes: a table may hold the list in further languages too
TABLES = (".csv", ".tsv")
LABEL = "label"
VALUE = "value"


class ListedChoice(NamedTuple):
    """A choice of a list, with its value in data files; "" if it has none.

    label: a Text if the list brings translations.
    """

    label: str
    value: str = ""

    @property
    def line(self) -> str:
        """The choice as a line in the box of choices."""
        return with_value(self.label, self.value)


def choices(content: bytes, name: str) -> list[ListedChoice]:
    """One for each line of the file, empty where that holds none, so that messages about them count its lines.

    name: of the file; .csv and .tsv are tables, whose column “label” counts, or the only one; “label::de” and so on
    translate it, as in XLSForm, and “value” has the values. In other files a line is one of the box of choices.
    Raises surveys.site.errors.Unreadable.
    """
    if len(content) > LARGEST:
        raise Unreadable(too_large_message(LARGEST))
    if name.lower().endswith(TABLES):
        return _of_table(untrusted.read_in_child(rows, content))
    text = decode_text(content)
    if too_many_lines(text, MOST_ROWS):
        raise Unreadable(f"The file has more than {MOST_ROWS:,} rows. Split it into several files.")
    listed = parse_lines(text.splitlines())
    return [ListedChoice(Text(label), value) for label, value in listed]


def parse_lines(lines: list[str]) -> list[ListedChoice]:
    """Return the choices in the lines of the box of choices, such as “Yes = 1”."""
    return [ListedChoice(*split_value(line)) for line in lines]


def _of_table(lines: list[dict]) -> list[ListedChoice]:
    header = [cell.strip().lower() for cell in lines[0]["cells"]]
    if LABEL in header:
        own, lines = header.index(LABEL), lines[1:]
    else:
        used = {place for line in lines for place, cell in enumerate(line["cells"]) if cell.strip()}
        if len(used) > 1:
            raise Unreadable(
                f"The table has {len(used)} columns. Write “{LABEL}” above the column with the choices, or keep only "
                "that column."
            )
        own, header = used.pop(), []
    further = {
        spoken: place
        for place, heading in enumerate(header)
        if heading.startswith(f"{LABEL}::")
        and (spoken := language_code(heading.partition("::")[2].strip()))
    }
    value_column = header.index(VALUE) if VALUE in header else None
    listed = [ListedChoice(Text(""))] * (lines[-1]["row"] if lines else 0)
    for line in lines:
        cells = dict(enumerate(line["cells"]))
        others = {spoken: cells.get(place, "").strip() for spoken, place in further.items()}
        said = {spoken: text for spoken, text in others.items() if text}
        label = Text(cells.get(own, "").strip(), said)
        listed[line["row"] - 1] = ListedChoice(label, cells.get(value_column, "").strip())
    return listed
