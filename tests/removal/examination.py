"""Looks for what a removed feature has left behind, in the copy of the program in which this is run as a module.

It runs Django's checks, looks for migrations that are missing, imports all modules, and looks up each address, template
and static file that a template or a module names. It prints what is wrong, a line each, and ends with 1 if anything is.
"""

import ast
import contextlib
import importlib
import io
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import django
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Node, TemplateDoesNotExist, TemplateSyntaxError
from django.template.base import FilterExpression
from django.template.defaulttags import URLNode
from django.template.loader import get_template
from django.template.loader_tags import ExtendsNode, IncludeNode
from django.templatetags.static import StaticNode
from django.urls import URLPattern, URLResolver, get_resolver

from tests.helpers.source_files import ROOT, asset_name, python_files, template_files

FOLDERS = ("config", "features", "mechanisms", "surveys")
WORKSPACE = "workspace:"
TEMPLATE = re.compile(r"[\w-]+(/[\w-]+)+\.html")
ADDRESS = re.compile(
    r"/|https?:|\."
)  # where people are sent to an address, and not to the page of a URL name


class Argument(NamedTuple):
    """Which argument of a call is a URL name: by position or by keyword. namespace: what the core puts before it."""

    position: int
    keyword: str
    namespace: str = ""


# The calls that take a URL name. Those with a namespace are the classes of surveys/extensions.py.
URL_NAMES = {
    "reverse": Argument(0, "viewname"),
    "reverse_lazy": Argument(0, "viewname"),
    "redirect": Argument(0, "to"),
    "as_view": Argument(0, "pattern_name"),
    "Tab": Argument(1, "url", WORKSPACE),
    "Action": Argument(1, "url", WORKSPACE),
    "Page": Argument(0, "url", WORKSPACE),
    "Step": Argument(3, "url", WORKSPACE),
}
WORTH_READING = re.compile(
    r"reverse|redirect|pattern_name|surveys\.extensions|\.html"
)  # to parse takes long
SETTINGS = ("LOGIN_URL", "LOGIN_REDIRECT_URL", "LOGOUT_REDIRECT_URL")


def main() -> None:
    problems = [*check_problems(), *import_problems()]
    names = set(url_names(get_resolver()))
    problems += template_problems(names)
    problems += python_problems(names)
    print("\n".join(problems))
    sys.exit(bool(problems))


def check_problems() -> Iterator[str]:
    """Yield what manage.py check and makemigrations --check complain of."""
    for command in (["check"], ["makemigrations", "--check", "--dry-run"]):
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                call_command(*command)
        except (Exception, SystemExit) as error:
            yield f"manage.py {' '.join(command)}: {error}\n{output.getvalue()}"


def import_problems() -> Iterator[str]:
    """Yield the modules that cannot be imported."""
    for path in python_files(*FOLDERS):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        try:
            importlib.import_module(name)
        except Exception as error:
            yield f"{name} cannot be imported: {error!r}"


def url_names(resolver: URLResolver, namespace: str = "") -> Iterator[str]:
    """Yield the names of all addresses, with their namespaces."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            if pattern.name:
                yield namespace + pattern.name
        else:
            inside = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from url_names(pattern, namespace + inside)


def template_problems(names: set[str]) -> Iterator[str]:
    """Yield what templates name and what does not exist, and templates that cannot be compiled."""
    for path in template_files():
        place = path.relative_to(ROOT)
        try:
            template = get_template(asset_name(path, "templates")).template
        except (TemplateSyntaxError, TemplateDoesNotExist) as error:
            yield f"{place}: {error!r}"
            continue
        for node in template.nodelist.get_nodes_by_type(Node):
            yield from (f"{place}: {problem}" for problem in node_problems(node, names))


def node_problems(node: Node, names: set[str]) -> Iterator[str]:
    """Yield what a tag of a template names and what does not exist. A name that is put together is not looked up."""
    if isinstance(node, URLNode) and not node.asvar:
        name = literal(node.view_name)
        if name and name not in names:
            yield f"no page has the URL name {name}"
    elif isinstance(node, StaticNode):
        name = literal(node.path)
        if name and not finders.find(name):
            yield f"there is no static file {name}"
    elif isinstance(node, IncludeNode | ExtendsNode):
        name = literal(node.template if isinstance(node, IncludeNode) else node.parent_name)
        if name and not exists(name):
            yield f"there is no template {name}"


def literal(expression: FilterExpression) -> str:
    """Return the text of an expression of a template, or "" if it is not known before the template is rendered."""
    if isinstance(expression.var, str) and not expression.filters:
        return str(expression.var)
    return ""


def exists(name: str) -> bool:
    """Return whether Django has a template of a name."""
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return False
    except TemplateSyntaxError:
        return True  # it is reported where it is compiled itself
    return True


def python_problems(names: set[str]) -> Iterator[str]:
    """Yield the URL names and templates that are written out in modules and do not exist."""
    for name in SETTINGS:
        if getattr(settings, name) not in names:
            yield f"config/settings.py: {name} is {getattr(settings, name)}, and no page has this URL name"
    for path in python_files(*FOLDERS):
        text = path.read_text()
        if not WORTH_READING.search(text):
            continue
        tree = ast.parse(text)
        from_extensions = set(imported_names(tree, "surveys.extensions"))
        calls = {
            function: argument
            for function, argument in URL_NAMES.items()
            if not argument.namespace or function in from_extensions
        }
        for node in ast.walk(tree):
            yield from (
                f"{path.relative_to(ROOT)}: {problem}"
                for problem in code_problems(node, names, calls)
            )


def imported_names(tree: ast.Module, module: str) -> Iterator[str]:
    """Yield the names that are imported from a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names)


def code_problems(node: ast.AST, names: set[str], calls: dict[str, Argument]) -> Iterator[str]:
    """Yield the URL name or template that a node of a module names and that does not exist."""
    if isinstance(node, ast.Call):
        name = url_name(node, calls)
        if name and not ADDRESS.match(name) and name not in names:
            yield f"line {node.lineno}: no page has the URL name {name}"
    if isinstance(node, ast.Constant) and is_template(node.value) and not exists(node.value):
        yield f"line {node.lineno}: there is no template {node.value}"


def is_template(value: object) -> bool:
    """Return whether a literal is the name of a template."""
    return isinstance(value, str) and bool(TEMPLATE.fullmatch(value))


def url_name(call: ast.Call, calls: dict[str, Argument]) -> str:
    """Return the URL name that a call is given, or "" if it is given none that is written out."""
    function = (
        call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    )
    if function not in calls:
        return ""
    argument = calls[function]
    values = [keyword.value for keyword in call.keywords if keyword.arg == argument.keyword]
    values += call.args[argument.position : argument.position + 1]
    if (
        values
        and isinstance(values[0], ast.Constant)
        and isinstance(values[0].value, str)
        and values[0].value
    ):
        return argument.namespace + values[0].value
    return ""


if __name__ == "__main__":
    django.setup()
    main()
