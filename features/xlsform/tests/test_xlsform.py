"""XLSForms: what is supported arrives, and what is not is listed with its sheet and row.

The forms are read in this process here, which is quicker; test_xlsform_files.py beside it reads them as the site does.
"""

import pytest

from features.xlsform.reader import bring, read
from features.xlsform.writer import as_xlsx
from surveys.authoring.files import survey_file
from surveys.definition import grids
from surveys.definition.freezing import build_definition
from surveys.definition.response_format import QuestionSubset
from surveys.models import Question, Survey
from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from tests.factories import surveys
from tests.factories.surveys import create_researcher
from tests.factories.xlsx import build_xlsx

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_this_process")]
CHOICES = [
    ["list_name", "name", "label::English (en)", "label::Deutsch (de)"],
    ["yn", "yes", "Yes", "Ja"],
    ["yn", "no", "No", "Nein"],
    ["drug", "a", "Cannabis", "Cannabis"],
    ["drug", "b", "Cocaine", "Kokain"],
    ["region", 1, "North", "Norden"],
    ["region", 2, "South", "Süden"],
]
SURVEY = [
    ["type", "name", *CHOICES[0][2:], "hint", "constraint", "rr::design", "rr::p", "rr::epsilon"],
    ["note", "hello", "Welcome.", "Willkommen.", None, None, None, None, None],
    ["begin_group", "g", "Your money", "Ihr Geld", None, None, None, None, None],
    ["select_one yn", "tax", "Evaded taxes?", "Steuern?", "Last year", None, "warner", "3/4", None],
    ["end_group", None, None, None, None, None, None, None, None],
    ["select_one drug", "drug", "Which most?", "Welche?", None, None, None, None, 1],
    ["select_multiple drug", "drugs", "Which?", "Welche?", None, None, None, None, 2.0],
    ["select_one region", "Region", "Where?", "Wo?", None, None, None, None, None],
    ["integer", "age", "How old?", "Wie alt?", None, ". >= 18 and . < 100", None, None, None],
]  # fmt: skip


def workbook(survey: list = SURVEY, choices: list = CHOICES, settings: list | None = None) -> bytes:
    return build_xlsx({"survey": survey, "choices": choices, "settings": settings or []})


GOOD = workbook()


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "read_in_child", untrusted.read_checked)


def test_what_is_supported_arrives_and_can_be_published() -> None:
    survey, notes = bring(workbook(settings=[["form_title"], ["Money"]]), create_researcher())
    assert (survey.title, survey.language, survey.introduction) == ("Money", "en", "Welcome.")
    found = {question.key: question for question in survey.questions.prefetch_related("choices")}
    assert [(key, question.kind) for key, question in found.items()] == [
        ("tax", "yes-no"),
        ("drug", "choice"),
        ("drugs", "any"),
        ("region", "background"),
        ("age", "number"),
    ]
    assert (found["tax"].design, found["tax"].parameters, found["tax"].help) == (
        "warner",
        {"p": "3/4"},
        "Last year",
    )
    assert found["tax"].section == "Your money"
    assert found["drug"].section == ""
    assert [choice.label for choice in found["region"].choices.all()] == ["North", "South"]
    assert (found["age"].minimum, found["age"].maximum) == (18, 99)
    assert build_definition(survey).epsilon == pytest.approx(1.0986 + 1 + 2, abs=0.05)
    assert len(notes) == 1, notes


def test_the_forms_own_language_comes_first_and_the_others_after_it() -> None:
    form = read(workbook(settings=[["form_title", "default_language"], ["Money", "Deutsch (de)"]]))
    assert (form.language, form.further) == ("de", ["en"])
    assert (form.questions[0]["text"], form.questions[0]["text"].in_language("en")) == (
        "Steuern?",
        "Evaded taxes?",
    )


UNSUPPORTED = [
    (["type", "name", "label"], ["text", "why", "Why?"], "row 2: The type “text” is left out"),
    (
        ["type", "name", "label"],
        ["begin_repeat", "r", "R"],
        "row 2: The type “begin_repeat” is left out. Its questions are",
    ),
    (
        ["type", "name", "label"],
        ["begin loop over drug", "r", "R"],
        "row 2: The type “begin loop over drug” is left out",
    ),
    (
        ["type", "name", "label"],
        ["select_one_from_file a.csv", "x", "X"],
        "“select_one_from_file a.csv” is left out",
    ),
    (["type", "name", "label"], ["rank drug", "x", "X"], "row 2: The type “rank drug” is left out"),
    (
        ["type", "name", "label"],
        [None, "comment", "Ask this"],
        "row 2: The row has no type, and is left out (comment, ",
    ),
    (
        ["type", "name", "label", "disabled"],
        ["note", "x", "X", "yes"],
        "row 2: The row is disabled, and is left out",
    ),
    (
        ["type", "name", "label", "hint"],
        ["note", "x", "X", "Read"],
        "row 2: “hint” (Read) is left out",
    ),
    (
        ["type", "name", "label"],
        ["begin group", "g", "Title"],
        "row 2: The group’s title “Title” is left out: no impor",
    ),
    (
        ["type", "name", "label", "media::image"],
        ["select_one yn", "x", "X", "a.png"],
        "row 2: “media::image” (a.png) is",
    ),
    (
        ["type", "name", "label", "choice_filter"],
        ["select_one yn", "x", "X", "a=1"],
        "row 2: “choice_filter” (a=1) is",
    ),
    (
        ["type", "name", "label", "rr::design"],
        ["note", "x", "X", "warner"],
        "row 2: “rr::design” (warner) is left out",
    ),
    (
        ["type", "name", "label"],
        ["deviceid", "d", None],
        "row 2: “deviceid” is left out. Candor stores only",
    ),
    (
        ["type", "name", "label"],
        ["select_one lost", "x", "X"],
        "row 2: The list “lost” is not on the sheet choices",
    ),
    (
        ["type", "name", "label"],
        ["select_multiple drug", "x", "X"],
        "row 2: Give it rr::epsilon. Multiple choice",
    ),
    (["type", "name", "label"], ["integer", "x", "X"], "row 2: Write both bounds under constraint"),
    (
        ["type", "name", "label", "constraint"],
        ["integer", "x", "X", ". > 1 or . < 5"],
        "row 2: Write both bounds",
    ),
    (
        ["type", "name", "label", "rr::epsilon"],
        ["integer", "x", "X", "1"],
        "row 2: Write both bounds under constraint",
    ),
    (
        ["type", "name", "label", "relevant"],
        ["select_one drug", "x", "X", "${a}=1"],
        "row 2: “relevant” (${a}=1)",
    ),
    (
        ["type", "name", "label", "required"],
        ["select_one drug", "x", "X", "no"],
        "row 2: “required” is “no”",
    ),
    (
        ["type", "name", "label"],
        ["select_one drug", "Ä", "X"],
        "row 2: The name “Ä” was changed to “q__”",
    ),
]


@pytest.mark.parametrize(("headings", "row", "note"), UNSUPPORTED)
def test_what_is_not_supported_is_listed_at_its_row(headings: list, row: list, note: str) -> None:
    form = read(workbook([headings, row]))
    assert any(note in found for found in form.notes), form.notes


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            ["select_one yn", "x", "X", "warner", "2"],
            "Sheet survey, row 2, p: Enter a probability between 0 and 1",
        ),
        (
            ["select_one yn", "x", "X", "magic", None],
            "Sheet survey, row 2, design: Choose a design",
        ),
        (["select_one yn", "x", "X" * 600, "two-coin", None], "Sheet survey, row 2, text: "),
    ],
)
def test_a_mistake_stops_the_import_and_nothing_is_half_there(row: list, message: str) -> None:
    good = ["select_one yn", "good", "Good?", "two-coin", None]
    with pytest.raises(Unreadable) as wrong:
        bring(
            workbook([["type", "name", "label", "rr::design", "rr::p"], row, good]),
            create_researcher(),
        )
    assert any(message in line for line in wrong.value.lines), wrong.value.lines
    assert not Survey.objects.exists()
    assert not Question.objects.exists()


def left(form) -> list[str]:
    """The notes, without those on the lists of this file's usual sheet of choices."""
    return [
        note
        for note in form.notes
        if not note.startswith("Sheet choices") and "label::deutsch" not in note
    ]


HEADINGS = ["type", "name", "label", "rr::design", "rr::p"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1, "Male"), (0, "Female")),
        ((0, "Ever used"), (1, "Never used")),
        (("yes", "Yes, at least once"), ("no", "No")),
        (("true", "Agree"), ("false", "Disagree")),
    ],
)
def test_choices_named_yes_and_no_keep_their_labels(first: tuple, second: tuple) -> None:
    choices = [["list_name", "name", "label"], ["l", *first], ["l", *second]]
    form = read(workbook([HEADINGS, ["select_one l", "x", "X", "warner", "3/4"]], choices))
    assert form.questions[0]["kind"] == "choice"
    assert form.questions[0]["choices"] == [first[1], second[1]]


@pytest.mark.parametrize(
    "labels",
    [("Yes", "No"), ("nein", "JA"), ("Oui", "Non"), ("Sí", "No"), ("si", "no"), ("نعم", "لا")],
)
def test_choices_that_say_yes_and_no_in_a_language_of_ours_make_a_yes_no_question(
    labels: tuple[str, str],
) -> None:
    choices = [
        ["list_name", "name", "label"],
        *(["l", name, label] for name, label in zip("ab", labels, strict=True)),
    ]
    form = read(workbook([HEADINGS, ["select_one l", "x", "X", "warner", "3/4"]], choices))
    assert form.questions[0]["kind"] == "yes-no"


@pytest.mark.parametrize("labels", [("Yes", "Yes"), ("Yes", "Nein"), ("Yes", "No", "Perhaps")])
def test_other_choices_make_none(labels: tuple[str, ...]) -> None:
    choices = [["list_name", "name", "label"], *(["l", label.lower(), label] for label in labels)]
    form = read(workbook([[*HEADINGS[:3], "rr::epsilon"], ["select_one l", "x", "X", 1]], choices))
    assert [question["kind"] for question in form.questions] == (
        ["choice"] if len({*labels}) > 1 else []
    )


def test_where_numbers_tell_yes_from_no_the_note_says_which_choice_is_which() -> None:
    choices = [["list_name", "name", "label"], ["l", "1", "Used it"], ["l", "0", "Never"]]
    headings = [*HEADINGS[:4], "rr::truth", "rr::yes", "rr::no"]
    form = read(
        workbook(
            [headings, ["select_one l", "x", "X", "forced-response", "2/3", "1/6", "1/6"]], choices
        )
    )
    assert form.notes == [
        "Sheet survey, row 2: For forced-response, Yes means “Never” and No means “Used it”."
    ]


@pytest.mark.parametrize(
    ("of_survey", "of_choices"),
    [
        ("label", "label::English (en)"),
        ("label::English (en)", "label"),
        ("caption", "label:english"),
        ("Label", "CAPTION"),
    ],
)
def test_choices_keep_labels_that_stand_under_another_heading(
    of_survey: str, of_choices: str
) -> None:
    choices = [["list name", "value", of_choices], ["l", "a", "Cannabis"], ["l", "b", "Cocaine"]]
    form = read(workbook([["type", "name", of_survey], ["select_one l", "x", "Which?"]], choices))
    assert (form.questions[0]["text"], form.questions[0]["choices"]) == (
        "Which?",
        ["Cannabis", "Cocaine"],
    )
    assert form.notes == []


@pytest.mark.parametrize(
    "kind",
    [
        *(
            "select one l",
            "select_one  l",
            "select one from l",
            "select_one_from l",
            "Select_One l",
            "select1 l",
        ),
        "add select one prompt using l",
    ],
)
def test_the_older_names_of_one_choice_are_known(kind: str) -> None:
    choices = [["list_name", "name", "label"], ["l", "a", "A"], ["l", "b", "B"]]
    form = read(workbook([["command", "tag", "caption"], [kind, "x", "X"]], choices))
    assert form.questions == [
        {
            "kind": "background",
            "choices": ["A", "B"],
            "values": ["a", "b"],
            "key": "x",
            "text": "X",
            "section": "",
            "help": "",
        }
    ]
    assert form.notes == []


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("select all that apply from drug", "any"),
        ("select all that apply drug", "any"),
        ("select_multiple drug", "any"),
        ("select multiple drug", "any"),
    ],
)
def test_the_older_names_of_several_choices_are_known(kind: str, found: str) -> None:
    assert (
        read(workbook([[*HEADINGS[:3], "rr::epsilon"], [kind, "x", "X", 1]])).questions[0]["kind"]
        == found
    )


@pytest.mark.parametrize("kind", ["int", "q int", "add integer prompt", "INTEGER"])
def test_the_older_names_of_whole_numbers_are_known(kind: str) -> None:
    form = read(
        workbook(
            [["type", "name", "label", "bind:constraint"], [kind, "x", "X", ".>=18 and .<=99"]]
        )
    )
    assert (form.questions[0]["minimum"], form.questions[0]["maximum"]) == ("18", "99")


@pytest.mark.parametrize("words", ["or_other", "or other", "or specify other"])
def test_or_other_is_one_more_choice(words: str) -> None:
    form = read(workbook([["type", "name", "label"], [f"select_one drug {words}", "x", "X"]]))
    assert form.questions[0]["choices"] == ["Cannabis", "Cocaine", "Other"]
    assert left(form) == [
        "Sheet survey, row 2: “or_other” is the choice “Other”. People can’t write what it is."
    ]


def test_or_other_adds_nothing_to_a_list_that_has_it() -> None:
    choices = [["list_name", "name", "label"], ["l", "a", "A"], ["l", "other", "Something else"]]
    form = read(workbook([["type", "name", "label"], ["select_one l or_other", "x", "X"]], choices))
    assert form.questions[0]["choices"] == ["A", "Something else"]
    assert form.notes == [
        "Sheet survey, row 2: “or_other” is among the choices. People can’t write what it is."
    ]


def test_nothing_on_the_sheet_of_choices_is_dropped_without_a_note() -> None:
    choices = [
        ["list_name", "name", "label", "image", "state", "label::tlhIngan (tlh)"],
        ["l", "a", "A", "a.png", "tx", "Ä"],
        ["l", "b", "B", None, "ny", "B"],
        [None, "c", "C", None, None, None],
        ["unused", "d", "D", None, None, None],
    ]
    form = read(workbook([["type", "name", "label"], ["select_one l", "x", "X"]], choices))
    assert form.questions[0]["choices"] == ["A", "B"]
    assert form.notes == [
        (
            "Sheet choices, row 1: “label” is used; the texts of “label::tlhingan (tlh)” are left out. The "
            "respondents’ pages don’t have that language."
        ),
        "Sheet choices, row 4: “c, C” has no list_name or no name, so it is left out.",
        "Sheet choices, row 2: “image” is left out.",
        "Sheet choices, rows 2 to 3: “state” is left out.",
        "Sheet choices, row 5: No question uses the list “unused”. It is left out.",
    ]


def test_nothing_on_the_other_sheets_is_dropped_without_a_note() -> None:
    settings = [["form_title", "form_id", "version"], ["Money", "m1", None], [None, None, "2"]]
    sheets = {
        "survey": [["type", "name", "label"], ["select_one drug", "x", "X"]],
        "settings": settings,
    }
    form = read(
        build_xlsx(
            sheets
            | {"choises": [["a"]], "choices": CHOICES[:1] + CHOICES[3:5], "entities": [["a"], [1]]}
        )
    )
    assert left(form) == [
        "The sheet “choises” is left out. Did you mean “choices”?",
        "The sheet “entities” is left out.",
        "Sheet settings, row 2: “form_id” (m1) is left out.",
        "Sheet settings, row 3: “version” (2) is left out.",
    ]


def test_cells_outside_the_columns_are_not_dropped_without_a_note() -> None:
    rows = [
        ["type", "name", "label"],
        ["select_one drug", "x", "X", "remark"],
        *([[]] * 70),
        ["note", "late", "Late"],
    ]
    assert left(read(workbook(rows)))[:3] == [
        "Sheet survey, cell D2: “remark” is in a column without a heading; it is left out.",
        "Sheet survey, cell A73: “note” is far from the others; it is left out.",
        "Sheet survey, cell B73: “late” is far from the others; it is left out.",
    ]


def test_every_language_of_the_form_is_one_of_the_survey() -> None:
    rows = [
        ["type", "name", "label", "hint", "label::Deutsch (de)", "hint::Deutsch (de)", "label::ar"],
        ["note", "hello", "Hello.", None, "Hallo.", None, "مرحبا"],
        ["begin_group", "g", "Drugs", None, "Drogen", None, None],
        ["select_one drug", "x", "X", "Think", "Ix", "Denk", None],
    ]
    choices = [
        ["list_name", "name", "label", "label::Deutsch (de)"],
        ["drug", "a", "A", "Ä"],
        ["drug", "b", "B", None],
    ]
    survey, notes = bring(workbook(rows, choices), create_researcher())
    assert notes == []
    assert survey.languages == ("en", "de", "ar")
    assert survey.translations == {
        "de": {"introduction": "Hallo."},
        "ar": {"introduction": "مرحبا"},
    }
    question = survey.questions.get()
    assert question.translations == {"de": {"text": "Ix", "help": "Denk", "section": "Drogen"}}
    assert [choice.translations for choice in question.choices.all()] == [
        {"de": {"label": "Ä"}},
        {},
    ]


def test_a_translation_that_cannot_be_taken_is_left_out_with_a_note() -> None:
    rows = [["type", "name", "label", "label::de"], ["select_one drug", "x", "X", "Ä" * 501]]
    survey, notes = bring(workbook(rows), create_researcher())
    assert survey.questions.get().translations == {}
    assert any(
        "Sheet survey, row 2, text.de: The question has 501 characters" in note for note in notes
    )


def test_a_survey_goes_out_as_a_form_and_comes_back_in_all_languages() -> None:
    survey, _ = bring(workbook(), create_researcher())
    surveys.add_translations(survey, "de")
    survey.title = "=1+1"
    survey.save()
    again, notes = bring(as_xlsx(survey), survey.owner)
    before, after = survey_file.write(survey), survey_file.write(again)
    assert notes == []
    assert after["title"] == "=1+1"  # XLSForm has no title in another language
    assert after | {"title": ""} == before | {"title": ""}
    surveys.add_scale(survey)
    survey.questions.update(section="")
    assert bring(as_xlsx(survey), survey.owner)[0].questions.get(key="agrees").kind == "choice"


@pytest.mark.parametrize(
    ("heading", "language"),
    [("label::Français (fr)", "fr"), ("label::es", "es"), ("label::German", "de"), ("label", "en")],
)
def test_the_language_is_that_of_the_heading(heading: str, language: str) -> None:
    assert (
        read(workbook([["type", "name", heading], ["select_one region", "x", "X"]])).language
        == language
    )


def test_a_language_that_the_pages_do_not_speak_is_named() -> None:
    form = read(
        workbook([["type", "name", "label::Swahili (sw)"], ["select_one region", "x", "X"]])
    )
    assert any(
        note.startswith("“swahili (sw)” is not a language of the respondents’ pages")
        for note in form.notes
    )


def test_a_name_that_is_there_twice_gets_a_number() -> None:
    rows = [
        ["type", "name", "label"],
        *[["select_one drug", name, "X"] for name in ("a", "a", "A", "new", None)],
    ]
    form = read(workbook(rows))
    assert [question["key"] for question in form.questions] == ["a", "a_2", "a_3", "q_new", "q5"]
    assert "Sheet survey, row 3: The name “a” was changed to “a_2”." in form.notes


def test_equal_labels_leave_out_their_question_and_are_named_by_sheet_and_row() -> None:
    choices = [
        ["list_name", "name", "label", "state"],
        ["state", "tx", "Texas", None],
        ["state", "wa", "Washington", None],
        ["county", "king_tx", "King", "tx"],
        ["county", "pierce", "Pierce", "wa"],
        ["county", "king_wa", "king ", "wa"],
    ]
    rows = [
        ["type", "name", "label", "choice_filter"],
        ["select_one state", "state", "State?", None],
        ["select_one county", "county", "County?", "state=${state}"],
    ]
    survey, notes = bring(workbook(rows, choices), create_researcher())
    assert [question.key for question in survey.questions.all()] == ["state"]
    assert any(
        note.startswith(
            "Sheet survey, row 3: Sheet choices, rows 4 and 6: both choices are labelled “king”."
        )
        for note in notes
    ), notes


def test_an_ordinary_question_that_cannot_be_asked_is_left_out_and_the_others_stay() -> None:
    choices = [
        ["list_name", "name", "label"],
        *(["l", n, f"Town {n}"] for n in range(101)),
        ["l", 101, "T" * 201],
        ["m", 1, "A"],
        ["m", 2, "B"],
    ]
    rows = [
        ["type", "name", "label", "constraint"],
        ["select_one l", "town", "Town?"],
        ["select_one m", "x", "X"],
    ]
    rows += [
        ["integer", "income", "Income?", ". >= 0 and . <= 100000"],
        ["select_one m", "long", "L" * 501],
    ]
    survey, notes = bring(workbook(rows, choices), create_researcher())
    assert [question.key for question in survey.questions.all()] == ["x"]
    for said in (
        "row 2, choices: Choice on line 102 has 201 characters",
        "row 4, maximum: From 0 to 100000",
        "row 5, text: ",
    ):
        assert any(
            said in note and note.endswith("The question is left out.") for note in notes
        ) or any(said.replace("maximum", "minimum") in note for note in notes), notes


def test_texts_that_are_too_long_go_and_the_form_stays() -> None:
    rows = [
        ["type", "name", "label"],
        ["begin group", "g", "G" * 201],
        ["select_one drug", "x", "X"],
        ["end group"],
    ]
    survey, notes = bring(
        workbook(rows, settings=[["form_title"], ["T" * 201]]), create_researcher()
    )
    assert survey.title == "Survey from a workbook"
    assert any(note.startswith("The form’s title: ") for note in notes)
    assert any("row 3, section: " in note and note.endswith("It is left out.") for note in notes)


def test_a_form_without_a_question_is_refused() -> None:
    rows = [["type", "name", "label"], ["text", "why", "Why?"], ["note", "n", "Thanks"]]
    with pytest.raises(Unreadable) as wrong:
        bring(workbook(rows), create_researcher())
    assert (
        wrong.value.lines[0]
        == "Nothing was imported: Candor can’t ask any of the form’s questions."
    )
    assert any("row 2: The type “text” is left out" in line for line in wrong.value.lines)
    assert not Survey.objects.exists()


def test_an_unknown_design_lists_those_that_are_allowed() -> None:
    with pytest.raises(Unreadable) as wrong:
        bring(workbook([HEADINGS, ["select_one yn", "x", "X", "waner", None]]), create_researcher())
    for key in (
        "automatic",
        "balanced",
        "two-coin",
        "warner",
        "forced-response",
        "unrelated-question",
        "unary-any",
    ):
        assert key in wrong.value.lines[0]


@pytest.mark.parametrize(
    ("heading", "meant"),
    [("rr::desing", "rr::design"), ("rr_design", "rr::design"), ("RR::Epsilom", "rr::epsilon")],
)
def test_a_misspelt_column_is_named_and_nothing_is_sent_as_it_is_for_it(
    heading: str, meant: str
) -> None:
    rows = [
        ["type", "name", "label", heading],
        ["select_one yn", "x", "X", "1"],
        ["select_one drug", "y", "Y", None],
    ]
    form = read(workbook(rows))
    assert [question["key"] for question in form.questions] == ["y"]
    assert any(
        f"“{heading.lower()}” is not a column Candor knows. Did you mean {meant}?" in note
        for note in form.notes
    )
    assert any(
        "row 2: " in note and "Otherwise its answers would not be scrambled" in note
        for note in form.notes
    )


def test_a_misspelt_column_is_named_where_it_is_the_cause_of_a_refusal() -> None:
    rows = [
        ["type", "name", "label", "rr::design", "rr::pp"],
        ["select_one yn", "x", "X", "warner", "3/4"],
    ]
    with pytest.raises(Unreadable) as wrong:
        bring(workbook(rows), create_researcher())
    assert wrong.value.lines[0].startswith("Sheet survey, row 2, p: ")
    assert any("“rr::pp” is not a column Candor knows" in line for line in wrong.value.lines)


def test_a_number_of_no_design_keeps_a_question_from_being_sent_as_it_is() -> None:
    form = read(workbook([HEADINGS, ["select_one yn", "x", "X", None, "3/4"]]))
    assert form.questions == []
    assert any("“rr::p” has no rr::design and no rr::epsilon" in note for note in form.notes)


def test_a_number_that_the_design_does_not_have_is_named() -> None:
    form = read(workbook([HEADINGS, ["select_one yn", "x", "X", "two-coin", "3/4"]]))
    assert any(
        "row 2: “rr::p” (3/4) is left out: two-coin has no such number." in note
        for note in form.notes
    )


@pytest.mark.parametrize(
    "text",
    [
        "**Very** important",
        "_Really?_",
        "See [this](http://x.example)",
        "# Part 1",
        "<b>Bold</b>",
        "You are ${age}",
    ],
)
def test_formatting_is_text_and_is_named(text: str) -> None:
    rows = [["type", "name", "label"], ["note", "n", text], ["select_one yn", "x", text]]
    survey, notes = bring(workbook(rows), create_researcher())
    assert (survey.introduction, survey.questions.get().text) == (text, text)
    assert [
        note for note in notes if "is shown unchanged" in note and "Sheet survey, row 3" in note
    ]


@pytest.mark.parametrize(
    "text", ["Fill in ____ here", "5 * 3 * 2 < 40 and > 2", "snake_case_name", "Nr. #4 [x] (y)"]
)
def test_what_only_looks_like_formatting_is_not(text: str) -> None:
    assert not [
        note
        for note in left(read(workbook([HEADINGS[:3], ["select_one yn", "x", text]])))
        if "stands" in note
    ]


def test_no_text_makes_looking_for_formatting_slow() -> None:
    long = "<a" * 16_000 + "*a" * 16_000 + "[a](" * 8_000
    assert read(
        workbook(
            [
                HEADINGS[:3],
                ["select_one yn", "x", long[:32_000]],
                ["select_one yn", "y", long[-32_000:]],
            ]
        )
    )


def test_an_integer_with_a_design_becomes_a_sensitive_number() -> None:
    headings = ["type", "name", "label", "constraint", "rr::design", "rr::epsilon"]
    form = read(
        workbook([headings, ["integer", "hours", "Hours?", ". >= 0 and . <= 50", None, "1"]])
    )
    (question,) = form.questions
    expected = {
        "kind": "quantity",
        "minimum": "0",
        "maximum": "50",
        "design": "automatic",
        "parameters": {"epsilon": "1"},
    }
    assert question.items() >= expected.items()
    assert not any("survey, row 2" in note for note in form.notes)


LOT = [
    ["type", "name", "label", "rr::design", "rr::draw"],
    ["select_one yn", "tax", "Taxes?", "balanced", "yes"],
    ["select_one yn", "work", "Work?", "balanced", "TRUE"],
    ["select_one drug", "drug", "Which?", "balanced", 1],
    ["select_one yn", "other", "Other?", "balanced", "no"],
    ["select_one region", "region", "Where?", None, None],
]


def test_a_form_can_ask_each_person_only_some_questions() -> None:
    survey, notes = bring(workbook(LOT, settings=[["rr::draw"], [2]]), create_researcher())
    assert build_definition(survey).draw == QuestionSubset(2, ("tax", "work", "drug"))
    assert not any("rr::" in note for note in notes)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        ("3", "1 to 2 of these 3"),
        ("many", "“many” is not a number"),
        (None, "It is empty"),
        ("0", "1 to 2 of these 3"),
    ],
)
def test_a_lot_that_does_not_fit_refuses_the_form(draw: object, said: str) -> None:
    with pytest.raises(Unreadable, match=f"Sheet settings, rr::draw: .*{said}"):
        bring(
            workbook(LOT, settings=[["form_title", "rr::draw"], ["T", draw]]), create_researcher()
        )
    assert not Survey.objects.exists()


def test_a_drawn_question_without_a_design_is_left_out() -> None:
    rows = [*LOT[:5], ["select_one region", "region", "Where?", None, "yes"]]
    survey, notes = bring(workbook(rows, settings=[["rr::draw"], [2]]), create_researcher())
    assert any("“rr::draw” has no rr::design" in note for note in notes)
    assert not survey.questions.filter(key="region").exists()


TABLE = [
    ["type", "name", "label", "hint", "appearance", "rr::design", "rr::epsilon"],
    ["begin_group", "work", "Work", None, None, None, None],
    ["begin_group", "often", "How often did you …", "Since January", "table-list", None, None],
    ["select_one drug", "one", "take it at home?", None, None, "automatic", "1"],
    ["select_one drug", "two", "take it outside?", None, None, "automatic", "1"],
    ["end_group", None, None, None, None, None, None],
    ["end_group", None, None, None, None, None, None],
    ["select_one region", "region", "Where?", None, None, None, None],
]


def test_a_table_list_becomes_a_grid() -> None:
    survey, notes = bring(workbook(TABLE), create_researcher())
    [first, second], [region] = grids.group_by_grid(build_definition(survey).items)
    assert {first.grid, second.grid} == {"How often did you …"}
    assert {first.help, second.help} == {"Since January"}
    assert (first.section, second.section, region.grid) == ("Work", "", "")
    assert [note for note in notes if note.startswith("Sheet survey")] == []


@pytest.mark.parametrize(
    ("row", "changes", "says"),
    [
        (4, {0: "select_one region"}, "different answers"),
        (4, {6: "2"}, "different answers, conditions or rr:: columns"),
        (4, {0: "select_multiple drug"}, "different answers"),
        (2, {2: None}, "no label"),
        (4, {0: "text", 5: None, 6: None}, "at least 2 rows"),
    ],
)
def test_a_table_list_that_is_no_grid_becomes_questions_of_their_own(
    row: int, changes: dict, says: str
) -> None:
    table = [list(each) for each in TABLE]
    for column, value in changes.items():
        table[row][column] = value
    survey, notes = bring(workbook(table), create_researcher())
    assert set(survey.questions.values_list("grid", flat=True)) == {""}
    assert [
        note for note in notes if note.startswith("Sheet survey, row 3: The table") and says in note
    ]
    assert survey.questions.get(key="one").help == "Since January"


def test_a_grid_goes_out_and_comes_back() -> None:
    survey, _ = bring(workbook(TABLE), create_researcher())
    again, notes = bring(as_xlsx(survey), survey.owner)
    fields = ("key", "text", "grid", "help", "section", "kind", "design", "parameters")
    assert [*again.questions.values(*fields)] == [*survey.questions.values(*fields)]
    assert notes == []


def test_hints_of_rows_that_differ_are_named_and_left_out() -> None:
    table = [list(each) for each in TABLE]
    table[4][3] = "Only here"
    survey, notes = bring(workbook(table), create_researcher())
    assert set(survey.questions.exclude(grid="").values_list("help", flat=True)) == {
        "Since January"
    }
    assert any("row 5: The hint “Only here” is left out" in note for note in notes)
