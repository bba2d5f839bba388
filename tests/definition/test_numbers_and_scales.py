"""Sensitive numbers and scales from draft to report: every page and file that an author can open."""

import json
import uuid

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from surveys.definition.parsing import parse_instrument
from surveys.export.codebook import as_markdown, codebook
from surveys.models import Instrument, Question, Survey
from surveys.results.analysis.groups.page import page_of
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.results.report.groups import side_by_side
from surveys.results.report.headlines import Verdict, finding
from surveys.results.report.lines import groups_csv, shares_csv
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts, worst
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    POINTS,
    add_background,
    add_quantity,
    add_scale,
    create_draft,
    post_response,
    publish_survey,
)
from tests.helpers.html_forms import Form
from tests.helpers.report_api import report_json

KEYS = ("hours", "money", "agrees", "shares")


def made() -> Survey:
    """A number, an amount with a way out, and a scale for each aim."""
    survey = create_draft(title="Numbers")
    add_quantity(survey)
    add_quantity(survey, "money", minimum=0, maximum=1000, step=10, unit="€", decline=True)
    add_scale(survey)
    add_scale(survey, "shares", design="direct", parameters={"epsilon": "2"}, decline=True)
    add_background(survey)
    return survey


@pytest.fixture
def instrument(db: None) -> Instrument:
    found = publish_survey(made())
    add_invented_responses(found, 3000)
    return found


@pytest.fixture
def author(instrument: Instrument) -> Client:
    client = Client()
    client.force_login(instrument.survey.owner)
    return client


def test_the_instrument_holds_what_is_used_and_nothing_else(instrument: Instrument) -> None:
    hours, money, agrees, shares, region = json.loads(instrument.content)["questions"]
    assert hours["mechanism"]["kind"] == "window"
    assert (hours["unit"], "step" in hours, "aside" in hours) == ("hours", False, False)
    assert (money["step"], money["unit"], money["aside"]) == (10, "€", True)
    assert money["choices"][:3] == ["0", "10", "20"]
    assert money["choices"][-2:] == ["1000", "Prefer not to say"]
    assert money["mechanism"]["aside"] == 1
    assert agrees["choices"] == list(POINTS)
    assert shares["mechanism"]["design"] == "direct"
    assert not {"step", "unit", "aside"} & region.keys()


def test_the_report_tells_the_mean_and_no_share(instrument: Instrument) -> None:
    """The filling draws geometric(.4) - 1, cut at the last answer; of `shares` that one is none of the scale."""
    hours, money, agrees, shares, _ = report(instrument).questions
    chances = 0.4 * 0.6 ** np.arange(5)
    cut = 1 + chances[:4] @ np.arange(4) + 4 * (1 - chances[:4].sum())
    truths = (
        (hours, 1.5),
        (money, 15),
        (agrees, cut),
        (shares, 1 + chances @ np.arange(5) / chances.sum()),
    )
    for question, mean in truths:
        assert (
            abs(question.average.mean.value - mean) < 3.5 * question.average.mean.standard_error
        ), question.key
    assert hours.choices == money.choices == agrees.choices == ()
    assert [choice.label for choice in shares.choices] == [*POINTS, "Prefer not to say"]
    assert hours.constrained_by is None
    assert len(hours.average.quartiles) == 3
    assert hours.average.curve[-1][1] == pytest.approx(1)
    assert not shares.average.quartiles


def test_shares_up_to_a_number_stand_only_where_their_error_allows(instrument: Instrument) -> None:
    for question in report(instrument).questions[:4]:
        for at_most in question.average.at_most:
            low, high = at_most.functional.interval
            assert high - low <= 0.2
    small = publish_survey(_alone())
    add_invented_responses(small, 400)
    (question,) = report(small).questions
    assert not question.average.at_most


def test_the_mean_is_said_in_words(instrument: Instrument) -> None:
    hours, _, agrees, shares, _ = (finding(question) for question in report(instrument).questions)
    assert hours.sentence.startswith("Hours: ")
    assert " hours on average (95% range " in hours.sentence
    assert hours.scale == (0.0, 50.0)
    assert agrees.sentence.endswith(" on average, from 1 (“Never”) to 5 (“Always”).")
    assert " on average, from 1 (“Never”) to 5 (“Always”). 95% range " in shares.detail


def test_few_reports_give_no_number(instrument: Instrument) -> None:
    other = publish_survey(_alone())
    add_invented_responses(other, 40)
    (question,) = report(other).questions
    found = finding(question)
    assert found.verdict is Verdict.WIDE
    assert found.number == ""
    assert question.average.quartiles == ()


def _alone() -> Survey:
    survey = create_draft(Survey.objects.first().owner)
    add_quantity(survey)
    return survey


def test_every_page_and_file_of_the_report_opens(author: Client, instrument: Instrument) -> None:
    slug = instrument.survey.slug
    page = author.get(reverse("workspace:report", args=[slug])).content.decode()
    assert "only the overall shape is reliable" in page
    assert "Upper quartile" in page
    assert "on average" in page
    for name in ("report-shares-svg", "report-shares-png", "report-question-table"):
        for key in KEYS:
            assert author.get(reverse(f"workspace:{name}", args=[slug, key])).status_code == 200, (
                name,
                key,
            )
    for address in ("report", "compare", "report-quality"):
        answer = author.get(
            reverse(f"workspace:{address}", args=[slug]), {"by": "region", "interval": "exact"}
        )
        assert answer.status_code in (200, 422), address
    filtered = author.get(reverse("workspace:report", args=[slug]), {"only-region": "0"})
    assert "on average" in filtered.content.decode()


def test_groups_stand_side_by_side_with_their_means(instrument: Instrument) -> None:
    found = side_by_side(ReaderView(instrument), "region")
    assert [row.name for row in found.questions[0][1]] == ["North", "South"]
    hours = page_of(found).question("hours").rows[0]
    assert hours.values == "Mean"
    assert [row.value.label for row in hours.rows] == ["North", "South"]
    assert "hours,About hours?,region,North,mean (hours)" in groups_csv(found)


def test_the_table_has_a_row_for_each_number(instrument: Instrument) -> None:
    table = shares_csv(report(instrument), "hours")
    assert [line.split(",")[2] for line in table.splitlines()[1:]] == [
        "mean (hours)", "lower quartile (hours)", "median (hours)", "upper quartile (hours)",
        *(f"share up to {each.number} (hours)" for each in report(instrument).questions[0].average.at_most),
    ]  # fmt: skip


def test_the_report_travels(instrument: Instrument) -> None:
    hours, money, _, shares, region = report_json(report(instrument))["questions"]
    assert hours["choices"] == []
    assert (hours["number"]["from"], hours["number"]["to"], hours["number"]["unit"]) == (
        0,
        50,
        "hours",
    )
    assert money["number"]["step"] == 10
    assert shares["number"]["mean"] == report(instrument).questions[3].average.mean.value
    assert region["number"] is None
    json.dumps(hours)


def test_honest_reports_raise_no_alarm_and_fakes_do(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    assert worst(check_counts(frozen, report(instrument))).value == "not contradicted"
    instrument.tally["counts"]["hours"] = [3000] + [0] * (
        len(instrument.tally["counts"]["hours"]) - 1
    )
    instrument.save()
    alarm = next(
        check for check in check_counts(frozen, report(instrument)) if check.key == "hours"
    )
    assert alarm.verdict.value == "impossible"
    assert "“0” was received for 100.0" in alarm.finding


def test_methods_and_codebook_say_how(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    text = str(methods(frozen, report(instrument)))
    assert "weights w with Mw = x" in text
    assert "Estimating numerical distributions" in text
    book = codebook(frozen, instrument.tally)["variables"][0]
    assert book["report"].startswith("whole number from 0 to ")
    assert "weight" in book["how_to_correct"]
    assert "in steps of 10" in as_markdown(frozen)


@pytest.mark.parametrize("report_", [-1, "x", True, None, 10**6])
def test_a_wrong_report_is_refused(instrument: Instrument, report_: object) -> None:
    good = {"hours": 3, "money": 5, "agrees": 2, "shares": 1, "region": 0}
    content = {"instrument": instrument.sha256, "key": str(uuid.uuid4())}
    assert (
        post_response(instrument, content | {"reports": good | {"hours": report_}}).status_code
        == 422
    )
    assert post_response(instrument, content | {"reports": good}).status_code == 201


TYPED = {"text": "How many hours?", "design": "balanced", "mode": "automatic", "aim": "mean"}
NUMBER = TYPED | {"kind": "quantity", "low": "0", "high": "50", "step": "1", "unit": "hours"}
SCALE = TYPED | {"kind": "scale", "points": "\r\n".join(POINTS)}


@pytest.fixture
def written(db: None) -> Survey:
    return create_draft()


def typing(survey: Survey, **typed: str):
    client = Client()
    client.force_login(survey.owner)
    return client.post(reverse("workspace:new-question", args=[survey.slug]), typed)


def test_a_number_is_written_in_the_editor(written: Survey) -> None:
    assert typing(written, **NUMBER).status_code == 302
    question = written.questions.get()
    assert (question.minimum, question.maximum, question.step, question.unit) == (0, 50, 1, "hours")
    assert (question.design, question.parameters) == ("window", {"epsilon": "1.0987"})


@pytest.mark.parametrize(("aim", "design"), [("mean", "window"), ("shares", "direct")])
def test_the_aim_of_a_scale_decides_its_design(written: Survey, aim: str, design: str) -> None:
    assert typing(written, **SCALE | {"aim": aim}).status_code == 302
    question = written.questions.get()
    assert (question.design, [choice.label for choice in question.choices.all()]) == (
        design,
        list(POINTS),
    )
    client = Client()
    client.force_login(written.owner)
    answer = client.get(reverse("workspace:question", args=[written.slug, question.key]))
    assert (Form(answer).data["aim"], Form(answer).values["design"]) == ([aim], "automatic")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (NUMBER | {"high": "x"}, "The largest number must be a whole number"),
        (NUMBER | {"high": "0"}, "must be above the smallest"),
        (NUMBER | {"step": "7"}, "Write 49 or 56"),
        (NUMBER | {"step": "0"}, "The step must be a whole number from 1 to 50"),
        (NUMBER | {"high": "5000"}, "Use larger steps, of 5 or more"),
        (NUMBER | {"aim": "shares"}, "for up to 11 answers"),
        (NUMBER | {"design": "two-coin"}, "doesn’t fit this question type"),
        (
            NUMBER | {"design": "window", "window-epsilon": "0.05"},
            "Choose an epsilon of at least 0.1",
        ),
        (SCALE | {"points": "Only"}, "at least two choices"),
        (SCALE | {"points": "\r\n".join(map(str, range(12)))}, "At most 11 are allowed"),
        (SCALE | {"aim": "both"}, "Choose what you want to know"),
    ],
)
def test_what_is_wrong_is_said(written: Survey, typed: dict, message: str) -> None:
    answer = typing(written, **typed)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not written.questions.exists()


def test_the_panel_says_before_publishing_what_it_cannot_tell(written: Survey) -> None:
    page = typing(written, **NUMBER | {"show": "panel"}).content.decode()
    assert "in the mean" in page
    assert "25 or less" in page
    assert "yes/no question" in page
    small = typing(written, **SCALE | {"show": "panel"}).content.decode()
    assert "The mean needs" in small


def test_a_scale_of_two_points_can_be_asked_for_shares(written: Survey) -> None:
    assert typing(written, **SCALE | {"points": "No\r\nYes", "aim": "shares"}).status_code == 302
    assert Question.objects.get().design == "direct"


def test_respondents_see_a_field_with_its_range_and_what_happens(instrument: Instrument) -> None:
    page = Client().get(f"/s/{instrument.survey.slug}/").content.decode()
    assert "A whole number from 0 to 50<" in page
    assert "A whole number from 0 to 1000, in steps of 10<" in page
    assert 'data-min="0" data-max="1000" data-step="10"' in page
    assert "Enter a whole number from 0 to 1000, in steps of 10" in page
    assert "Your device sends a range of answers. It holds yours" in " ".join(page.split())


def test_a_number_has_no_other_kinds_of_interval(author: Client, instrument: Instrument) -> None:
    slug = instrument.survey.slug
    assert (
        author.get(reverse("workspace:report", args=[slug]), {"interval": "exact"}).status_code
        == 200
    )
    hours, _, _, shares, _ = report(instrument, interval="exact").questions
    assert (shares.interval_kind, hours.interval_kind) == ("exact", "wald")
