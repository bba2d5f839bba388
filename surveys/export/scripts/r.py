"""An R script that reads the CSV and gives the report again, in base R, and shows the calls of two packages."""

from fractions import Fraction
from pathlib import Path

from surveys.export.codebook import line
from surveys.publishing.instruments import Item, Paper

REPORT = Path(__file__).with_name("report.R")
KEPT = {ord(letter): letter for letter in map(chr, range(32, 127)) if letter not in '"\\'}


def r_script(frozen: Paper) -> str:
    head = [
        "# The report of this survey, computed again in base R from the randomized responses.",
        "# Run it beside responses.csv:  Rscript analysis.R",
        "# or name the files:            Rscript analysis.R responses.csv report.csv",
        f"# Instrument (SHA-256): {frozen.sha256}",
        "",
        f"title <- {quoted(frozen.title)}",
        "",
        "# marks: whether a report is a string of 0 and 1, one for each choice; otherwise it is a code.",
        "# c, d: share reported = c * true share + d. constrain: how to come to shares that are possible.",
        "questions <- list(",
        ",\n".join(_question(item) for item in frozen.items),
        ")",
        "",
        *_packages(frozen),
    ]
    return "\n".join(head) + "\n" + REPORT.read_text(encoding="utf-8")


def _question(item: Item) -> str:
    choices = ", ".join(map(quoted, item.choices))
    parts = [
        f"    key = {quoted(item.key)}",
        f"    text = {quoted(item.text)}",
        f"    choices = c({choices})",
        f"    size = {item.size}",
        f"    free = {item.mechanism.free_shares if item.mechanism else item.size}",
        f"    marks = {'TRUE' if item.is_string else 'FALSE'}",
        *_chances(item),
        f"    constrain = {quoted(_constrain(item))}",
    ]
    return "  list(\n" + ",\n".join(parts) + "\n  )"


def _chances(item: Item) -> list[str]:
    lines = line(item)
    if lines is None:
        spec = item.mechanism.spec()
        cells = ", ".join(str(weight) for row in spec["rows"] for weight in row)
        return [f"    matrix = matrix(c({cells}), nrow = {item.size}, byrow = TRUE) / {spec['den']}"]
    return [
        f"    {letter} = c({', '.join(map(_number, column))})"
        if len(set(column)) > 1
        else f"    {letter} = rep({_number(column[0])}, {item.size})"
        for letter, column in zip("cd", zip(*lines, strict=True), strict=True)
    ]


def _constrain(item: Item) -> str:
    if item.mechanism is None:
        return "none"
    if item.is_string:
        return "each" if getattr(item.mechanism, "select", "one") == "any" else "norm-sub"
    if item.size == 2:
        return "yes-no"
    return "likelihood" if item.mechanism.line() is not None else "unknown"


def _packages(frozen: Paper) -> list[str]:
    calls = [call for item in frozen.items for call in package_calls(item)]
    if not calls:
        return []
    return [
        "# The same questions in the packages rr (regression on a sensitive answer) and RRreg. Mind that they name",
        "# probabilities differently: rr has p = truth, p0 = forced No, p1 = forced Yes; RRreg has p = (No, Yes).",
        "# RRreg divides by n - 1 where the report divides by n, and by default it keeps estimates within 0 and 1.",
        *(f"#   {call}" for call in calls),
        "",
    ]


def package_calls(item: Item) -> list[str]:
    """Calls of rr and RRreg for designs that they have; none for others."""
    if item.mechanism is None or item.is_string:
        return []
    rr, rrreg = _arguments(item)
    answer = f"as.integer(responses[[{quoted(item.key)}]])"
    return [f"rr::rrreg({answer} ~ 1, {rr}, data = responses)"] * bool(rr) + [
        f"RRreg::RRuni({answer}, {rrreg}, MLest = FALSE)"
    ] * bool(rrreg)


def _arguments(item: Item) -> tuple[str, str]:  # noqa: PLR0911 (a table, one line for each design)
    """Arguments for rr::rrreg and for RRreg::RRuni, empty where a package does not know the design."""
    mechanism = item.mechanism
    p = {name: _number(Fraction(value)) for name, value in mechanism.parameters.items()}
    match mechanism.name:
        case "warner":
            return f'design = "mirrored", p = {p["p"]}', f'model = "Warner", p = {p["p"]}'
        case "crosswise":
            return f'design = "mirrored", p = {p["prevalence"]}', f'model = "Crosswise", p = {p["prevalence"]}'
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
    return f'design = "forced-known", p = {truth}, p1 = {yes}, p0 = {no}', f'model = "FR", p = c({no}, {yes})'


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
