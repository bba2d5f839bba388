"""Names of columns as statistics programs take them: none is reserved, none too long, no two the same."""

from collections.abc import Iterable

from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import all_columns

SPSS = {"all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"}
STATA = {
    *("byte", "double", "float", "if", "in", "int", "long", "strl", "using", "with"),
    *(f"str{length}" for length in range(1, 2046)),
}
LONGEST = {"spss": 64, "stata": 32}


def spss_names(frozen: SurveyDefinition) -> dict[str, str]:
    """Name of a column -> its name in SPSS."""
    return _taken([column.name for column in all_columns(frozen)], SPSS, LONGEST["spss"])


def stata_names(frozen: SurveyDefinition) -> dict[str, str]:
    return _taken([column.name for column in all_columns(frozen)], STATA, LONGEST["stata"])


def _taken(names: list[str], reserved: Iterable[str], most: int) -> dict[str, str]:
    """What needs no other name keeps its own."""
    found = {name: name for name in names if name not in reserved and len(name) <= most}
    taken = {*found.values(), *reserved}
    for name in names:
        if name not in found:
            found[name] = next(each for each in _shorter(name, most) if each not in taken)
            taken.add(found[name])
    return {name: found[name] for name in names}


def _shorter(name: str, most: int) -> Iterable[str]:
    """name_ and, where it has a number at its end, that number kept."""
    head, _, end = name.rpartition("_")
    kept = f"_{end}" if head and end.isdigit() else "_"
    start = head if kept != "_" else name
    yield f"{start[: most - len(kept)]}{kept}"
    for number in range(1, 10**6):
        middle = f"_{number}"
        yield f"{start[: most - len(kept) - len(middle)]}{middle}{kept}"
