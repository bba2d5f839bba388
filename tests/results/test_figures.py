"""The grammar of the figures: scales, order, zoom, hatching, rings, and that files and pages draw the same."""

import re

import pytest
from django.conf import settings

from surveys.authoring.drafts import drafts
from surveys.definition.parsing import parse_instrument
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport, summarize
from surveys.results.figures.axes import numbers_axis, shares_axis
from surveys.results.report.figures import png, question_figure, shares_file
from surveys.results.report.headlines import finding
from surveys.results.report.summary import glance
from tests.factories.surveys import create_draft, create_published, publish_survey
from tests.helpers.stylesheets import colours

FRUIT = [400, 900, 700, 500, 350]


def report(n: int = 2000, yes: int = 700, fruit: list[int] = FRUIT) -> SurveyReport:
    tally = {
        "n": n,
        "counts": {"tax": [n - yes, yes], "fruit": fruit, "region": [n - n // 5, n // 5]},
    }
    return summarize(parse_instrument(create_published()), tally)


@pytest.mark.parametrize(
    ("ranges", "low", "high", "labels"),
    [
        ([(0.1, 0.12)], 0, 0.2, 5),
        ([(0.5, 0.9)], 0, 1, 6),
        ([(0.24, 0.29)], 0, 0.4, 5),
        ([(0, 0)], 0, 0.05, 6),
    ],
)
def test_a_scale_is_round_begins_at_0_and_holds_everything(
    ranges: list[tuple[float, float]], low: float, high: float, labels: int
) -> None:
    axis = shares_axis(ranges)
    assert (axis.low, axis.high) == (pytest.approx(low), pytest.approx(high))
    assert len(axis.ticks) == labels
    assert axis.ticks[-1][1].endswith("%")
    assert not any(words.endswith("%") for _, words, _, _ in axis.ticks[:-1])
    assert (axis.ticks[0][2], axis.ticks[-1][2]) == ("start", "end")  # turned inwards


@pytest.mark.parametrize(
    "range_", [(-0.12, 0.04), (0.2, 1.3), (-37.0, 52.0), (-0.001, 0.3), (0.999, 1.0001)]
)
def test_a_scale_holds_what_is_not_possible_and_labels_only_what_is(
    range_: tuple[float, float],
) -> None:
    axis = shares_axis([range_])
    assert axis.low <= range_[0] < range_[1] <= axis.high
    assert axis.low < 0 or range_[0] >= 0
    assert 1 <= len(axis.ticks) <= 8
    assert not any(words.startswith("−") for _, words, _, _ in axis.ticks)


def test_a_range_narrower_than_the_dot_zooms_the_scale() -> None:
    axis = shares_axis([(0.264, 0.268)])
    assert axis.is_zoomed
    assert 0 < axis.low < 0.264
    assert axis.high > 0.268
    assert (axis.high - axis.low) < 0.03
    assert not shares_axis([(0.25, 0.29)]).is_zoomed
    assert not shares_axis(
        [(0.264, 0.268), (0.7, 0.704)]
    ).is_zoomed  # far apart: both would not fit
    assert not shares_axis([(0.0005, 0.0045)]).is_zoomed  # 0 is near


@pytest.mark.parametrize(("low", "high"), [(0, 30), (17.5, 97.5), (0, 1)])
def test_numbers_have_whole_steps_and_no_unit(low: float, high: float) -> None:
    axis = numbers_axis(low, high)
    assert all(float(words).is_integer() for _, words, _, _ in axis.ticks)
    assert len(axis.ticks) >= 2


def rows(question: QuestionReport, **options: bool) -> list[str]:
    return [row.label for row in question_figure(question, **options).rows]


@pytest.mark.django_db
def test_choices_are_sorted_by_estimate_unless_asked_otherwise_and_yes_no_is_one_row() -> None:
    tax, fruit, region = report().questions
    assert rows(tax) == ["Yes"]
    assert rows(fruit) == ["Pear", "Plum", "Quince", "Apple", "Prefer not to say"]
    assert rows(fruit, by_size=False) == ["Apple", "Pear", "Plum", "Quince", "Prefer not to say"]
    assert rows(region) == ["North", "South"]


@pytest.mark.django_db
def test_a_background_question_is_counted_and_has_no_mark_of_chance() -> None:
    region = question_figure(report().questions[2])
    drawn = "".join(str(plot) for _, plot in region.drawn) + "".join(map(region.marks, region.rows))
    assert "plot__count" in drawn
    for mark in ("plot__dot", "plot__band", "plot__recorded", "plot__beyond"):
        assert mark not in drawn
    assert (region.rows[0].value, region.rows[0].range) == ("80%", "1,600")


@pytest.mark.django_db
def test_hatching_is_there_only_where_a_range_enters_it() -> None:
    inside, below = (question_figure(report_of_yes(yes)) for yes in (700, 480))
    assert "plot__beyond" not in inside.drawn[0][1]
    assert inside.axis.low == 0
    assert "plot__beyond" in below.drawn[0][1]
    assert "plot__impossible" in below.drawn[0][1]
    assert below.axis.low < below.rows[0].mark.low < 0


def report_of_yes(yes: int) -> QuestionReport:
    frozen = parse_instrument(publish_one())
    return summarize(frozen, {"n": 2000, "counts": {"tax": [2000 - yes, yes]}}).questions[0]


def publish_one():
    from surveys.models import Instrument
    from tests.factories.surveys import add_yes_no

    if made := Instrument.objects.first():
        return made
    survey = create_draft()
    add_yes_no(survey)
    return publish_survey(survey)


@pytest.mark.django_db
def test_a_negative_estimate_is_a_ring_at_its_place_and_the_possible_number_beside_it_is_marked() -> (
    None
):
    (row,) = question_figure(report_of_yes(480)).rows
    drawn = question_figure(report_of_yes(480)).drawn[0][1]
    assert "plot__ring" in drawn
    assert "plot__dot" not in drawn
    assert (row.value, row.note) == ("≤ 1.9%", "")
    assert row.mark.share == pytest.approx(-0.02)


@pytest.mark.django_db
def test_a_wide_range_is_pale_and_a_caps_end_that_was_cut_has_none() -> None:
    narrow, cut = question_figure(report_of_yes(700)), question_figure(report_of_yes(480))
    assert narrow.marks(narrow.rows[0]).count("plot__cap") == 2
    assert cut.drawn[0][1].count("plot__cap") == 1
    assert "band--pale" not in narrow.drawn[0][1]
    frozen = parse_instrument(publish_one())
    few = summarize(frozen, {"n": 60, "counts": {"tax": [36, 24]}}).questions[0]
    assert "#p-p" in question_figure(few).drawn[0][1]  # the pale band that the page defines once
    assert (question_figure(few).rows[0].value, narrow.rows[0].value) == ("", "20%")


@pytest.mark.django_db
def test_recorded_shares_are_drawn_for_pages_only() -> None:
    result = report()
    page = question_figure(result.questions[1])
    assert all("plot__recorded" in plot for _, plot in page.drawn)
    assert 'class="plot__recorded"' not in shares_file(result, result.questions[1])


@pytest.mark.django_db
def test_a_scale_ends_at_the_next_step_above_the_largest_range_whatever_was_received() -> None:
    assert question_figure(report_of_yes(480)).axis.high == pytest.approx(
        0.05
    )  # 24% received, at most 2%
    assert question_figure(report_of_yes(700)).axis.high == pytest.approx(0.4)


@pytest.mark.django_db
def test_marks_come_in_one_order_and_have_no_style_of_their_own() -> None:
    drawn = question_figure(report_of_yes(480)).drawn[0][1]
    order = [
        "plot__beyond",
        "plot__grid",
        "plot__zero",
        "plot__impossible",
        "plot__band",
        "plot__cap",
        "plot__ring",
    ]
    places = [drawn.index(name) for name in order]
    assert places == sorted(places)
    assert "style" not in drawn


@pytest.mark.django_db
def test_texts_are_escaped_and_a_number_has_its_figure() -> None:
    survey = create_draft()
    asked = {"text": "<b>&", "kind": "number", "minimum": "0", "maximum": "9", "decline": False}
    drafts.save_question(survey=survey, key="age", **asked)
    frozen = parse_instrument(publish_survey(survey))
    result = summarize(frozen, {"n": 100, "counts": {"age": [10] * 10}})
    figure = question_figure(result.questions[0])
    assert figure.over.count("plot__count") == 10
    assert (figure.rows[0].label, figure.rows[0].value) == ("Mean", "4.5")
    assert finding(result.questions[0]).sentence == "<b>&: 4.5 on average (95% range 3.9 to 5.1)."
    file = shares_file(result, result.questions[0])
    assert "<b>" not in file
    assert png(file).startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.django_db
def test_at_a_glance_all_shares_have_one_scale_and_a_line_each() -> None:
    result = report(yes=480)
    numbered = [
        (number, question, finding(question)) for number, question in enumerate(result.questions, 1)
    ]
    seen = glance(numbered)
    assert [line.number for line in seen.lines] == [1, 2]
    grids = {
        tuple(re.findall(r'class="plot__grid" x1="([0-9.]+%)"', line.plot)) for line in seen.lines
    }
    assert len(grids) == 1
    assert "plot__beyond" in seen.lines[0].plot  # its range enters it
    assert "plot__beyond" not in seen.lines[1].plot


@pytest.mark.django_db
def test_files_have_the_colours_of_light_pages() -> None:
    """Every one that figures name, with the value of light pages, and paper behind them."""
    result, ours = report(), colours("tokens.css", dark=False)
    file = shares_file(result, result.questions[0])
    used = set(
        re.findall(
            r"var\(--([a-z0-9-]+)\)", (settings.BASE_DIR / "static/css/plots.css").read_text()
        )
    )
    used |= {"paper", "ink", "ink-2", "ink-3"}  # of the words around it
    assert set(re.findall(r"#[0-9a-f]{6}\b", file)) == {ours[name] for name in used}
    assert "var(" not in file
