"""A survey on paper, from its editor and from copies for paper answers to the table that comes back by the import."""

import io
import re
from pathlib import Path
from random import Random

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from features.demo import misconduct
from features.paper_forms.parts import in_order
from features.paper_forms.printed import boxes
from features.paper_forms.tests.printed_form import Frame, frames
from features.paper_forms.tests.test_sheet import (
    PAPER,
    SOME,
    at,
    page_of,
    refused_everywhere,
    workplace,
)
from features.response_import.meanings import folded, labels
from features.response_import.tests.import_files import tally
from features.survey_templates import catalogue as ready
from surveys.authoring.files import survey_file
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, Survey
from surveys.results.estimates.report import report
from tests.api.test_reading import client_of
from tests.factories.surveys import create_draft, create_researcher
from tests.helpers.html_text import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]  # no statement of its own
SHEETS, SEED = 500, 20_261_126
SHARES = {"q0": 0.3, "q1": 0.6, "q2": 0.15, "q3": 0.4, "q4": 0.5}  # of a true Yes


def ticked(survey: Survey) -> tuple[list[list[str]], dict[str, float]]:
    """500 sheets as typed, a row each, and the shares of a true Yes: people do what the printed page says, and leave
    out one answer in 20."""
    chance, frozen = Random(SEED), parse_instrument(survey.instrument)
    frame_of: dict[str, Frame] = {
        key: frame for frame in frames(page_of(survey)) for key in frame.keys
    }
    words = {item.key: boxes(item, frozen.language) for item in frozen.items}
    rows, true = [], {key: [] for key in SHARES}
    for number in range(1, SHEETS + 1):
        row = [str(number)]
        for item in in_order(frozen):
            word = chance.choice(words[item.key])
            if item.key == "age" and chance.random() < 0.9:
                word = str(chance.randint(16, 90))
            if item.key in SHARES:
                truth = chance.random() < SHARES[item.key]
                word = words[item.key][0 if frame_of[item.key].ticked(truth, chance) else 1]
            is_left_out = chance.random() < 0.05
            if item.key in SHARES and not is_left_out:
                true[item.key].append(truth)
            row.append("" if is_left_out else word)
        rows.append(row)
    return rows, {key: sum(each) / len(each) for key, each in true.items()}


def as_csv(client: Client, survey: Survey, rows: list[list[str]]) -> bytes:
    """Typed below the header of the file from the page."""
    given = client.get(at(survey, "entry.csv")).content
    assert given == b"sheet,q0,q1,q3,q2,q4,many,age\r\n"
    quoted = [[f'"{cell}"' if "," in cell else cell for cell in row] for row in rows]
    return given + "".join(",".join(row) + "\r\n" for row in quoted).encode()


def as_workbook(client: Client, survey: Survey, rows: list[list[str]]) -> bytes:
    """Typed into the workbook from the page; a program for spreadsheets takes for a number what looks like one."""
    book = openpyxl.load_workbook(io.BytesIO(client.get(at(survey, "entry.xlsx")).content))
    for place, row in enumerate(rows, 2):
        for column, word in enumerate(row, 1):
            cell = book["responses"].cell(
                place, column, int(word) if word.isdigit() else word or None
            )
            if word.startswith("="):
                cell.data_type = "s"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def by_page(client: Client, survey: Survey, data: bytes, folder: Path) -> None:
    address = f"/surveys/{survey.slug}/import/"
    first = client.post(address, {"do": "preview", "file": SimpleUploadedFile("typed", data)})
    assert first.status_code == 302, text(first.content.decode())
    client.post(address, {"do": "add", "file": first["Location"].split("file=")[1]})


def by_program(client: Client, survey: Survey, data: bytes, folder: Path) -> None:
    program, imports = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/imports/"
    begun = program.post(imports, {}, content_type="application/json").json()["id"]
    part = program.put(f"{imports}{begun}/parts/1/", data, content_type="application/octet-stream")
    assert part.status_code == 200, part.json()
    assert (
        program.post(
            f"{imports}{begun}/finish/", {"parts": 1}, content_type="application/json"
        ).status_code
        == 200
    )


def by_command(client: Client, survey: Survey, data: bytes, folder: Path) -> None:
    (folder / "typed").write_bytes(data)
    call_command("import_responses", survey.slug, str(folder / "typed"), stdout=io.StringIO())


def test_500_typed_sheets_come_back_without_a_question(tmp_path: Path) -> None:
    """Simulated from the printed page with a fixed seed; both files, by page, program and command."""
    survey, client = workplace(create_researcher()), Client()
    client.force_login(survey.owner)
    rows, true = ticked(survey)
    items = {item.key: item for item in parse_instrument(survey.instrument).items}
    keys = [item.key for item in in_order(parse_instrument(survey.instrument))]
    columns = dict(zip(keys, zip(*(row[1:] for row in rows), strict=True), strict=True))
    expected = {
        key: [columns[key].count(label) for label in items[key].choices] for key in ("many", "age")
    }
    expected |= {
        key: [columns[key].count(word) for word in boxes(items[key], "en")][::-1] for key in SHARES
    }
    files, times = (as_csv(client, survey, rows), as_workbook(client, survey, rows)), 0
    for data in files:
        for bring in (by_page, by_program, by_command):
            bring(client, survey, data, tmp_path)
            times += 1
            now = tally(survey)
            assert now["n"] == times * SHEETS
            assert {
                key: [each / times for each in counts] for key, counts in now["counts"].items()
            } == expected
            if times == 1:
                estimates_are_near(survey, true)
    report_page = client.get(f"/surveys/{survey.slug}/report/methods.txt").content.decode()
    assert "Respondents turned a paper clip on a printed circle" in report_page
    assert "Respondents used coins, a die or slips of paper and ticked the outcome" in report_page
    assert "device" not in report_page


def estimates_are_near(survey: Survey, true: dict[str, float]) -> None:
    """Within four standard errors of the shares of the people who ticked."""
    questions = {
        question.key: question
        for question in report(Instrument.objects.get(survey=survey)).questions
    }
    for key, share in true.items():
        (yes,) = [answer for answer in questions[key].choices if answer.label == "Yes"]
        assert abs(yes.estimate - share) < 4 * yes.standard_error
        assert yes.standard_error > 0.02  # so that this says something


@pytest.mark.parametrize("language", Survey.Language.values)
def test_the_words_of_every_language_are_understood(language: str) -> None:
    survey = workplace(create_researcher(), language)
    for item in parse_instrument(survey.instrument).items:
        if item.traits.is_number:
            continue
        codes = [labels(item)[folded(word)] for word in boxes(item, language)]
        assert codes == ([1, 0] if item.key in SHARES else list(range(item.size)))


def test_copies_of_the_demo_and_of_a_template_say_what_no_sheet_can_have(client: Client) -> None:
    owner = create_researcher()
    study = survey_file.read(misconduct.document(), owner=owner)
    program = client_of(owner)
    copy = program.post(
        f"/api/v1/surveys/{study.slug}/duplicate/",
        {"import_only": True},
        content_type="application/json",
    )
    kept = [
        question
        for question in copy.json()["questions"]
        if question["design"] and question["mode"] == "automatic"
    ]
    assert [question["key"] for question in kept] == ["kind", "help", "days", "pressure"]
    (note,) = copy.json()["notes"]
    assert all(question["text"]["en"] in note for question in kept)
    by_hand = [question for question in copy.json()["questions"] if question["mode"] == "by-hand"]
    assert [(question["key"], question["design"]) for question in by_hand] == [
        ("copied", "two-coin"),
        ("invented", "two-coin"),
    ]
    assert (copy.json()["draw"], copy.json()["protection"]) == (None, None)
    client.force_login(owner)
    page = client.post(
        f"/surveys/{study.slug}/duplicate/", {"paper": "1"}, follow=True
    ).content.decode()
    assert note in text(page)
    refused_everywhere(
        Survey.objects.get(slug=copy.json()["slug"]), f"“{kept[0]['text']['en']}” {PAPER}", client
    )


def test_a_copy_of_the_template_on_bribery_needs_its_condition_taken_out(client: Client) -> None:
    owner = create_researcher()
    copy = survey_file.duplicate(
        ready.start(ready.READY["bribery"], owner), owner, import_only=True
    )
    assert survey_file.not_on_a_sheet(copy) == ""
    asked = copy.questions.get(key="asked")
    refused_everywhere(copy, f"“{asked.text}” {SOME}", client)
    copy.questions.update(when=None)
    assert [frame.keys for frame in frames(page_of(copy))] == [("asked", "paid", "gift")]


def test_the_editor_offers_who_draws_and_languages(client: Client) -> None:
    survey = create_draft(import_only=True)
    client.force_login(survey.owner)
    new = client.get(f"/surveys/{survey.slug}/questions/new/").content.decode()
    assert "Who draws?" in new
    assert re.findall(r'name="mode" value="([\w-]+)"', new) == ["by-hand", "spinner", "automatic"]
    assert re.search(r'name="mode" value="automatic"[^>]* checked', new)
    asked = {
        "kind": "yes-no",
        "text": "Taxes?",
        "key": "tax",
        "design": "warner",
        "warner-p": "2/3",
        "mode": "by-hand",
    }
    assert client.post(f"/surveys/{survey.slug}/questions/new/", asked).status_code == 302
    again = client.get(f"/surveys/{survey.slug}/questions/tax/").content.decode()
    assert re.search(
        r'name="design" value="warner"[^>]* checked', again
    )  # people draw with exactly these chances
    assert re.search(r'name="mode" value="by-hand"[^>]* checked', again)
    assert (
        f"/surveys/{survey.slug}/languages/"
        in client.get(f"/surveys/{survey.slug}/").content.decode()
    )
    wrong = asked | {"key": "other", "design": "kuk", "kuk-p1": "3/4", "kuk-p2": "1/4"}
    refused = client.post(f"/surveys/{survey.slug}/questions/new/", wrong)
    assert "“By hand” works for yes/no questions with the design" in text(refused.content.decode())
