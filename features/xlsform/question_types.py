"""What a row of a form asks: its kind, choices and design; or a note that says why it cannot be asked here."""

import re
from collections.abc import Callable
from typing import Any

from features.xlsform import choice_lists
from features.xlsform.sheets import NONE, SHORT, Row, Sheet, text_of
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.external import ALL_DESIGNS, PARAMETERS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.kinds import Kind, is_background

BOUND = re.compile(r"\.\s*(>=|<=|>|<)\s*(-?\d{1,9})")
BOUNDS = re.compile(rf"{BOUND.pattern}(\s+and\s+{BOUND.pattern})*", re.IGNORECASE)
DRAW = "rr::draw"  # in the settings how many of the drawn questions each person is asked; in a row that it is one
DECLINE = "rr::decline"  # in a row: whether “Prefer not to say” is offered
PROTECTION = "rr::protection"  # in the settings: a level, or an epsilon for all answers together
EVERYONE = "rr::everyone"  # in a row: whether it is asked of all, whatever else a device picks
OURS = ("rr::design", *(f"rr::{name}" for name in PARAMETERS), DRAW, DECLINE, EVERYONE, NONE)
YES, NO = ("yes", "true", "true()", "1"), ("", "no", "false", "false()", "0")
TYPES = {  # what stands under `type`, with the list of choices: its own, or that of all questions of its kind
    Kind.YES_NO: "select_one yes_no",
    Kind.CHOICE: "select_one {key}",
    Kind.ANY: "select_multiple {key}",
    Kind.QUANTITY: "integer",
    Kind.SCALE: "select_one {key}",
    Kind.WRITTEN: "text",
    Kind.BACKGROUND: "select_one {key}",
    Kind.NUMBER: "integer",
}
SENT_AS_IT_IS = "The question is left out. Otherwise its answers would not be scrambled."


def misspelt(sheet: Sheet) -> list[str]:
    """Headings that were to say how to randomize, and say it wrong: rr::epsilom, rr_design."""
    return [
        heading
        for heading, known in sheet.columns.items()
        if re.match(r"rr\b|rr_", known) and text_of(known) != SHORT and known not in OURS
    ]


def designs() -> list[tuple[str, list[str]]]:
    """What may stand under rr::design, each with the columns of its numbers."""
    own = [(key, [f"rr::{name}" for name in design.parameters]) for key, design in DESIGNS.items()]
    return [(AUTOMATIC, ["rr::epsilon"]), *((level, []) for level in EPSILONS), *own]


class Asked:
    """note: takes the number of a row of the survey and a text."""

    def __init__(
        self,
        lists: dict[str, choice_lists.List],
        note: Callable[..., None],
        protection: str = "",
    ) -> None:
        self.lists, self._note, self.protection = lists, note, protection
        self.used: set[str] = set()  # names of lists
        self.keys: set[str] = set()
        self.unfit: set[str] = (
            set()
        )  # names of lists whose names cannot be values, which is said once

    def answers(self, row: Row) -> dict[str, Any] | None:
        """Kind, choices and design; None, with a note, where there is no such question here."""
        given = {name: row.get(f"rr::{name}") for name in PARAMETERS if row.get(f"rr::{name}")}
        design = row.get("rr::design") or (AUTOMATIC if "epsilon" in given else "")
        unknown = [heading for heading in misspelt(row.sheet) if heading in row.cells]
        if not design and (given or unknown or row.get(DRAW) or row.get(EVERYONE)):
            idle = next(iter(given), "draw" if row.get(DRAW) else "everyone")
            named = ", ".join(f"“{name.lower()}”" for name in unknown) or f"“rr::{idle}”"
            self._note(row.number, f"{named} has no rr::design and no rr::epsilon. {SENT_AS_IT_IS}")
            return None
        if row.kind == "text":
            fields = self._written(row, {"design": design, "parameters": given})
        elif row.kind == "integer":
            fields = self._number(row, {"design": design, "parameters": given} if design else {})
        else:
            fields = self._chosen(row, design, given)
        return fields and self._by_the_dial(self._declined(row, fields))

    def _by_the_dial(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Where the settings have rr::protection, “automatic” without a number leaves the method to it."""
        is_left = self.protection and asked.get("design") == AUTOMATIC and not asked["parameters"]
        return asked | {"design": ""} if is_left else asked

    def _declined(self, row: Row, fields: dict[str, Any]) -> dict[str, Any]:
        """With “Prefer not to say” where the form has it: in a column of ours, or as the last choice sent as it is."""
        said = row.get(DECLINE).lower()
        if said not in YES + NO:
            self._note(
                row.number, f"“{DECLINE}” is “{said[:60]}”. Write yes or no. It counts as no."
            )
        choices = fields.get("choices", ())
        is_last = (
            is_background(fields["kind"])
            and len(choices) > 2
            and choice_lists.declines(choices[-1])
        )
        if is_last:
            fields = fields | {"choices": choices[:-1], "values": fields["values"][:-1]}
        return fields | {"decline": True} if is_last or said in YES else fields

    def _chosen(self, row: Row, design: str, parameters: dict[str, str]) -> dict[str, Any] | None:
        self.used.add(row.list)
        choice_list = self.lists.get(row.list)
        wrong = ""
        if not choice_list:
            wrong = f"The list “{row.list}” is not on the sheet choices; the question is left out."
        elif twice := choice_list.twice():
            wrong = f"{twice} Give them different labels. The question is left out."
        elif row.kind == "select_multiple" and not design:
            wrong = "Give it rr::epsilon. Multiple choice must be randomized, so the question is left out."
        if wrong:
            self._note(row.number, wrong)
            return None
        labels = choice_list.labels(row.other)
        if row.other:
            other = (
                f"is the choice “{choice_lists.OTHER}”"
                if len(labels) > len(choice_list.rows)
                else "is among the choices"
            )
            self._note(row.number, f"“or_other” {other}. People can’t write what it is.")
        values = self._values(row.list, choice_list, row.other)
        answers = {"choices": labels, "values": values}
        if not design:
            return {"kind": "background"} | answers
        return self._sensitive(row, answers, {"design": design, "parameters": parameters})

    def _values(self, name: str, choice_list: choice_lists.List, other: bool) -> list[str]:
        """The names of the choices, which are their values; nothing, with a note, where one can be none."""
        number, problem = choice_list.name_problem()
        if not problem:
            return choice_list.names(other)
        if name not in self.unfit:
            self.unfit.add(name)
            told = f"{problem}, so all choices of the list “{name}” have the values 1, 2, 3, …"
            self._note(number, told, "choices")
        return []

    def _sensitive(
        self, row: Row, answers: dict[str, list[str]], chosen: dict[str, Any]
    ) -> dict[str, Any]:
        labels = answers["choices"]
        self._parameters(row, chosen)
        if row.kind == "select_multiple":
            return {"kind": "any"} | answers | chosen
        if kind := choice_lists.of_a_kind(labels):
            names = answers["values"]
            values = choice_lists.values_of_kind(kind, labels, names) if names else []
            return {"kind": kind, "values": values} | chosen
        design = DESIGNS.get(chosen["design"])
        if len(labels) == 2 and design and design.tells_yes:
            self._note(
                row.number,
                f"For {chosen['design']}, Yes means “{labels[1]}” and No means “{labels[0]}”.",
            )
        return {"kind": "choice"} | answers | chosen

    def _parameters(self, row: Row, chosen: dict[str, Any]) -> None:
        """Numbers that the design does not have."""
        design = ALL_DESIGNS.get(chosen["design"])
        wanted = (
            design.parameters if design else {"epsilon"} if chosen["design"] == AUTOMATIC else {}
        )
        for name in chosen["parameters"].keys() - wanted:
            text = (
                f"“rr::{name}” ({chosen['parameters'][name][:60]}) is left out: "
                f"{chosen['design']} has no such number."
            )
            self._note(row.number, text)

    def _written(self, row: Row, chosen: dict[str, Any]) -> dict[str, Any] | None:
        """Its candidates are the list of its name, where there is one."""
        self._parameters(row, chosen)
        self.used.add(row.get("name"))
        choice_list = self.lists.get(row.get("name"))
        return {"kind": "written", "choices": choice_list.labels() if choice_list else []} | chosen

    def _number(self, row: Row, chosen: dict[str, Any]) -> dict[str, Any] | None:
        """chosen: the design of a sensitive number; empty for one that is sent as it is."""
        bounds = row.get("bind::constraint")[:200].strip()
        ends = {
            sign[0]: int(number) + {">": 1, "<": -1}.get(sign, 0)
            for sign, number in BOUND.findall(bounds)
        }
        if not BOUNDS.fullmatch(bounds) or len(ends) != 2:
            text = "Write both bounds under constraint, for example “. >= 18 and . <= 99”. The number is left out."
            self._note(row.number, text)
            return None
        numbers = {"minimum": str(ends[">"]), "maximum": str(ends["<"])}
        if not chosen:
            return {"kind": "number"} | numbers
        self._parameters(row, chosen)
        return {"kind": "quantity"} | numbers | chosen

    def key(self, row: Row) -> str:
        """A variable name of its own; names may be there twice in a form, in groups of their own."""
        name = row.get("name")
        key = re.sub(r"[^a-z0-9_]", "_", name.lower())[:32] or f"q{len(self.keys) + 1}"
        key = key if re.match(r"[a-z]", key) and key != "new" else f"q_{key}"[:32]
        tried, times = key, 1
        while tried in self.keys:
            times += 1
            tried = f"{key[: 31 - len(str(times))]}_{times}"
        self.keys.add(tried)
        if tried != name:
            self._note(row.number, f"The name “{name}” was changed to “{tried}”.")
        return tried
