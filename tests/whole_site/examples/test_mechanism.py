"""A mechanism more, and a design more of a class that exists: how many files each touches, and that all takes them up.

What the copy of the tree is then put through is in mechanism_program.py. The numbers of files may only fall.
"""

from pathlib import Path

from tests.whole_site.examples.tree import Tree

CLASS = '''"""A toy: keeps the answer with chance keep/den; else the report is any of all answers."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Den, log_ratio
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import Missing, code_column
from mechanisms.designs import direct
from mechanisms.designs.mechanism import Contrast, Mechanism, Recipe, Seed
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally

DEN = 10**6


class Toy(Mechanism):
    kind = name = "toy"
    keys = frozenset({"kind", "size", "keep", "den"})
    title = "A toy"
    description = "The answer is kept, or any answer is reported."
    merit = "Children like it."
    source = "Toymaker, T. (2020). Toys. Journal of Toys, 1(1), 1–2."
    constrained_by = "Norm-Sub"

    def __init__(self, size: int, keep: int, den: int = DEN) -> None:
        self.size, self.keep, self.den = checks.size(size), keep, den
        self.other = Fraction(den - keep, den * size)
        self.own = Fraction(keep, den) + self.other

    @classmethod
    def of_epsilon(cls, size: int, epsilon: float, den: Den = DEN) -> "Toy":
        e = float(np.exp(float(epsilon)))
        return cls(size, int(DEN * (e - 1) / (e + size - 1)))

    @classmethod
    def recipes(cls) -> tuple[Recipe, ...]:
        return (Recipe("toy", "one", cls.of_epsilon, direct.probabilities_for, ease=9),)

    @property
    def epsilon(self) -> float:
        return log_ratio(self.keep * self.size + self.den - self.keep, self.den - self.keep)

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast("direct", self.own, self.other)

    def in_words(self) -> str:
        return f"the answer kept with probability {self.keep}/{self.den}"

    def describe_probabilities(self) -> list[str]:
        return [f"The answer is kept with probability {self.keep}/{self.den}."]

    def spec(self) -> dict[str, Any]:
        return {"kind": "toy", "size": self.size, "keep": self.keep, "den": self.den}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Toy":
        return cls(spec["size"], spec["keep"], spec["den"])

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        each = range(self.size)
        return tuple(tuple(self.own if truth == report else self.other for report in each) for truth in each)

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        kept = draw.uniform(self.den, next_uint32) < self.keep
        return truth if kept else draw.uniform(self.size, next_uint32)

    def randomize(
        self, truths: Any, rng: Seed = None, *, labels: Any = None, missing: Missing = "refuse"
    ) -> IntArray:
        answers, generator = self.true_codes(truths, labels, missing), checks.generator(rng)
        kept = generator.integers(0, self.den, len(answers)) < self.keep
        return np.where(kept, answers, generator.integers(0, self.size, len(answers)))

    def tally(self, reports: Any, *, labels: Any = None, missing: Missing = "refuse") -> Tally:
        column = code_column("reports", reports, labels, missing)
        counts = np.bincount(column.values, minlength=self.size)
        return Tally(len(column.values), counts, labels=labels, missing=column.missing)

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (self.size,):
            raise ValueError("allowed are as many counts as there are answers")

    def line(self) -> Line:
        return Line(np.full(self.size, float(self.other)), np.full(self.size, self.keep / self.den))

    def share_covariance(self, tally: Tally) -> FloatArray:
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    def constrain(self, tally: Tally) -> FloatArray:
        return norm_sub(self.decode(tally.counts / tally.n))

    def maximum_likelihood(self, reports: Any) -> FloatArray:
        return self.constrain(self.tally(reports))
'''

SCRIPT = """// A toy: keeps the answer, or reports any of all answers.

import { checkDen, checkWhole, logRatio, uniform } from "./draw.js";

const own = (spec) => spec.keep * spec.size + spec.den - spec.keep;
const other = (spec) => spec.den - spec.keep;

export const toy = {
  check(spec) {
    checkWhole("size", spec.size, 2, 200);
    checkWhole("keep", spec.keep, 1, checkDen(spec.den) - 1);
  },

  randomize(spec, truth, nextUint32) {
    checkWhole("truth", truth, 0, spec.size - 1);
    return uniform(spec.den, nextUint32) < spec.keep ? truth : uniform(spec.size, nextUint32);
  },

  epsilon(spec) {
    return logRatio(own(spec), other(spec));
  },

  contrast(spec) {
    const all = spec.den * spec.size;
    return { shape: "direct", chosen: [own(spec), all], other: [other(spec), all] };
  },

  probabilities(spec) {
    const each = Array.from({ length: spec.size }, (_, answer) => answer);
    const all = spec.den * spec.size;
    return each.map((truth) => each.map((report) => (truth === report ? own(spec) : other(spec)) / all));
  },
};
"""

ROW = """        Design(
            "toy",
            "A toy",
            "Keeps the answer, or takes any.",
            {"epsilon": EPSILON_HELP},
            {"epsilon": USUAL_EPSILON},
            Toy.of_epsilon,
            level=Level("one", precision_reason),
        ),
"""

ROW_OF_WIRES = """    "toy": lambda spec: Integers(spec["size"]),
"""

COIN = '''class ToyCoin(YesNo):
    """The answer is kept with probability p; else a fair coin decides."""

    PARAMETERS = ("p",)
    name = "toy-coin"
    title = "A toy coin"
    description = "The answer is kept, or a coin decides."
    source = "Toymaker, T. (2020). Toys. Journal of Toys, 1(1), 1–2."

    def __init__(self, p: Probability, *, den: int | None = None) -> None:
        p = checks.probability("p", p)
        super().__init__({"p": p}, (1 + p) / 2, (1 - p) / 2, den)


'''

ROW_OF_COIN = """        Design(
            "toy-coin",
            "A toy coin",
            "Keeps the answer, or tosses a coin.",
            {"p": "How often it is kept."},
            {"p": "1/2"},
            lambda size, p: ToyCoin(p),
            reject_value(0, "p"),
            two_answers_only=True,
        ),
"""

CATALOGUE = "surveys/definition/designs/catalogue.py"


def test_a_mechanism_more_is_seven_files(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("mechanisms/designs/toy.py", CLASS)
    tree.put(
        "mechanisms/designs/specs.py",
        before="from mechanisms.designs.unary",
        text="from mechanisms.designs.toy import Toy\n",
    )
    tree.put(
        "mechanisms/designs/specs.py",
        before="    Window,\n    Written,",
        text="    Toy,\n",
    )
    tree.put(
        "mechanisms/__init__.pyi",
        before="from mechanisms.designs.unary",
        text="from mechanisms.designs.toy import Toy as Toy\n",
    )
    tree.put("mechanisms/designs/wire.py", before='    "unary":', text=ROW_OF_WIRES)
    tree.write("static/mechanisms/toy.js", SCRIPT)
    index = "static/mechanisms/index.js"
    tree.put(
        index,
        before='import { unary } from "./unary.js";',
        text='import { toy } from "./toy.js";\n',
    )
    tree.put(index, before="unary, subset,", text="toy, ")
    tree.put(CATALOGUE, before="    TwoCoin,\n", text="    Toy,\n")
    tree.put(CATALOGUE, before='        Design(\n            key="window",', text=ROW)
    assert len(tree.touched()) == 7  # may only fall
    tree.test("tests/whole_site/examples/mechanism_program.py", DESIGN="toy", KIND="choice")


def test_a_design_more_of_a_class_that_exists_is_three_files(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.put("mechanisms/designs/yes_no.py", before="class Crosswise(", text=COIN)
    tree.put("mechanisms/designs/yes_no.py", before="    Crosswise,\n", text="    ToyCoin,\n")
    tree.put(
        "mechanisms/__init__.pyi",
        before="    Triangular as",
        text="    ToyCoin as ToyCoin,\n",
    )
    tree.put(CATALOGUE, before="    TwoCoin,\n", text="    ToyCoin,\n")
    tree.put(CATALOGUE, before='        Design(\n            key="direct",', text=ROW_OF_COIN)
    assert len(tree.touched()) == 3  # may only fall
    tree.test("tests/whole_site/examples/mechanism_program.py", DESIGN="toy-coin", KIND="yes-no")
