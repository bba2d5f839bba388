"""A client of Candor's API for notebooks and scripts: reports and rows come back as pandas data frames.

    from candor_client import Candor
    candor = Candor("https://survey.example.org", token="...")
    candor.report("abcdefghjkmn")

One module on httpx and pandas. docs/client.md shows it at work.
"""

import io
import json
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import pandas as pd

try:
    __version__ = metadata.version("candor-client")
except metadata.PackageNotFoundError:  # in a clone
    __version__ = str(tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]["version"])

PART = 1_000_000  # bytes of a file in one request
KEPT = 50  # answers that are asked for only if they have changed
WAITS = (1, 2, 4)  # seconds before a part is sent again
ATTRIBUTES = (
    "survey",
    "instrument",
    "n",
    "waiting",
    "epsilon",
    "confidence",
    "simultaneous",
    "cut",
    "sampling",
    "invited",
    "invented",
)
OF_THE_SERVER = ("slug", "status", "created", "edition", "invented", "instrument")  # of a survey: no one can send them
REPORT = ("observed", "estimate", "standard_error", "low", "high", "constrained")


class Problem(Exception):
    """The site refused something. `status`, `type`, `title`, `detail`, `errors` are those of its problem document."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        self.status = status
        self.type = document.get("type", "")
        self.title = document.get("title", "")
        self.detail = document.get("detail", "")
        self.errors: dict[str, str] = document.get("errors", {})
        parts = [f"{status} {self.title}", self.detail, *(f"{place}: {what}" for place, what in self.errors.items())]
        super().__init__("\n".join(part for part in parts if part))


class Candor:
    """One site, in the name of the token's person. Use it as a context manager or close() it to end its connections."""

    transport: httpx.BaseTransport | None = None  # another way to reach the site, for tests

    def __init__(self, address: str, token: str, *, timeout: float = 60) -> None:
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Token {token}"},
            timeout=timeout,
            transport=self.transport,
        )
        self._known: dict[str, tuple[str, bytes]] = {}  # address -> (entity tag, body); last what was asked for last

    def __enter__(self) -> "Candor":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def surveys(self, **filters: str) -> pd.DataFrame:
        """Your surveys and those of your teams, a row each. filters: status, project, search, archived, ordering."""
        rows = pd.DataFrame(self._pages("surveys/", filters))
        return rows.astype({"created": "datetime64[ns, UTC]"}) if len(rows) else rows

    def survey(self, slug: str) -> dict[str, Any]:
        """Everything that was written and set, as create() takes it: create(survey(slug)) is a draft with all of it.

        The logo is in base64. Times, team and lists of invited people are not part of it.
        """
        return self._get(f"surveys/{slug}/")

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
        """A row for each choice of each question; shares are fractions, n the reports that speak of the choice.

        Of numbers there is a row "mean" too, whose mean, error and ends are in the unit of the question.

        interval: wilson, wald, exact or likelihood for every question, Problem where a design does not have it; unless
        given, the best that each design has. simultaneous: whether the intervals of a question hold together. where: a
        group by background answers, as "region:0,2;age:0-16". sampling: False for errors of the randomization alone,
        about exactly the people who answered, where the survey has tickets. attrs: n, waiting, epsilon, instrument,
        confidence, simultaneous, sampling, invited and cut, the report groups you are limited to without row access;
        the column interval_kind says which intervals came.
        """
        asked: dict[str, Any] = {"confidence": confidence, "simultaneous": str(simultaneous).lower()}
        asked |= {name: value for name, value in (("interval", interval), ("where", where)) if value}
        asked |= {} if sampling else {"sampling": "false"}
        return _frame(self._get(f"surveys/{slug}/report/", asked))

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
        asked: dict[str, Any] = {"outcome": outcome, "explain": ",".join(explain), "confidence": confidence}
        asked |= {name: value for name, value in (("model", model), ("where", where)) if value}
        answer = self._get(f"surveys/{slug}/report/model/", asked)
        rows = [_pairs(term, ("interval", "simultaneous", "odds_interval")) for term in answer["terms"]]
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
        table = _checked(self._http.get(f"surveys/{slug}/report/{name}.csv", params=asked))
        frame = pd.read_csv(io.BytesIO(table.content))
        frame.attrs = {key: value for key, value in whole.items() if not isinstance(value, list)}
        return frame

    def quality(self, slug: str) -> pd.DataFrame:
        """Whether the reports can have been made as the designs say, a row for each check. attrs: verdict, summary."""
        answer = self._get(f"surveys/{slug}/report/quality/")
        frame = pd.DataFrame(answer["checks"], columns=["key", "name", "verdict", "p_value", "finding", "advice"])
        frame.attrs = {name: answer[name] for name in ("verdict", "summary")}
        return frame

    def methods(self, slug: str, analysis: str = "", **asked: Any) -> str:
        """The methods section of a paper on this survey, with its references.

        analysis: "model", "table", "compare" or "weighted", of an analysis; asked: what was asked of it, as addresses
        have it, such as outcome="tax:1", explain="sex,age:number".
        """
        name = f"{analysis or 'methods'}.txt"
        return _checked(self._http.get(f"surveys/{slug}/report/{name}", params=asked)).text

    def figure(self, slug: str, key: str, *, drawing: str = "shares", form: str = "svg") -> bytes:
        """A figure of one question. drawing: shares or likelihood. form: svg or png."""
        return _checked(self._http.get(f"surveys/{slug}/report/{key}/{drawing}.{form}")).content

    def groups(self, slug: str, by: str, outcome: str = "", **asked: Any) -> pd.DataFrame:
        """Groups by a background question, a row for each group and choice of the scrambled questions, as in report().

        outcome: a question and the code of an answer, as "tax:1", or a number, whose means are compared, as "hours":
        then a row for each pair of groups, with the interval that holds for all pairs together, and p by Holm and by
        Benjamini and Hochberg. attrs: n, test, sentence, methods. asked: confidence, where, interval.
        """
        answer = self._get(
            f"surveys/{slug}/report/groups/", {"by": by, **({"outcome": outcome} if outcome else {}), **asked}
        )
        if compared := answer["comparison"]:
            pairs = [{**_apart(pair), **pair} for pair in compared["pairs"]]
            frame = pd.DataFrame(pairs).set_index(["first", "second"]).drop(columns="interval")
            frame.attrs = {name: compared[name] for name in ("n", "test", "sentence", "methods")}
            return frame
        rows = [
            {"group": " and ".join(group["labels"]), **row}
            for group in answer["groups"]
            for question in group["questions"]
            for row in _flat(question)
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
        result = self._get(f"surveys/{slug}/report/trend/", {**({"with": earlier} if earlier else {}), **asked})
        kept = ("difference", "p", "p_together", "clear", "verdict", "sentence")
        rows = [
            {
                **{"question": question["key"], "choice": answer["label"]},
                **dict(zip(("then", "now"), (value["estimate"] for value in answer["values"]), strict=True)),
                **dict(zip(("low", "high"), answer["simultaneous"], strict=True)),
                **{name: answer[name] for name in kept},
            }
            for question in result["questions"]
            for answer in question["answers"]
        ]
        frame = pd.DataFrame(rows).set_index(["question", "choice"])
        frame.attrs = {name: result[name] for name in ("surveys", "comparisons", "confidence", "left_out")}
        return frame

    def table(self, slug: str, rows: str, columns: str, **asked: Any) -> pd.DataFrame:
        """Two questions together, a row for each cell: its share of all, and of those with the answer of the row or the
        column.

        rows, columns: questions, or one answer against all others, as "tax:1". asked: confidence, where. attrs: n,
        left_out, independence, phi, odds_ratio, reason, sentence, methods.
        """
        answer = self._get(f"surveys/{slug}/report/table/", {"rows": rows, "columns": columns, **asked})
        names = [answer[side]["labels"] for side in ("rows", "columns")]
        cells = [
            {
                **{key: cell[key] for key in ("share", "standard_error", "constrained")},
                **_apart(cell),
                **{f"of_{side}": _share(answer[f"of_{side}s"][u][v]) for side in ("row", "column")},
            }
            for u, row in enumerate(answer["cells"])
            for v, cell in enumerate(row)
        ]
        frame = pd.DataFrame(cells, index=pd.MultiIndex.from_product(names, names=[rows, columns]))
        kept = ("n", "left_out", "independence", "phi", "odds_ratio", "reason", "confidence", "sentence", "methods")
        frame.attrs = {name: answer[name] for name in kept}
        return frame

    def weighted(self, slug: str, margins: Mapping[str, list[float]], **asked: Any) -> pd.DataFrame:
        """Shares weighted to known ones of the population, beside the unweighted ones, a row for each choice.

        Of a question that was made for its mean the row "mean" has no share but a mean, in the unit of its numbers.

        margins: question key -> the known share of each answer, in the instrument's order, as {"sex": [.49, .51]}.
        asked: confidence, where. attrs: n, left_out, effective_n, design_effect, times_apart, sentence, methods.
        """
        text = ";".join(f"{key}:{','.join(map(repr, map(float, shares)))}" for key, shares in margins.items())
        answer = self._get(f"surveys/{slug}/report/weighted/", {"margins": text, **asked})
        rows = [
            {
                "question": question["key"],
                "choice": choice["label"],
                **{key: choice[key] for key in ("n", "effective_n", "design_effect", "share", "standard_error")},
                **_apart(choice),
                "unweighted": choice["unweighted"]["share"],
            }
            for question in answer["questions"]
            for choice in question["choices"]
        ]
        rows += [
            {
                "question": question["key"],
                "choice": "mean",
                **{key: mean[key] for key in ("n", "effective_n", "design_effect", "standard_error")},
                **_apart(mean),
                "mean": mean["value"],
                "unweighted": mean["unweighted"]["value"],
            }
            for question in answer["questions"]
            if (mean := question["mean"])
        ]
        frame = pd.DataFrame(rows).set_index(["question", "choice"])
        kept = ("n", "left_out", "effective_n", "design_effect", "times_apart", "confidence", "sentence", "methods")
        frame.attrs = {name: answer[name] for name in kept}
        return frame

    def count(self, slug: str) -> dict[str, int]:
        """How many have answered: released, waiting (in whole groups of 20), received; and the target."""
        return self._get(f"surveys/{slug}/count/")

    def history(self, slug: str) -> pd.DataFrame:
        """Who of the team did what, newest first."""
        rows = pd.DataFrame(self._pages(f"surveys/{slug}/history/", {}))
        return rows.astype({"when": "datetime64[ns, UTC]"}) if len(rows) else rows

    def tallies(self, slug: str) -> dict[str, Any]:
        """How many responses, and how often each answer was reported, before the correction."""
        return self._get(f"surveys/{slug}/tallies/")

    def codebook(self, slug: str) -> dict[str, Any]:
        """What each variable is, how it was randomized, and how to correct for it."""
        return self._get(f"surveys/{slug}/export/codebook.json")

    def rows(self, slug: str, *, labels: bool = False) -> pd.DataFrame:
        """The randomized responses, a row each: codes, numbers, and 0 and 1 for each mark; NA for no report.

        Where devices picked the marks that they sent, a mark that was not picked is NA as well. Who declined to give a
        number has NA, and 1 in the column beside it. Sites of earlier versions give a string of marks in one column;
        it stays one. labels: categories with the choices' labels instead of codes. They
        are what was reported, not what is true.
        """
        variables = self.codebook(slug)["variables"]
        response = self._http.get(f"surveys/{slug}/export/responses.csv")
        strings = {each["name"]: str for each in variables if each["report"].startswith("string")}  # or 010 becomes 10
        frame = pd.read_csv(io.BytesIO(_checked(response).content), dtype=strings)
        for name in frame.columns[frame.isna().any()].difference(list(strings)):
            frame[name] = frame[name].astype("Int64")
        for each in variables if labels else []:
            if each["report"] == "code":
                codes = frame[each["name"]].fillna(-1).astype(int).to_numpy()
                names = pd.Index([choice["label"] for choice in each["choices"]])
                frame[each["name"]] = pd.Categorical.from_codes(codes, names)
        return frame

    def files(self, slug: str) -> pd.DataFrame:
        """What download() takes, a row each: name, title, media_type, has_rows, limit (of responses), and n."""
        answer = self._get(f"surveys/{slug}/export/")
        return pd.DataFrame(answer["files"]).astype({"limit": "Int64"}).assign(n=answer["n"])

    def download(
        self, slug: str, name: str, target: str | Path = ".", form: str | None = None, *, marks: str | None = None
    ) -> Path:
        """A file of files(), such as "everything.zip" or "responses.sav", streamed to a folder or file; its path.

        form: another form of it, as "packed" of responses.parquet (for very many responses) or "labels" of
        responses.csv. marks: the earlier name of `form`.
        """
        path = Path(target) / name if Path(target).is_dir() else Path(target)
        asked = {"form": form or marks} if form or marks else {}
        with self._http.stream("GET", f"surveys/{slug}/export/{name}", params=asked) as response:
            if response.is_error:
                response.read()
            _checked(response)
            with path.open("wb") as file:
                file.writelines(response.iter_bytes())
        return path

    def create(self, survey: Mapping[str, Any]) -> dict[str, Any]:
        """A new draft, as {"title": ..., "questions": [...]}; /api/v1/docs/ has all fields.

        What only the server sets, as survey() gives it too, is left out.
        """
        return self._send("POST", "surveys/", {name: survey[name] for name in survey if name not in OF_THE_SERVER})

    def change(self, slug: str, **changes: Any) -> dict[str, Any]:
        """Change a draft: texts that are not given stay; questions, if given, take the place of all there are."""
        return self._send("PATCH", f"surveys/{slug}/", changes)

    def delete(self, slug: str) -> None:
        """Delete a draft."""
        _checked(self._http.delete(f"surveys/{slug}/"))

    def texts(self, slug: str) -> pd.DataFrame:
        """Every text that respondents read, a row each: place, key, field, choice, and a column for each language."""
        answer = self._get(f"surveys/{slug}/languages/")
        rows = [
            {**{name: each[name] for name in ("place", "key", "field", "choice")}, **each["texts"]}
            for each in answer["texts"]
        ]
        return pd.DataFrame(rows, columns=["place", "key", "field", "choice", *answer["languages"]])

    def translate(self, slug: str, texts: pd.DataFrame) -> pd.DataFrame:
        """Add the languages of these columns to a draft, and write its texts in them; empty cells change nothing."""
        answer = self._get(f"surveys/{slug}/languages/")
        codes = [
            name for name in texts.columns if name not in ("place", "key", "field", "choice", answer["languages"][0])
        ]
        new = [code for code in codes if code not in answer["languages"]]
        if new:
            self._send("PUT", f"surveys/{slug}/languages/", {"languages": [*answer["languages"], *new]})
        rows = [
            {
                **{"key": row["key"], "field": row["field"], "choice": int(row["choice"])},
                "texts": {code: row[code] for code in codes if isinstance(row[code], str) and row[code]},
            }
            for row in texts.to_dict("records")
        ]
        self._send("PATCH", f"surveys/{slug}/languages/", {"texts": rows})
        return self.texts(slug)

    def preview(self, slug: str) -> dict[str, Any]:
        """What respondents would get if the draft were published now: instrument, sha256, epsilon."""
        return self._get(f"surveys/{slug}/preview/")

    def protection(self, slug: str) -> dict[str, Any]:
        """How well the survey protects each person, by one answer and by all, and what each level would show.

        Of a draft also its points: what publishing waits for ("must"), and what deserves a thought ("think").
        """
        return self._get(f"surveys/{slug}/protection/")

    def rehearse(
        self,
        slug: str,
        n: int,
        shares: Mapping[str, list[float]] | None = None,
        suppose: Mapping[str, Any] | None = None,
        **asked: Any,
    ) -> pd.DataFrame:
        """The report that n invented people would give, as report() has it. Nothing is stored.

        shares: question key -> the true share of each answer, in the instrument's order (No before Yes). suppose: a
        difference between groups, as {"outcome": "tax:1", "group": "region:1", "difference": 0.1}; attrs["supposed"]
        then holds the sentence, power and needed_n, and in model what the analysis says, with its terms.
        """
        body = {"n": n, "shares": dict(shares or {}), **({"suppose": dict(suppose)} if suppose else {}), **asked}
        answer = self._send("POST", f"surveys/{slug}/rehearsal/", body)
        frame = _frame(answer)
        frame.attrs["supposed"] = answer["supposed"]
        return frame

    def schedule(
        self, slug: str, *, opens: str | None = None, closes: str | None = None, target: int | None = None
    ) -> dict[str, Any]:
        """Set when the survey opens and closes, as "2030-11-30T18:00Z", and the responses wanted; None: none."""
        return self._send("PUT", f"surveys/{slug}/schedule/", {"opens": opens, "closes": closes, "target": target})

    def link(self, slug: str) -> str:
        """What to send to respondents."""
        return self._get(f"surveys/{slug}/link/")["link"]

    def invite(self, slug: str, role: str) -> str:
        """A link for one colleague, who becomes editor, analyst or exporter. It cannot be had a second time."""
        return self._send("POST", f"surveys/{slug}/team/invitations/", {"role": role})["link"]

    def choose_steps(self, slug: str, tickets: str) -> None:
        """Who can answer a draft: "" is anyone with the link, "one" invited people, "two" too, with tickets first."""
        self._send("PUT", f"surveys/{slug}/steps/", {"tickets": tickets})

    def invite_people(
        self, slug: str, people: Iterable[Mapping[str, str]] = (), *, unnamed: int = 0, skip: bool = False
    ) -> list[str]:
        """Put people on the list, at most 10,000 at once, as {"label": ..., "email": ...}; their ids.

        unnamed: how many codes without a name to add. skip: skip people who are there already.
        """
        asked = {"people": [dict(each) for each in people], "unnamed": unnamed, "skip": skip}
        return self._send("POST", f"surveys/{slug}/invitees/", asked)["added"]

    def invitees(self, slug: str) -> pd.DataFrame:
        """The list: id, label, email. attrs: invited, fetched, tickets, answered, waiting and refused."""
        pages = list(self._whole_pages(f"surveys/{slug}/invitees/"))
        rows = [row for page in pages for row in page["results"]]
        frame = pd.DataFrame(rows, columns=["id", "label", "email"])
        frame.attrs = {name: value for name, value in pages[0].items() if name not in ("results", "next", "previous")}
        return frame

    def links(self, slug: str) -> pd.DataFrame:
        """Label, e-mail, code and link of each invited person."""
        answer = _checked(self._http.get(f"surveys/{slug}/invitees/links.csv"))
        return pd.read_csv(io.BytesIO(answer.content), dtype=str, keep_default_na=False)

    def send_invitations(self, slug: str) -> int:
        """Email an invitation to everyone who has not had one; returns how many."""
        return int(self._send("POST", f"surveys/{slug}/invitees/mail/")["mails"])

    def remind(self, slug: str, kind: str = "reminder") -> None:
        """Remind those without a ticket, or with kind="general" once all who have one."""
        _checked(self._http.post(f"surveys/{slug}/invitees/remind/", json={"kind": kind}))

    def replace(self, slug: str, invitee: str) -> dict[str, Any]:
        """A new code and link for who lost them, or the ticket."""
        return self._send("POST", f"surveys/{slug}/invitees/{invitee}/replace/")

    def take_off(self, slug: str, invitee: str) -> None:
        """Take someone off the list: deletes label, address and code. A ticket they took still works."""
        _checked(self._http.delete(f"surveys/{slug}/invitees/{invitee}/"))

    def finish(self, slug: str, title: str) -> None:
        """Delete list, codes, addresses and key of a closed survey, for good. title: its own, to be sure."""
        _checked(self._http.post(f"surveys/{slug}/finish/", json={"confirm": title}))

    def add_webhook(self, slug: str, url: str, events: list[str]) -> dict[str, Any]:
        """Let an address be told of survey.published, survey.closed or survey.target_reached; with its secret."""
        return self._send("POST", f"surveys/{slug}/webhooks/", {"url": url, "events": events})

    def publish(
        self, slug: str, instrument: str | None = None, *, reason: str = "", no_number: bool = False
    ) -> dict[str, Any]:
        """Publish a survey: lock its questions and open it. Doing it twice changes nothing.

        instrument: the sha256 of the preview that was read; nothing else is published then.
        reason: why so little protection is justified, without which a survey with almost none is refused.
        no_number: publish all the same where the target is probably too small for any number.
        """
        asked = {"instrument": instrument, "reason": reason, "no_number": no_number}
        return self._send("POST", f"surveys/{slug}/publish/", {name: given for name, given in asked.items() if given})

    def prepare(self, slug: str) -> dict[str, Any]:
        """Prepare an import-only survey: lock its questions, to check files against them."""
        return self._send("POST", f"surveys/{slug}/prepare/")

    def import_responses(
        self,
        slug: str,
        source: str | Path | pd.DataFrame,
        mapping: Mapping[str, Any] | None = None,
        progress: Callable[[int, int, int], None] | None = None,
        confirm: Callable[[dict[str, Any]], bool] | None = None,
    ) -> int:
        """Send randomized responses from a file or a data frame, all or nothing; returns how many came in.

        source: CSV as spreadsheets and statistics programs write it, or a workbook (.xlsx)
        or Parquet of up to a megabyte.
        mapping: its encoding, separator, header, sheet and missing, and what the columns hold, where the file does not
        show it; see docs/importing.md. NaN, None and NA in a data frame are no report. progress is
        called with the bytes sent, the bytes in all and the rows checked so far. confirm is called with what would be
        added: n, and for each question n, missing and the count of each answer. Where it returns False nothing is.
        Problem names wrong cells by row and column, and nothing of the file is stored then.
        """
        with _opened(source) as (file, size):
            begun = self._send("POST", f"surveys/{slug}/imports/", {"mapping": dict(mapping) if mapping else None})
            address = f"surveys/{slug}/imports/{begun['id']}/"
            try:
                parts = sent = 0
                while part := file.read(PART):
                    parts, sent = parts + 1, sent + len(part)
                    now = self._put(f"{address}parts/{parts}/", part)
                    if progress:
                        progress(sent, size, now["rows"])
                preview = self._get(address)["preview"] if confirm else None
                if confirm and preview and not confirm(preview):  # without one, finishing says what is wrong
                    self._http.delete(address)
                    return 0
                return int(self._send("POST", f"{address}finish/", {"parts": parts})["rows"])
            except BaseException:
                with suppress(httpx.HTTPError):  # what cannot be cancelled now is deleted after a day
                    self._http.delete(address)
                raise

    def pause(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/pause/")

    def close_survey(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/close/")

    def reopen(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/reopen/")

    def archive(self, slug: str) -> dict[str, Any]:
        """Out of the way of the surveys that are still needed; only a closed one."""
        return self._send("POST", f"surveys/{slug}/archive/")

    def unarchive(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/unarchive/")

    def duplicate(self, slug: str, *, import_only: bool = False) -> dict[str, Any]:
        """A new draft with the same texts and questions; import_only: for answers on paper, which come in files."""
        return self._send("POST", f"surveys/{slug}/duplicate/", {"import_only": import_only})

    def new_version(self, slug: str) -> dict[str, Any]:
        """A new draft that names this published survey as its predecessor."""
        return self._send("POST", f"surveys/{slug}/version/")

    def designs(self) -> pd.DataFrame:
        """What a question can be randomized with, a row each: key, title, parameters (name -> meaning), kinds."""
        answer = self._get("designs/")["designs"]
        rows = [each | {"parameters": {one["name"]: one["meaning"] for one in each["parameters"]}} for each in answer]
        return pd.DataFrame(rows).set_index("key")

    def plan(self, design: str, **asked: Any) -> dict[str, Any]:
        """How many respondents a question needs: kind, size, parameters, share, n, half_width, null, power.

        other, ratio, sided: for the difference between two groups.
        """
        return self._send("POST", "planning/", {"design": design, **asked})

    def simulate(self, design: str, shares: list[float], n: int, **asked: Any) -> pd.DataFrame:
        """What n respondents would show if the true shares were these, a row for each choice."""
        result = self._send("POST", "simulation/", {"design": design, "shares": shares, "n": n, **asked})
        return pd.DataFrame([_ends(choice) for choice in result["choices"]])

    def _get(self, path: str, asked: Mapping[str, Any] | None = None) -> Any:
        """What is there; not sent again where it is known and has not changed."""
        request = self._http.build_request("GET", path, params=asked)
        tag, body = self._known.pop(str(request.url), ("", b""))
        if tag:
            request.headers["If-None-Match"] = tag
        response = self._http.send(request)
        if response.status_code != httpx.codes.NOT_MODIFIED:
            tag, body = response.headers.get("ETag", ""), _checked(response).content
        if tag:
            self._known[str(request.url)] = (tag, body)
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return json.loads(body)

    def _pages(self, path: str, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for page in self._whole_pages(path, asked):
            yield from page["results"]

    def _whole_pages(self, path: str, asked: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        page = self._get(path, asked)
        yield page
        while page["next"]:
            page = self._get(page["next"])
            yield page

    def _put(self, path: str, part: bytes) -> Any:
        """One part of a file; sent again where the connection fails, which does no more than once."""
        kind = {"Content-Type": "text/csv"}
        for seconds in WAITS:
            with suppress(httpx.TransportError):
                response = self._http.put(path, content=part, headers=kind)
                if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return _checked(response).json()
            time.sleep(seconds)
        return _checked(self._http.put(path, content=part, headers=kind)).json()

    def _send(self, method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
        return _checked(self._http.request(method, path, json=dict(data or {}))).json()


@contextmanager
def _opened(source: str | Path | pd.DataFrame) -> Iterator[tuple[BinaryIO, int]]:
    """The bytes of a file or frame, and how many there are."""
    if isinstance(source, pd.DataFrame):
        content = source.to_csv(index=False).encode()
        yield io.BytesIO(content), len(content)
    else:
        with Path(source).open("rb") as file:
            yield file, Path(source).stat().st_size


def _checked(response: httpx.Response) -> httpx.Response:
    if response.is_error:
        is_problem = response.headers.get("Content-Type", "").startswith("application/problem+json")
        raise Problem(response.status_code, response.json() if is_problem else {"title": response.reason_phrase})
    return response


def _frame(report: Mapping[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame([row for question in report["questions"] for row in _flat(question)])
    frame = frame.set_index(["question", "choice"])
    frame.attrs = {name: report.get(name) for name in ATTRIBUTES}
    return frame.astype(dict.fromkeys((*REPORT, "mean"), float))


def _flat(question: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each choice; of numbers one for their mean, which has no shares."""
    more = {name: question[name] for name in ("epsilon", "design", "interval_kind", "constrained_by", "text")}
    rows = [{**choice, "mean": None} for choice in question["choices"]]
    number = question["number"] or {"mean": None, "standard_error": None, "interval": None}
    if question["number"] or not rows:
        none = dict.fromkeys(("observed", "estimate", "constrained"))
        rows.append({**none, **number, "label": "mean", "n": question["n"]})
    for row in rows:
        shares = {name: value for name, value in _ends(row).items() if name != "label"}
        shares |= {"mean": row["mean"], "n": row["n"]}
        yield {"question": question["key"], "choice": row["label"]} | shares | more


def _apart(answer: Mapping[str, Any]) -> dict[str, float]:
    """An interval as two columns."""
    return dict(zip(("low", "high"), answer["interval"], strict=True))


def _share(answer: Mapping[str, Any] | None) -> float | None:
    return None if answer is None else answer["share"]


def _ends(choice: Mapping[str, Any]) -> dict[str, Any]:
    """A choice with its interval as two columns, in the order of REPORT."""
    low, high = choice["interval"] or (None, None)
    flat = {**choice, "low": low, "high": high}
    first = [name for name in ("label", "share") if name in flat]
    return {name: flat[name] for name in (*first, *REPORT)}


def _pairs(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A row with each pair (low, high) as two columns, named after it."""
    ends = {
        f"{name}_{end}": value
        for name in names
        for end, value in zip(("low", "high"), row[name] or (None, None), strict=True)
    }
    return {name: value for name, value in row.items() if name not in names} | ends
