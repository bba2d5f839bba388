"""The values of answers: what can be one, what they are where nobody wrote any, and that publishing fixes them."""

from typing import Any

import pytest

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.drafts.grids import save_grid
from surveys.authoring.files import survey_file
from surveys.definition import values
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, Question, Survey
from surveys.site.errors import Invalid
from tests.factories.surveys import create_draft, create_researcher, publish_survey

VALUES = ["0", "-99", "7", "-2147483647", "2147483620", "bus", "N", "a=b", "A-1", "été", "x" * 32]
NO_VALUES = [
    *(
        "",
        "=",
        "1 000",
        "a,b",
        "a;b",
        "a|b",
        'a"b',
        "a’b",
        "x" * 33,
        "007",
        "-0",
        "1.0",
        "1.5",
        "+1",
    ),
    *("2147483621", "-2147483648", "9" * 40, "٣", "a\u200b", "a\u00a0b"),
    # CSV would have an apostrophe before them.
    *("=a", "+a", "-a", "@a", "＝a"),
]


def add(survey: Survey, key: str, **settings: Any) -> Question:
    """Add a question of a kind that needs no design, unless the settings say otherwise."""
    usual = {"kind": "background", "text": f"About {key}?", "choices": ["A", "B", "C"]}
    return save_question(survey=survey, key=key, **usual | settings)


def create_survey_of(*, values: list[str] | None = None, **settings: Any) -> Survey:
    """Create a draft with one question `q`."""
    survey = create_survey(owner=create_researcher(), title="Values")
    add(survey, "q", **settings | {"values": values or ()})
    return survey


def published_item(survey: Survey) -> QuestionDefinition:
    """Publish a survey with one question and return the question."""
    return parse_instrument(publish_survey(survey)).items[0]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_is_a_whole_number_or_a_short_text(value: str) -> None:
    assert values.is_value(value)


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_a_program_would_write_otherwise_is_no_value(text: str) -> None:
    assert not values.is_value(text)


@pytest.mark.parametrize(
    ("line", "label", "value"),
    [
        ("Yes = 1", "Yes", "1"),
        ("Yes  =  −1 ", "Yes", "-1"),
        ("BMI = 25 = 3", "BMI = 25", "3"),
        ("BMI = 25 =", "BMI = 25", ""),
        ("Income = 1 000", "Income = 1 000", ""),
        ("a=1", "a=1", ""),
        ("Equals = =", "Equals =", ""),
    ],
)
def test_a_line_ends_in_its_value(line: str, label: str, value: str) -> None:
    assert values.split_value(line) == (label, value)
    assert values.split_value(values.with_value(label, value)) == (label, value)


def test_a_label_without_a_value_stays_as_it_is_in_the_box() -> None:
    assert values.with_value("BMI = 25") == "BMI = 25 ="
    assert values.with_value("Never") == "Never"


def test_yes_and_no_stand_on_one_line_in_any_order() -> None:
    assert values.yes_no_line() == "No = 0, Yes = 1"
    assert values.split_yes_no_line("yes = 1, NO=2") == ["2", "1"]
    for line in ("No = 0", "No = 0, No = 1", "0, 1", "No = 0, Yes = 1, 2"):
        with pytest.raises(ValueError, match="No = 0, Yes = 1"):
            values.split_yes_no_line(line)


SCRAMBLED = {"design": "balanced"}
DEFAULTS = [
    ({"kind": "yes-no", **SCRAMBLED, "choices": []}, "0 1"),
    ({"kind": "yes-no", **SCRAMBLED, "choices": [], "decline": True}, "0 1 -99"),
    ({"kind": "choice", **SCRAMBLED}, "1 2 3"),
    ({"kind": "choice", **SCRAMBLED, "decline": True}, "1 2 3 -99"),
    ({"kind": "any", **SCRAMBLED, "decline": True}, "1 2 3 -99"),
    ({"kind": "scale", **SCRAMBLED, "decline": True}, "1 2 3 -99"),
    ({"kind": "background", "decline": False}, "1 2 3"),
    ({"kind": "background"}, "1 2 3 -99"),
    ({"kind": "written", **SCRAMBLED, "choices": []}, ""),
]
NUMBERS = [
    ({"kind": "number", "choices": [], "minimum": "-100", "maximum": "-98"}, "-100 -99 -98 -101"),
    (
        {
            "kind": "quantity",
            **SCRAMBLED,
            "choices": [],
            "minimum": "0",
            "maximum": "20",
            "step": "10",
        },
        "0 10 20",
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("settings", "expected"), DEFAULTS + NUMBERS)
def test_the_default_is_the_same_in_a_draft_and_in_its_instrument(
    settings: dict[str, Any], expected: str
) -> None:
    survey = create_survey_of(**settings)

    draft = build_definition(survey).items[0].values
    published = published_item(survey).values

    assert " ".join(draft.texts) == " ".join(published.texts) == expected
    assert not published.are_written
    assert not published.are_codes


@pytest.mark.django_db
def test_prefer_not_to_say_has_the_next_free_number() -> None:
    survey = create_survey_of(values=["-99", "-100", "x"], decline=True)

    item = published_item(survey)

    assert item.values.texts == ("-99", "-100", "x", "-101")
    assert item.values.are_written
    assert item.values.code_by_value["x"] == 2


@pytest.mark.django_db
def test_values_change_neither_the_published_json_nor_its_hash() -> None:
    survey = create_survey_of()
    without = build_definition(survey)

    question = survey.questions.get()
    question.values = ["3", "2", "1"]
    question.save()
    definition = build_definition(survey)

    assert (definition.sha256, definition.content) == (without.sha256, without.content)
    assert definition.items[0].values.texts[:3] == ("3", "2", "1")
    assert publish_survey(survey).values == {"q": ["3", "2", "1"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("written", "first", "step"),
    [
        ([], 1, 1),
        (["0", "1", "2"], 0, 1),
        (["0", "10", "20"], 0, 10),
        (["-1", "0", "1"], -1, 1),
        (["3", "2", "1"], 1, 1),
        (["1", "2", "4"], 1, 1),
        (["0", "1", "x"], 1, 1),
    ],
)
def test_a_mean_counts_in_values_that_ascend_in_equal_steps(
    written: list[str], first: int, step: int
) -> None:
    settings = {"kind": "scale", "decline": True} | SCRAMBLED
    item = published_item(create_survey_of(values=written, **settings))

    assert item.answer_values == range(first, first + 3 * step, step)


def test_a_single_written_value_makes_no_steps() -> None:
    point = values.AnswerValues(("5",), are_written=True)
    assert point.scale_points(1) == range(1, 2)


@pytest.mark.django_db
def test_a_survey_from_before_there_were_values_keeps_its_codes() -> None:
    survey = create_draft()
    add(survey, "region", values=["7", "8", "9"])
    instrument = publish_survey(survey)
    Instrument.objects.update(values=None)
    instrument.refresh_from_db()

    found = {item.key: item.values for item in parse_instrument(instrument).items}

    assert found["region"].texts == ("0", "1", "2", "3")
    assert all(each.are_codes for each in found.values())


@pytest.mark.django_db
def test_a_new_version_of_such_a_survey_keeps_codes_where_none_are_written() -> None:
    survey = create_survey_of()
    publish_survey(survey)
    Instrument.objects.update(values=None)

    version = survey_file.new_version(Survey.objects.get(pk=survey.pk), survey.owner)
    add(version, "coded", values=["2", "1", "0"])
    add(version, "scale", kind="scale", **SCRAMBLED)
    instrument = publish_survey(version)
    items = {item.key: item for item in parse_instrument(instrument).items}

    assert instrument.values == {"q": None, "coded": ["2", "1", "0"], "scale": None}
    assert items["q"].values.texts == ("0", "1", "2", "3")
    assert items["coded"].values.texts == ("2", "1", "0", "-99")
    assert items["scale"].values.texts == ("0", "1", "2")
    assert items["scale"].answer_values == range(1, 4)
    third = survey_file.new_version(Survey.objects.get(pk=version.pk), survey.owner)
    assert publish_survey(third).values == instrument.values


@pytest.mark.django_db
def test_a_copy_of_such_a_survey_has_the_default_values() -> None:
    survey = create_survey_of()
    publish_survey(survey)
    Instrument.objects.update(values=None)

    copy = survey_file.duplicate(Survey.objects.get(pk=survey.pk), survey.owner)

    assert published_item(copy).values.texts == ("1", "2", "3", "-99")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"values": ["1", "2", ""]},
            "Line 3 has no value. Write a value on every line, or on none.",
        ),
        (
            {"choices": ["A", "B", "", "C"], "values": ["1", "x", "", "X"]},
            "Lines 2 and 4 have the same value, X. Give each answer its own.",
        ),
        (
            {"values": ["1", "1 000", "2"]},
            "“1 000” on line 2 is not a value. A value is a whole number, or up to 32 characters "
            "without spaces that begin with no sign such as = or +.",
        ),
        (
            {"choices": ["A", "B = 1 000", "C"], "values": ["1", "", "2"]},
            "“1 000” on line 2 is not a value. A value is a whole number, or up to 32 characters "
            "without spaces that begin with no sign such as = or +.",
        ),
        (
            {"choices": ["A", "B", "C", "D"], "values": ["1", "2", "3"]},
            "There are 3 values and 4 choices. Give one value for each choice, or leave the "
            "values out.",
        ),
        (
            {"kind": "yes-no", "choices": [], **SCRAMBLED, "values": ["a", "A"]},
            "No and Yes have the same value, a. Give each answer its own.",
        ),
        (
            {"kind": "yes-no", "choices": [], **SCRAMBLED, "values": ["", "1"]},
            "“No” has no value. Write a value for both answers, or none.",
        ),
    ],
)
def test_an_author_reads_what_is_wrong_with_values(settings: dict[str, Any], message: str) -> None:
    survey = create_survey(owner=create_researcher(), title="Values")

    with pytest.raises(Invalid) as error:
        add(survey, "q", **settings)

    assert error.value.errors == {"values": message}


@pytest.mark.django_db
def test_the_rows_of_a_grid_keep_different_values_while_the_form_stays_as_it_is() -> None:
    survey = create_survey(owner=create_researcher(), title="Values")
    answers = {"kind": "choice", "choices": ["Never", "Often"], **SCRAMBLED}
    grid = {"survey": survey, "heading": "How often?", "rows": ["Wine", "Beer"]} | answers
    wine, beer = save_grid(values=["0", "4"], **grid)
    survey.questions.filter(pk=beer.pk).update(values=["1", "2"])

    save_grid(first=wine, values=["0", "4"], **grid)
    assert [row.values for row in survey.questions.all()] == [["0", "4"], ["1", "2"]]

    save_grid(first=wine, values=["0", "5"], **grid)
    assert [row.values for row in survey.questions.all()] == [["0", "5"], ["0", "5"]]
