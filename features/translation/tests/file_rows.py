"""The table of texts, with distinct values: see tests/whole_site/test_file_rows.py."""

from features.translation import table
from tests.factories.surveys import add_background, add_translations, create_draft
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_texts() -> FilledTable:
    """The row of the title is left out: its place and its field have one name."""
    survey = create_draft(title="A survey")
    add_background(survey, labels=("North",))
    add_translations(survey, "de", "fr")
    header, _, *lines = table.as_csv(survey).removeprefix(table.BOM).splitlines(keepends=True)
    question = {
        "place": "question 1 (region), question",
        "key": "region",
        "field": "text",
        "choice": None,
        "en": "About region?",
        "de": "About region? auf Deutsch",
        "fr": "About region? en français",
    }
    choice = {
        "place": "question 1 (region), choice 1",
        "key": "region",
        "field": "label",
        "choice": 1,
        "en": "North",
        "de": "North auf Deutsch",
        "fr": "North en français",
    }
    return FilledTable(header + "".join(lines), [question, choice])


TABLES: FilledTables = {table.as_csv: filled_texts}
