"""What is estimated from the responses of a survey, as data frames."""

import io
from collections.abc import Mapping
from typing import Any

import pandas as pd

from candor_client.connection import Connection, checked
from candor_client.frames import choice_rows, flat_pairs, low_and_high, report_frame, share_or_none


class Results(Connection):
    def report(
        self,
        slug: str,
        *,
        confidence: float = 0.95,
        interval: str = "",
        simultaneous: bool = False,
        where: str = "",
        sampling: bool = True,
    ) -> pd.DataFrame:
        """A row for each choice of each question; shares are fractions, n the reports about the choice.

        Numbers and scales have a row "mean" too, whose estimate, error and ends are in the unit of the question. The
        column `statistic` says "share" or "mean". A choice without any figure has no row.

        interval: wilson, wald, exact or likelihood for every question, Problem where a design does not have it; unless
        given, the best that each design has. simultaneous: whether the intervals of a question hold together. where: a
        group by background answers, as "region:0,2;age:0-16". sampling: False for errors of the randomization alone,
        about exactly the people who answered, where the survey has tickets. attrs: n, waiting, epsilon, instrument,
        confidence, simultaneous, sampling, invited and cut, the report groups you are limited to without row access;
        the column interval_kind says which intervals came.
        """
        asked: dict[str, Any] = {
            "confidence": confidence,
            "simultaneous": str(simultaneous).lower(),
        }
        asked |= {
            name: value for name, value in (("interval", interval), ("where", where)) if value
        }
        asked |= {} if sampling else {"sampling": "false"}
        return report_frame(self._get(f"surveys/{slug}/report/", asked))

    def model(
        self,
        slug: str,
        outcome: str,
        explain: list[str],
        *,
        model: str = "",
        confidence: float = 0.95,
        where: str = "",
    ) -> pd.DataFrame:
        """What goes with an answer: a row for each group of each question that may explain it, adjusted for the others.

        outcome: a question and the code of an answer, "tax:1"; of all answers at once "fruit"; of a number, whose mean
        is explained in its unit, "hours". explain: background
        questions, of numbers "age:number" (per 10 more) or "age:groups"; with row access also an answer to one
        scrambled question, "tax:1". model: "logit", "shares" (least squares) or "all". attrs: sentence, n, verdict,
        model, tests and the rest that is not of one group.
        """
        asked: dict[str, Any] = {
            "outcome": outcome,
            "explain": ",".join(explain),
            "confidence": confidence,
        }
        asked |= {name: value for name, value in (("model", model), ("where", where)) if value}
        answer = self._get(f"surveys/{slug}/report/model/", asked)
        rows = [
            flat_pairs(term, ("interval", "simultaneous", "odds_interval"))
            for term in answer["terms"]
        ]
        frame = pd.DataFrame(rows).set_index("key")
        frame.attrs = {name: value for name, value in answer.items() if name != "terms"}
        return frame

    def analysis(self, slug: str, name: str, **asked: Any) -> pd.DataFrame:
        """Any analysis of the site, by its name and with its own parameters: the lines of its table.

        As analysis("abc", "compare", by="region"), which compares every question of the page, or one answer with
        outcome="tax:1" too. asked: confidence and where too. attrs: what the
        site says of the whole: sentence, methods and the rest that is not of one line.
        """
        whole = self._get(f"surveys/{slug}/report/{name}/", asked)
        table = checked(self._http.get(f"surveys/{slug}/report/{name}.csv", params=asked))
        frame = pd.read_csv(io.BytesIO(table.content))
        frame.attrs = {key: value for key, value in whole.items() if not isinstance(value, list)}
        return frame

    def quality(self, slug: str) -> pd.DataFrame:
        """Whether the reports can have been made as the designs say, a row for each check. attrs: verdict, summary."""
        answer = self._get(f"surveys/{slug}/report/quality/")
        frame = pd.DataFrame(
            answer["checks"], columns=["key", "name", "verdict", "p_value", "finding", "advice"]
        )
        frame.attrs = {name: answer[name] for name in ("verdict", "summary")}
        return frame

    def methods(self, slug: str, analysis: str = "", **asked: Any) -> str:
        """The methods section of a paper on this survey, with its references.

        analysis: "model", "table", "compare" or "weighted", of an analysis; asked: what was asked of it, as addresses
        have it, such as outcome="tax:1", explain="sex,age:number".
        """
        name = f"{analysis or 'methods'}.txt"
        return checked(self._http.get(f"surveys/{slug}/report/{name}", params=asked)).text

    def figure(self, slug: str, key: str, *, drawing: str = "shares", form: str = "svg") -> bytes:
        """A figure of one question. drawing: shares or likelihood. form: svg or png."""
        return checked(self._http.get(f"surveys/{slug}/report/{key}/{drawing}.{form}")).content

    def groups(self, slug: str, by: str, outcome: str = "", **asked: Any) -> pd.DataFrame:
        """Groups by a background question, a row for each group and choice of the scrambled questions, as in report().

        outcome: a question and the code of an answer, as "tax:1", or a number, whose means are compared, as "hours":
        then a row for each pair of groups, with the interval that holds for all pairs together. attrs: n, test,
        sentence, methods. asked: confidence, where, interval.
        """
        answer = self._get(
            f"surveys/{slug}/report/groups/",
            {"by": by, **({"outcome": outcome} if outcome else {}), **asked},
        )
        if compared := answer["comparison"]:
            pairs = [{**low_and_high(pair), **pair} for pair in compared["pairs"]]
            nested = ["interval", "family", "printed"]
            frame = pd.DataFrame(pairs).set_index(["first", "second"]).drop(columns=nested)
            frame.attrs = {name: compared[name] for name in ("n", "test", "sentence", "methods")}
            return frame
        rows = [
            {"group": " and ".join(group["labels"]), **row}
            for group in answer["groups"]
            for question in group["questions"]
            for row in choice_rows(question)
        ]
        frame = pd.DataFrame(rows).set_index(["group", "question", "choice"])
        frame.attrs = {name: answer[name] for name in ("by", "left_out", "note", "confidence")}
        return frame

    def trend(self, slug: str, earlier: str = "", **asked: Any) -> pd.DataFrame:
        """How answers changed since an earlier version, a row for each change. Shares are fractions.

        earlier: its slug; by default the last version before this. The columns `then` and `now` are shares or means;
        low and high hold for all changes together. asked: confidence. attrs: surveys, comparisons, confidence,
        left_out.
        """
        result = self._get(
            f"surveys/{slug}/report/trend/", {**({"with": earlier} if earlier else {}), **asked}
        )
        kept = ("difference", "p", "p_together", "clear", "verdict", "sentence")
        rows = [
            {
                **{"question": question["key"], "choice": answer["label"]},
                **dict(
                    zip(
                        ("then", "now"),
                        (value["estimate"] for value in answer["values"]),
                        strict=True,
                    )
                ),
                **dict(zip(("low", "high"), answer["simultaneous"], strict=True)),
                **{name: answer[name] for name in kept},
            }
            for question in result["questions"]
            for answer in question["answers"]
        ]
        frame = pd.DataFrame(rows).set_index(["question", "choice"])
        frame.attrs = {
            name: result[name] for name in ("surveys", "comparisons", "confidence", "left_out")
        }
        return frame

    def table(self, slug: str, rows: str, columns: str, **asked: Any) -> pd.DataFrame:
        """Two questions together, a row for each cell: its share of all, and of those with the answer of the row or the
        column.

        rows, columns: questions, or one answer against all others, as "tax:1". asked: confidence, where. attrs: n,
        left_out, independence, phi, odds_ratio, reason, sentence, methods.
        """
        answer = self._get(
            f"surveys/{slug}/report/table/", {"rows": rows, "columns": columns, **asked}
        )
        names = [answer[side]["labels"] for side in ("rows", "columns")]
        cells = [
            {
                **{key: cell[key] for key in ("share", "standard_error", "constrained")},
                **low_and_high(cell),
                **{
                    f"of_{side}": share_or_none(answer[f"of_{side}s"][u][v])
                    for side in ("row", "column")
                },
            }
            for u, row in enumerate(answer["cells"])
            for v, cell in enumerate(row)
        ]
        frame = pd.DataFrame(cells, index=pd.MultiIndex.from_product(names, names=[rows, columns]))
        kept = (
            "n",
            "left_out",
            "independence",
            "phi",
            "odds_ratio",
            "reason",
            "confidence",
            "sentence",
            "methods",
        )
        frame.attrs = {name: answer[name] for name in kept}
        return frame

    def weighted(self, slug: str, margins: Mapping[str, list[float]], **asked: Any) -> pd.DataFrame:
        """Shares weighted to known ones of the population, beside the unweighted ones, a row for each choice.

        Of a question that was made for its mean the row "mean" has no share but a mean, in the unit of its numbers.

        margins: question key -> the known share of each answer, in the instrument's order, as {"sex": [.49, .51]}.
        asked: confidence, where. attrs: n, left_out, effective_n, design_effect, times_apart, sentence, methods.
        """
        text = ";".join(
            f"{key}:{','.join(map(repr, map(float, shares)))}" for key, shares in margins.items()
        )
        answer = self._get(f"surveys/{slug}/report/weighted/", {"margins": text, **asked})
        rows = [
            {
                "question": question["key"],
                "choice": choice["label"],
                **{
                    key: choice[key]
                    for key in ("n", "effective_n", "design_effect", "share", "standard_error")
                },
                **low_and_high(choice),
                "unweighted": choice["unweighted"]["share"],
            }
            for question in answer["questions"]
            for choice in question["choices"]
        ]
        rows += [
            {
                "question": question["key"],
                "choice": "mean",
                **{
                    key: mean[key]
                    for key in ("n", "effective_n", "design_effect", "standard_error")
                },
                **low_and_high(mean),
                "mean": mean["value"],
                "unweighted": mean["unweighted"]["value"],
            }
            for question in answer["questions"]
            if (mean := question["mean"])
        ]
        frame = pd.DataFrame(rows).set_index(["question", "choice"])
        kept = (
            "n",
            "left_out",
            "effective_n",
            "design_effect",
            "times_apart",
            "confidence",
            "sentence",
            "methods",
        )
        frame.attrs = {name: answer[name] for name in kept}
        return frame

    def count(self, slug: str) -> dict[str, int]:
        """How many have answered: released, waiting (in whole groups of 20), received; and the target."""
        return self._get(f"surveys/{slug}/count/")

    def tallies(self, slug: str) -> dict[str, Any]:
        """How many responses, and how often each answer was reported, before the correction."""
        return self._get(f"surveys/{slug}/tallies/")
