"""What leaves the site of a survey's answers, each output as the sums over people that it shows.

A row of OUTPUTS is one output: a function of a `Door` and of whom it is about. Add a row for a new output, and the
state machine in tests/whole_site/test_disclosure_of_outputs.py reads it in every history.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.test import Client

from features.shared_reports import links
from features.shared_reports.publication import set_public
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, ReportLink, Survey
from surveys.results.disclosure.access import ReaderView
from surveys.site.errors import Invalid, Refused

About = tuple[tuple[str, tuple[int, ...]], ...]  # a filter: question key, the codes of its answers


@dataclass(frozen=True)
class Sum:
    """n people who were asked one question, and how many of them marked each of these places."""

    question: str
    n: int
    marks: dict[int, int]
    is_path: bool = False  # n is a number of people on a path, of whom a device asked some


@dataclass(frozen=True)
class Door:
    """Who looks: a client that is logged in, and what this person may see."""

    instrument: Instrument
    client: Client
    reader: ReaderView
    person: tuple[
        str, int
    ]  # whose mark the outputs about one answer are asked for: question, place

    def json(self, path: str, about: About = (), **query: str) -> dict:
        """{} for what is refused."""
        answer = self._answer(path, about, query)
        return answer.json() if answer.status_code == 200 else {}

    def lines(self, path: str, about: About = (), **query: str) -> list[dict]:
        answer = self._answer(path, about, query)
        if answer.status_code != 200:
            return []
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        return [*csv.DictReader(io.StringIO(body.decode()))]

    def _answer(self, path: str, about: About, query: dict[str, str]):
        if about:
            query |= {
                "where": ";".join(f"{key}:{','.join(map(str, codes))}" for key, codes in about)
            }
        answer = self.client.get(f"/api/v1/surveys/{self.instrument.survey.slug}/{path}", query)
        assert answer.status_code in (200, 400, 403, 404, 409, 422), answer.content
        return answer

    @property
    def keys(self) -> list[str]:
        """The background questions by which this reader may pick people."""
        return [item.key for item in self.reader.filter_questions]

    def counted(self, question: str, n: int, share: float) -> int:
        """A corrected share of one mark -> how many of n marked it."""
        mechanism = next(
            item.mechanism
            for item in parse_instrument(self.instrument).items
            if item.key == question
        )
        return round(n * (float(mechanism.q) + share * float(mechanism.p - mechanism.q)))


Output = Callable[[Door, About], Iterator[Sum]]


def report(door: Door, about: About) -> Iterator[Sum]:
    yield from _of_questions(door.json("report/", about).get("questions", []))


def _of_questions(questions: list[dict]) -> Iterator[Sum]:
    for question in questions:
        if question["design"] is None:  # a group's size: n of each answer
            yield from _of_background(question)
            continue
        if question.get("on_path"):
            yield Sum(question["key"], question["on_path"], {}, is_path=True)
        marks = [choice["observed"] for choice in question["choices"]]
        shown = None not in marks
        counts = (
            {place: round(share * question["n"]) for place, share in enumerate(marks)}
            if shown
            else {}
        )
        if question["n"]:
            yield Sum(question["key"], question["n"], counts)


def _of_background(question: dict) -> Iterator[Sum]:
    for choice in question["choices"]:
        if choice["observed"]:
            yield Sum(question["key"], round(choice["observed"] * question["n"]), {})


def report_table(door: Door, about: About) -> Iterator[Sum]:
    lines: dict[tuple[str, int], list[dict]] = {}
    for line in door.lines("report/shares.csv", about):
        if line["design"] and line["observed"]:
            lines.setdefault((line["variable"], int(line["n"])), []).append(line)
    for (key, n), each in lines.items():
        yield Sum(
            key,
            n,
            {
                int(line["answer"]): round(float(line["observed"]) * n)
                for line in each
                if _is_mark(line)
            },
        )


def _is_mark(line: dict) -> bool:
    return line["answer"].isdigit()


def groups(door: Door, about: About) -> Iterator[Sum]:
    for key in door.keys:
        for part in door.json("report/groups/", about, by=key).get("groups", []):
            yield from _of_questions(part["questions"])


def groups_table(door: Door, about: About) -> Iterator[Sum]:
    for key in door.keys:
        parts: dict[tuple[str, str, int], dict[int, int]] = {}
        for line in filter(_is_mark, door.lines("report/groups.csv", about, by=key)):
            variable, n = line["variable"], int(line["n"])
            marks = parts.setdefault((line["group"], variable, n), {})
            marks[int(line["answer"])] = door.counted(variable, n, float(line["corrected"]))
        yield from (Sum(variable, n, marks) for (_, variable, n), marks in parts.items())


def model(door: Door, about: About) -> Iterator[Sum]:
    """Of one answer, each group of each question by itself."""
    question, place = door.person
    for explain in (*door.keys, ",".join(door.keys)):
        terms = door.json(
            "report/model/", about, outcome=f"{question}:{place}", explain=explain
        ).get("terms", [])
        for term in terms:
            if term["observed"] is not None:
                yield Sum(question, term["n"], {place: round(term["observed"] * term["n"])})


def table(door: Door, about: About) -> Iterator[Sum]:
    """Of one answer, each group by itself."""
    question, place = door.person
    for key in door.keys:
        told = door.json("report/table/", about, rows=key, columns=f"{question}:{place}")
        if told:
            yield Sum(question, told["n"], {})


def weighted(door: Door, about: About) -> Iterator[Sum]:
    """Unweighted shares of those whose groups are known."""
    for key in door.keys:
        item = next(item for item in parse_instrument(door.instrument).items if item.key == key)
        margins = f"{key}:{','.join([str(1 / item.size)] * item.size)}"
        for question in door.json("report/weighted/", about, margins=margins).get("questions", []):
            answers = [
                each
                for each in question.get("answers") or question.get("choices") or []
                if each["n"]
            ]
            counts = [
                (each["n"], int(each["label"]), each["unweighted"]["share"])
                for each in answers
                if each["label"].isdigit()
            ]
            if counts:
                n = counts[0][0]
                marks = {
                    place: door.counted(question["key"], n, share) for _, place, share in counts
                }
                yield Sum(question["key"], n, marks)


def tallies(door: Door, about: About) -> Iterator[Sum]:
    told = door.json("tallies/") if not about else {}
    for key, counts in told.get("counts", {}).items():
        if key.startswith("who"):
            yield Sum(key, told.get("answered", {}).get(key, told["n"]), dict(enumerate(counts)))


def public_results(door: Door, about: About) -> Iterator[Sum]:
    """Public where they may be, else there is nothing."""
    survey = Survey.objects.get(pk=door.instrument.survey_id)
    try:
        set_public(survey, public=True)
    except Refused:
        return
    if not about:
        yield from _of_questions(Client().get(f"/r/{survey.slug}/results.json").json()["questions"])


def compare(door: Door, about: About) -> Iterator[Sum]:
    """Of one answer, each group of each question by itself: the page has all answers, with the same people."""
    question, place = door.person
    for key in door.keys:
        told = door.json("report/compare/", about, by=key, outcome=f"{question}:{place}")
        yield from (Sum(question, each["n"], {}) for each in told.get("differences", []))


def trend(door: Door, about: About) -> Iterator[Sum]:
    """The side of this version; the other one has people of its own."""
    if about:
        return
    for question in door.json("report/trend/").get("questions", []):
        values = {answer["label"]: answer["values"][1] for answer in question["answers"]}
        if question["key"].startswith("who") and values:
            (n,) = {value["n"] for value in values.values()}
            marks = {
                int(label): door.counted(question["key"], n, each["estimate"])
                for label, each in values.items()
            }
            yield Sum(question["key"], n, marks)


def share_link(door: Door, about: About) -> Iterator[Sum]:
    """How many people each section of the page of a link is about."""
    survey = Survey.objects.get(pk=door.instrument.survey_id)
    try:
        _, secret = links.create(survey=survey, by=survey.owner)
    except (Refused, Invalid):
        return
    page = Client().get(f"/r/link/{secret}/").content.decode() if not about else ""
    for key, n in re.findall(
        r'aria-labelledby="([a-z0-9_]+)">\s*<p[^>]*>.*?· ([\d,]+) responses?\b', page
    ):
        if key.startswith("who"):
            yield Sum(key, int(n.replace(",", "")), {})
    ReportLink.objects.filter(survey=survey).delete()  # at most twenty work at a time


OUTPUTS: dict[str, Output] = {
    "report": report,
    "report as CSV": report_table,
    "groups": groups,
    "groups as CSV": groups_table,
    "model": model,
    "table": table,
    "weights": weighted,
    "tallies": tallies,
    "public results": public_results,
    "compare": compare,
    "trend": trend,
    "share link": share_link,
}
FREE = (
    "report",
    "report as CSV",
    "model",
    "table",
    "groups",
    "groups as CSV",
    "compare",
)  # that keep the rule of 30 for readers with row access


def sums(door: Door, output: str, about: About) -> list[Sum]:
    """Of one person at least."""
    return [each for each in OUTPUTS[output](door, about) if each.n]
