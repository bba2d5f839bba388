"""The names of choices are the values of the answers, on the way in and on the way out."""

import pytest

from features.xlsform.questions import Form
from features.xlsform.reader import bring, read
from features.xlsform.writer import as_xlsx
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.drafts.grids import save_grid
from surveys.authoring.files import survey_file
from surveys.models import Instrument, Survey
from surveys.site.files import untrusted
from tests.factories.surveys import create_researcher, publish_survey
from tests.factories.xlsx import build_xlsx

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_this_process")]


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "read_in_child", untrusted.read_checked)


def form_with(names: list[object], labels: list[str], kind: str = "select_one l") -> Form:
    """Read a form with one question, whose choices have these names and labels."""
    rows = [["list_name", "name", "label"]]
    rows += [["l", name, label] for name, label in zip(names, labels, strict=True)]
    survey = [["type", "name", "label", "rr::epsilon"], [kind, "x", "X", 1]]
    return read(build_xlsx({"survey": survey, "choices": rows, "settings": []}))


@pytest.mark.parametrize(
    ("names", "labels", "values"),
    [
        (["yes", "no"], ["Yes", "No"], []),
        (["Yes", "NO"], ["Yes", "No"], []),
        ([1, 2], ["Yes", "No"], ["2", "1"]),
        ([0, 1], ["Non", "Oui"], ["0", "1"]),
        (["y", "n"], ["Ja", "Nein"], ["n", "y"]),
    ],
)
def test_a_list_of_yes_and_no_keeps_its_codes_the_right_way_round(
    names: list[object], labels: list[str], values: list[str]
) -> None:
    (question,) = form_with(names, labels).questions

    assert question["kind"] == "yes-no"
    assert question["values"] == values


def test_or_other_has_the_value_other() -> None:
    form = form_with([3, "bus"], ["Walk", "Bus"], "select_one l or_other")

    assert form.questions[0]["choices"] == ["Walk", "Bus", "Other"]
    assert form.questions[0]["values"] == ["3", "bus", "other"]


@pytest.mark.parametrize(
    ("names", "row", "problem"),
    [
        (["a", "007", "c"], 3, "“007” is not a value"),
        (["a", "b", "A"], 4, "“A” is the name of row 2 too"),
        ([None, "b", "c"], 2, "“” is not a value"),
    ],
)
def test_a_name_that_is_no_value_is_named_with_its_row(
    names: list[object], row: int, problem: str
) -> None:
    form = form_with(names, ["A", "B", "C"])

    assert form.questions[0]["values"] == []
    assert form.notes == [
        f"Sheet choices, row {row}: {problem}, so all choices of the list “l” have the values "
        "1, 2, 3, …"
    ]


def round_trip(survey: Survey) -> Survey:
    """Return the draft that comes of a survey's own form. The form must have no notes."""
    form, notes = bring(as_xlsx(survey), survey.owner)
    assert notes == []
    return form


def stored_values(survey: Survey) -> dict[str, list[str]]:
    return {question.key: question.values for question in survey.questions.all()}


def create_survey_with_values() -> Survey:
    survey = create_survey(owner=create_researcher(), title="Values")
    scrambled = {"text": "?", "design": "balanced"}
    questions = [
        {"key": "region", "kind": "background", "choices": ["N", "S"], "values": ["-99", "-1"]},
        {
            "key": "bus",
            "kind": "choice",
            "choices": ["A", "B"],
            "values": ["a", "b=c"],
            **scrambled,
        },
        {"key": "drugs", "kind": "any", "choices": ["A", "B"], "values": ["7", "0"], **scrambled},
        {"key": "tax", "kind": "yes-no", "values": ["2", "1"], **scrambled},
        {"key": "cash", "kind": "yes-no", **scrambled},
    ]
    for question in questions:
        save_question(survey=survey, **{"text": "?"} | question)
    return survey


def test_written_values_go_out_and_come_back() -> None:
    survey = create_survey_with_values()
    south = {"of": "region", "in": ["S"]}
    save_question(
        survey=survey, key="why", text="?", kind="number", minimum="0", maximum="9", when=south
    )

    copy = round_trip(survey)

    assert stored_values(copy) == stored_values(survey)
    assert copy.questions.get(key="why").when == south


def test_default_values_come_back_written() -> None:
    """This is the only difference that a round trip makes."""
    survey = create_survey(owner=create_researcher(), title="Values")
    save_question(survey=survey, key="region", text="?", kind="background", choices=["N", "S"])
    save_question(survey=survey, key="tax", text="?", kind="yes-no", design="balanced")

    assert stored_values(round_trip(survey)) == {"region": ["1", "2"], "tax": []}


def test_rows_of_a_grid_share_a_list_if_they_share_its_values() -> None:
    survey = create_survey(owner=create_researcher(), title="Values")
    for heading, answers in [
        ("How often?", {"kind": "choice", "choices": ["Never", "Often"], "values": ["0", "4"]}),
        ("Did you?", {"kind": "yes-no", "values": ["2", "1"]}),
    ]:
        rows = ["Wine", "Beer", "Milk"]
        grid = save_grid(survey=survey, heading=heading, rows=rows, design="balanced", **answers)
        survey.questions.filter(pk=grid[2].pk).update(values=["8", "9"])

    copy = round_trip(survey)

    assert stored_values(copy) == stored_values(survey)
    assert [question.grid for question in copy.questions.all()] == ["How often?"] * 3 + [
        "Did you?"
    ] * 3


def test_a_survey_from_before_there_were_values_goes_out_with_its_codes() -> None:
    survey = create_survey(owner=create_researcher(), title="Values")
    save_question(survey=survey, key="region", text="?", kind="background", choices=["N", "S"])
    publish_survey(survey)
    Instrument.objects.update(values=None)
    survey = Survey.objects.get(pk=survey.pk)

    assert stored_values(round_trip(survey)) == {"region": ["0", "1"]}
    version = survey_file.new_version(survey, survey.owner)
    assert stored_values(round_trip(version)) == {"region": ["0", "1"]}
