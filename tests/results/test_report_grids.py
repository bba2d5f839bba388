"""The rows of a grid as one section, and the cards of a number: what is drawn is what is said."""

import html
import re
from dataclasses import replace

import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.estimates.report import SurveyReport, summarize
from surveys.results.figures.stacked import tone
from surveys.results.report.cards import cards
from surveys.results.report.figures import png, shares_file
from surveys.results.report.grids import GridReport, grid_sections
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]
AGREE = ("Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree")
OFTEN = ("Never", "Rarely", "Often", "Always")
QUOTE, FAIR, WATCHED = [10, 20, 80, 110, 80], [20, 60, 100, 80, 40], [70, 80, 100, 30, 20]


def grid(labels: tuple[str, ...] = AGREE, rows: int = 3) -> Instrument:
    survey = create_draft()
    for number in range(rows):
        add_background(
            survey, key=f"row{number}", labels=labels, grid="How far do you agree?", decline=True
        )
    return publish_survey(survey)


def report(counts: list[list[int]], labels: tuple[str, ...] = AGREE) -> SurveyReport:
    """counts: of each row its answers and, last, those who declined."""
    frozen = parse_instrument(grid(labels, len(counts)))
    tally = {f"row{number}": row for number, row in enumerate(counts)}
    return summarize(frozen, {"n": sum(counts[0]), "counts": tally})


def section(result: SurveyReport) -> GridReport:
    (made,) = (each for each in grid_sections(result.questions).values() if each)
    return made


def test_rows_are_sorted_by_the_share_that_agrees_and_the_title_names_both_ends() -> None:
    made = section(report([[*WATCHED, 9], [*QUOTE, 9], [*FAIR, 9]]))
    assert made.sentence == "Highest agreement: “About row1?” (63%). Lowest: “About row0?” (17%)."
    assert made.detail == "Shares of people who answered; 3 in 100 preferred not to say."
    rows = [(row.label, row.low, row.value, row.range, row.people) for row in made.figure.rows]
    assert rows == [
        ("About row1?", "10% disagree", "63%", "agree", "300 answers"),
        ("About row2?", "27% disagree", "40%", "agree", "300 answers"),
        ("About row0?", "50% disagree", "17%", "agree", "300 answers"),
    ]


def test_an_alternative_text_says_every_part_that_is_drawn_in_its_place() -> None:
    figure = section(report([[*WATCHED, 9], [*QUOTE, 9]])).figure
    for row, drawn in figure.drawn:
        label = html.unescape(re.search(r'aria-label="(.*?)"', drawn)[1])
        parts = re.findall(r'plot__part--(\d)" x="([\d.]+)%" width="([\d.]+)%"', drawn)
        said = [float(each) for each in re.findall(r"([\d.]+)%", label)]
        assert label.startswith(f"{row.label}: {AGREE[0]} ")
        assert [int(shade) for shade, _, _ in parts] == [1, 2, 3, 4, 5]
        assert said == pytest.approx([float(width) for *_, width in parts], abs=0.51)
        assert sum(said) == pytest.approx(100, abs=0.2)
        starts = [float(start) for _, start, _ in parts]
        assert starts == pytest.approx(
            [sum(float(width) for *_, width in parts[:at]) for at in range(5)], abs=0.01
        )


def test_other_scales_are_named_by_their_answers_and_one_that_begins_with_agreement_is_turned() -> (
    None
):
    often = section(report([[40, 30, 20, 10, 0], [10, 20, 30, 40, 0]], OFTEN))
    assert (
        often.sentence
        == "Highest share of “Often” or “Always”: “About row1?” (70%). Lowest: “About row0?” (30%)."
    )
    assert often.figure.rows[0].low == "30% “Never” or “Rarely”"
    assert often.detail == "Shares of people who answered."
    turned = section(report([[80, 110, 80, 20, 10, 0], [20, 30, 100, 80, 70, 0]], AGREE[::-1]))
    assert turned.sentence == "Highest agreement: “About row0?” (63%). Lowest: “About row1?” (17%)."
    assert turned.figure.answers == AGREE


def test_rows_alike_are_no_most_and_fewest_and_few_answers_have_no_number() -> None:
    alike = section(report([[*QUOTE, 0], [*QUOTE, 0]]))
    assert alike.sentence == "63% agree: “About row0?” and “About row1?”."
    few = section(report([[*QUOTE, 0], [2, 2, 2, 2, 2, 290]]))
    assert few.sentence == "63% agree: “About row0?”."
    assert (few.figure.rows[1].note, few.figure.rows[1].mark) == (
        "Too few responses to report: 10.",
        None,
    )


def test_a_row_is_called_the_highest_or_the_lowest_only_where_chance_is_excluded() -> None:
    close = section(
        report(
            [
                [200, 140, 205, 200, 195, 0],
                [220, 150, 203, 190, 177, 0],
                [400, 200, 200, 100, 40, 0],
            ]
        )
    )
    assert close.sentence == (
        "Highest agreement: “About row0?” 42%, “About row1?” 39% (too close to call). Lowest: “About row2?” (15%)."
    )
    many = section(report([[20, 20, 20, 20, 20 + number, 5 - number] for number in range(5)]))
    assert many.sentence == "No clear leader: 5 rows could have the highest agreement."
    two_lowest = section(
        report([[10, 10, 10, 100, 170, 0], [70, 80, 100, 30, 20, 0], [70, 80, 101, 30, 19, 0]])
    )
    assert two_lowest.sentence == "Highest agreement: “About row0?” (90%)."


def test_shares_of_everybody_who_was_invited_are_ranked_as_they_are() -> None:
    result = report([[200, 140, 205, 200, 195, 0], [220, 150, 203, 190, 177, 0]])
    counted = replace(
        result, questions=tuple(replace(each, sampling=False) for each in result.questions)
    )
    assert (
        section(counted).sentence
        == "Highest agreement: “About row0?” (42%). Lowest: “About row1?” (39%)."
    )


def test_scrambled_rows_that_are_close_have_no_highest() -> None:
    survey = create_draft()
    for number in range(2):
        add_yes_no(survey, key=f"row{number}", grid="Did you ever …")
    frozen = parse_instrument(publish_survey(survey))
    counts = {"row0": [2160, 1840], "row1": [2220, 1780]}
    made = section(summarize(frozen, {"n": 4000, "counts": counts}))
    assert (
        made.sentence
        == "Highest share of “Yes”: “About row0?” 42%, “About row1?” 39% (too close to call)."
    )


@pytest.mark.parametrize(
    ("size", "tones"), [(2, [1, 5]), (3, [1, 3, 5]), (4, [1, 2, 4, 5]), (5, [1, 2, 3, 4, 5])]
)
def test_colours_go_by_the_place_of_an_answer(size: int, tones: list[int]) -> None:
    assert [tone(place, size) for place in range(size)] == tones


def test_the_page_has_one_section_and_the_file_is_that_of_the_grid(client: Client) -> None:
    made = grid()
    add_responses(made, 300, row0=[3] * 300, row1=[0] * 300, row2=[4] * 150 + [1] * 150)
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/report/").content.decode()
    assert page.count('<section class="result"') == 1
    assert "Highest agreement: “About row0?” (100%). Lowest: “About row1?” (0%)." in page
    assert page.count('role="img"') == 3
    assert "1 to 3 · How far do you agree?" in page
    for key in ("row0", "row1", "row2"):
        assert f'id="{key}"' in page
    result = summarize(
        parse_instrument(made),
        {"n": 300, "counts": {f"row{number}": [*QUOTE, 0] for number in range(3)}},
    )
    file = shares_file(result, result.questions[1])
    assert file.count("plot__part--5") >= 3
    assert "How far do you agree?" in file
    assert png(file).startswith(b"\x89PNG")


def test_scrambled_rows_keep_their_ranges_under_the_heading() -> None:
    survey = create_draft()
    for number in range(3):
        add_yes_no(survey, key=f"row{number}", grid="Did you ever …")
    frozen = parse_instrument(publish_survey(survey))
    counts = {f"row{number}": [4000 - yes, yes] for number, yes in enumerate((1500, 2000, 1100))}
    made = section(summarize(frozen, {"n": 4000, "counts": counts}))
    assert (
        made.sentence
        == "Highest share of “Yes”: “About row1?” (50%). Lowest: “About row2?” (5.0%)."
    )
    assert [(row.label, row.value) for row in made.figure.rows] == [
        *(("About row0?", "25.0%"), ("About row1?", "50%"), ("About row2?", "5.0%")),
    ]
    assert all(row.mark.low is not None for row in made.figure.rows)
    few_of_each = {f"row{number}": [40, 20] for number in range(3)}
    few = section(summarize(frozen, {"n": 60, "counts": few_of_each}))
    assert few.sentence == "Too few answers to rank these."
    assert not any(row.value for row in few.figure.rows)


def test_a_number_has_four_cards() -> None:
    from tests.results.test_report_kinds import ask

    survey = create_draft()
    ask(survey, "days", kind="number", minimum="0", maximum="9", decline=False)
    counts = {"days": [9, 31, 20, 20, 20, 0, 0, 0, 0, 0]}
    (days,) = summarize(
        parse_instrument(publish_survey(survey)), {"n": 100, "counts": counts}
    ).questions
    assert [(card.label, card.value) for card in cards(days)] == [
        ("Average", "2.11"),
        ("Median", "2"),
        ("Middle half (25% to 75%)", "1 to 3"),
        ("Share of 0", "9%"),
    ]
