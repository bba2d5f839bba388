"""Files of responses, and what the import makes of them."""

from dataclasses import replace

from features.response_import import staging
from features.response_import.preview import look
from features.response_import.reader import Part, read
from mechanisms import UnaryEncoding, Warner
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses.records import count_responses as tally_of, decode
from surveys.models import Import, Instrument, Survey
from tests.factories.import_surveys import FRUIT

ITEMS = (
    QuestionDefinition("tax", "yes-no", "Taxes?", "", ("No", "Yes"), Warner("3/4")),
    QuestionDefinition(
        "fruit", "choice", "Fruit?", "", tuple(FRUIT), UnaryEncoding(3, "3/4", "1/4")
    ),
    QuestionDefinition("region", "background", "Where?", "", ("North", "South"), None),
    QuestionDefinition("age", "number", "Age?", "", tuple(map(str, range(18, 100))), None),
)
PAPER = SurveyDefinition(
    "0" * 64, "abc", "On paper", "", "", "en", ITEMS, 0, "", import_only=True
)  # the same, without a database


def part(
    data: bytes,
    mapping: object = None,
    items: tuple[QuestionDefinition, ...] = ITEMS,
    *,
    nonresponse: bool = False,
    leaves_out: bool = False,
) -> Part:
    """A whole file as one part; raises what look raises.

    nonresponse: whether reports may be missing. leaves_out: rows without an answer to any question are left out, as
    they are if the mapping does not say that they count.
    """
    frozen = replace(PAPER, items=items, nonresponse=nonresponse)
    mapping = mapping if leaves_out else counting_all_rows(mapping)
    plan, cells, rest = look(frozen, mapping, data, last=True)
    assert rest == b""
    return read(frozen, plan, cells)


def counting_all_rows(mapping: object) -> object:
    """Return a mapping by which rows without an answer to any question count too.

    What is no mapping is returned as it is.
    """
    if mapping is None or isinstance(mapping, dict):
        return {"rows_without_answers": "count"} | (mapping or {})
    return mapping


def added_up(
    found: Part, items: tuple[QuestionDefinition, ...] = ITEMS, *, nonresponse: bool = False
) -> dict:
    frozen = replace(PAPER, items=items, nonresponse=nonresponse)
    return tally_of(frozen, decode(frozen, found.records))


HEADER = "tax,fruit,region,age"
GOOD = ["1,010,North,30", "0,111,South,99", "0,000,South,18"]


def csv(*rows: str, header: str = HEADER) -> bytes:
    return ("\r\n".join([header, *(rows or GOOD)]) + "\r\n").encode()


def send(survey: Survey, data: bytes, mapping: object = None, size: int = staging.PART) -> Import:
    """The whole file in parts of this size; raises what staging raises."""
    file, count = staging.begin(survey, survey.owner, counting_all_rows(mapping)), 0
    for start in range(0, len(data), size):
        count += 1
        file = staging.add(file, count, data[start : start + size])
    return staging.finish(file, count, survey.owner)


def problems(
    survey: Survey, data: bytes, mapping: object = None, size: int = staging.PART
) -> list[tuple]:
    """(row, column, message) of a file that has problems."""
    try:
        send(survey, data, mapping, size)
    except staging.Wrong as wrong:
        return [(each["row"], each["column"], each["message"]) for each in wrong.file.problems]
    raise AssertionError("the file was taken")


def tally(survey: Survey) -> dict:
    return Instrument.objects.get(survey=survey).tally
