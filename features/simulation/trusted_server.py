"""What a trusted server would have shown: true counts with discrete Laplace noise, beside what scrambling devices show.

Of invented people only. Of real ones nobody here has true counts; that is the point.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mechanisms import Estimate, central, round_up
from surveys.results.figures.axes import shares_axis
from surveys.results.figures.dot_plot import Figure, Mark, Row
from surveys.site.number_format import format_count, format_percent
from surveys.statements.quantity import Kind, Quantity

CONFIDENCE = 0.95
FEW = 10  # people, below which tenths are said
SERVER = "A trusted server adds noise to the counts"
DEVICES = "Each device scrambles its own answer"


@dataclass(frozen=True)
class Shown:
    """One answer: how many of the invented gave it, and the number that is shown with its range."""

    label: str
    true: int
    shown: float
    low: float
    high: float

    @property
    def error(self) -> float | None:
        """By which part of the true count the number is wrong; None where nobody gave the answer."""
        return abs(self.shown - self.true) / self.true if self.true else None

    @property
    def wrong_by(self) -> str:
        """ "8% too few", "exact"."""
        beyond = round(self.shown) - self.true
        if not beyond:
            return "exact"
        way = "too many" if beyond > 0 else "too few"
        return (
            f"{_percent(self.error)} {way}"
            if self.error is not None
            else f"{format_count(abs(beyond))} {way}"
        )


@dataclass(frozen=True)
class Way:
    """What one way of protecting the answers shows."""

    name: str
    answers: tuple[Shown, ...]

    @property
    def error(self) -> float | None:
        """The mean percent error of the answers that anybody gave, as a fraction."""
        errors = [answer.error for answer in self.answers if answer.error is not None]
        return sum(errors) / len(errors) if errors else None

    @property
    def off(self) -> str:
        """How wrong it is: "off by 8% on average"."""
        if self.error is None:
            return "not measured, because no one gave these answers"
        return f"off by {_percent(self.error)}{' on average' if len(self.answers) > 1 else ''}"


@dataclass(frozen=True)
class Beside:
    """Both ways at one epsilon, for the same n people. changed: how many counts one person can change."""

    epsilon: float
    n: int
    changed: int
    design_title: str
    server: Way
    devices: Way

    @property
    def noise(self) -> float:
        """How many people the server's noise adds or takes away on average, whatever n."""
        return central.noise_error(self.epsilon, self.changed)

    @property
    def spent(self) -> str:
        """Epsilon in words, never rounded down."""
        return f"{round_up(self.epsilon, 2 if self.epsilon >= 0.1 else 4):g}"

    @property
    def sentence(self) -> str:
        counts, those = (
            ("count is", "that") if len(self.server.answers) == 1 else ("counts are", "those")
        )
        noise = format_count(round(self.noise)) if self.noise >= FEW else f"{self.noise:.1f}"
        return (
            f"At epsilon {self.spent} the trusted server’s {counts} {self.server.off}, {those} from scrambled answers "
            f"{self.devices.off}. The noise of the server changes a count by {noise} people on average, however many "
            "there are."
        )

    @cached_property
    def figure(self) -> Figure:
        """Both on one scale: a plain bar is the truth, the dot what is shown."""
        rows: list[Row] = []
        for way in (self.server, self.devices):
            rows += [Row(way.name, is_heading=True), *(self._row(answer) for answer in way.answers)]
        ends = [
            (min(0.0, m.low, m.share), max(m.high, m.share))
            for m in (row.mark for row in rows)
            if m
        ]
        axis = shares_axis(ends, [answer.true / self.n for answer in self.server.answers])
        words = {"values": "shown", "ranges": "", "dots": "the number shown, and its 95% range"}
        return Figure(tuple(rows), axis, legend=(("count", "the invented true number"),), **words)

    def _row(self, answer: Shown) -> Row:
        places = (value / self.n for value in (answer.shown, answer.low, answer.high))
        interval = answer.low / self.n, answer.high / self.n
        is_wide = Quantity(kind=Kind.SHARE).is_too_wide(interval)
        mark = Mark(*places, truth=answer.true / self.n, is_pale=is_wide, is_withheld=is_wide)
        true = f"true: {format_count(answer.true)}"
        if is_wide:
            return Row(answer.label, "", true, mark, note="too uncertain for one number")
        shown = format_count(round(answer.shown)).replace("-", "−")
        return Row(answer.label, shown, true, mark, note=answer.wrong_by)


def compare_with_server(
    labels: Sequence[str],
    truths: Sequence[int],
    estimate: Estimate,
    rng: np.random.Generator,
    *,
    epsilon: float | None = None,
    answers: Iterable[int] | None = None,
) -> Beside:
    """Compare a trusted server's noisy counts with the estimates from scrambled answers.

    truths: how many of the invented gave each answer. estimate: from their scrambled answers, with 95% intervals.
    epsilon: of the server, by default that of the estimate's mechanism. answers: those that are shown, by default all.
    ValueError where epsilon is infinite.
    """
    mechanism, n = estimate.mechanism, estimate.n
    spent = mechanism.epsilon if epsilon is None else epsilon
    changed = central.counts_changed(mechanism.size, mechanism.select)
    noisy = _noisy(truths, n, spent, changed, rng)
    reach = central.noise_reach(spent, changed, CONFIDENCE)
    picked = list(range(mechanism.size) if answers is None else answers)
    server = [
        Shown(labels[a], truths[a], noisy[a], noisy[a] - reach, noisy[a] + reach) for a in picked
    ]
    shares, ends = n * estimate.proportions, n * estimate.intervals
    known = [
        a for a in picked if np.isfinite(shares[a])
    ]  # a mark that chance has never picked has no estimate
    devices = [Shown(labels[a], truths[a], *map(float, (shares[a], *ends[a]))) for a in known]
    ways = Way(SERVER, tuple(server)), Way(DEVICES, tuple(devices))
    return Beside(spent, n, changed, mechanism.title, *ways)


def _noisy(
    truths: Sequence[int], n: int, epsilon: float, changed: int, rng: np.random.Generator
) -> list[int]:
    """Of a yes/no question one count has noise, and the other is what is left."""
    if changed == 1:
        yes = int(central.simulate([truths[1]], epsilon, 1, rng=rng)[0, 0])
        return [n - yes, yes]
    noisy_counts: list[int] = central.simulate(truths, epsilon, changed, rng=rng)[0].tolist()
    return noisy_counts


def _percent(error: float) -> str:
    if 0 < error < 0.001:
        return "less than 0.1%"
    if 0 < error < 0.0995:
        return format_percent(error)
    return f"{format_count(round(100 * error))}%"
