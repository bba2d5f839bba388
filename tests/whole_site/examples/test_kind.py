"""A kind of question is a row of traits, a choice of its column with a migration, and an entry in each table of kinds.

A toy kind is added in a copy of the program: a sensitive question with Yes, No and “I don’t know”. The files that this
touches are counted, and the contract suite takes it from the form to the files and back, as it takes all kinds.
"""

import re

import pytest

from tests.whole_site.examples.tree import Tree

FILES = 10  # that one more kind touches; may only fall
ENTRIES = {  # file -> what stands before the toy's entry, and the entry
    "surveys/models/surveys.py": (
        '        NUMBER = "number", "Background number (not scrambled)"\n',
        '        UNSURE = "unsure", "Yes, no or unsure"\n',
    ),
    "surveys/definition/kinds.py": (
        """        key=Kind.NUMBER,
        select="ordered",
        special_settings=frozenset((*RANGE_SETTINGS, "cut")),
        sensitive=False,
        choices="numbers",
        in_grid=False,
    ),
""",
        """    Traits(
        key=Kind.UNSURE,
        select="one",
        special_settings=frozenset(SENSITIVE_SETTINGS),
        choices="fixed",
        fixed=(NO, YES, ("unsure", pgettext_lazy("answer", "I don’t know"))),
        has_yes=True,
    ),
""",
    ),
    "surveys/web/workspace/kind_forms.py": (
        '        ("minimum", "maximum", "declinable", "cut"),\n    ),\n',
        '    Kind.UNSURE: KindForm("Unsure", "single", "The device scrambles one of three answers.", BY_THE_DEVICE),\n',
    ),
    "surveys/authoring/planning/overview.py": (
        '    Kind.NUMBER: "Number, {first} to {last}",\n',
        '    Kind.UNSURE: "Yes, no or unsure",\n',
    ),
    "features/xlsform/question_types.py": (
        '    Kind.NUMBER: "integer",\n',
        '    Kind.UNSURE: "select_one yes_no_unsure",\n',
    ),
    "surveys/results/report/headlines.py": (
        "    Kind.NUMBER: of_background,\n",
        "    Kind.UNSURE: _yes_no,\n",
    ),
    "features/simulation/simulation.py": ('    Kind.NUMBER: "",\n', '    Kind.UNSURE: "",\n'),
    "surveys/templatetags/respond.py": (
        '    Kind.NUMBER: "number",\n',
        '    Kind.UNSURE: "choices",\n',
    ),
    "static/respondent/controls.js": (
        "  number: { control: always(number), first: 0 },\n",
        "  unsure: { control: always(buttons), first: 1 },\n",
    ),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    copy = Tree(tmp_path_factory.mktemp("kind"))
    for name, (before, entry) in ENTRIES.items():
        copy.put(name, after=before, text=entry)
    copy.migrate("toy_kind")
    return copy


def test_one_more_kind_touches_so_many_files(tree: Tree) -> None:
    touched = tree.touched()
    assert len(touched) == FILES, "\n".join(touched)


def test_it_goes_through_every_stage_as_all_kinds_do(tree: Tree) -> None:
    contract, order = "tests/whole_site/test_kinds_contract.py", "tests/web/test_order.py"
    output = tree.test(contract, order, "-k", "[unsure] or table_of_kinds").stdout
    assert re.search("^3 passed", output, re.MULTILINE), output
