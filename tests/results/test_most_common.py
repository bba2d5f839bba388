"""The most common answer is the one with the largest share, unless its author marked it as “none of these”."""

import re

import pytest

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import report, summarize
from surveys.results.report.headlines import finding, ranking
from surveys.results.report.summary import glance
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_scale,
    create_draft,
    publish_survey,
)
from tests.results.test_key_sentences import ANSWERS, of_answers

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REACTIONS = ("Told a supervisor", "Talked to the person", "Nothing")


def report_choice(
    counts: list[int], labels: tuple[str, ...] = ANSWERS, **more: object
) -> QuestionReport:
    """Return the report of a scrambled question to which 4,000 people sent these counts of reports."""
    return of_answers(4000, counts, labels, **more)


def report_background(
    counts: list[int], labels: tuple[str, ...] = REACTIONS, **more: object
) -> QuestionReport:
    """Return the report of a question that is not scrambled with these counts of answers."""
    survey = create_draft()
    add_background(survey, labels=labels, **more)
    return summarize(
        parse_instrument(publish_survey(survey)), {"n": sum(counts), "counts": {"region": counts}}
    ).questions[0]


def sentence_of(question: QuestionReport) -> str:
    return finding(question).sentence


def test_an_answer_is_not_left_out_for_its_words() -> None:
    counted = report_background([10, 5, 85])
    scrambled = report_choice([1200, 1200, 2600], labels=REACTIONS)

    assert sentence_of(counted) == "Most common answer: “Nothing”, 85% of responses."
    assert sentence_of(scrambled) == "Most common: “Nothing”, 80.0%."
    assert sentence_of(
        report_background([15, 20, 65], ("Christian", "Muslim", "Other"))
    ).startswith("Most common answer: “Other”, 65%")
    assert (
        sentence_of(report_choice([1200, 1400, 1300, 2300]))
        == "Most common: “Something else”, 65%."
    )


def test_the_largest_share_stands_first_in_the_figure_and_only_a_marked_answer_is_grey() -> None:
    plain = report_choice([1200, 1400, 1300, 2300])
    marked = report_choice([1200, 1400, 1300, 2300], none="None of these")

    assert next(label for _, (label, *_) in display_order(plain, by_size=True)) == "Something else"
    assert [label for _, (label, *_) in display_order(marked, by_size=True)][:2] == [
        "None of these",
        "Something else",
    ]


def test_an_answer_marked_as_none_of_these_is_named_first() -> None:
    question = report_choice([2300, 1900, 1400, 1200], none="None of these")
    result = finding(question)
    lead = ranking(question).difference(1, 2)
    ends = f"{lead.low_text} to {lead.high_text}"

    assert (
        result.sentence
        == "65% chose “None of these”. Of the other answers, the most common is “Used AI”, 45%."
    )
    assert result.detail == f"Lead over “Copied homework”: 25 points (95% range {ends})."
    assert result.number == "45%"


def test_other_answers_that_are_close_are_named_after_the_marked_one() -> None:
    close = report_choice([2300, 1700, 1680, 1000], none="None of these")
    many = report_choice(
        [2300, 1300, 1300, 1300, 1300, 1300], labels=(*ANSWERS, "E", "F"), none="None of these"
    )
    pair = report_choice([2600, 1400], labels=("Nothing", "Wine"), none="Nothing")

    assert sentence_of(close) == (
        "65% chose “None of these”. Of the other answers, “Used AI” or “Copied homework” could be the most common."
    )
    assert sentence_of(many) == (
        "65% chose “None of these”. Of the other answers, 5 could be the most common."
    )
    assert sentence_of(pair) == "80.0% chose “Nothing” and 20.0% “Wine”."


def test_several_answers_are_named_after_the_marked_one() -> None:
    question = report_choice(
        [1900, 2000, 1800, 1100],
        kind="any",
        design="unary-any",
        parameters={"epsilon": "4"},
        none="None of these",
    )
    words = (
        r"\d+% chose “None of these”\. "
        r"Of the other answers, the highest estimates are “Used AI” \d+% and “Copied homework” \d+%\."
    )

    assert re.fullmatch(words, sentence_of(question))


def test_a_marked_answer_with_an_impossible_share_comes_before_everything_else() -> None:
    question = report_choice([3300, 1400, 1000, 1000], none="None of these")

    assert sentence_of(question) == "“None of these”: the estimate is above 100%."


def test_counts_that_are_not_scrambled_have_a_leader_only_where_chance_is_excluded() -> None:
    close = report_background([42, 39, 19])
    many = report_background([20, 19, 19, 18, 18], ("A", "B", "C", "D", "E"))

    assert sentence_of(close) == (
        "Highest shares: “Told a supervisor” 42%, “Talked to the person” 39% of responses (too close to call)."
    )
    assert sentence_of(many) == "No clear leader: 5 answers could be the most common."
    assert sentence_of(report_background([420, 390, 190])).startswith("Highest shares: ")
    assert sentence_of(report_background([4200, 3900, 1900])).startswith(
        "Most common answer: “Told a supervisor”, 42%"
    )


def test_counts_are_named_after_the_marked_answer() -> None:
    clear = report_background([30, 5, 65], none="Nothing")
    close = report_background([18, 17, 65], none="Nothing")
    all_of_them = report_background([0, 0, 65], none="Nothing")
    pair = report_background([35, 65], ("Wine", "Nothing"), none="Nothing")

    assert sentence_of(clear) == (
        "65% chose “Nothing”. Of the other answers, the most common is “Told a supervisor”, 30% of responses."
    )
    assert sentence_of(close) == (
        "65% chose “Nothing”. Of the other answers, the highest shares are “Told a supervisor” 18% and "
        "“Talked to the person” 17% (too close to call)."
    )
    assert (
        sentence_of(all_of_them) == "100% chose “Nothing”. No one chose any of the other answers."
    )
    assert sentence_of(pair) == "65% chose “Nothing” and 35% “Wine”."


def test_the_first_page_names_no_answer_of_a_background_question_without_a_larger_one() -> None:
    question = report_background([30, 5, 65], none="Nothing")
    survey = create_draft()
    add_choice(survey)
    sensitive = summarize(
        parse_instrument(publish_survey(survey)), {"n": 400, "counts": {"fruit": [100] * 4}}
    ).questions[0]

    line = glance([(1, sensitive, finding(sensitive)), (2, question, finding(question))])

    assert line.people == "65% Nothing, 30% Told a supervisor"


def test_declining_is_named_first_where_it_may_be_the_largest() -> None:
    often = report_background([30, 5, 5, 60], decline=True)
    seldom = report_background([60, 20, 10, 10], decline=True)

    assert sentence_of(often) == (
        "60% chose “Prefer not to say”. Of the other answers, the most common is “Told a supervisor”, 30% of responses."
    )
    assert sentence_of(seldom) == "Most common answer: “Told a supervisor”, 60% of responses."
    assert "10 of 100 preferred not to say (10%)." in finding(seldom).detail


def test_declining_to_answer_a_scrambled_scale_is_named_first_where_it_may_be_the_largest() -> None:
    survey = create_draft()
    add_scale(
        survey,
        labels=("Never", "Sometimes", "Often"),
        aim="shares",
        decline=True,
        design="",
        parameters={},
    )
    survey.protection = "light"
    survey.save()
    instrument = publish_survey(survey)
    add_responses(instrument, 6000, agrees=[0] * 1500 + [1] * 600 + [2] * 300 + [3] * 3600)
    (question,) = report(Instrument.objects.get()).questions

    assert re.fullmatch(
        r"6\d\.\d% chose “Prefer not to say”\. Of the other answers, the most common is “Never”, 2\d\.\d%\.",
        sentence_of(question),
    )


def test_groups_of_answers_keep_the_mark_of_an_answer_that_is_a_group_by_itself() -> None:
    survey = create_draft()
    add_background(survey, labels=("Wine", "Beer", "Rum", "Nothing"), cut=True, none="Nothing")
    instrument = publish_survey(survey)
    add_responses(instrument, 400, region=[0] * 40 + [1] * 90 + [2] * 10 + [3] * 260)
    close_survey(Survey.objects.get())
    instrument = Instrument.objects.get()
    (seen,) = report(instrument, seen=view_for_reader(instrument, has_rows=False)).questions

    assert [each.label for each in seen.choices] != ["Wine", "Beer", "Rum", "Nothing"]
    assert sentence_of(seen).startswith("65% chose “Nothing”. ")
