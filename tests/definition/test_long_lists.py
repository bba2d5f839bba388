"""Questions with long lists: written, pasted, brought as a file, looked through, copied, published and reported."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.languages import set_languages
from surveys.authoring.drafts.text_checks import choice_labels
from surveys.fieldwork.page import current_page
from surveys.models import Choice, Question, Survey
from surveys.results.estimates.report import report
from surveys.site.errors import Invalid, Refused
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db

TOWNS = [f"Town {number}" for number in range(300)]
ASKED = {"kind": "background", "text": "Where?", "key": "where", "cut": "1"}


@pytest.fixture
def survey(client: Client) -> Survey:
    """An empty draft whose owner is logged in."""
    owner = create_researcher()
    client.force_login(owner)
    return create_draft(owner, introduction="Why.", contact="Ada", consent="Yes.")


def at(survey: Survey, rest: str = "questions/new/") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def file(content: str | bytes, name: str = "towns.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def labels(question: Question) -> list[str]:
    return list(question.choices.values_list("label", flat=True))


def asked(survey: Survey, **more: object) -> Question:
    question = {
        "kind": "choice",
        "text": "Where?",
        "key": "where",
        "choices": TOWNS,
        "design": "balanced",
    }
    return drafts.save_question(survey=survey, **(question | more))


def test_a_list_is_pasted_with_blank_lines_and_makes_no_groups(
    client: Client, survey: Survey
) -> None:
    text = "\r\n".join([*TOWNS[:150], "", "   ", *TOWNS[150:]])
    assert client.post(at(survey), ASKED | {"choices": text}).status_code == 302
    question = survey.questions.get()
    assert labels(question) == TOWNS
    assert not question.cut


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("\n".join(TOWNS), "towns.txt"),
        ("\n".join(TOWNS).encode("utf-16"), "towns.txt"),
        ("\n".join(TOWNS), "towns.csv"),
        (
            "id;label;inhabitants\n" + "\n".join(f"{n};{town};7" for n, town in enumerate(TOWNS)),
            "towns.csv",
        ),
        ("\n".join(["label\tother", *(f"{town}\tx" for town in TOWNS)]), "TOWNS.TSV"),
    ],
)
def test_a_list_is_brought_as_a_file(
    client: Client, survey: Survey, content: str | bytes, name: str
) -> None:
    assert (
        client.post(at(survey), ASKED | {"choices": "Old", "file": file(content, name)}).status_code
        == 302
    )
    assert labels(survey.questions.get()) == TOWNS


def test_a_table_brings_translations_too(client: Client, survey: Survey) -> None:
    survey = set_languages(survey=survey, languages=["en", "de"])
    rows = "\n".join(f"{town},Stadt {number}" for number, town in enumerate(TOWNS))
    client.post(
        at(survey), ASKED | {"file": file(f"label,label::German (de)\n{rows}", "towns.csv")}
    )
    assert survey.questions.get().choices.last().translations == {"de": {"label": "Stadt 299"}}


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (
            "\n".join([*TOWNS, "", "town 7"]),
            "towns.txt",
            "“town 7” appears twice, on lines 8 and 302.",
        ),
        (
            "label\n" + "\n".join([*TOWNS, "Town 7"]),
            "towns.csv",
            "“Town 7” appears twice, on lines 9 and 302.",
        ),
        (
            "\n".join([*TOWNS, "x" * 201]),
            "towns.txt",
            "Choice on line 301 has 201 characters. At most 200 are allowed.",
        ),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line_and_stays_in_the_field(
    client: Client, survey: Survey, content: str, name: str, said: str
) -> None:
    response = client.post(at(survey), ASKED | {"file": file(content, name)})
    assert response.status_code == 422
    assert said in errors(response)["choices"]
    assert Form(response).values["choices"].count("\n") >= len(TOWNS)
    assert not survey.questions.exists()


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"\xff\x00\xd8", "towns.txt", "The file is not in UTF-8."),
        (
            "a;b\nc;d",
            "towns.csv",
            "The table has 2 columns. Write “label” above the column with the choices",
        ),
        (
            "x" * 1_900_001,
            "towns.txt",
            "The file is too large: it can have at most 1,900,000 bytes.",
        ),
        ("", "towns.csv", "The file is empty."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_nothing_typed_is_lost(
    client: Client, survey: Survey, content: str | bytes, name: str, said: str
) -> None:
    response = client.post(
        at(survey), ASKED | {"choices": "Red\nBlue", "file": file(content, name)}
    )
    assert response.status_code == 422
    assert said in errors(response)["file"]
    assert Form(response).values["choices"] == "Red\nBlue"
    assert not survey.questions.exists()


def test_so_many_choices_and_no_more() -> None:
    many = [str(number) for number in range(20_001)]
    assert len(choice_labels(many[1:], most=20_000)) == 20_000
    with pytest.raises(ValueError, match=r"These are 20,001 choices\. At most 20,000 are allowed"):
        choice_labels(many, most=20_000)
    with pytest.raises(
        ValueError,
        match=r"These choices are 1,000,001 bytes of text\. At most 1,000,000 are allowed",
    ):
        choice_labels([*(f"{number:0200}" for number in range(5_000)), "x"], most=20_000)


def test_any_number_of_answers_still_takes_at_most_100(survey: Survey) -> None:
    with pytest.raises(Invalid, match=r"These are 300 choices. At most 100 are allowed"):
        asked(survey, kind="any")


def test_a_stored_list_is_looked_through_and_stays_while_nothing_takes_its_place(
    client: Client, survey: Survey
) -> None:
    """The form shows the first few and a number, no field with all of it."""
    question = asked(survey, kind="background", design="")
    address = at(survey, "questions/where/")
    page = client.get(address).content.decode()
    assert "The list has 300 choices:" in page
    assert "Town 4" in page
    assert "Town 290" not in page
    values = Form(client.get(address)).values | {"text": "Where now?"}
    assert client.post(address, values).status_code == 302
    question.refresh_from_db()
    assert (question.text, labels(question)) == ("Where now?", TOWNS)
    found = client.get(at(survey, "questions/where/choices/?find=town+29")).content.decode()
    assert "11 of them have “<bdi>town 29</bdi>” in it" in found
    assert "Town 299" in found
    assert (
        "Page 2 of 3" in client.get(at(survey, "questions/where/choices/?page=2")).content.decode()
    )
    text = client.get(at(survey, "questions/where/choices.txt")).content.decode()
    assert text.splitlines() == TOWNS
    copy = Form(client.get(at(survey, "questions/new/?like=where"))).values | {"text": "And then?"}
    assert client.post(at(survey, "questions/new/?like=where"), copy).status_code == 302
    assert labels(survey.questions.last()) == TOWNS
    values |= {"choices": "Red\r\nBlue", "edition": str(question.edition)}
    client.post(address, values)
    assert labels(question) == ["Red", "Blue"]


def test_the_page_holds_each_choice_once_and_has_a_weight(survey: Survey) -> None:
    question = asked(survey)
    instrument = publish_survey(survey)
    survey.refresh_from_db()
    page = current_page(survey).plain.decode()
    assert page.count("Town 299") == 1
    assert 'role="combobox"' in page
    assert f'data-size="{len(TOWNS)}"' in page
    assert json.loads(instrument.content)["questions"][0]["mechanism"]["kind"] == "geometry"
    assert question.key == "where"


def test_a_page_that_is_too_heavy_is_refused(
    survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(survey)
    for name in ("LARGEST_PAGE", "LARGEST_PAGE_WITH_LIST"):
        monkeypatch.setattr(f"surveys.fieldwork.page.{name}", 1_000)
    with pytest.raises(Refused, match="With these lists the respondents’ page would be"):
        publish_survey(survey)


def test_text_over_a_megabyte_is_refused(survey: Survey) -> None:
    for number in range(2):
        long = [f"{number} {place} {'x' * 190}" for place in range(2_600)]
        asked(survey, key=f"q{number}", choices=long)
    with pytest.raises(Refused, match="bytes of text, more than 1,000,000"):
        publish_survey(survey)


def test_a_list_makes_no_groups_by_program_either(survey: Survey) -> None:
    with pytest.raises(Invalid, match="Choose a question with at most 100 choices for groups"):
        asked(survey, kind="background", design="", cut=True)


def test_its_report_shows_what_is_found_and_a_table_to_search(
    client: Client, survey: Survey
) -> None:
    asked(survey)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 2_000)
    (question,) = report(instrument).questions
    found = [choice.label for _, choice in question.told_apart()]
    assert found[:2] == ["Town 0", "Town 1"]
    page = client.get(at(survey, "report/?everything=yes")).content.decode()
    assert f"{len(found)} of 300 choices" in page
    assert "can’t be detected" in page
    assert page.count('class="figure__row"') == len(found)
    assert "Page 1 of 6" in page
    assert "Town 299" not in page
    searched = client.get(at(survey, "report/?find-where=town+29&order=asked")).content.decode()
    assert "11 of 300 choices with “<bdi>town 29</bdi>” in them." in searched
    assert '<input type="hidden" name="order" value="asked">' in searched
    assert "Town 299" in searched
    assert "Town 250" in client.get(at(survey, "report/?page-where=6")).content.decode()
    assert (
        "No choice has “<bdi>&lt;x</bdi>” in it."
        in client.get(at(survey, "report/?find-where=<x")).content.decode()
    )
    csv = client.get(at(survey, "report/shares.csv")).content.decode()
    assert csv.count("Town ") == 300
    figure = client.get(at(survey, "report/where/shares.svg"))
    assert figure.status_code == 200
    assert figure.content.decode().count('class="label"') == len(found)


@pytest.mark.parametrize(("path", "most"), [("questions/other/", 0), ("", 300), ("publish/", 300)])
def test_a_long_list_is_read_once_a_page_and_never_by_the_editor_of_another_question(
    path: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = create_draft(create_researcher())
    add_yes_no(survey, "other")
    add_background(survey, "town", [f"Town {number}" for number in range(300)])
    read = []
    made = Choice.from_db.__func__
    monkeypatch.setattr(
        Choice, "from_db", classmethod(lambda cls, *row: read.append(1) or made(cls, *row))
    )
    client = Client()
    client.force_login(survey.owner)
    assert client.get(f"/surveys/{survey.slug}/{path}").status_code == 200
    assert len(read) == most
