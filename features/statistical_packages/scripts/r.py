"""R scripts that read the CSV: one into factors and numbers, one that gives the report again, in base R, and shows the
calls of two packages."""

from fractions import Fraction
from pathlib import Path

from mechanisms.designs.matrix import MatrixMechanism
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.codebook_lines import line
from surveys.export.columns import Column, Holds, all_columns, columns
from surveys.export.format import About
from surveys.export.scrambled import commented_note, marked_label

PARTS = [Path(__file__).with_name(name) for name in ("report.R", "model.R", "relations.R")]
CANDIDATES = Path(__file__).with_name("candidates.R")
KEPT = {ord(letter): letter for letter in map(chr, range(32, 127)) if letter not in '"\\'}


def r_script(frozen: SurveyDefinition) -> str:
    head = [
        "# The report of this survey, computed again in base R from the randomized responses.",
        "# Run it beside responses.csv:  Rscript analysis.R",
        "# or name the files:            Rscript analysis.R responses.csv report.csv",
        *commented_note(frozen),
        f"# Instrument (SHA-256): {frozen.sha256}",
        "",
        f"title <- {quoted(frozen.title)}",
        "",
        "# columns: where the reports stand. marks: whether there is one of 0 and 1 for each choice; a cell is empty",
        "# where it was not picked. Otherwise the first has a code, or a number that counts from first in steps; the",
        "# second then says who declined to give one. values: of the answers, in the order of their codes, unless",
        "# they are these codes. space: a code is a point that means a group of choices.",
        "# c, d: share reported = c * true share + d. constrain: how to come to shares that are possible.",
        "questions <- list(",
        ",\n".join(
            _question(item, columns(frozen)[item.key])
            for item in frozen.items
            if not item.is_written
        ),
        ")",
        "",
        *_packages(frozen),
    ]
    parts = [path.read_text(encoding="utf-8") for path in PARTS]
    return (
        "\n".join(head) + "\n" + "".join(parts) + _candidates(frozen) + "\n".join(_models(frozen))
    )


def _candidates(frozen: SurveyDefinition) -> str:
    """What counts candidates for written answers, where there are such."""
    spaces = [
        f"  {item.key} = list(order = {spec['order']}, dimension = {spec['dimension']}, "
        f"p = {_number(item.mechanism.p)}, q = {_number(item.mechanism.q)})"
        for item in frozen.items
        if item.mechanism and (spec := item.mechanism.spec())["kind"] == "written"
    ]
    if not spaces:
        return ""
    return (
        CANDIDATES.read_text(encoding="utf-8")
        + "\nspaces <- list(\n"
        + ",\n".join(spaces)
        + "\n)\n"
    )


def _models(frozen: SurveyDefinition) -> list[str]:
    """Calls of `model` for this survey, and of the package that knows the design, as comments."""
    explaining = " + ".join(item.key for item in frozen.items if item.mechanism is None)
    outcomes = [
        item for item in frozen.items if item.mechanism is not None and line(item) is not None
    ]
    if not explaining or not outcomes:
        return []
    lines = ["", "# For this survey:"]
    for item in outcomes:
        lines.append(f"#   model({quoted(item.key)}, {int(item.traits.has_yes)}, ~ {explaining})")
        calls = package_calls(item, item.key in frozen.keys_with_missing)
        lines += [
            f"#   {call.replace(' ~ 1,', f' ~ {explaining},')}" for call in calls if " ~ 1," in call
        ]
    return [*lines, *_relations(frozen, outcomes), ""]


def _relations(frozen: SurveyDefinition, outcomes: list[QuestionDefinition]) -> list[str]:
    """Calls of `crosstab`, `compare` and `weigh` for this survey, and of RRreg where it knows the design."""
    groups = [item for item in frozen.items if item.mechanism is None and not item.traits.is_number]
    lines = []
    for item in outcomes if groups else ():
        by, choice = groups[0], int(item.traits.has_yes)
        is_list = item.mechanism.in_groups and not item.is_string
        name = f"{item.key}:{choice}" if item.report_format.spreads or is_list else item.key
        lines.append(f"#   crosstab({quoted(by.key)}, {quoted(name)})")
        lines.append(f"#   compare({quoted(item.key)}, {choice}, {quoted(by.key)})")
        lines += [f"#   {call}" for call in _rrreg(item, by)]
    if groups and outcomes:
        lines.append(
            f"#   weigh(list({groups[0].key} = c({', '.join([f'1/{groups[0].size}'] * groups[0].size)})))"
        )
    return lines


def _rrreg(item: QuestionDefinition, by: QuestionDefinition) -> list[str]:
    """RRreg's correlation of two answers, and its logistic regression on groups; of designs for Yes and No."""
    rrreg = (
        _arguments(item)[1]
        if isinstance(item.mechanism, MatrixMechanism) and item.size == 2
        else ""
    )
    if not rrreg:
        return []
    model, _, chances = rrreg.partition(", p = ")
    answers = [_codes(item), _codes(by)]
    called = f'RRreg::RRcor(cbind({", ".join(answers)}), models = c({model.removeprefix("model = ")}, "direct")'
    return [f"{called}, p.list = list({chances}))"] * (by.size == 2) + [
        f"RRreg::RRlog({answers[0]} ~ factor({by.key}), data = responses, {rrreg})"
    ]


def _question(item: QuestionDefinition, own: tuple[Column, ...]) -> str:
    choices = ", ".join(map(quoted, item.choices))
    parts = [
        f"    key = {quoted(item.key)}",
        f"    text = {quoted(item.full_text)}",
        f"    choices = c({choices})",
        f"    size = {item.size}",
        f"    free = {item.mechanism.free_shares if item.mechanism else item.size}",
        f"    columns = c({', '.join(quoted(column.name) for column in own)})",
        *_values(own[0]),
        f"    marks = {'TRUE' if item.is_string else 'FALSE'}",
        *(
            [f"    first = {item.answer_values[0]}", f"    step = {item.answer_values.step}"]
            if own[0].holds is Holds.NUMBER
            else []
        ),
        *_chances(item),
        f"    constrain = {quoted(_constrain(item))}",
    ]
    return "  list(\n" + ",\n".join(parts) + "\n  )"


def _values(column: Column) -> list[str]:
    """The values in a column, in the order of the codes; nothing where they are the codes."""
    if not _has_values(column):
        return []
    texts = ", ".join(quoted(str(value)) for value in column.answer_values)
    return [f"    values = c({texts})"]


def _has_values(column: Column) -> bool:
    """Return whether a column has values that are not the codes from 0."""
    is_answer = column.holds is Holds.CODE
    return is_answer and column.answer_values != tuple(range(len(column.answer_values)))


def _chances(item: QuestionDefinition) -> list[str]:
    if not item.tells_shares:
        spec = item.mechanism.spec()
        given = ", ".join(
            f"{name} = {spec.get(name, 0)}" for name in ("size", "width", "high", "low", "aside")
        )
        numbers = item.answer_values
        return [
            f"    window = list({given})",
            f"    numbers = seq({numbers[0]}, by = {numbers.step}, length.out = {len(numbers)})",
        ]
    lines, space = line(item), []
    if item.mechanism and item.mechanism.in_groups and not item.is_string:
        spec = item.mechanism.spec()
        space = [f"    space = list(order = {spec['order']}, dimension = {spec['dimension']})"]
    if lines is None:
        spec = item.mechanism.spec()
        cells = ", ".join(str(weight) for row in spec["rows"] for weight in row)
        return [
            f"    matrix = matrix(c({cells}), nrow = {item.size}, byrow = TRUE) / {spec['den']}"
        ]
    return space + [
        f"    {letter} = c({', '.join(map(_number, column))})"
        if len(set(column)) > 1
        else f"    {letter} = rep({_number(column[0])}, {item.size})"
        for letter, column in zip("cd", zip(*lines, strict=True), strict=True)
    ]


def _constrain(item: QuestionDefinition) -> str:
    if item.mechanism is None:
        return "none"
    if item.mechanism.select == "any":
        return "each"
    if item.mechanism.in_groups:
        return "norm-sub"
    if item.size == 2:
        return "yes-no"
    if not item.tells_shares:
        return "none"
    return "likelihood" if item.mechanism.line() is not None else "unknown"


def _packages(frozen: SurveyDefinition) -> list[str]:
    calls = [
        call
        for item in frozen.items
        for call in package_calls(item, item.key in frozen.keys_with_missing)
    ]
    if not calls:
        return []
    return [
        "# The same questions in the packages rr (regression on a sensitive answer) and RRreg. Mind that they name",
        "# probabilities differently: rr has p = truth, p0 = forced No, p1 = forced Yes; RRreg has p = (No, Yes).",
        "# RRreg divides by n - 1 where the report divides by n, and by default it keeps estimates within 0 and 1.",
        *(f"#   {call}" for call in calls),
        "",
    ]


def package_calls(item: QuestionDefinition, optional: bool = False) -> list[str]:
    """Calls of rr and RRreg for designs that they have; none for others. optional: whether reports may be missing."""
    if not isinstance(item.mechanism, MatrixMechanism):
        return []
    rr, rrreg = _arguments(item)
    answer = _codes(item)
    return [f"rr::rrreg({answer} ~ 1, {rr}, data = responses)"] * bool(rr) + [
        f"RRreg::RRuni({f'na.omit({answer})' if optional else answer}, {rrreg}, MLest = FALSE)"
    ] * bool(rrreg)


def _codes(item: QuestionDefinition) -> str:
    """The codes of the reports to a question."""
    is_code = item.values.texts == tuple(str(code) for code in range(item.size))
    if item.traits.is_number or not is_code:
        return f"codes(named({quoted(item.key)}))"
    return f"as.integer(responses[[{quoted(item.key)}]])"


def _arguments(item: QuestionDefinition) -> tuple[str, str]:  # noqa: PLR0911 (a table, one line for each design)
    """Arguments for rr::rrreg and for RRreg::RRuni, empty where a package does not know the design."""
    mechanism = item.mechanism
    p = {name: _number(Fraction(value)) for name, value in mechanism.parameters.items()}
    match mechanism.name:
        case "warner":
            return f'design = "mirrored", p = {p["p"]}', f'model = "Warner", p = {p["p"]}'
        case "crosswise":
            return (
                f'design = "mirrored", p = {p["prevalence"]}',
                f'model = "Crosswise", p = {p["prevalence"]}',
            )
        case "two-coin":
            return _forced("1/2", "1/4", "1/4")
        case "forced-response":
            return _forced(p["truth"], p["yes"], p["no"])
        case "unrelated-question":
            rr = f'design = "unrelated-known", p = {p["p"]}, q = {p["prevalence"]}'
            return rr, f'model = "UQTknown", p = c({p["p"]}, {p["prevalence"]})'
        case "mangat" | "triangular":
            only = p.get("p") or p["prevalence"]
            return "", f'model = "{mechanism.name.capitalize()}", p = {only}'
        case "kuk":
            return "", f'model = "Kuk", p = c({p["p1"]}, {p["p2"]})'
        case "direct":
            return "", f'model = "FR", p = rep({mechanism.other}/{mechanism.den}, {item.size})'
    return "", ""


def _forced(truth: str, yes: str, no: str) -> tuple[str, str]:
    return (
        f'design = "forced-known", p = {truth}, p1 = {yes}, p0 = {no}',
        f'model = "FR", p = c({no}, {yes})',
    )


def _number(value: Fraction) -> str:
    """Exactly, for R to divide."""
    return str(value)


def quoted(text: str) -> str:
    """A string of R in plain ASCII."""
    return '"' + "".join(KEPT.get(ord(letter)) or _escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    return f"\\u{{{ord(letter):x}}}" if ord(letter) < 0x10000 else f"\\U{{{ord(letter):x}}}"


def r_import(frozen: SurveyDefinition) -> str:
    lines = [
        "# Reads responses.csv into the data frame `responses`: factors with labels, numbers, and marks as 0 and 1.",
        "# Sensitive answers are scrambled: correct for the chances in the codebook before you read shares from them.",
        *commented_note(frozen),
        f"# Instrument (SHA-256): {frozen.sha256}",
        'responses <- read.csv("responses.csv", na.strings = "", check.names = FALSE, fileEncoding = "UTF-8-BOM"'
        f"{_text_columns(frozen)})",
        f'attr(responses, "title") <- {quoted(frozen.title)}',
        *(line for column in all_columns(frozen) for line in _imported(column)),
    ]
    return "\n".join(lines) + "\n"


def _text_columns(frozen: SurveyDefinition) -> str:
    """The argument by which R reads texts as texts, since T and F are no logical values here."""
    names = [column.name for column in all_columns(frozen) if column.is_text]
    if not names:
        return ""
    classes = ", ".join(f'{quoted(name)} = "character"' for name in names)
    return f", colClasses = c({classes})"


def _imported(column: Column) -> list[str]:
    cells = f"responses[[{quoted(column.name)}]]"
    lines = [f'attr({cells}, "label") <- {quoted(marked_label(column))}']
    if column.holds is not Holds.CODE:
        whole = "as.integer" if column.ends[1] < 2**31 else "as.numeric"  # R has no larger integers
        return [f"{cells} <- {whole}({cells})", *lines]
    labels = ", ".join(map(quoted, column.labels.values()))
    ordered = ", ordered = TRUE" if column.level == "ordinal" else ""
    values = ", ".join(_literal(value) for value in column.labels)
    return [f"{cells} <- factor({cells}, c({values}), c({labels}){ordered})", *lines]


def _literal(value: int | str) -> str:
    if isinstance(value, str):
        return quoted(value)
    return str(value)


class Analysis(About):
    name = "analysis.R"
    title = "R script that computes the report from the CSV"
    media_type = "text/plain; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return r_script(frozen)


class RImport(About):
    name = "import.R"
    title = "R script that reads the CSV, with factors and numbers"
    media_type = "text/plain; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return r_import(frozen)
