"""The column “relevant” of an XLSForm: what a question here can have is taken, the rest is named with its row."""

import io

import pytest
from openpyxl import load_workbook

from features.xlsform import reader
from features.xlsform.reader import bring
from features.xlsform.relevance import Known, read, write
from features.xlsform.tests.test_xlsform import workbook
from features.xlsform.writer import as_xlsx
from surveys.definition.freezing import build_definition
from surveys.definition.routing import filters
from surveys.definition.routing.conditions import condition_to_data, parse
from surveys.models import Survey
from surveys.site.files import untrusted
from tests.factories.surveys import create_researcher
from tests.factories.xlsx import build_xlsx

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_this_process")]
KNOWN = {
    "age": Known("age", "Age?", "number", {}, range(18, 100)),
    "Sex": Known("sex", "Sex?", "background", {"f": "Female", "m": "Male", "1": "Other"}),
    "later": Known("later", "Later?", "background", {"a": "A", "b": "B"}, always=False),
    "tax": Known("tax", "Taxes?", "yes-no", {"yes": "Yes"}),
}
YOUNG = {"of": "age", "from": 18, "to": 25}
OLD = {"of": "age", "from": 60, "to": 99}
WOMEN = {"of": "sex", "in": ["Female"]}


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "read_in_child", untrusted.read_checked)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("${age} <= 25", YOUNG),
        ("${age}>17 and ${age} < 26", YOUNG),
        ("25 >= ${ age }", YOUNG),
        ("${age} = 40", {"of": "age", "from": 40, "to": 40}),
        ("${Sex} = 'f'", WOMEN),
        ('selected(${Sex}, "f")', WOMEN),
        ("${Sex} = 1", {"of": "sex", "in": ["Other"]}),
        ("${Sex} = 'f' or ${Sex} = 'm'", {"of": "sex", "in": ["Female", "Male"]}),
        ("${Sex} != 'f'", {"of": "sex", "in": ["Male", "Other"]}),
        ("not(selected(${Sex}, 'f') or ${Sex} = 'm')", {"of": "sex", "in": ["Other"]}),
        ("not(${age} >= 26)", YOUNG),
        ("${age} != 30", {"any": [{"of": "age", "from": 18, "to": 29}, {"of": "age", "from": 31, "to": 99}]}),
        ("(${age} <= 25) and (${Sex} = 'f')", {"all": [YOUNG, WOMEN]}),
        ("${age} <= 25 and ${Sex} = 'f' or ${age} >= 60", {"any": [{"all": [YOUNG, WOMEN]}, OLD]}),
        ("${age} <= 20 or ${age} < 26", YOUNG),
        ("${later} = 'a'", {"of": "later", "in": ["A"]}),
    ],
)  # fmt: skip
def test_conditions_of_these_forms_are_taken(text: str, when: dict) -> None:
    assert condition_to_data(read(text, KNOWN)) == when


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("${tax} = 'yes'", "“Taxes[?]” is sensitive: .* “Does not apply”"),
        ("${gone} = 'yes'", r"“\$\{gone\}” is not an imported question before this one"),
        ("${Sex} = 'x'", "“x” is not a choice of “Sex\\?”"),
        ("${Sex} > 'f'", "has choices, which need ="),
        ("${age} > 99", "no one would get this question"),
        ("${age} < 20 and ${age} > 30", "no one would get this question"),
        ("${age} = 'old'", "asks for a whole number"),
        ("${age} > 18.5", "is not understood"),
        ("${later} != 'a'", "has its own condition"),
        ("count-selected(${Sex}) > 1", "is not understood"),
        ("${age} > ${age}", "a number or the name of a choice"),
        ("(${age} > 20", "“\\)” is missing"),
        ("${age} > 20 )", "not understood there"),
        ("${age} >", "where the end is"),
        ("and", "is expected where “and” is"),
        ("(" * 2000, "parentheses"),
        ("${age} > 20 " * 400, "characters"),
        ("today() > 20", "not understood|is expected"),
    ],
)
def test_all_else_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(text, KNOWN)


def test_what_is_written_is_read_again() -> None:
    names = {"sex": {"Female": "f", "Male": "m", "Other": "1"}}
    known = KNOWN | {"sex": KNOWN["Sex"]}
    for when in (
        YOUNG,
        WOMEN,
        {"all": [YOUNG, {"of": "sex", "in": ["Female", "Other"]}]},
        {"any": [YOUNG, WOMEN]},
    ):
        assert condition_to_data(read(write(parse(when), names), known)) == when


CHOICES = [
    *([["list_name", "name", "label"], ["yn", "y", "Yes"], ["yn", "n", "No"]]),
    *([["sex", "f", "Female"], ["sex", "m", "Male"]]),
]
SURVEY = [
    ["type", "name", "label", "relevant", "constraint", "rr::design"],
    ["integer", "age", "How old?", None, ". >= 18 and . <= 99", None],
    ["select_one sex", "Sex", "Sex?", None, None, None],
    ["begin_group", "g", "The young", "${age} <= 25", None, None],
    ["select_one yn", "one", "One?", None, None, "balanced"],
    ["select_one yn", "two", "Two?", "${Sex} = 'f'", None, "balanced"],
    ["end_group", None, None, None, None, None],
    ["select_one yn", "three", "Three?", "selected(${one}, 'y')", None, "balanced"],
    ["select_one yn", "four", "Four?", "${Sex} = 'x'", None, "balanced"],
]


def test_a_form_brings_its_conditions_and_notes_name_the_rows_of_the_others() -> None:
    survey, notes = bring(build_xlsx({"survey": SURVEY, "choices": CHOICES}), create_researcher())
    found = {question.key: question.when for question in survey.questions.all()}
    assert found == {
        "age": None,
        "sex": None,
        "one": YOUNG,
        "two": {"all": [YOUNG, WOMEN]},
        "three": None,
        "four": None,
    }
    told = [note for note in notes if "relevant" in note]
    assert told[0].startswith(
        "Sheet survey, row 8: “relevant” (selected(${one}, 'y')) is left out, so everyone gets this question: “One?” "
    )
    assert told[1].startswith("Sheet survey, row 9: “relevant” (${Sex} = 'x') is left out")
    assert len(told) == 2, told
    assert build_definition(Survey.objects.get()).keys_with_condition == ("one", "two")


def form_of(survey: Survey) -> dict[str, list[list]]:
    book = load_workbook(io.BytesIO(as_xlsx(survey)))
    return {
        sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)]
        for sheet in book.worksheets
    }


def test_a_survey_goes_out_as_a_form_and_comes_back_with_its_conditions() -> None:
    survey, _ = bring(build_xlsx({"survey": SURVEY, "choices": CHOICES}), create_researcher())
    survey.questions.filter(key="three").update(
        section="Rest", when={"any": [OLD, WOMEN]}, when_section=True, text="=1+1"
    )
    sheets = form_of(survey)
    headings = sheets["survey"][0]
    found = {
        row[1]: dict(zip(headings, row, strict=True)) for row in sheets["survey"][1:] if row[1]
    }
    assert found["one"]["relevant"] == "${age} >= 18 and ${age} <= 25"
    assert found["two"]["relevant"] == "(${age} >= 18 and ${age} <= 25) and ${sex} = 'f'"
    assert found["section_5"]["relevant"] == "(${age} >= 60 and ${age} <= 99) or ${sex} = 'f'"
    assert found["three"]["label"] == "=1+1"
    again, notes = bring(as_xlsx(survey), create_researcher("bea"))
    kept = {question.key: question.when for question in again.questions.all()}
    own = {question.key: question.when for question in survey.questions.all()}
    assert kept == own | {
        "four": {"any": [OLD, WOMEN]}
    }  # what held for a section holds for each of its questions
    assert not [note for note in notes if "relevant" in note]
    designs = [(each.design, each.parameters) for each in survey.questions.all()]
    assert [(each.design, each.parameters) for each in again.questions.all()] == designs


def test_a_broken_condition_goes_out_as_none() -> None:
    survey, _ = bring(build_xlsx({"survey": SURVEY, "choices": CHOICES}), create_researcher())
    survey.questions.filter(key="two").update(when={"of": "sex", "in": ["Gone"]})
    headings, *rows = form_of(survey)["survey"]
    assert {row[headings.index("name")]: row[headings.index("relevant")] for row in rows}[
        "two"
    ] is None


def test_a_refused_question_takes_only_its_own_part_of_a_condition() -> None:
    """One note says how many questions that is; the rest of each condition holds."""
    rows = [
        ["type", "name", "label", "relevant"],
        ["select_one yn", "consent", "Consent? " + "x" * 1_800, ""],
        ["select_one sex", "sex", "Sex?", ""],
        ["begin_group", "asked", "Asked", "selected(${consent}, 'yes')"],
        ["select_one often", "births", "How many births?", "selected(${sex}, 'f')"],
        ["select_one often", "walks", "How many walks?", ""],
        ["end_group", "", "", ""],
    ]
    choices = [
        ["list_name", "name", "label"],
        *(["yn", "yes", "I agree to it all"], ["yn", "no", "I do not agree"]),
        *(["sex", "f", "Female"], ["sex", "m", "Male"]),
        *(["often", "0", "Never"], ["often", "1", "Once or more"]),
    ]
    survey, notes = bring(workbook(rows, choices), create_researcher())
    when = dict(survey.questions.values_list("key", "when"))
    assert when == {"sex": None, "births": {"of": "sex", "in": ["Female"]}, "walks": None}
    about = [note for note in notes if "consent" in note and "asked of more people" in note]
    assert about == [
        "Sheet survey, row 2: 2 questions are asked of more people than in the form, because “consent” in their "
        "conditions is left out. The rest of the conditions stays."
    ]
    assert not [note for note in notes if "not a question of this survey" in note]


def test_a_text_for_some_people_only_becomes_nobodys_help() -> None:
    rows = [
        ["type", "name", "label", "relevant"],
        ["select_one sex", "sex", "Sex?", ""],
        ["note", "n", "The interview cannot continue.", "selected(${sex}, 'm')"],
        ["select_one often", "births", "How many births?", ""],
    ]
    choices = [["list_name", "name", "label"], ["sex", "f", "Female"], ["sex", "m", "Male"]]
    choices += [["often", "0", "Never"], ["often", "1", "Once or more"]]
    survey, notes = bring(workbook(rows, choices), create_researcher())
    assert survey.questions.get(key="births").help == ""
    assert (
        "Sheet survey, row 3: The text “The interview cannot continue.” is only for some people"
        in " ".join(notes)
    )


def test_conditions_are_checked_once_however_many_questions_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = []
    every = filters.iter_condition_problems
    monkeypatch.setattr(
        reader,
        "iter_condition_problems",
        lambda questions: checked.append(len(questions)) or every(questions),
    )
    rows = [["type", "name", "label", "relevant"], ["select_one yn", "q0", "Question 0?", ""]]
    rows += [
        ["select_one yn", f"q{n}", f"Question {n}?", f"${{q{n - 1}}} = 'yes'"] for n in range(1, 40)
    ]
    choices = [["list_name", "name", "label"], ["yn", "yes", "At home"], ["yn", "no", "Elsewhere"]]
    survey, _ = bring(workbook(rows, choices), create_researcher())
    assert checked == [40]
    assert survey.questions.exclude(when=None).count() == 39
