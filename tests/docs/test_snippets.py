"""Every program that stands in docs is run by a test. README has none."""

import re

import pytest

from tests.docs.code_blocks import DOCS

ROOT = DOCS.parent
RUN_BY = {  # each names the page whose programs it runs
    "analysis.md": "tests/mechanisms/test_analysis_docs.py",
    "designs/rappor.md": "tests/mechanisms/test_rappor.py",
    "client.md": "tests/whole_site/test_client.py",
    "inviting.md": "tests/docs/test_api_examples.py",
    "features.md": "tests/docs/test_features_page.py",
    "webhooks.md": "features/webhooks/tests/test_webhooks.py",
    "importing.md": "features/response_import/tests/test_import_docs.py",
    "xlsform.md": "features/xlsform/tests/test_xlsform_docs.py",
    "recipes/python.md": "tests/docs/test_recipes.py",
    "recipes/javascript.md": "tests/docs/test_recipes.py",
    "recipes/r.md": "tests/docs/test_recipes.py",
}
PROGRAM = re.compile(r"^```(python|javascript|r|csv)$|^(?: {4})?>>> ", re.MULTILINE)


def test_pages_with_programs_are_those_that_are_run() -> None:
    pages = {
        str(page.relative_to(DOCS))
        for page in DOCS.rglob("*.md")
        if PROGRAM.search(page.read_text())
    }
    assert pages == {*RUN_BY}
    assert not PROGRAM.search((ROOT / "README.md").read_text())


@pytest.mark.parametrize(("file", "test"), RUN_BY.items())
def test_the_test_of_a_page_reads_it(file: str, test: str) -> None:
    stem = file.rpartition("/")[2].removesuffix(".md")
    assert re.search(rf"{stem}|recipes/\{{language\}}", (ROOT / test).read_text())
