"""The home page and the sample report: every number from the invented answers, nothing from a database, for everybody
the same. And the study as respondents see it, where it was loaded and where it was not."""

import re
from html import unescape

import numpy as np
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from mechanisms import Tally, TwoCoin
from surveys.demo import misconduct
from surveys.demo.sample import FIRST, Sample
from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.responses.records import decode, given
from surveys.models import Response
from surveys.results.disclosure.access import sight
from surveys.results.estimates.report import report
from tests.making import researcher

PAGES = ("/", "/sample/")
STUDY = f"/s/{misconduct.SLUG}/"


def recorded() -> np.ndarray:
    paper = misconduct.published()
    rows = decode(paper, misconduct.records(paper))
    return rows[FIRST][given(paper, rows, FIRST)]


def text(path: str) -> str:
    page = re.sub(r"</?(?:strong|bdi)[^>]*>", "", Client().get(path).content.decode())
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).replace("\N{NO-BREAK SPACE}", " ").split())


def test_the_picture_has_the_numbers_of_the_estimator() -> None:
    answers, said = recorded(), text("/")
    yes = int(answers.sum())
    found = TwoCoin().estimate(Tally(len(answers), [len(answers) - yes, yes]))
    low, high = 100 * found.intervals[1]
    assert f"100 of {len(answers):,} scrambled answers" in said
    assert f"recorded as Yes {100 * yes / len(answers):.1f}% Yes by chance alone − 25.0%" in said
    assert "in 50% the true answer counts ÷ 0.5" in said
    assert f"corrected share of Yes {100 * found.proportions[1]:.0f}%" in said
    assert f"Very likely between {low:.0f} and {high:.0f}%" in said
    assert (yes / len(answers) - 0.25) / 0.5 == pytest.approx(found.proportions[1])


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
def test_everybody_gets_the_same_bytes_without_a_cookie(path: str) -> None:
    first = Client().get(path)
    for headers in ({"cookie": "sessionid=1"}, {"accept-language": "ar"}, {"referer": "https://example.org/"}):
        other = Client().get(path, headers=headers)
        assert (other.content, dict(other.headers)) == (first.content, dict(first.headers))
        assert not other.cookies
    assert first["Cache-Control"] == "public, no-cache"
    assert "script-src 'none'" in first["Content-Security-Policy"]
    assert not re.search(r"<script|style=|https?://", first.content.decode().replace("http://www.w3.org/2000/svg", ""))


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
    plain, small = Client().get("/sample/"), Client().get("/sample/", headers={"accept-encoding": "gzip"})
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


@pytest.mark.django_db
def test_where_the_study_is_loaded_its_report_says_the_same_and_its_survey_is_the_real_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    survey = misconduct.load(researcher())
    assert survey.instrument.sha256 == misconduct.published().sha256
    loaded = report(survey.instrument, seen=sight(survey.instrument, has_rows=True))
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
    sent = Client().post(f"/api/v1/surveys/{misconduct.SLUG}/responses/", "{}", content_type="application/json")
    assert sent.status_code == 404
    assert not Response.objects.exists()
    assert Client().get("/s/nosuchsurvey/").status_code == 404
