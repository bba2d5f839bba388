"""What an import would add is counted before it counts: every row of it once, and none of the rows that are there."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from features.response_import import staging
from features.response_import.staging import OutOfTurn, Wrong
from features.response_import.summary import LISTED, QuestionPreview
from features.response_import.tests.import_files import GOOD, counting_all_rows, csv, send, tally
from surveys.models import Batch, Import, Piece
from surveys.site.errors import Invalid, Refused
from surveys.site.shape import as_json
from tests.factories.import_surveys import create_import_survey, create_one_question_survey

pytestmark = pytest.mark.django_db
LABELS = {"questions": {"age": {"as": "labels"}}}


def begun(
    data: bytes, size: int = staging.PART, mapping: Any = LABELS, survey: Any = None, **more: Any
) -> Import:
    survey = survey or create_import_survey()
    file = staging.begin(survey, survey.owner, mapping, **more)
    for number, start in enumerate(range(0, len(data), size), 1):
        file = staging.add(file, number, data[start : start + size])
    return file


def previewed(survey: Any, *rows: str, header: str = "q", mapping: Any = None) -> QuestionPreview:
    (question,) = staging.preview(
        begun(csv(*rows, header=header), mapping=counting_all_rows(mapping), survey=survey),
        survey.owner,
    ).questions
    return question


def test_each_question_has_its_answers_and_what_is_missing() -> None:
    file = begun(csv("1,010,North,30", "NA,111,South,99", "0,000,South,18", "1,011,,NA"))
    assert as_json(staging.preview(file, file.user)) == {
        "n": 4,
        "left_out": 0,
        "left_out_message": "",
        "can_count": True,
        "questions": [
            {
                "key": key,
                "n": n,
                "missing": 4 - n,
                "answers": answers,
                "least": least,
                "mean": mean,
                "largest": most,
            }
            for key, n, answers, least, mean, most in (
                ("tax", 3, counts(No=1, Yes=2), None, None, None),
                ("fruit", 4, counts(Apple=1, Pear=3, Plum=2), None, None, None),
                ("region", 3, counts(North=1, South=2), None, None, None),
                ("age", 3, [], 18, 49.0, 99),
            )
        ],
    }


def counts(**answers: int) -> list[dict]:
    return [{"answer": answer, "n": n, "picked": None} for answer, n in answers.items()]


@pytest.mark.parametrize("total", [None, 4])
def test_a_last_row_without_a_line_end_counts_too_and_nothing_is_stored(total: int | None) -> None:
    data = csv(*GOOD * 5).rstrip()
    size = -(-len(data) // 4)
    file = begun(data, size, total_parts=total)
    before = {field.attname: getattr(file, field.attname) for field in Import._meta.fields}
    shown = staging.preview(file, file.user)
    assert shown.n == 15
    assert {field.attname: getattr(file, field.attname) for field in Import._meta.fields} == before
    file.refresh_from_db()
    assert staging.preview(file, file.user) == shown
    assert (file.state, tally(file.survey), Batch.objects.count()) == ("taking", {}, 0)
    staging.finish(file, 4, file.user)
    assert tally(file.survey)["n"] == shown.n


def test_pieces_that_are_put_aside_count_with_the_rest_and_rows_in_the_survey_do_not() -> None:
    survey = create_import_survey()
    send(survey, csv(*["Yes,111,South,20"] * 7), LABELS)
    rows = [f"{n % 4 // 3},010,South,{18 + n % 82}" for n in range(23_000)]
    file = begun(csv(*rows), 100_000, survey=survey)
    assert Piece.objects.count() == 2
    tax, fruit, region, age = staging.preview(file, survey.owner).questions
    assert [each.n for each in (*tax.answers, *fruit.answers, *region.answers)] == [
        17_250,
        5750,
        0,
        23_000,
        0,
        0,
        23_000,
    ]
    ages = [18 + n % 82 for n in range(23_000)]
    assert (age.least, age.mean, age.largest) == (
        18,
        pytest.approx(sum(ages) / 23_000, abs=1e-9),
        99,
    )


def test_a_long_list_names_what_occurs_the_most_frequent_first() -> None:
    survey = create_one_question_survey(
        kind="background", choices=[f"Town {n}" for n in range(40)], decline=False
    )
    shown = previewed(survey, *["Town 3"] * 2, *["Town 39"] * 5, "Town 20")
    assert [(each.answer, each.n) for each in shown.answers] == [
        ("Town 39", 5),
        ("Town 3", 2),
        ("Town 20", 1),
    ]
    everything = previewed(survey, *[f"Town {n}" for n in range(40)])
    assert (len(everything.answers), len(everything.first), everything.more) == (40, LISTED, 10)


def test_marks_that_chance_picks_say_how_often_it_did() -> None:
    marks = {"design": "marks", "parameters": {"epsilon": "1"}, "kind": "any"}
    shown = previewed(
        create_one_question_survey(choices=["A", "B", "C"], **marks), "1--", "0--", "--1"
    )
    assert [(each.answer, each.n, each.picked) for each in shown.answers] == [
        ("A", 1, 2),
        ("B", 0, 0),
        ("C", 1, 1),
    ]


def test_who_declined_to_give_a_number_is_no_number() -> None:
    survey = create_one_question_survey(kind="number", minimum="18", maximum="99", decline=True)
    shown = previewed(
        survey,
        "18,0",
        "30,0",
        ",1",
        header="q,q_declined",
        mapping={"questions": {"q": {"as": "labels"}}},
    )
    assert (shown.n, shown.least, shown.mean, shown.largest) == (3, 18, 24.0, 30)
    assert [(each.answer, each.n) for each in shown.answers] == [("Prefer not to say", 1)]


def test_where_no_one_gave_a_number_there_is_no_mean() -> None:
    shown = previewed(
        create_one_question_survey(kind="number", minimum="18", maximum="99", decline=False),
        "NA",
        "NA",
        mapping=None,
    )
    assert (shown.n, shown.missing, shown.least, shown.mean, shown.largest) == (
        0,
        2,
        None,
        None,
        None,
    )


def test_what_cannot_be_added_is_not_previewed() -> None:
    survey = create_import_survey()
    with pytest.raises(OutOfTurn, match="Part 1 is missing"):
        staging.preview(staging.begin(survey, survey.owner), survey.owner)
    with pytest.raises(OutOfTurn, match="Part 2 is missing"):
        staging.preview(begun(csv(), survey=survey, total_parts=2), survey.owner)
    with pytest.raises(Wrong):
        staging.preview(begun(csv("1,010,North,17"), survey=survey), survey.owner)
    with pytest.raises(Wrong):
        staging.preview(begun(csv("1,010,North,17").rstrip(), survey=survey), survey.owner)
    with pytest.raises(Wrong):
        staging.preview(begun(b"tax,fruit,region,age\n", survey=survey), survey.owner)
    with pytest.raises(Invalid):
        staging.preview(begun(csv("1,010,South,30", "1,010,2,30"), survey=survey), survey.owner)
    with pytest.raises(Refused, match="finished"):
        staging.preview(send(survey, csv(), LABELS), survey.owner)
    with pytest.raises(Refused, match="Only the person who started"):
        staging.preview(begun(csv(), survey=survey), User.objects.create_user("grace"))


def test_after_the_parts_that_were_announced_no_more_come() -> None:
    file = begun(csv(), total_parts=1)
    with pytest.raises(Refused, match="All parts"):
        staging.add(file, 2, b"1,010,North,30\n")
    assert staging.finish(file, 1, file.user).rows == 3


def test_the_last_part_that_was_announced_shows_what_is_wrong_at_the_end() -> None:
    file = begun(csv(*GOOD, "x,010,North,30").rstrip(), total_parts=1)
    assert (file.state, [each["row"] for each in file.problems]) == ("wrong", [5])
