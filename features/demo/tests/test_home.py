"""The home page and the sample report: every number from the invented answers, nothing from a database, the same for
everyone. And the study as respondents see it, where it was loaded and where it was not."""

import json
import math
import re
from html import unescape

import numpy as np
import pytest
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from features.demo import misconduct
from features.demo.sample import FIRST, Sample
from mechanisms import Tally, TwoCoin, planning
from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.responses.records import decode, has_report
from surveys.models import Response
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.report import report
from surveys.site.page_program import program
from surveys.site.script_integrity import digest
from tests.factories.surveys import create_researcher

PAGES = ("/", "/sample/")
STUDY = f"/s/{misconduct.SLUG}/"


def recorded() -> np.ndarray:
    paper = misconduct.published()
    rows = decode(paper, misconduct.records(paper))
    return rows[FIRST][has_report(paper, rows, FIRST)]


def text(path: str) -> str:
    page = re.sub(r"</?(?:strong|bdi)[^>]*>", "", Client().get(path).content.decode())
    return " ".join(
        unescape(re.sub(r"<[^>]*>", " ", page)).replace("\N{NO-BREAK SPACE}", " ").split()
    )


def test_the_picture_has_the_numbers_of_the_estimator() -> None:
    answers, page = recorded(), text("/")
    yes = int(answers.sum())
    estimate = TwoCoin().estimate(Tally(len(answers), [len(answers) - yes, yes]))
    low, high = (100 * end for end in estimate.intervals[1])
    assert f"100 of {len(answers):,} scrambled answers" in page
    assert f"received as Yes {100 * yes / len(answers):.1f}% expected by chance − 25.0%" in page
    assert "50% of true answers get through ÷ 0.5" in page
    assert f"estimated share of Yes {100 * estimate.proportions[1]:.1f}%" in page
    assert f"95% range: {math.floor(10 * low) / 10}% to {math.ceil(10 * high) / 10}%." in page
    assert (yes / len(answers) - 0.25) / 0.5 == pytest.approx(estimate.proportions[1])


def test_one_tap_more_is_the_same_number() -> None:
    answers, page = recorded(), text("/")
    yes, n = int(answers.sum()), len(answers) + 1
    stated = re.search(r"With your tap among the answers it is still (\d+\.\d%)\.", page)[1]
    for tap in (0, 1):
        estimate = TwoCoin().estimate(Tally(n, [n - yes - tap, yes + tap]))
        assert f"{100 * estimate.proportions[1]:.1f}%" == stated


def test_both_numbers_stand_together_and_are_those_of_the_report() -> None:
    both = "One answer alone: guessed right at most 75 times in 100. All answers together: at most 90. Pure chance"
    assert both in text("/sample/")
    assert text("/").count("times in 100") == text("/").count(both) == 1


def test_it_needs_as_many_more_respondents_as_it_says() -> None:
    page = text("/")
    assert "four times as many for the same margin at 50%, more for rare answers" in page
    assert "If each person gets 2 of 6 questions, it is three times that." in page
    for share, times in ((0.5, 4), (0.1, 9.3)):
        directly = 1.96**2 * share * (1 - share) / 0.05**2
        assert planning.sample_size(TwoCoin(), 0.05, share) / directly == pytest.approx(
            times, rel=0.01
        )


def test_the_try_is_that_of_respondents_pages_with_the_chances_of_the_first_question() -> None:
    """One part, one script and nothing else; it can connect to nothing."""
    answer = Client().get("/")
    page = answer.content.decode()
    assert render_to_string("respondent/parts/try.html") in page
    instrument = json.loads(misconduct.published().content)
    (question,) = json.loads(unescape(re.search(r'data-questions="([^"]*)"', page)[1]))
    assert question == {
        "mechanism": next(
            each["mechanism"] for each in instrument["questions"] if each["key"] == FIRST
        )
    }
    (script,) = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert script == program("demo/home.js")
    assert re.findall(r"/\* static/((?:respondent|demo)/\S+) \*/", script) == [
        *("respondent/languages.js", "respondent/try_it.js", "demo/home.js"),
    ]
    policy = answer["Content-Security-Policy"]
    assert re.search(r"script-src ([^;]*)", policy)[1] == f"'{digest(script.encode())}'"
    assert "connect-src 'none'" in policy


def test_the_dots_are_a_hundred_of_the_answers_with_as_many_yes_as_all() -> None:
    answers, page = recorded(), Client().get("/").content.decode()
    shown = {}
    for answer, name in enumerate(("no", "yes")):
        path = re.search(rf'home-dots__{name}" d="([^"]*)"', page)
        shown |= {(int(y), int(x)): answer for x, y in re.findall(r"M(\d+) (\d+)h0", path[1])}
    row = [answer for _, answer in sorted(shown.items())]
    assert len(row) == 100
    assert sum(row) == round(100 * answers.mean())
    assert bytes(row) in answers.astype(np.uint8).tobytes()


@pytest.mark.parametrize("path", PAGES)
def test_everyone_gets_the_same_bytes_without_a_cookie(path: str) -> None:
    first = Client().get(path)
    for headers in (
        {"cookie": "sessionid=1"},
        {"accept-language": "ar"},
        {"referer": "https://example.org/"},
    ):
        other = Client().get(path, headers=headers)
        assert (other.content, dict(other.headers)) == (first.content, dict(first.headers))
        assert not other.cookies
    assert first["Cache-Control"] == "public, no-cache"
    assert ("script-src 'none'" in first["Content-Security-Policy"]) == (path != "/")
    page = first.content.decode().replace("http://www.w3.org/2000/svg", "")
    assert page.count("<script") == (path == "/")
    assert not re.search(r"style=|https?://", page)


@pytest.mark.parametrize("headers", [{}, {"accept-encoding": "gzip"}])
@pytest.mark.parametrize("path", PAGES)
def test_what_is_still_the_same_is_not_sent_again(path: str, headers: dict[str, str]) -> None:
    first = Client().get(path, headers=headers)
    head = Client().head(path, headers=headers)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", first["ETag"])
    again = Client().get(path, headers=headers | {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().get(path, headers=headers | {"if-none-match": '"other"'}).status_code == 200
    assert Client().post(path).status_code == 405


def test_compressed_it_is_the_same_page_under_another_tag() -> None:
    plain, small = (
        Client().get("/sample/"),
        Client().get("/sample/", headers={"accept-encoding": "gzip"}),
    )
    assert small["Content-Encoding"] == "gzip"
    assert len(small.content) < len(plain.content) / 5
    assert plain["ETag"] != small["ETag"]
    assert plain["Vary"] == small["Vary"] == "Accept-Encoding"


def test_the_sample_report_is_marked_and_says_what_each_question_found() -> None:
    said = text("/sample/")
    assert "Invented answers." in said
    for result in Sample().results:
        if not result.is_in_grid:
            assert result.finding.sentence in said
        elif result.grid:
            assert result.grid.sentence in said
    assert re.search(
        r"3\d% chose “None of these”\. Of the other answers, the most common is “Used AI[^”]*”, 2\d%\.",
        said,
    )


def test_the_sample_report_has_no_label_without_a_figure_and_counts_no_statement_among_who_answered() -> (
    None
):
    page = Client().get("/sample/").text
    grid = re.search(
        r'<section class="result" aria-labelledby="rules_clear">.*?</section>', page, re.DOTALL
    )[0]
    people = re.search(r'<p class="glance__people.*?</p>', page)[0]

    assert "grid-row" not in grid
    assert re.findall(r'id="(\w+)"', grid) == ["rules_clear", "exams_watched", "treated_fairly"]
    assert "Engineering" in people
    assert "Neither" not in people


@pytest.mark.django_db
def test_where_the_study_is_loaded_its_report_says_the_same_and_its_survey_is_the_real_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    survey = misconduct.load(create_researcher())
    assert survey.instrument.sha256 == misconduct.published().sha256
    loaded = report(survey.instrument, seen=view_for_reader(survey.instrument, has_rows=True))
    assert Sample().report.questions == loaded.questions
    with django_assert_num_queries(0):
        assert [Client().get(path).status_code for path in PAGES] == [200, 200]
    assert 'data-state="open"' in Client().get(STUDY).content.decode()
    close(survey)
    assert 'data-state="closed"' in Client().get(STUDY).content.decode()


@pytest.mark.django_db
def test_the_demo_leads_to_a_page_that_sends_nothing_where_the_study_is_not_loaded() -> None:
    assert f'href="{STUDY}"' in Client().get("/").content.decode()
    page = Client().get(STUDY).content.decode()
    assert 'data-state="preview"' in page
    assert "Nothing is stored or sent." in page
    for link in re.findall(r'(?:href|src)="(/(?!static)[^"#]*)"', page):
        assert Client().get(link).status_code == 200, link
    sent = Client().post(
        f"/api/v1/surveys/{misconduct.SLUG}/responses/", "{}", content_type="application/json"
    )
    assert sent.status_code == 404
    assert not Response.objects.exists()
    assert Client().get("/s/nosuchsurvey/").status_code == 404
