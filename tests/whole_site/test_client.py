"""The client in the repository against the real application, and its notebook from top to bottom."""

import json
import re
import time
import zipfile
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from candor_client import Candor, Problem, connection, files
from config.wsgi import application
from features.response_import.tests.import_files import csv, tally
from surveys.accounts.tokens import issue_token
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files.survey_file import new_version
from surveys.definition.parsing import parse_instrument
from surveys.export import decoded, files as all_files, find_file
from surveys.export.columns import columns
from surveys.models import Import, Instrument, Question, Survey
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.web.api.authentication import TokenThrottle
from surveys.web.api.views.schema_view import described
from tests.factories.import_surveys import create_import_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_quantity,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db
ADDRESS = "http://localhost"
NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "client.md"


def fits_the_schema(request: httpx.Request) -> None:
    """What the client sends is what the published schema allows.

    The schema is asked of the view itself: Django's test client would let the next request close its connection.
    """
    published_schema = json.loads(json.dumps(described(), default=str))
    method = request.method.lower()
    (operation,) = (
        methods[method]
        for path, methods in published_schema["paths"].items()
        if method in methods and re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), request.url.path)
    )
    body = operation.get("requestBody")
    content = json.loads(request.read())
    if body is None:
        assert content == {}
    else:
        shape = body["content"]["application/json"]["schema"] | {
            "components": published_schema["components"]
        }
        Draft202012Validator(shape).validate(content)


class Counting(httpx.WSGITransport):
    """The application in this process, with the status of each answer noted."""

    def __init__(self) -> None:
        super().__init__(app=application)
        self.statuses: list[int] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("Content-Type") == "application/json":
            fits_the_schema(request)
        response = super().handle_request(request)
        self.statuses.append(response.status_code)
        return response


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, connection_stays_open: None) -> Counting:
    transport = Counting()
    monkeypatch.setattr(Candor, "transport", transport)
    return transport


@pytest.fixture
def filled() -> Instrument:
    instrument = create_published()
    add_invented_responses(instrument, 300)
    return instrument


@pytest.fixture
def candor(site: Counting, filled: Instrument) -> Candor:
    return Candor(ADDRESS, issue_token(filled.survey.owner, "test"))


def test_a_report_is_a_frame_of_the_reports_numbers(candor: Candor, filled: Instrument) -> None:
    frame = candor.report(parse_instrument(filled).survey, confidence=0.9, interval="wald")
    expected = report(filled, 0.9, "wald", seen=ReaderView(filled))
    for question in expected.questions:
        for choice in question.choices:
            row = frame.loc[(question.key, choice.label)]
            found = (
                row["observed"],
                row["estimate"],
                row["standard_error"],
                row["low"],
                row["high"],
                row["constrained"],
            )
            assert found == pytest.approx(
                (
                    choice.observed,
                    choice.estimate,
                    choice.standard_error,
                    *choice.interval,
                    choice.constrained,
                )
            )
    assert frame.attrs["n"] == 300
    assert frame["estimate"].dtype == float


def test_a_frame_says_what_its_intervals_are(candor: Candor, filled: Instrument) -> None:
    slug = parse_instrument(filled).survey
    usual, together = candor.report(slug), candor.report(slug, simultaneous=True)
    assert (usual.attrs["confidence"], usual.attrs["simultaneous"]) == (0.95, False)
    assert together.attrs["simultaneous"]
    assert set(usual["interval_kind"]) == {"wilson"}
    expected = report(filled, simultaneous=True).questions[1].choices[0].interval
    assert tuple(together.loc[("fruit", "Apple"), ["low", "high"]]) == pytest.approx(expected)


def test_a_report_that_did_not_change_is_not_sent_again(
    candor: Candor, filled: Instrument, site: Counting
) -> None:
    first, again = (
        candor.report(parse_instrument(filled).survey),
        candor.report(parse_instrument(filled).survey),
    )
    assert site.statuses == [200, 304]
    pd.testing.assert_frame_equal(first, again)


def test_what_a_caller_alters_is_not_what_the_next_one_gets(
    candor: Candor, filled: Instrument, site: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = parse_instrument(filled).survey
    candor.survey(slug)["questions"].clear()
    assert candor.survey(slug)["questions"]
    assert site.statuses == [200, 304]
    monkeypatch.setattr(connection, "KEPT", 2)
    for ask in (candor.count, candor.survey, candor.protection, candor.survey, candor.count):
        ask(slug)
    assert site.statuses[2:] == [200, 304, 200, 304, 200]


def test_a_string_of_marks_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As sites of earlier versions write them."""
    variables = [{"name": "tax", "report": "code"}]
    variables += [
        {"name": name, "report": "string of 3 marks 0 or 1, in the order"}
        for name in ("fruit", "some")
    ]
    answers = {"codebook.json": {"json": {"variables": variables}}}
    answers["responses.csv"] = {"text": "tax,fruit,some\n1,010,001\n,000,\n"}

    def earlier(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, **answers[request.url.path.rpartition("/")[2]])

    monkeypatch.setattr(Candor, "transport", httpx.MockTransport(earlier))
    frame = Candor(ADDRESS, "any").rows("abc")
    assert frame["fruit"].tolist() == ["010", "000"]
    assert frame["some"][0] == "001"
    assert pd.isna([frame["some"][1], frame["tax"][1]]).all()


def test_a_report_of_nobody_has_no_numbers(site: Counting) -> None:
    instrument = create_published()
    frame = Candor(ADDRESS, issue_token(instrument.survey.owner, "test")).report(
        parse_instrument(instrument).survey
    )

    assert frame.empty
    assert frame["estimate"].dtype == float
    assert frame.attrs["n"] == 0


def test_every_row_of_a_report_has_a_figure(site: Counting) -> None:
    survey = create_draft()
    add_quantity(survey)
    add_background(survey)
    add_background(survey, "age", (), kind=Question.Kind.NUMBER, minimum=18, maximum=25)
    made = publish_survey(survey)
    add_invented_responses(made, 300)
    candor = Candor(ADDRESS, issue_token(survey.owner, "test"))

    frame = candor.report(survey.slug)

    figures = ["observed", "estimate", "standard_error", "low", "high", "constrained"]
    assert not frame[figures].isna().all(axis=1).any()
    means = frame[frame["statistic"] == "mean"]
    assert list(means.index) == [("hours", "mean"), ("age", "mean")]
    assert (frame.drop(means.index)["statistic"] == "share").all()
    ages = candor.rows(survey.slug)["age"]
    age = frame.loc[("age", "mean")]
    assert age["estimate"] == pytest.approx(ages.mean())
    assert age["standard_error"] == pytest.approx(ages.std(ddof=0) / np.sqrt(300))
    assert age["low"] < age["estimate"] < age["high"]


class TestRequestsThatCameTooSoon:
    """The site answers 429, and says how long to wait."""

    @pytest.fixture
    def slept(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        seconds: list[float] = []
        monkeypatch.setattr(connection.time, "sleep", seconds.append)
        return seconds

    @staticmethod
    def refusing(monkeypatch: pytest.MonkeyPatch, *waits: str) -> Candor:
        """Return a client of a site that refuses as many requests, and then answers."""
        answers = [
            httpx.Response(429, headers={"Retry-After": wait} if wait else {}) for wait in waits
        ]
        answers.append(httpx.Response(200, json={"received": 7}))
        monkeypatch.setattr(
            Candor, "transport", httpx.MockTransport(lambda request: answers.pop(0))
        )
        return Candor(ADDRESS, "any")

    def test_they_are_repeated_after_the_time_that_the_site_names(
        self, monkeypatch: pytest.MonkeyPatch, slept: list[float]
    ) -> None:
        candor = self.refusing(monkeypatch, "2", "0", "60")

        assert candor.count("abc") == {"received": 7}
        assert slept == [2, 0, 60]

    @pytest.mark.parametrize("waits", [("1", "1", "1", "1"), ("61",), ("",), ("soon",)])
    def test_they_are_given_up_after_three_times_or_for_a_longer_wait(
        self, monkeypatch: pytest.MonkeyPatch, slept: list[float], waits: tuple[str, ...]
    ) -> None:
        candor = self.refusing(monkeypatch, *waits)

        with pytest.raises(Problem) as refused:
            candor.count("abc")

        assert refused.value.status == 429
        assert len(slept) == len(waits) - 1

    def test_a_day_of_http_is_understood(
        self, monkeypatch: pytest.MonkeyPatch, slept: list[float]
    ) -> None:
        moment = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
        candor = self.refusing(monkeypatch, moment)

        assert candor.count("abc") == {"received": 7}
        assert 20 < slept[0] <= 30

    def test_a_download_is_repeated_too(
        self, monkeypatch: pytest.MonkeyPatch, slept: list[float], tmp_path: Path
    ) -> None:
        candor = self.refusing(monkeypatch, "1")

        path = candor.download("abc", "responses.csv", tmp_path)

        assert json.loads(path.read_text()) == {"received": 7}
        assert slept == [1]

    def test_the_site_itself_names_a_time_that_is_enough(
        self, candor: Candor, filled: Instrument, site: Counting, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = [time.time()]

        def wait(seconds: float) -> None:
            clock[0] += seconds

        monkeypatch.setattr(connection.time, "sleep", wait)
        monkeypatch.setattr(TokenThrottle, "timer", lambda throttle: clock[0])
        monkeypatch.setattr(TokenThrottle, "THROTTLE_RATES", {"api": "2/minute"})

        for _ in range(3):
            candor.count(filled.survey.slug)

        assert site.statuses == [200, 304, 429, 304]


def test_rows_are_the_responses(candor: Candor, filled: Instrument) -> None:
    frame = candor.rows(parse_instrument(filled).survey)
    (batch,) = decoded(filled)
    for item in parse_instrument(filled).items:
        names = [column.name for column in columns(parse_instrument(filled))[item.key]]
        rows = ["".join(map(str, row)) for row in frame[names].to_numpy()]
        reports = item.report_format.reports(batch[item.key])
        if not item.is_string:
            reports = [item.values.texts[code] for code in reports]
        assert rows == list(map(str, reports))
    labelled = candor.rows(parse_instrument(filled).survey, labels=True)
    assert (labelled["tax"] == "Yes").sum() == (frame["tax"] == 1).sum()
    assert labelled["fruit_1"].equals(frame["fruit_1"])


def test_the_list_of_files_is_the_sites(candor: Candor, filled: Instrument, tmp_path: Path) -> None:
    found = candor.files(parse_instrument(filled).survey).set_index("name")
    assert list(found.index) == [file.name for file in all_files()]
    assert found.loc["responses.sav", "limit"] == 100_000
    assert pd.isna(found.loc["responses.csv", "limit"])
    path = candor.download(parse_instrument(filled).survey, "responses.dta", tmp_path)
    assert len(pd.read_stata(path)) == found["n"].iloc[0]
    packed = candor.download(
        parse_instrument(filled).survey, "responses.parquet", tmp_path, marks="packed"
    )
    assert packed.read_bytes() == b"".join(find_file("responses-packed.parquet").stream(filled))


def test_a_trend_is_a_frame_of_all_changes(candor: Candor, filled: Instrument) -> None:
    earlier = filled.survey
    now = new_version(earlier, earlier.owner)
    publish_survey(now)
    add_invented_responses(now.instrument, 300, seed=2)
    frame = candor.trend(now.slug, earlier.slug)
    assert frame.equals(candor.trend(now.slug))
    assert [each["slug"] for each in frame.attrs["surveys"]] == [earlier.slug, now.slug]
    assert len(frame) == frame.attrs["comparisons"] > 0
    assert np.allclose(frame["now"] - frame["then"], frame["difference"])
    assert (frame["low"] < frame["difference"]).all()
    assert (frame["difference"] < frame["high"]).all()


def test_the_list_is_read_to_its_last_page(site: Counting) -> None:
    owner = create_researcher()
    for number in range(120):
        create_draft(owner, title=f"Draft {number}")
    with Candor(ADDRESS, issue_token(owner, "test")) as candor:
        assert len(candor.surveys()) == 120
        assert candor.surveys(search="Draft 11")["title"].nunique() == 11
        assert candor.surveys(status="open").empty


def test_a_rehearsal_says_what_an_analysis_would_find(candor: Candor, filled: Instrument) -> None:
    suppose = {"outcome": "tax:1", "group": "region:1", "difference": 0.3}
    rehearsed = candor.rehearse(
        parse_instrument(filled).survey, 5000, {"tax": [0.7, 0.3]}, suppose, seed=2
    )
    supposed = rehearsed.attrs["supposed"]
    assert "of “South” and" in supposed["sentence"]
    assert 0.9 < supposed["power"] <= 1
    south = next(term for term in supposed["model"]["terms"] if term["difference"] is not None)
    assert abs(south["difference"]) == pytest.approx(0.3, abs=0.1)
    assert candor.rehearse(parse_instrument(filled).survey, 500).attrs["supposed"] is None


def test_a_rehearsal_and_the_quality_are_frames(candor: Candor, filled: Instrument) -> None:
    slug = parse_instrument(filled).survey
    rehearsed = candor.rehearse(slug, 5000, {"tax": [0.7, 0.3]}, seed=2)
    assert rehearsed.attrs["n"] == 5000
    assert rehearsed.loc[("tax", "Yes"), "estimate"] == pytest.approx(0.3, abs=0.1)
    assert candor.report(slug).attrs["n"] == 300
    assert set(candor.quality(slug)["key"]) <= {"tax", "fruit"}
    assert candor.figure(slug, "tax", form="png").startswith(b"\x89PNG")
    assert candor.count(slug)["released"] == 300
    assert candor.protection(slug)["together"]["epsilon"] == pytest.approx(
        parse_instrument(filled).epsilon
    )


def test_texts_are_a_table_with_a_column_for_each_language(candor: Candor) -> None:
    question = {"key": "tax", "kind": "yes-no", "text": "Did you?", "design": "two-coin"}
    slug = candor.create({"title": "Taxes", "questions": [question]})["slug"]
    table = candor.texts(slug)
    assert list(table.columns) == ["place", "key", "field", "choice", "en"]
    assert list(table["place"]) == ["title", "question 1 (tax), question"]
    table["de"] = ["Steuern", None]
    after = candor.translate(slug, table)
    assert list(after["de"].fillna("")) == ["Steuern", ""]
    assert candor.survey(slug)["title"] == {"en": "Taxes", "de": "Steuern"}
    candor.change(slug, languages=["en"])
    assert candor.survey(slug)["title"] == "Taxes"
    candor.change(slug, languages=["en", "de"])
    assert candor.survey(slug)["title"] == {"en": "Taxes", "de": "Steuern"}


def test_a_problem_says_what_the_site_said(candor: Candor) -> None:
    with pytest.raises(Problem) as wrong:
        candor.create({"title": ""})
    assert (wrong.value.status, set(wrong.value.errors)) == (422, {"title"})
    with pytest.raises(Problem, match="404"):
        candor.report("nothing")
    with pytest.raises(Problem, match="401"):
        Candor(ADDRESS, "wrong").surveys()


def test_a_copy_by_program_asks_the_same_people(site: Counting) -> None:
    made = create_draft(tickets="one", delete_on="2099-01-31", target=321, accent="#7a1f3d")
    with Candor(ADDRESS, issue_token(made.owner, "copies")) as candor:
        got = candor.survey(made.slug)
        copy = candor.create(got)
    of_the_server = ("slug", "created", "edition")
    assert copy | dict.fromkeys(of_the_server) == got | dict.fromkeys(of_the_server)
    assert Survey.objects.get(slug=copy["slug"]).tickets == "one"


def test_a_failed_download_leaves_no_file(candor: Candor, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="404"):
        candor.download("nothing", "everything.zip", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def sender(site: Counting) -> tuple[Candor, Survey]:
    survey = create_import_survey(create_researcher())
    return Candor(ADDRESS, issue_token(survey.owner, "test")), survey


def test_a_file_or_a_frame_of_responses_is_sent_in_parts(
    sender: tuple[Candor, Survey], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candor, survey = sender
    monkeypatch.setattr(files, "PART", 1000)
    path, told = tmp_path / "responses.csv", []
    path.write_bytes(csv(*[f"{number % 2},010,North,{18 + number % 82}" for number in range(500)]))
    numbers = {"questions": {"age": {"as": "labels"}}}
    assert (
        candor.import_responses(
            survey.slug, path, numbers, progress=lambda *each: told.append(each)
        )
        == 500
    )
    size = path.stat().st_size
    assert [sent for sent, _, _ in told] == [*range(1000, size, 1000), size]
    assert told[-1] == (size, size, 500)
    frame = pd.DataFrame(
        {"tax": [1, 0], "fruit": ["010", "111"], "region": ["North", "South"], "age": [18, 99]}
    )
    assert candor.import_responses(survey.slug, frame) == 2
    assert tally(survey)["n"] == 502


def test_what_would_be_added_is_confirmed_before_it_counts(sender: tuple[Candor, Survey]) -> None:
    candor, survey = sender
    frame = pd.DataFrame(
        {"tax": [1, 0], "fruit": ["010", "111"], "region": ["North", "South"], "age": [18, 99]}
    )
    shown: list[dict] = []
    assert (
        candor.import_responses(
            survey.slug, frame, confirm=lambda preview: bool(shown.append(preview))
        )
        == 0
    )
    assert ([each["n"] for each in shown[0]["questions"]], tally(survey)) == ([2, 2, 2, 2], {})
    assert not Import.objects.exists()
    assert (
        candor.import_responses(survey.slug, frame, confirm=lambda preview: preview["n"] == 2) == 2
    )
    with pytest.raises(Problem, match="problems"):
        candor.import_responses(survey.slug, frame.assign(age=17), confirm=lambda preview: True)
    assert tally(survey)["n"] == 2


def test_a_wrong_file_raises_its_problems_and_leaves_nothing(
    sender: tuple[Candor, Survey], tmp_path: Path
) -> None:
    candor, survey = sender
    path = tmp_path / "responses.csv"
    path.write_bytes(csv("0,010,North,99", "x,010,North,30"))
    with pytest.raises(Problem) as wrong:
        candor.import_responses(survey.slug, path)
    assert wrong.value.errors == {"row 3, column tax": "“x” is not one of No, Yes, or a code."}
    assert not Import.objects.exists()


def test_a_part_goes_again_where_the_connection_failed(
    sender: tuple[Candor, Survey], site: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candor, survey = sender
    monkeypatch.setattr(connection.time, "sleep", lambda seconds: None)
    lost, handle = [], site.handle_request

    def loses_an_answer(request: httpx.Request) -> httpx.Response:
        answer = handle(request)
        if request.method == "PUT" and not lost:
            lost.append(request.url)
            raise httpx.ReadError("gone")
        return answer

    monkeypatch.setattr(site, "handle_request", loses_an_answer)
    path = tmp_path / "responses.csv"
    path.write_bytes(csv())
    assert candor.import_responses(survey.slug, path) == 3
    assert lost
    assert tally(survey)["n"] == 3


def test_the_notebook_runs_from_top_to_bottom(
    site: Counting, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("CANDOR_ADDRESS", ADDRESS)
    monkeypatch.setenv("CANDOR_TOKEN", issue_token(create_researcher(), "notebook"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for cell in re.findall(r"```python\n(.*?)```", NOTEBOOK.read_text(), re.DOTALL):
        exec(compile(cell, "docs/client.md", "exec"), names)
        if "candor.publish(slug," in cell:
            add_invented_responses(Instrument.objects.get(), 2000)
    assert (
        "{'questions.0.p': 'Enter a number, for example 3/4 or 0.75.'}" in capsys.readouterr().out
    )
    assert zipfile.ZipFile(tmp_path / "everything.zip").testzip() is None


def test_picked_marks_are_columns_with_nothing_where_they_were_not_picked(site: Counting) -> None:
    survey = create_draft()
    save_question(
        survey=survey,
        key="drugs",
        text="Which?",
        kind="any",
        choices=["A", "B", "C"],
        design="balanced",
    )
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 60)
    frame = Candor(ADDRESS, issue_token(survey.owner, "test")).rows(survey.slug)
    assert list(frame) == ["drugs_1", "drugs_2", "drugs_3"]
    assert (frame.notna().sum(axis=1) == 1).all()
    assert set(map(str, frame.dtypes)) == {"Int64"}
    reported = Candor(ADDRESS, issue_token(survey.owner, "more")).report(survey.slug)
    assert reported["n"].tolist() == frame.notna().sum().tolist()


def test_analyses_are_frames_of_the_sites_numbers(candor: Candor, filled: Instrument) -> None:
    slug = parse_instrument(filled).survey
    pairs = candor.groups(slug, "region", "tax:1", confidence=0.9)
    assert pairs.index.names == ["first", "second"]
    assert (pairs["low"] < pairs["difference"]).all()
    assert "printed" not in pairs.columns
    assert pairs.attrs["n"] == 300
    groups = candor.groups(slug, "region")
    assert groups.loc[("North", "tax", "Yes"), "estimate"] - groups.loc[
        ("South", "tax", "Yes"), "estimate"
    ] == (pytest.approx(pairs["difference"].iloc[0]))
    table = candor.table(slug, "region", "tax")
    assert table["share"].sum() == pytest.approx(1)
    assert table.loc[("North", "Yes"), "of_row"] == pytest.approx(
        groups.loc[("North", "tax", "Yes"), "estimate"]
    )
    assert table.attrs["phi"]["interval"][0] < table.attrs["phi"]["value"]
    weighted = candor.weighted(slug, {"region": [0.5, 0.5]})
    halves = groups.xs(("tax", "Yes"), level=("question", "choice"))["estimate"].mean()
    assert weighted.loc[("tax", "Yes"), "share"] == pytest.approx(halves)
    assert weighted.attrs["effective_n"] < 300
    with pytest.raises(Problem, match="sum to 70"):
        candor.weighted(slug, {"region": [0.5, 0.2]})


def test_means_are_frames_of_the_sites_numbers(site: Counting) -> None:
    survey = create_draft()
    add_quantity(survey)
    add_background(survey)
    made = publish_survey(survey)
    add_invented_responses(made, 300)
    candor, slug = Candor(ADDRESS, issue_token(survey.owner, "test")), parse_instrument(made).survey
    pairs = candor.groups(slug, "region", "hours")
    explained = candor.model(slug, "hours", ["region"])
    assert (explained.attrs["of"], explained.attrs["unit"]) == ("means", "hours")
    difference = explained["difference"].dropna().iloc[0]
    assert abs(pairs["difference"].iloc[0]) == pytest.approx(abs(difference))
    weighted = candor.weighted(slug, {"region": [0.5, 0.5]})
    assert weighted.loc[("hours", "mean"), "mean"] == pytest.approx(explained["corrected"].mean())
    assert weighted.loc[("hours", "mean"), "low"] < weighted.loc[("hours", "mean"), "mean"]
    reported = candor.report(slug).loc[("hours", "mean")]
    number = report(made).questions[0].average.mean
    names = ["estimate", "standard_error", "low", "high"]
    assert reported[names].tolist() == pytest.approx(
        [number.value, number.standard_error, *number.interval]
    )
    assert reported["statistic"] == "mean"
    assert reported["n"] == 300
    groups = candor.groups(slug, "region")
    sides = groups.xs(("hours", "mean"), level=("question", "choice"))["estimate"]
    assert sides["North"] - sides["South"] == pytest.approx(pairs["difference"].iloc[0])


def test_the_designs_are_a_frame(candor: Candor) -> None:
    designs = candor.designs()
    assert list(designs.loc["unary", "parameters"]) == ["p", "q"]
    assert designs.loc["kuk", "import_only"]


TAX = {"key": "tax", "kind": "yes-no", "text": "Evaded taxes?", "design": "two-coin"}


def test_people_are_invited_from_a_notebook(candor: Candor, site: Counting) -> None:
    slug = candor.create({"title": "Work", "questions": [TAX]})["slug"]
    assert (
        len(candor.invite_people(slug, [{"label": "Ada", "email": "ada@example.org"}], unnamed=1))
        == 2
    )
    candor.choose_steps(slug, "one")
    candor.publish(slug)
    found = candor.links(slug).set_index("label")
    assert found.loc["Ada", "link"].endswith(f"/i/{slug}/#{found.loc['Ada', 'code']}")
    people = candor.invitees(slug)
    assert (len(people), people.attrs["invited"], people.attrs["answered"]) == (2, 2, 0)
    ada = people.set_index("label").loc["Ada", "id"]
    assert candor.replace(slug, ada)["code"] not in found["code"].tolist()
    candor.take_off(slug, ada)
    with pytest.raises(Problem) as refused:
        candor.send_invitations(slug)
    assert refused.value.status == 409
    candor.close_survey(slug)
    candor.finish(slug, "Work")
    assert (len(candor.invitees(slug)), candor.invitees(slug).attrs["invited"]) == (0, 2)


def test_codes_are_listed_by_the_problem_and_answered_in_the_mapping(
    sender: tuple[Candor, Survey],
) -> None:
    candor, survey = sender
    frame = pd.DataFrame({"tax": [1, 0, 1], "fruit": "010", "region": [1, 2, 0], "age": 30})
    with pytest.raises(Problem) as asked:
        candor.import_responses(survey.slug, frame)
    assert list(asked.value.errors) == ["questions.region.texts"]
    assert asked.value.codes == {"region": {"0": 1, "1": 1, "2": 1}}
    assert (tally(survey), Import.objects.count()) == ({}, 0)
    said = {"questions": {"region": {"texts": {"1": 0, "2": 1}, "missing": ["0"]}}}
    assert candor.import_responses(survey.slug, frame, said) == 3
    assert tally(survey)["counts"]["region"] == [1, 1]
