"""Figures, tables and the methods section that leave the report."""

import csv
import io
import re
import xml.etree.ElementTree as ET
import zlib

import pytest
from django.test import Client

from mechanisms import Crosswise, Kuk, Tally, Triangular, Warner
from surveys.authoring.drafts import drafts
from surveys.definition.designs.wording import report_coding_clause
from surveys.models import Instrument
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def instrument(client: Client) -> Instrument:
    made = create_published()
    release_reports(
        made, [{"tax": int(n < 160), "fruit": "01001", "region": n % 2} for n in range(400)]
    )
    client.force_login(made.survey.owner)
    return made


def get(client: Client, instrument: Instrument, rest: str):
    return client.get(f"/surveys/{instrument.survey.slug}/report/{rest}")


def rows(response) -> list[dict]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def pixels(png: bytes) -> tuple[int, int, set[bytes]]:
    """Width, height and the colours of some lines of a PNG, read without a library."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    data, place = b"", 8
    while place < len(png):
        length, kind = int.from_bytes(png[place : place + 4], "big"), png[place + 4 : place + 8]
        data += png[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += 12 + length
    raw = zlib.decompress(data)
    step = len(raw) // height
    return width, height, {raw[start : start + step] for start in range(0, len(raw), step)}


@pytest.mark.parametrize("name", ["shares", "likelihood"])
def test_a_figure_stands_by_itself(client: Client, instrument: Instrument, name: str) -> None:
    response = get(client, instrument, f"tax/{name}.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert response["Content-Disposition"].endswith(f'{instrument.survey.slug}-tax-{name}.svg"')
    root = ET.fromstring(response.content)
    words = " ".join(root.itertext())
    assert "About tax?" in words
    said = {
        "shares": r"30% \(95% range 20% to 40%\)\.",
        "likelihood": r"interval is 20 to 40%",
    }
    assert re.search(said[name], words)
    assert "n = 400;" in words
    assert "epsilon 1.0987" in words
    assert instrument.sha256[:16] in words
    assert root.find(f"{SVG}rect").get("fill") == "#ffffff"
    style = root.find(f"{SVG}style").text
    used = {name for each in root.iter() for name in each.get("class", "").split()}
    assert {name for name in used if not re.search(rf"\.{name}[ ,]", style)} <= {
        "label",
        "plot__tick--second",
    }  # as all text is
    assert "var(" not in style
    assert "url(" not in style


@pytest.mark.parametrize("name", ["shares", "likelihood"])
def test_the_same_figure_as_png(client: Client, instrument: Instrument, name: str) -> None:
    response = get(client, instrument, f"tax/{name}.png")
    assert response["Content-Type"] == "image/png"
    width, height, lines = pixels(response.content)
    assert width == 1600
    assert height > 400
    assert len(lines) > 50  # nothing like one colour


def test_words_in_a_png_need_no_fonts_of_the_machine(instrument: Instrument) -> None:
    import resvg_py

    from surveys.results.report.figures import FONTS

    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="5" y="25">{}</text></svg>'
    fonts = {"skip_system_fonts": True, "font_dirs": [str(FONTS)], "font_family": "DejaVu Sans"}
    said, blank = (
        resvg_py.svg_to_bytes(svg_string=svg.format(text), **fonts)
        for text in ("Größe, ответ, جواب", "")
    )
    assert said != blank


def test_every_confidence_and_order_is_that_of_the_page(
    client: Client, instrument: Instrument
) -> None:
    words = get(client, instrument, "tax/shares.svg?confidence=80&interval=exact").content.decode()
    assert "80% Clopper–Pearson interval" in words
    by_size = get(client, instrument, "fruit/shares.svg").content.decode()
    assert by_size.index(">Pear<") < by_size.index(">Apple<")
    as_asked = get(client, instrument, "fruit/shares.svg?order=asked").content.decode()
    assert as_asked.index(">Apple<") < as_asked.index(">Pear<")


def test_a_table_reads_back_as_the_librarys_numbers(client: Client, instrument: Instrument) -> None:
    yes, no = rows(get(client, instrument, "tax/shares.csv?interval=wald"))
    expected = Warner("3/4").estimate(Tally(400, [240, 160]), interval="wald")
    assert (yes["answer"], no["answer"]) == ("Yes", "No")
    assert float(yes["corrected"]) == expected.proportions[1]
    assert float(yes["standard_error"]) == expected.standard_errors[1]
    assert [float(yes["low"]), float(yes["high"])] == expected.intervals[1].tolist()
    assert (yes["n"], yes["observed"], yes["interval"], yes["group"]) == (
        "400",
        "0.4",
        "wald",
        "everybody",
    )
    assert float(yes["epsilon"]) == pytest.approx(1.0986123)


def test_all_tables_in_one_file(client: Client, instrument: Instrument) -> None:
    found = rows(get(client, instrument, "shares.csv?only-region=1"))
    assert [row["variable"] for row in found] == ["tax"] * 2 + ["fruit"] * 5 + ["region"] * 2
    assert {row["group"] for row in found} == {"“About region?” is “South”"}
    assert {row["n"] for row in found} == {"200"}


def test_no_cell_is_a_formula_and_negative_numbers_stay_numbers(client: Client) -> None:
    survey = create_draft()
    survey.questions.filter(pk=add_yes_no(survey, "a").pk).update(text="=HYPERLINK(1)")
    add_choice(survey, "b", ("=1+1", "+2", "-3", "@x", "＝1", "plain"))
    made = publish_survey(survey)
    release_reports(made, [{"a": 0, "b": "000000"}] * 50)
    client.force_login(survey.owner)
    found = rows(get(client, made, "shares.csv"))
    assert [row["answer"] for row in found[2:]] == ["'=1+1", "'+2", "'-3", "'@x", "'＝1", "plain"]
    assert found[0]["question"] == "'=HYPERLINK(1)"
    assert float(found[0]["corrected"]) == pytest.approx(-0.5)


def test_odd_texts_still_make_a_figure(client: Client) -> None:
    survey = create_draft()
    odd = "<b>&\ufffe “quotes” " + "long " * 60
    survey.questions.filter(pk=add_yes_no(survey, "a").pk).update(text=odd)
    made = publish_survey(survey)
    add_responses(made, 40)
    client.force_login(survey.owner)
    root = ET.fromstring(get(client, made, "a/shares.svg").content)
    assert "<b>&" in " ".join(root.itertext())
    assert get(client, made, "a/shares.png").content[:4] == b"\x89PNG"


def test_the_quality_table(client: Client, instrument: Instrument) -> None:
    found = rows(get(client, instrument, "quality.csv"))
    assert [row["check"] for row in found] == [
        "Observed shares",
        "Observed shares",
        "Number of marks in an answer",
        "Repeated reports",
    ]
    assert found[1]["verdict"] == "impossible"  # every report was the same 01001
    assert found[1]["advice"].startswith("Don’t use")


def test_an_empty_report_has_a_figure_that_says_so(client: Client) -> None:
    made = create_published()
    client.force_login(made.survey.owner)
    assert "No results yet." in get(client, made, "tax/shares.svg").content.decode()
    assert get(client, made, "tax/likelihood.png").content[:4] == b"\x89PNG"
    assert rows(get(client, made, "tax/shares.csv"))[0]["corrected"] == ""


@pytest.mark.parametrize(
    "rest", ["nobody/shares.svg", "fruit/likelihood.svg", "region/likelihood.png", "x/shares.csv"]
)
def test_what_is_not_there_is_not_found(client: Client, instrument: Instrument, rest: str) -> None:
    assert get(client, instrument, rest).status_code == 404


def test_the_methods_section_has_the_actual_parameters_and_references(
    client: Client, instrument: Instrument
) -> None:
    words = get(client, instrument, "methods.txt?interval=exact&confidence=90").content.decode()
    assert f"instrument SHA-256 {instrument.sha256}" in words
    assert "n = 400 responses" in words
    assert (
        "a true Yes reported as Yes with probability 3/4, a true No with 1/4, epsilon = 1.0987"
        in words
    )
    assert (
        "5 bits, the bit of a chosen answer set with probability 3/4, that of any other with 1/4"
        in words
    )
    assert "90% confidence intervals are exact binomial intervals" in words
    assert "of one answer is at most 2.1973, of a whole response at most 3.2959" in words
    for author in (
        "Warner, S. L. (1965)",
        "Erlingsson",
        "Chaudhuri",
        "Clopper",
        "estimation with consistency",
    ):
        assert author in words
    assert "Wilson" not in words


def test_the_methods_section_states_what_the_numbers_rest_on(
    client: Client, instrument: Instrument
) -> None:
    words = get(client, instrument, "methods.txt").content.decode()
    for assumption in (
        "answered truthfully",
        "each person responded once",
        "simple random sample of a large population",
    ):
        assert assumption in words
    assert (
        "made by maximum likelihood, given how often each answer was received, for tax; by Norm-Sub"
        in words
    )


def methods_of(client: Client, **question: object) -> str:
    survey = create_draft()
    made_of = {"kind": "yes-no", "text": "About it?"} | question
    drafts.save_question(survey=survey, key="it", **made_of)
    made = publish_survey(survey)
    add_responses(made, 60)
    client.force_login(survey.owner)
    return get(client, made, "methods.txt").content.decode()


def test_a_subset_is_described_so_that_it_can_be_built_again(client: Client) -> None:
    labels = [f"Choice {number}" for number in range(12)]
    words = methods_of(
        client, kind="choice", choices=labels, design="subset", parameters={"epsilon": "1"}
    )
    assert (
        "3 of 12 answers are reported together, the chosen one among them with probability" in words
    )
    assert "12 bits" not in words


def test_references_are_those_of_sentences_that_are_there(client: Client) -> None:
    words = methods_of(client, design="two-coin")
    assert "Norm-Sub" not in words
    assert "estimation with consistency" not in words
    assert "code 1" not in words


def test_by_hand_the_methods_say_what_epsilon_and_codes_rest_on(client: Client) -> None:
    parameters = {"p": "1/2", "prevalence": "1/2"}
    unrelated = {
        "design": "unrelated-question",
        "parameters": parameters,
        "harmless": "Were you born in an even month?",
    }
    words = methods_of(client, mode="by-hand", **unrelated)
    assert (
        "Epsilon holds only if no one knows a respondent’s answer to the harmless question."
        in words
    )


@pytest.mark.parametrize(
    ("mechanism", "mode", "said"),
    [
        (Crosswise("1/6"), "automatic", "both answers are the same"),
        (Triangular("1/4"), "automatic", "at least one of the two answers is Yes"),
        (Kuk("3/4", "1/4"), "automatic", "the card was red"),
        (Warner("3/4"), "spinner", "the statement picked is true"),
    ],
)
def test_what_a_report_of_yes_says_is_stated(mechanism: object, mode: str, said: str) -> None:
    assert report_coding_clause(mechanism, mode) == f"; a report of Yes (code 1) says that {said}"
    assert report_coding_clause(Warner("3/4"), "automatic") == ""
