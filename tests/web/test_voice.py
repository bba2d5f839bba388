"""The voice of the product, held by counts: of each file, how many of its texts read translated may only fall.

`tests/voice_allowed.txt` lists them by file: texts with a word that has a better one (`words`), and
sentences that are too long (`length`). A file that is not in it has none. Where a false alarm stays,
its line says why behind a #. `make format` writes lower counts back. Names in code are counted by
tests/whole_site/test_plain.py.
"""

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import django

from tests.helpers.source_files import (
    CODE,
    is_of_removed_feature,
    python_files,
    static_files,
    template_files,
)

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = ROOT / "tests" / "voice_allowed.txt"
RESPONDENT = "locale"  # the msgids of respondents' pages, mails and letters, which stand in templates and code
BETTER = {
    r"whoever|whom": "anyone who, people who",
    r"somebody|everybody|nobody|anybody": "someone, everyone, no one, anyone",
    r"by lot|drawn by": "picked at random",
    r"as it is|as they are|sent as is": "not scrambled, unchanged",
    r"so that": "so, to",
    r"anew": "again, new",
    r"reckon\w*": "assume, calculate",
    r"mend\w*": "fix",
    r"hardly": "a number",
    r"telephones?": "phone",
    r"per cent|\d[ \u00a0]%": "27%, without a space",
    r"50:50": "pure chance",
    r"privacy budget": "protection",
    r"real hint": "a hint, not a certainty",
    r"cannot be told(?! apart)|told from": "no clear difference",
    r"shows nothing": "too uncertain for one number",
    r"stands? (?:in|for|beside)": "is in, means, is next to",
    r"of its own": "its own",
    r"of which": "two sentences",
    r"in the place of": "instead of",
    r"(?<!there )is no(?! longer)": "is not, has no",
    r"rehears\w+": "simulation",
    r"ready instruments?": "template",
    r"questionnaires?": "survey",
    r"participants?": "respondent",
    r"rights? to rows": "row access",
    r"quick exit": "Exit",
    r"garbled|noised": "scrambled",
    r"not contradicted": "passed",
}
PROMISES = {
    r"proves?|never|anonymous\w*|safe|no one can": "what always holds"
}  # on respondents' pages
LONGEST = {True: 20, False: 25}  # words of a sentence: for respondents, for everybody else
FREE_OF_LENGTH = re.compile(
    r"surveys/web/api/|features/\w+/(\w+_)?api\.py$|/(methods|references|literature)\.py$"
)  # texts for papers and programmers


def pattern(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w)(?:{word})(?!\w)" for word in words), re.IGNORECASE)


WORDS, RESPONDENT_WORDS = pattern(BETTER), pattern(BETTER | PROMISES)


def texts() -> Iterator[tuple[str, str]]:
    """(file, text) of all that people read: msgids, templates without their tags, strings of code and scripts."""
    from surveys.management.commands import messages

    for _, text in messages.used():
        yield from ((RESPONDENT, each) for each in ([text] if isinstance(text, str) else text))
    for path in template_files():
        visible = re.sub(
            r"\{#.*?#\}|\{%.*?%\}|<(style|script).*?</\1>|<!--.*?-->",
            " ",
            path.read_text(),
            flags=re.DOTALL,
        )
        for part in re.split(r"<[^>]*>|\n\s*\n", re.sub(r"\{\{.*?\}\}", "X", visible)):
            yield str(path.relative_to(ROOT)), part
    for path in static_files(".js"):
        yield from (
            (str(path.relative_to(ROOT)), each[1:-1])
            for each in re.findall(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`', path.read_text())
        )
    for path, tree in trees(*CODE):
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node) and not is_shape(node)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
            ):
                yield path, node.value


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def is_shape(node: ast.AST) -> bool:
    """Whether the documentation of the API prints the first line of this docstring."""
    return isinstance(node, ast.ClassDef) and any(
        getattr(base, "id", "") == "ApiResult" for base in node.bases
    )


def trees(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for path in python_files(*folders):
        yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def offences() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield ((file, rule), text) for each text and sentence that the list counts."""
    for file, text in texts():
        if len(text.split()) < 3:
            continue
        is_respondent = file == RESPONDENT or "/respond" in file
        if bad := (RESPONDENT_WORDS if is_respondent else WORDS).search(text):
            yield (file, "words"), f"“{bad[0]}” in “{' '.join(text.split())[:120]}”"
        longest = LONGEST[is_respondent]
        if not FREE_OF_LENGTH.search(file):
            for sentence in re.split(r"(?<=[.!?:;])\s+", text):
                if len(sentence.split()) > longest:
                    yield (
                        (file, "length"),
                        f"more than {longest} words: “{' '.join(sentence.split())[:120]}”",
                    )


def allowed() -> dict[tuple[str, str], tuple[int, str]]:
    """(file, rule) -> how many, and why they stay where somebody said it."""
    lines = [line for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    fields = [(*line.partition("#")[0].split(), line.partition("#")[2].strip()) for line in lines]
    return {(file, rule): (int(count), reason) for file, rule, count, reason in fields}


def test_what_reads_translated_only_becomes_less() -> None:
    more, known = [], allowed()
    listed = list(offences())
    for key, count in Counter(key for key, _ in listed).items():
        if count > known.get(key, (0, ""))[0]:
            more += [f"{key[0]}: {count} {key[1]}, allowed are {known.get(key, (0, ''))[0]}"]
            more += [f"    {text}" for each, text in listed if each == key]
    better = "\n".join(f"    {words}: {instead}" for words, instead in (BETTER | PROMISES).items())
    assert not more, "\n".join([*more, "Say instead:", better])


def test_the_list_names_no_file_that_is_gone() -> None:
    gone = [file for file, _ in allowed() if not (ROOT / file).exists()]
    assert [file for file in gone if not is_of_removed_feature(file)] == []


def lower() -> None:
    """Write the counts as they are now where they are lower, and keep the reasons."""
    counts, known = Counter(key for key, _ in offences()), allowed() if ALLOWED.exists() else None
    head = (
        "# Texts that tests/web/test_voice.py objects to, by file. These "
        "counts may only fall: make format.\n"
    )
    rows = [
        (
            file,
            rule,
            min(count, known[file, rule][0]) if known else count,
            known[file, rule][1] if known else "",
        )
        for (file, rule), count in sorted(counts.items())
        if known is None or (file, rule) in known
    ]
    ALLOWED.write_text(
        head
        + "".join(
            f"{file} {rule} {count}{f'  # {why}' if why else ''}\n"
            for file, rule, count, why in rows
        )
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    lower()
