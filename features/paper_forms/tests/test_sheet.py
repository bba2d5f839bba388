"""A survey on paper: what the sheet says of its chances, and the table into which it is typed."""

import io
import re
from fractions import Fraction
from random import Random

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.translation import gettext, override

from features.paper_forms.parts import MOST_CHOICES
from features.paper_forms.printed import ENTRY_TABLES
from features.paper_forms.tests.printed_form import frames
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.files import survey_file
from surveys.fieldwork import lifecycle
from surveys.fieldwork.link import current_definition
from surveys.models import Survey
from surveys.site.errors import Refused
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_translations,
    add_yes_no,
    create_draft,
    create_researcher,
)
from tests.helpers.html_text import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]  # no statement of its own
F = Fraction
THIRDS = {"truth": "1/3", "yes": "1/3", "no": "1/3"}
TEN = {"truth": "3/5", "yes": "1/5", "no": "1/5"}
HARMLESS = {"harmless": "Was your mother born in April, May or June?"}
DESIGNS = (  # those of the specification's table, then an unrelated question as it is drawn in both ways
    ("two-coin", {}, "by-hand", {}),
    ("forced-response", THIRDS, "by-hand", {}),
    ("forced-response", TEN, "by-hand", {}),
    ("warner", {"p": "2/3"}, "by-hand", {}),
    ("forced-response", TEN, "spinner", {}),
    ("warner", {"p": "3/4"}, "spinner", {}),
    ("unrelated-question", {"p": "2/3", "prevalence": "1/4"}, "by-hand", HARMLESS),
    ("unrelated-question", {"p": "2/3", "prevalence": "1/4"}, "spinner", {}),
)
SEED = 20_261_126


def at(survey: Survey, part: str = "") -> str:
    return f"/surveys/{survey.slug}/sheet/{part}"


def page_of(survey: Survey, language: str = "") -> str:
    client = Client()
    client.force_login(survey.owner)
    answer = client.get(at(survey), {"language": language} if language else {})
    assert answer.status_code == 200, text(answer.content.decode())
    return answer.content.decode()


def random_designs(chance: Random, count: int) -> list[tuple]:
    """With a coin, a die and slips in up to three throws, and with spinners of any number of parts."""
    made = []
    for number in range(count):
        mode = ("by-hand", "spinner")[number % 2]
        den = 1
        while den < 3:
            den = Fraction(1)
            for _ in range(chance.randint(1, 3)):
                den *= chance.choice((2, 6, 10))
            den = int(den) if mode == "by-hand" else chance.randint(3, 97)
        kind = number % 3
        if kind == 0:
            first, second = sorted(chance.sample(range(1, den), 2))
            shares = {"truth": first, "yes": second - first, "no": den - second}
            given = "forced-response", {name: str(F(part, den)) for name, part in shares.items()}
        elif kind == 1:
            p = chance.choice([p for p in range(1, den) if 2 * p != den])
            given = "warner", {"p": str(F(p, den))}
        else:
            shares = {
                "p": F(chance.randrange(1, den), den),
                "prevalence": F(chance.randrange(1, 12), 12),
            }
            given = "unrelated-question", {name: str(value) for name, value in shares.items()}
        more = (
            {"harmless": f"Harmless question {number}?"}
            if (given[0], mode) == ("unrelated-question", "by-hand")
            else {}
        )
        made.append((*given, mode, more))
    return made


def made_of(designs: list[tuple] | tuple[tuple, ...], owner: User | None = None) -> Survey:
    """A draft that takes files, with a question for each of the designs."""
    survey = create_draft(owner, import_only=True, title="On paper")
    for number, (design, parameters, mode, more) in enumerate(designs):
        add_yes_no(survey, f"q{number}", design=design, parameters=parameters, mode=mode, **more)
    return survey


def test_the_printed_chances_are_the_matrix_exactly() -> None:
    """Parsed back from the page: of each design of the table, and of 50 random ones."""
    designs = [*DESIGNS, *random_designs(Random(SEED), 50)]
    survey = made_of(designs)
    items = {item.key: item for item in current_definition(survey).items}
    seen: list[str] = []
    for frame in frames(page_of(survey)):
        assert sum(chance for chance, *_ in frame.lines) == 1
        for key in frame.keys:
            mechanism = items[key].mechanism
            harmless = F(mechanism.parameters.get("prevalence", "0"))
            exact = [mechanism.probabilities()[truth][1] for truth in (1, 0)]
            assert [frame.chances(truth == 1, harmless) for truth in (1, 0)] == exact
            off = [abs(each - true) for each, true in zip(frame.said, exact, strict=True)]
            assert max(off) == 0 or (frame.about and max(off) <= F(1, 200))
            assert frame.word == ("True" if mechanism.name == "warner" else "Yes")
        seen += frame.keys
    assert sorted(seen) == sorted(items)


def test_a_frame_is_printed_once_for_all_questions_that_it_serves() -> None:
    as_two_coins = {"truth": "1/2", "yes": "1/4", "no": "1/4"}
    survey = made_of(
        [DESIGNS[1], DESIGNS[0], DESIGNS[0], ("forced-response", as_two_coins, "by-hand", {})]
    )
    add_background(survey)
    page = page_of(survey)
    assert [frame.keys for frame in frames(page)] == [("q0",), ("q1", "q2", "q3")]
    assert re.findall(r"<h2>(.+?)</h2>", page) == [
        "A. Answer with a die",
        "B. Answer with a coin",
        "C. Answer directly",
    ]
    assert re.findall(r"<strong>(\d)\. ", page) == ["1", "2", "3", "4", "5"]
    assert "These answers are not scrambled." in text(page)


def test_the_rows_of_the_specification() -> None:
    survey = made_of(DESIGNS[:4])
    outs = [
        re.findall(r'<th scope="row">(.*?)</th>', part)
        for part in page_of(survey).split('class="sheet__frame"')[1:]
    ]
    assert outs == [
        ["heads, then anything", "tails, then heads", "tails, then tails"],
        ["1 to 2", "3 to 4", "5 to 6"],
        ["1 to 4", "5 to 6"],
        ["1 to 6", "7 to 8", "9 to 10"],
    ]


def test_a_draft_says_so_and_has_no_hash_and_no_table() -> None:
    survey = made_of(DESIGNS[:1])
    assert "Draft: do not hand out" in page_of(survey)
    assert not re.search(r"\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\b", page_of(survey))
    with pytest.raises(Refused, match="Prepare it for import first"):
        ENTRY_TABLES[0].of(survey)
    instrument = lifecycle.lock_questions(survey)
    page = page_of(survey)
    assert "Draft" not in page
    assert "-".join(re.findall("....", instrument.sha256[:16])) in page
    assert page.index("Do not hand out") > page.index("For the office: No.")


def not_for_all(survey: Survey) -> None:
    add_background(survey)
    add_yes_no(survey, "more", mode="by-hand", when={"of": "region", "in": ["North"]})


def picked(survey: Survey) -> None:
    add_yes_no(survey, "one", mode="by-hand", drawn=True)
    add_yes_no(survey, "two", mode="by-hand", drawn=True)
    survey.draw = 1
    survey.save()


PAPER = "can’t be asked on paper. Sensitive questions there are yes/no, answered with coins, a die, slips or a spinner."
SOME = "is asked of some people only. On paper everyone is asked everything."
REFUSED = {
    "elsewhere": (lambda survey: add_yes_no(survey, "tax"), f"“About tax?” {PAPER}"),
    "several answers": (add_choice, f"“About fruit?” {PAPER}"),
    "many choices": (
        lambda survey: add_background(survey, labels=[f"Village {n}" for n in range(MOST_CHOICES)]),
        "“About region?” can’t be asked on paper. Other questions there have at most 20 choices, or are numbers.",
    ),
    "condition": (not_for_all, f"“About more?” {SOME}"),
    "selection": (picked, f"“About one?” {SOME}"),
    "certain": (
        lambda survey: add_yes_no(
            survey,
            design="forced-response",
            parameters={"truth": "1/2", "yes": "1/2", "no": "0"},
            mode="by-hand",
        ),
        "With these chances one answer on paper would be certain. Give Yes and No a chance above 0.",
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_where_there_is_no_sheet_a_sentence_says_why(reason: str, client: Client) -> None:
    """At the address, in the files and to programs."""
    survey = create_draft(import_only=True)
    make, sentence = REFUSED[reason]
    make(survey)
    if reason == "many choices":
        survey.questions.update(decline=True)
    refused_everywhere(survey, sentence, client)


def test_a_survey_for_devices_has_no_sheet(client: Client) -> None:
    survey = create_draft()
    add_yes_no(survey, mode="by-hand")
    sentence = (
        "Sheets are for surveys that take their answers from files. Make a copy for paper answers."
    )
    refused_everywhere(survey, sentence, client)


def refused_everywhere(survey: Survey, sentence: str, client: Client) -> None:
    client.force_login(survey.owner)
    answer = client.get(at(survey))
    assert (answer.status_code, sentence in text(answer.content.decode())) == (409, True)
    files = client.get(f"/surveys/{survey.slug}/files/").content.decode()
    assert sentence in text(files)
    assert at(survey) not in files
    program = client_of(survey.owner)
    for form in ("csv", "xlsx"):
        answer = program.get(f"/api/v1{at(survey)}entry.{form}")
        assert (answer.status_code, answer.json()["detail"]) == (409, sentence)


# The table, typed as someone does who reads the words beside the ticked boxes.

LABELS = ["5", "10", "None of them, never", "=1+1"]


def workplace(owner: User, language: str = "en") -> Survey:
    """Coins, a die, slips, statements and a spinner; choices of which one is “10”; a number that people may decline."""
    survey = create_survey(owner=owner, title="On paper", import_only=True, language=language)
    save_question(
        survey=survey,
        text="How many?",
        key="many",
        kind="background",
        choices=LABELS,
        decline=False,
    )
    for number, (design, parameters, mode, _) in enumerate(DESIGNS[:5]):
        asked = {"design": design, "parameters": parameters, "mode": mode, "kind": "yes-no"}
        save_question(survey=survey, text=f"Question {number}?", key=f"q{number}", **asked)
    save_question(
        survey=survey,
        text="Age?",
        key="age",
        kind="number",
        minimum="16",
        maximum="90",
        decline=True,
    )
    lifecycle.lock_questions(survey, owner)
    survey.refresh_from_db()
    return survey


def test_the_workbook_refuses_other_words_and_says_what_they_are() -> None:
    survey = workplace(create_researcher())
    add_translations(survey, "de")
    (workbook,) = [table for table in ENTRY_TABLES if table.form == "xlsx"]
    survey = survey_file.duplicate(survey, survey.owner)
    lifecycle.lock_questions(survey)
    survey.refresh_from_db()
    data = workbook.of(survey)
    assert data == workbook.of(survey)
    book = openpyxl.load_workbook(io.BytesIO(data))
    table, codebook = book.worksheets
    assert (table.title, codebook.title) == ("responses", "codebook")
    lists = {
        str(rule.sqref).partition("2:")[0]: rule for rule in table.data_validations.dataValidation
    }
    assert all(rule.showErrorMessage and rule.allow_blank for rule in lists.values())
    words = {}
    for cell in table[1][1:]:
        rule = lists[cell.column_letter]
        if rule.type == "list":
            words[cell.value] = [
                each.value for (each,) in codebook[rule.formula1.partition("!")[2].replace("$", "")]
            ]
    assert words == {
        **{key: ["Yes", "No"] for key in ("q0", "q1", "q2", "q4")},
        "q3": ["True", "False"],
        "many": LABELS,
    }
    assert [table.column_dimensions[letter].number_format for letter in "BCDEFGH"] == ["@"] * 6 + [
        "General"
    ]
    assert lists["H"].type == "custom"  # a number, or the words of who declines
    head, *lines, last = [[cell.value for cell in row] for row in codebook.iter_rows()]
    assert head == [
        *("number", "variable", "answer (en)", "answer (de)", "question (en)", "question (de)"),
        *("chances", "privacy loss ε"),
    ]
    assert lines[0][:6] == ["1", "q0", "Yes", "Ja", "Question 0?", "Question 0? auf Deutsch"]
    assert lines[0][7] == "1.0987"
    assert last[1] == survey.instrument.sha256
    assert lines[-2][2] == "a whole number from 16 to 90"
    assert lines[-1][2:4] == ["Prefer not to say", "Keine Angabe"]


def test_a_question_called_sheet_leaves_the_office_a_column_of_its_own() -> None:
    survey = create_draft(import_only=True)
    add_yes_no(survey, "sheet", mode="by-hand")
    lifecycle.lock_questions(survey)
    survey.refresh_from_db()
    assert ENTRY_TABLES[0].of(survey) == b"sheet_number,sheet\r\n"


ENGLISH = (  # each in one of the frames, or around them
    *(
        "Taking part is your choice. Do not write your name.",
        "Answer with a coin",
        "Answer with a die",
    ),
    *(
        "Answer with slips of paper",
        "Answer with the spinner",
        "Answer directly",
        "These answers are not scrambled.",
    ),
    *("Before each question", "You need: a pencil and a paper clip.", "For the office: No."),
    "Hold the clip in the middle of the circle with the point of the pencil, and flick it.",
    "Leave empty what you do not want to answer. Fold this sheet and put it in the box.",
    "It cannot be taken back, because your name is not on it.",
    "What you tick may be your answer, or may be chance.",
)


def test_the_sheet_speaks_all_five_languages() -> None:
    survey = made_of(DESIGNS)
    add_background(survey)
    add_translations(survey, *[code for code in Survey.Language.values if code != "en"])
    for code in Survey.Language.values:
        page = page_of(survey, code)
        sheet = text(page[page.index("<article") : page.index("</article>")])
        with override(code):
            assert [words for words in ENGLISH if gettext(words) not in sheet] == []
        assert code == "en" or not [words for words in ENGLISH if words in sheet]
        assert (
            f'<article class="sheet" lang="{code}" dir="{"rtl" if code == "ar" else "ltr"}">'
            in page
        )
    assert "About q0? بالعربية" in page_of(survey, "ar")
    assert page_of(survey, "xx") == page_of(survey)


# Copies for paper answers.


@pytest.mark.parametrize(
    ("level", "design"),
    [
        ("strong", ("forced-response", THIRDS)),
        ("balanced", ("two-coin", {})),
        ("light", ("forced-response", TEN)),
    ],
)
def test_under_a_level_each_yes_no_question_becomes_by_hand(level: str, design: tuple) -> None:
    """Those of a grid take its heading into their text; a number for the protection leaves all as they are."""
    survey = create_draft(protection=level)
    for number in range(2):
        add_yes_no(survey, f"row{number}", design="", parameters={}, grid="Have you ever")
    add_yes_no(survey, "long", design="", parameters={}, grid="Have you ever " * 35)
    add_yes_no(survey, "plain", design="", parameters={}, mode="spinner")
    add_yes_no(survey, "own", design="warner", mode="spinner")
    copy = survey_file.duplicate(survey, survey.owner, import_only=True)
    first, *others, long, plain, own = copy.questions.all()
    assert (first.text, first.grid) == ("Have you ever – About row0?", "")
    assert {
        (each.design, tuple(each.parameters.items()), each.mode) for each in (first, *others, plain)
    } == {(design[0], tuple(design[1].items()), "by-hand")}
    assert (own.design, own.mode) == ("warner", "spinner")
    assert long.mode == "automatic"  # with the heading its text would be too long
    assert long.text in survey_file.not_on_a_sheet(copy)
    long.delete()
    assert len(frames(page_of(copy))) == 2
    survey.protection = "2.5"
    survey.save()
    copy = survey_file.duplicate(survey, survey.owner, import_only=True)
    assert [question.mode for question in copy.questions.all()] == ["automatic"] * 4 + ["spinner"]
    assert survey_file.not_on_a_sheet(copy).count("“") == 4
