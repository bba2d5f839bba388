"""The texts of a draft in further languages: on pages, by program, and as a table for a translator."""

import csv
import io
import re

import pytest
from django.test import Client

from features.translation.table import as_csv, take
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.languages import set_languages, translate
from surveys.definition.text_places import iter_texts
from surveys.models import Survey
from surveys.site.errors import Unreadable
from tests.api.test_reading import client_of
from tests.definition.test_languages import german, labels
from tests.factories.surveys import create_draft
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db


def table(survey: Survey) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(survey).removeprefix("\ufeff"))))


def as_file(rows: list[dict[str, str]], **options: str) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0], **options)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode("utf-8-sig")


@pytest.mark.parametrize("options", [{}, {"delimiter": ";"}, {"lineterminator": "\n"}])
def test_a_table_goes_to_a_translator_and_comes_back(options: dict) -> None:
    survey = german()
    survey.title = "=1+1"
    survey.translations["de"].pop("consent")
    survey.save()
    rows = table(survey)
    assert rows[0] == {
        "place": "title",
        "key": "",
        "field": "title",
        "choice": "",
        "en": "'=1+1",
        "de": "A survey auf Deutsch",
    }
    assert rows[3]["de"] == ""
    rows[3]["de"] = "Sie sind\neinverstanden."
    rows[0]["de"] = "'=2"
    last = next(row for row in rows if (row["key"], row["choice"]) == ("region", "2"))
    last["de"] = "Süden"
    assert take(survey, as_file(rows, **options), survey.owner) == 3
    survey.refresh_from_db()
    assert (survey.translations["de"]["consent"], survey.translations["de"]["title"]) == (
        "Sie sind\neinverstanden.",
        "=2",
    )
    assert labels(survey)[1] == ("South", "Süden")
    assert survey.events.first().detail == "translated texts: 3 in Deutsch"
    assert table(survey) == rows


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key": "income"}, "Row 2, income title: the survey has no such text"),
        ({"en": "Another"}, "Row 2, title: column en: the survey says “A survey” here"),
        ({"de": "x" * 201}, "Row 2, column de: The title has 201 characters"),
        ({"fr": "Titre"}, "Row 1: the column “fr” is a language that the survey does not have"),
        ({"colour": "red"}, "Row 1: the column “colour” is not a known column"),
    ],
)
def test_a_table_that_is_wrong_is_refused_by_row_and_nothing_is_stored(
    change: dict, said: str
) -> None:
    survey = german()
    rows = table(survey)
    rows[1]["de"] = "Neu"
    rows = [dict.fromkeys(change, "") | row for row in rows]
    rows[0] |= change
    with pytest.raises(Unreadable) as refused:
        take(survey, as_file(rows), survey.owner)
    assert said in refused.value.lines[0]
    assert Survey.objects.get().translations == survey.translations


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\xfa", b"PK\x03\x04", b"key,field,choice\n", b"a\0b"]
)
def test_a_file_that_is_no_such_table_is_refused(content: bytes) -> None:
    with pytest.raises(Unreadable):
        take(german(), content)


def author(survey: Survey) -> Client:
    client = Client()
    client.force_login(survey.owner)
    return client


def test_an_author_adds_a_language_writes_its_texts_and_sees_what_is_missing() -> None:
    survey = german()
    page = author(survey)
    address = f"/surveys/{survey.slug}/languages/"
    assert page.post(address, {"languages": "ar"}).headers["Location"] == f"{address}?in=ar"
    shown = page.get(f"{address}?in=ar").content.decode()
    assert shown.count(">missing</span>") == len(iter_texts(Survey.objects.get())) == 17
    seen = re.search(r'name="seen" value="(\w+)"', shown)[1]
    sent = {"seen": seen, "ar-survey-title-0": "استطلاع", "ar-region-label-2": "جنوب"}
    assert page.post(f"{address}?in=ar", sent).status_code == 302
    listed = page.get(address).content.decode()
    assert "2 of 17" in listed
    assert "15 missing" in listed
    assert "complete" in listed
    assert Survey.objects.get().translations["ar"] == {"title": "استطلاع"}
    # A text that was emptied is taken away; what is wrong comes back as it was typed.
    shown = page.get(f"{address}?in=ar").content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', shown)[1]
    wrong = page.post(f"{address}?in=ar", sent | {"seen": seen, "ar-survey-title-0": "ب" * 201})
    assert wrong.status_code == 422
    assert "The title has 201 characters" in wrong.content.decode()
    assert "ب" * 201 in wrong.content.decode()
    assert (
        page.post(f"{address}?in=ar", sent | {"seen": seen, "ar-survey-title-0": ""}).status_code
        == 302
    )
    assert "ar" not in Survey.objects.get().translations
    page.post(address, {"remove": "ar"})
    assert Survey.objects.get().further_languages == ["de"]
    assert labels(survey, "region")[1][0] == "South"


def test_two_translators_do_not_overwrite_each_other_unseen() -> None:
    survey = german()
    page, address = author(survey), f"/surveys/{survey.slug}/languages/?in=de"
    seen = re.search(r'name="seen" value="(\w+)"', page.get(address).content.decode())[1]
    translate(survey=survey, texts={("", "title", 0): {"de": "Anders"}})
    sent = {place.id("de"): place.text.others.get("de", "") for place in iter_texts(survey)}
    answer = page.post(address, sent | {"seen": seen, "de-survey-title-0": "Meins"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Someone saved changes while you were writing" in text
    assert "Meins" in text
    again = re.search(r'name="seen" value="(\w+)"', text)[1]
    assert (
        page.post(address, sent | {"seen": again, "de-survey-title-0": "Meins"}).status_code == 302
    )
    assert Survey.objects.get().translations["de"]["title"] == "Meins"


def test_a_program_translates_by_the_same_service(client: Client) -> None:
    survey = german()
    client.force_login(survey.owner)
    address = f"/api/v1/surveys/{survey.slug}/languages/"

    def call(method: str, data: object = None) -> tuple[int, dict]:
        answer = getattr(client, method)(address, data, content_type="application/json")
        return answer.status_code, answer.json()

    assert call("put", {"languages": ["en", "de", "fr"]})[1]["further"][1]["missing"] == 17
    code, shown = call(
        "patch",
        {"texts": [{"key": "region", "field": "label", "choice": 2, "texts": {"fr": "Sud"}}]},
    )
    assert (code, shown["texts"][-1]["texts"]) == (
        200,
        {"en": "South", "de": "South auf Deutsch", "fr": "Sud"},
    )
    code, wrong = call(
        "patch", {"texts": [{"key": "tax", "field": "colour", "texts": {"es": "x"}}]}
    )
    assert (code, wrong["errors"]) == (422, {"es-tax-colour-0": "The survey has no such text."})
    code, wrong = call("put", {"languages": ["de", "en"]})
    assert (code, list(wrong["errors"])) == (422, ["languages"])
    texts = client.get(f"/api/v1/surveys/{survey.slug}/texts.csv")
    assert texts.content.decode() == as_csv(Survey.objects.get())
    by_hand = author(survey).get(f"/surveys/{survey.slug}/texts.csv")
    assert by_hand.content == texts.content
    table = texts.content.replace(b",Sud\r\n", b",Midi\r\n")
    assert client.put(texts.request["PATH_INFO"], table, content_type="text/csv").status_code == 204
    assert survey.questions.get(key="region").choices.last().translations["fr"] == {"label": "Midi"}
    refused = client.put(texts.request["PATH_INFO"], b"key\n1\n", content_type="text/csv")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/unreadable")


def test_a_table_that_did_not_change_is_not_sent_again() -> None:
    survey = german()
    client = client_of(survey.owner)
    first = client.get(f"/api/v1/surveys/{survey.slug}/texts.csv")
    again = client.get(
        f"/api/v1/surveys/{survey.slug}/texts.csv", headers={"If-None-Match": first["ETag"]}
    )
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


def test_choices_of_a_long_list_are_translated_in_the_table_alone(
    django_assert_max_num_queries: object,
) -> None:
    survey = create_draft(introduction="Why.", contact="Ada", consent="Yes.")
    survey = set_languages(survey=survey, languages=["en", "de"])
    towns = [f"Town {number}" for number in range(300)]
    drafts.save_question(
        survey=survey, kind="choice", text="Where?", key="where", choices=towns, design="balanced"
    )
    page = author(survey).get(f"/surveys/{survey.slug}/languages/?in=de")
    assert [name for name in Form(page).values if "label" in name] == []
    assert "The choices of <code" in page.content.decode()
    table = io.StringIO(as_csv(survey))
    lines = [line if ",label," not in line else f"{line.rstrip()[:-1]},Stadt\n" for line in table]
    lines = [
        f"{line.rstrip()} {number}\n" if line.endswith("Stadt\n") else line
        for number, line in enumerate(lines)
    ]
    with django_assert_max_num_queries(30):
        assert take(survey, "".join(lines).encode()) == 300
    assert survey.questions.get().choices.first().translations["de"]["label"].startswith("Stadt")
