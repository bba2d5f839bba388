"""The report's page: what is chosen in its address, what is wrong with it, and what it costs."""

import math
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from mechanisms import Tally, UnaryEncoding, Warner
from surveys.fieldwork.responses.records import add_tallies
from surveys.models import Instrument
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db
TAX = [1] * 160 + [0] * 240


@pytest.fixture
def instrument(client: Client) -> Instrument:
    """160 reports of Yes of 400 under Warner's design with p = 3/4."""
    made = create_published()
    release_reports(
        made,
        [{"tax": tax, "fruit": "01001", "region": number % 2} for number, tax in enumerate(TAX)],
    )
    client.force_login(made.survey.owner)
    return made


def look(client: Client, instrument: Instrument, query: str = ""):
    return client.get(f"/surveys/{instrument.survey.slug}/report/{query}")


def details(client: Client, instrument: Instrument, key: str, query: str = ""):
    """What the folds of one question hold."""
    return client.get(f"/surveys/{instrument.survey.slug}/report/{key}/details/{query}")


def text(response) -> str:
    """The words of the page, with plain spaces."""
    words = re.sub(
        r"<(script|style)[^>]*>.*?</\1>", " ", response.content.decode(), flags=re.DOTALL
    )
    return " ".join(re.sub(r"<[^>]*>", " ", words).replace("\N{NO-BREAK SPACE}", " ").split())


def test_n_observed_corrected_interval_and_epsilon_stand_together(
    client: Client, instrument: Instrument
) -> None:
    page = text(look(client, instrument))
    assert "Tax: about 3 in 10 ." in page
    assert "30% (95% range 20% to 40%)." in page
    page = text(details(client, instrument, "tax"))
    method = "n = 400. Scrambled by the method “Warner's spinner”, privacy loss ε = 1.10."
    assert method in page.replace("&#x27;", "'")
    assert "Yes 30% 20% to 40% 4.9 30.0% 40.0%" in page
    assert page.index("Yes 30%") < page.index("No 70%")


def test_folds_lead_to_a_page_that_holds_what_they_load(
    client: Client, instrument: Instrument
) -> None:
    page = look(client, instrument, "?confidence=99").content.decode()
    link = "fruit/details/?confidence=99"
    address = f"/surveys/{instrument.survey.slug}/report/{link}"
    assert [f'href="{link}#{part}"' in page for part in ("numbers", "method", "download")] == [
        True
    ] * 3
    assert "Standard error (points)" not in page
    there = client.get(address).content.decode()
    assert [there.count(f'data-part="{part}"') for part in ("numbers", "method", "download")] == [
        1
    ] * 3
    assert "99% Wilson interval" in there
    assert "Standard error (points)" in there
    assert client.get(address.replace("fruit", "pear")).status_code == 404
    assert "Standard error (points)" in look(client, instrument, "?everything=yes").content.decode()
    client.force_login(create_researcher("eve"))
    assert client.get(address).status_code == 404


def test_a_report_of_60_questions_over_10_million_responses_is_small(client: Client) -> None:
    survey = create_draft()
    for number in range(30):
        add_yes_no(survey, f"q{number}")
        add_choice(survey, f"c{number}", [f"Choice {v}" for v in range(10)])
    made = publish_survey(survey, reason="A measurement, which nobody answers.")
    add_invented_responses(made, 5_000)
    for _ in range(11):
        made.tally = add_tallies(made.tally, made.tally)
    made.save(update_fields=["tally"])
    client.force_login(survey.owner)
    page = look(client, made)
    assert "10,240,000" in text(page)
    assert len(page.content) <= 300_000


def test_at_a_glance_is_of_sensitive_questions_and_one_line_says_who_answered(
    client: Client, instrument
) -> None:
    page = text(look(client, instrument))
    glance = page[page.index("At a glance") : page.index("Show all")]
    assert "1 · About tax?" in glance
    assert "2 · About fruit?" in glance
    assert "About region?" not in glance
    assert (
        re.search(r"Who answered \(not scrambled\):", glance) is None
    )  # both regions are equally large
    release_reports(instrument, [{"tax": 0, "fruit": "01001", "region": 1}] * 100)
    assert "Who answered (not scrambled): 60% " in text(look(client, instrument))


def test_the_privacy_sentence_is_about_scrambled_answers_and_not_about_all(
    client: Client, instrument
) -> None:
    """The background answers are in what a person sends; sex and branch can identify, and move the guess."""
    page = text(look(client, instrument))
    assert (
        "Respondents read: “By pure chance, a guess between two answers is right 50 times in 100."
        in page
    )
    assert "Answers marked “Not scrambled” could identify you.”" in page
    assert "everything that one person sent" not in page
    assert (
        "Background answers are not scrambled and not counted here. They could identify someone."
        in page
    )
    survey = create_draft(instrument.survey.owner)
    add_yes_no(survey)
    alone = publish_survey(survey)
    add_responses(alone, 40)
    assert "Background answers" not in text(look(client, alone))


@pytest.mark.parametrize("kind", ["wilson", "wald", "exact", "likelihood"])
@pytest.mark.parametrize("confidence", ["80", "99.9"])
def test_the_page_shows_the_librarys_intervals(
    client, instrument: Instrument, kind: str, confidence: str
) -> None:
    page = text(details(client, instrument, "tax", f"?confidence={confidence}&interval={kind}"))
    expected = (
        Warner("3/4").estimate(Tally(400, [240, 160]), float(confidence) / 100, kind).intervals[1]
    )
    # Both ends are rounded outwards.
    low, high = math.floor(100 * expected[0]), math.ceil(100 * expected[1])
    number = "30%" if confidence == "80" else "too uncertain"  # the range is wider than 20 points
    assert f"Yes {number} {low}% to {high}%" in page
    assert f"All ranges are {confidence}% intervals" in text(
        look(client, instrument, f"?confidence={confidence}")
    )


def test_what_is_chosen_stays_chosen(client: Client, instrument: Instrument) -> None:
    query = "?confidence=99&interval=exact&order=asked&test-tax=12.5&sum-fruit=1&sum-fruit=3"
    response = look(client, instrument, query)
    form = Form(response)
    assert form.values["test-tax"] == "12.5"
    for value, label in (
        ("99", "99%"),
        ("exact", "Clopper–Pearson (never too narrow)"),
        ("asked", "As asked"),
    ):
        assert f'<option value="{value}" selected>{label}' in form.text
    assert "checked" in form.ids["id_sum-fruit_1"]
    assert "checked" in form.ids["id_sum-fruit_3"]
    assert "checked" not in form.ids["id_sum-fruit"]
    assert "?confidence=99&amp;interval=exact" in form.text  # downloads are of what is shown


def numbers(response) -> str:
    """The table of a question."""
    return text(response).split("Standard error (points)")[1]


def test_answers_come_by_size_unless_asked_otherwise(
    client: Client, instrument: Instrument
) -> None:
    as_asked, by_size = (
        numbers(details(client, instrument, "fruit", query)) for query in ("?order=asked", "")
    )
    assert as_asked.index("Apple") < as_asked.index("Pear")
    assert by_size.index("Pear") < by_size.index("Apple")


def test_a_sum_of_choices_is_the_librarys(client: Client, instrument: Instrument) -> None:
    share, error = (
        UnaryEncoding(5, "3/4", "1/4").estimate(Tally(400, [0, 400, 0, 0, 400])).total([1, 4])
    )
    page = text(look(client, instrument, "?sum-fruit=1&sum-fruit=4"))
    assert (
        f"Pear + Prefer not to say: together {100 * share:.1f}%, standard error {100 * error:.1f} points"
        in page
    )


def test_a_share_is_tested(client: Client, instrument: Instrument) -> None:
    assert (
        "The answers received contradict it at the 95% level: likelihood-ratio test, chi-square 4."
        in text(look(client, instrument, "?test-tax=20"))
    )
    assert "The answers received do not contradict it" in text(
        look(client, instrument, "?test-tax=30%25")
    )


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        (
            "confidence=97",
            "confidence",
            "“97” is not one of the choices. Choose one of those shown.",
        ),
        ("confidence=%00x", "confidence", "“�x” is not one of the choices"),
        (
            "interval=bayes",
            "interval",
            "“bayes” is not one of the choices. Choose one of those shown.",
        ),
        ("order=random", "order", "“random” is not one of the choices"),
        ("test-tax=12,5", "test-tax", "Write 12.5, with a point and no comma."),
        ("test-tax=101", "test-tax", "Enter a number from 0 to 100, for example 12.5, not “101”."),
        ("test-tax=-3", "test-tax", "Enter a number from 0 to 100"),
        ("test-tax=nan", "test-tax", "Enter a number from 0 to 100"),
        ("test-tax=1e999", "test-tax", "Enter a number from 0 to 100"),
        ("sum-fruit=9", "sum-fruit", "Choose from the answers shown."),
        ("sum-fruit=a", "sum-fruit", "Choose from the answers shown."),
        ("only-region=2", "only-region", "Choose from the answers shown."),
    ],
)
def test_wrong_values_get_a_message_and_nothing_is_lost(
    client, instrument, query: str, field: str, message: str
) -> None:
    response = look(
        client, instrument, f"?{query}&order=asked" if field != "order" else f"?{query}&test-tax=7"
    )
    assert response.status_code == 422
    found = errors(response)
    assert list(found) == [field]
    assert found[field].startswith(message)
    if field == "test-tax":
        assert Form(response).values["test-tax"] == query.split("=")[1]
    if field == "confidence":
        assert (
            '<option value="95" selected>' in response.content.decode()
        )  # what the page then shows
    kept = '<option value="asked" selected>' if field != "order" else 'value="7"'
    assert kept in response.content.decode()


def test_unknown_parameters_are_ignored(client: Client, instrument: Instrument) -> None:
    assert look(client, instrument, "?utm=1&sum-tax=1&test-fruit=3").status_code == 200


def test_an_empty_report_says_so(client: Client) -> None:
    made = create_published()
    client.force_login(made.survey.owner)
    page = text(look(client, made, "?test-tax=5&sum-fruit=1"))
    assert "No results yet." in page
    assert "Estimate" not in page


def test_few_responses_warn(client: Client, settings) -> None:
    made = create_published()
    client.force_login(made.survey.owner)
    add_responses(made, 29)
    page = text(look(client, made))
    assert "With 29 responses these results are too uncertain to use." in page
    settings.FEW_RESPONSES = 29
    assert "too uncertain to use" not in text(look(client, made))


def test_other_languages_texts_and_html_are_shown_as_they_are(client: Client) -> None:
    survey = create_draft()
    survey.questions.filter(pk=add_yes_no(survey, "a").pk).update(text="<b>مرحبا</b> ?")
    add_choice(survey, "b", ("<script>alert(1)</script>", "=1+1"))
    made = publish_survey(survey)
    add_responses(made, 50)
    client.force_login(survey.owner)
    page = look(client, made).content.decode()
    assert "&lt;b&gt;مرحبا&lt;/b&gt; ?" in page
    assert "<script>alert" not in page
    assert "style=" not in page


def queries(client: Client, instrument: Instrument, query: str = "") -> int:
    with CaptureQueriesContext(connection) as found:
        assert look(client, instrument, query).status_code == 200
    return len(found)


def test_queries_do_not_grow_with_responses_or_questions(
    client: Client, instrument: Instrument, settings
) -> None:
    few = queries(client, instrument), queries(client, instrument, "?only-region=1")
    settings.SEAL_SLICE = 50  # many batches
    add_responses(instrument, 1000)
    assert instrument.batches.count() > 10
    assert (queries(client, instrument), queries(client, instrument, "?only-region=1")) == few
    survey = create_draft(instrument.survey.owner)
    for number in range(30):
        add_yes_no(survey, f"q{number}")
    many = publish_survey(survey)
    add_responses(many, 100)
    assert queries(client, many) == few[0]


def test_an_operator_reads_and_a_stranger_does_not(client: Client, instrument: Instrument) -> None:
    client.force_login(create_researcher("root", is_staff=True, is_superuser=True))
    assert look(client, instrument).status_code == 200
    client.force_login(create_researcher("eve"))
    assert look(client, instrument).status_code == 404
