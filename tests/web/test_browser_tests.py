"""What the tests in a browser keep to, so that none fails because a machine is slow."""

import ast

from tests.helpers.source_files import all_test_files

# They say what a page holds at this moment. `expect` of Playwright asks again until it is so.
AT_ONCE = {
    "all_inner_texts",
    "all_text_contents",
    "inner_text",
    "text_content",
    "inner_html",
    "input_value",
    "content",
}
AT_ONCE |= {
    "is_visible",
    "is_hidden",
    "is_checked",
    "is_enabled",
    "is_disabled",
    "get_attribute",
    "title",
    "all",
}


def reads_at_once(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "url" and getattr(node.value, "id", "") == "page"
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in AT_ONCE or (node.func.attr == "count" and not node.args)


def test_no_test_asserts_what_it_reads_at_once() -> None:
    """Neither a click nor a key waits for the page that it leads to: LATE in tests/browser/slow_server.py shows it."""
    found = [
        f"{file.name}:{each.lineno}"
        for file in all_test_files()
        if "browser" in file.parts
        for each in ast.walk(ast.parse(file.read_text()))
        if isinstance(each, ast.Assert) and any(map(reads_at_once, ast.walk(each)))
    ]
    assert not found, f"use expect(...) of Playwright: {', '.join(found)}"
