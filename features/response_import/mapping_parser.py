"""A mapping out of JSON, and what is wrong with it at its place."""

from typing import Any

from features.response_import.coding import FROM_1, VALUES
from features.response_import.mapping import COUNT, CROSSES, OLDER, WAYS, Mapping, Wanted
from features.response_import.meanings import folded, is_coded, plain
from features.response_import.multiple import CELL_SEPARATORS
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.site.errors import Invalid
from surveys.site.files.encodings import encoding_titles, normalize_encoding
from surveys.site.files.layout import SEPARATORS, UNQUOTED, Layout

FIELDS = (
    "version",
    "encoding",
    "separator",
    "quoting",
    "sheet",
    "header",
    "first",
    "missing",
    "rows_without_answers",
    "questions",
)
QUESTION_FIELDS = {"column", "columns", "texts", "as", "split", "missing"}
MOST_TEXTS = 5000
MOST_MISSING = 100
LONGEST_TEXT = 500
LAST_HEADER = 1000
VERSIONS = (1, 2, 3)  # of the codebook


def parse(frozen: SurveyDefinition, data: Any) -> Mapping:
    """A mapping out of JSON. Raises Invalid with the place of each mistake."""
    if data is None:
        return Mapping()
    if not isinstance(data, dict) or set(data) - set(FIELDS):
        raise Invalid(
            {"mapping": f"A mapping has {', '.join(FIELDS[:-1])} and questions, and nothing else."}
        )
    wrong = _wrong_layout(data) | _wrong_missing(frozen, data.get("missing"))
    questions, items = data.get("questions", {}), {item.key: item for item in frozen.items}
    if not isinstance(questions, dict):
        raise Invalid({"questions": "This must be an object: question key -> its columns."})
    parsed = {}
    for key, asked in questions.items():
        if key not in items:
            wrong[f"questions.{str(key)[:50]}"] = "There is no such question."
            continue
        try:
            parsed[key] = _wanted(frozen, items[key], asked)
        except Invalid as error:
            wrong |= {
                f"questions.{key}{place and '.' + place}": message
                for place, message in error.errors.items()
            }
    if wrong:
        raise Invalid(wrong)
    missing = data.get("missing")
    if missing is not None:
        missing = _stripped(missing)
    return Mapping(
        layout=_layout(data),
        questions=parsed,
        missing=missing,
        rows_without_answers=data.get("rows_without_answers") or "",
    )


def _layout(data: dict[str, Any]) -> Layout:
    encoding = normalize_encoding(data.get("encoding") or "")
    others = {
        name: data[name]
        for name in ("separator", "quoting", "header", "first", "sheet", "version")
        if data.get(name)
    }
    return Layout(encoding, **others)


def _wrong_layout(data: dict[str, Any]) -> dict[str, str]:
    wrong = {}
    encoding, separator, header = (data.get(name) for name in ("encoding", "separator", "header"))
    version = data.get("version")
    if version is not None and (type(version) is not int or version not in VERSIONS):
        wrong["version"] = "This must be the version of the codebook, 1, 2 or 3."
    if encoding and not (isinstance(encoding, str) and normalize_encoding(encoding)):
        wrong["encoding"] = f"This must be one of {', '.join(encoding_titles())}."
    if separator and separator not in tuple(SEPARATORS):
        wrong["separator"] = "The separator must be a comma, a semicolon, a tab or a vertical bar."
    if header is not None and (type(header) is not int or not 1 <= header <= LAST_HEADER):
        wrong["header"] = (
            f"This must be the number of the row with the names, from 1 to {LAST_HEADER:,}."
        )
    wrong |= _wrong_first(data)
    if data.get("quoting") not in (None, "", UNQUOTED):
        wrong["quoting"] = f"Write “{UNQUOTED}” if quotation marks are letters like any other."
    if data.get("rows_without_answers") not in (None, "", COUNT):
        wrong["rows_without_answers"] = (
            f"Write “{COUNT}” to count them as people who gave no answer."
        )
    if data.get("sheet") and not _is_text(data["sheet"]):
        wrong["sheet"] = "The name of a sheet must be text."
    return wrong


def _wrong_first(data: dict[str, Any]) -> dict[str, str]:
    """Return what is wrong with the row where the data begin."""
    first = data.get("first")
    if first is None:
        return {}
    if type(first) is not int or not 2 <= first <= LAST_HEADER + 1:
        return {
            "first": f"This must be the number of the row where the data begin, from 2 to {LAST_HEADER + 1:,}."
        }
    return {}


def _wrong_missing(frozen: SurveyDefinition, texts: Any) -> dict[str, str]:
    if texts is None:
        return {}
    if not isinstance(texts, list) or len(texts) > MOST_MISSING or not all(map(_is_text, texts)):
        return {
            "missing": f"This must be a list of at most {MOST_MISSING} texts that mean “no report”."
        }
    return {"missing": OLDER} if texts and not frozen.nonresponse else {}


def _stripped(texts: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts))


def _wanted(frozen: SurveyDefinition, item: QuestionDefinition, asked: Any) -> Wanted:
    if not isinstance(asked, dict) or set(asked) - QUESTION_FIELDS:
        raise Invalid(
            {"": "A question has column or columns, texts, as or split, and missing; nothing else."}
        )
    wrong = _wrong_missing(frozen, asked.get("missing"))
    names = asked.get("columns", [asked["column"]] if "column" in asked else [])
    if not isinstance(names, list) or not all(map(_is_text, names)):
        wrong["column"] = "The name of a column must be text."
    elif "columns" in asked and not (item.is_string and len(names) == item.size):
        wrong["columns"] = (
            f"There must be {item.size} columns, one for each choice."
            if item.is_string
            else "Choose one column. This question has one report, a code."
        )
    way, texts = asked.get("as", ""), asked.get("texts")
    ways = WAYS if is_coded(item) else [each for each in WAYS if each not in (FROM_1, VALUES)]
    if item.is_string:
        ways = [*ways, CROSSES]
    split = asked.get("split", "")
    if split not in ("", *CELL_SEPARATORS) or (
        split and not (item.is_string and "column" in asked)
    ):
        wrong["split"] = (
            "In one column of several answers this is a comma, a semicolon, a vertical bar or a space."
        )
    if way not in ("", *ways):
        wrong["as"] = f"This must be one of {', '.join(ways)}."
    if texts is not None:
        wrong |= _wrong_texts(item, texts, "columns" in asked)
    if wrong:
        raise Invalid(wrong)
    own = None if texts is None else {plain(folded(text)): report for text, report in texts.items()}
    return Wanted(
        names=tuple(name.strip() for name in names),
        texts=own,
        way=way,
        missing=_stripped(asked.get("missing") or ()),
        split=split,
    )


def _is_text(name: Any) -> bool:
    """Whether a file can hold it."""
    if not isinstance(name, str) or len(name) > LONGEST_TEXT or "\0" in name:
        return False
    return name.encode(errors="replace").decode() == name


def _wrong_texts(item: QuestionDefinition, texts: Any, each: bool) -> dict[str, str]:
    if item.is_string and not each:
        return {"texts": "Leave the texts out. A string of marks has only 0 and 1."}
    if not isinstance(texts, dict) or not texts or len(texts) > MOST_TEXTS:
        return {"texts": "This must be an object: text -> report."}
    most = 1 if each else item.size - 1
    wrong = {}
    for text, report in texts.items():
        if not _is_text(text):
            wrong["texts"] = f"A text must be text of at most {LONGEST_TEXT} characters."
        elif type(report) is not int or not 0 <= report <= most:
            wrong[f"texts.{text[:50]}"] = f"A report must be a whole number from 0 to {most}."
    if len({plain(folded(text)) for text in texts}) < len(texts):
        wrong["texts"] = (
            "Two texts differ only in capital letters, spaces or zeros after a point. These don’t count."
        )
    return wrong
