"""A survey in several languages: one instrument with all texts in all of them. One of one language stays as it was."""

import csv
import io
import json
import pickle
import re

import pytest
from django.test import Client

from features.translation.table import as_csv, take
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.languages import translate
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import overview
from surveys.definition.parsing import paper, parse
from surveys.definition.text_places import places
from surveys.definition.texts import Text, frozen, thawed
from surveys.models import Choice, Survey
from surveys.site.errors import Invalid, Refused, Unreadable
from tests.factories import surveys
from tests.factories.surveys import publish

pytestmark = pytest.mark.django_db
NOTHING = {"kind": "background", "choices": ["North", "South"]}


def german(**more: object) -> Survey:
    """A draft in English and German with a question of each kind that has texts of its own."""
    survey = surveys.draft(introduction="About you.", contact="Ada", consent="You agree.", **more)
    surveys.yes_no(survey, help="Any tax.", section="Money")
    surveys.choice(survey, decline=True)
    surveys.quantity(survey, parameters={"epsilon": "0.8"})
    surveys.background(survey)
    return surveys.translated(survey, "de")


def test_a_text_is_that_of_the_first_language_and_has_the_others() -> None:
    text = Text("Yes", {"de": "Ja"})
    assert (text, text.in_language("de"), text.in_language("en")) == ("Yes", "Ja", "Yes")
    assert pickle.loads(pickle.dumps(text)).in_language("de") == "Ja"
    assert thawed(frozen(text, ["en", "de"]), ["en", "de"]).others == {"de": "Ja"}
    assert frozen(Text("18", {"de": "18"}), ["en", "de"]) == frozen("18", ["en", "de"]) == "18"


def test_one_language_leaves_the_instrument_as_it_was() -> None:
    content = json.loads(publish(german_without_translations()).content)
    assert "languages" not in content
    assert content["title"] == "A survey"
    assert content["questions"][0]["choices"] == ["No", "Yes"]


def german_without_translations() -> Survey:
    survey = german()
    survey.further_languages = []
    survey.save()
    return survey


def test_every_text_of_the_instrument_is_in_all_languages() -> None:
    content = json.loads(publish(german()).content)
    assert content["languages"] == ["en", "de"]
    assert content["title"] == {"en": "A survey", "de": "A survey auf Deutsch"}
    tax, fruit, hours, _ = content["questions"]
    assert tax["section"] == {"en": "Money", "de": "Money auf Deutsch"}
    assert tax["choices"] == [{"en": "No", "de": "Nein"}, {"en": "Yes", "de": "Ja"}]
    assert fruit["choices"][-1] == {"en": "Prefer not to say", "de": "Keine Angabe"}
    assert fruit["choices"][0] == {"en": "Apple", "de": "Apple auf Deutsch"}
    assert hours["unit"] == {"en": "hours", "de": "hours auf Deutsch"}
    assert (hours["choices"][0], tax["harmless"]) == ("0", "")


def test_the_instrument_says_the_same_when_it_is_read_back() -> None:
    instrument = publish(german())
    read = parse(instrument.sha256, instrument.content)
    assert read.languages == ("en", "de")
    assert (read.title, read.items[1].choices[0]) == ("A survey", "Apple")
    other = read.in_language("de")
    assert (other.language, other.further, other.sha256) == ("de", (), read.sha256)
    assert (other.consent, other.items[0].help) == ("You agree. auf Deutsch", "Any tax. auf Deutsch")
    assert other.items[1].choices[-1] == "Keine Angabe"
    assert other.items[2].choices == read.items[2].choices


@pytest.mark.parametrize(
    "copy", [lambda s: survey_file.duplicate(s, s.owner), lambda s: survey_file.new_version(s, s.owner)]
)
def test_copies_and_versions_keep_the_translations(copy: object) -> None:
    survey = german()
    before = paper(publish(survey))
    after = paper(publish(copy(Survey.objects.get(pk=survey.pk))))
    assert after.languages == before.languages
    assert after.in_language("de").title.startswith("A survey auf Deutsch")
    assert [item.in_language("de") for item in after.items] == [item.in_language("de") for item in before.items]


def test_a_file_holds_what_is_translated_and_what_is_not() -> None:
    survey = german()
    question = survey.questions.get(key="fruit")
    question.translations = {}
    question.save()
    written = survey_file.write(survey)
    assert written["languages"] == ["en", "de"]
    assert written["questions"][1]["text"] == "About fruit?"
    assert written["questions"][0]["text"] == {"en": "About tax?", "de": "About tax? auf Deutsch"}
    assert survey_file.write(survey_file.read(written, owner=survey.owner)) == written


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"languages": ["de", "en"]}, "start with its first one, “en”"),
        ({"languages": ["en", "xx"]}, "“xx” is not a language"),
        ({"languages": ["en", "en"]}, "only once"),
        ({"languages": "en"}, "must be a list"),
        ({"title": {"en": "A", "fr": "B"}}, "“fr” is not a language of this survey (en, de)"),
        ({"title": {"de": "B"}}, "lacks the first language"),
        ({"title": {"en": "A", "de": 7}}, "texts by language"),
        ({"title": {"en": "A", "de": "B" * 201}}, "title.de: The title has 201 characters"),
        ({"project": {"en": "A"}}, "project: must be text"),
        ({"questions": [NOTHING | {"text": {"en": "Q", "de": "\0"}}]}, "text.de: The question: character 1"),
        ({"questions": [NOTHING | {"text": "Q", "choices": ["A", {"de": "B"}]}]}, "choice 2: lacks the first"),
    ],
)
def test_a_file_that_is_wrong_says_where(change: dict, said: str) -> None:
    data = {"candor": 1, "title": "A", "language": "en", "languages": ["en", "de"]} | change
    with pytest.raises(Unreadable) as refused:
        survey_file.read(data, owner=surveys.researcher())
    assert said in str(refused.value)
    assert not Survey.objects.exists()


def test_rewriting_a_text_leaves_the_translations_and_emptying_it_takes_them() -> None:
    survey = german()
    texts = {"title": "Another", "introduction": "", "contact": "Ada", "consent": "You agree."}
    survey = drafts.write(survey, texts)
    assert survey.translations["de"] == {
        "title": "A survey auf Deutsch",
        "contact": "Ada auf Deutsch",
        "consent": "You agree. auf Deutsch",
    }
    with pytest.raises(Invalid, match="First remove this language"):
        drafts.write(survey, {"title": "Another", "language": "de"})


def labels(survey: Survey, key: str = "region") -> list[tuple[str, str]]:
    rows = survey.questions.get(key=key).choices.all()
    return [(row.label, row.translations.get("de", {}).get("label", "")) for row in rows]


def rewrite(survey: Survey, choices: list[str]) -> list[tuple[str, str]]:
    question = survey.questions.get(key="region")
    drafts.save_question(
        survey=survey, question=question, text="Where?", key="region", kind=question.kind, choices=choices
    )
    return labels(survey)


def test_choices_keep_their_translations_wherever_they_go() -> None:
    survey = german()
    north, south = ("North", "North auf Deutsch"), ("South", "South auf Deutsch")
    assert rewrite(survey, ["South", "North"]) == [south, north]
    assert rewrite(survey, ["South", "East", "North"]) == [south, ("East", ""), north]
    assert rewrite(survey, ["South", "West", "North"]) == [south, ("West", ""), north]
    assert rewrite(survey, ["Southern", "West", "North"]) == [("Southern", "South auf Deutsch"), ("West", ""), north]


def test_what_is_given_with_translations_brings_them() -> None:
    survey = german()
    question = survey.questions.get(key="region")
    choices = [Text("North", {"de": "Norden"}), Text("South")]
    texts = {"text": Text("Where?", {"de": "Wo?"}), "key": "region", "choices": choices}
    drafts.save_question(survey=survey, question=question, kind="background", **texts)
    assert survey.questions.get(key="region").translations == {"de": {"text": "Wo?"}}
    assert labels(survey) == [("North", "Norden"), ("South", "")]


def test_a_program_writes_and_reads_all_languages(client: Client) -> None:
    client.force_login(surveys.researcher())
    question = {"key": "region", "kind": "background", "choices": [{"en": "North", "de": "Norden"}, "South"]}
    sent = {
        "title": {"en": "Work", "de": "Arbeit"},
        "languages": ["en", "de"],
        "questions": [question | {"text": {"en": "Where?", "de": "Wo?"}}],
    }

    def call(method: str, address: str, data: dict) -> tuple[int, dict]:
        answer = getattr(client, method)(f"/api/v1/surveys/{address}", data, content_type="application/json")
        return answer.status_code, answer.json()

    code, made = call("post", "", sent)
    assert (code, made["languages"], made["title"]) == (201, ["en", "de"], sent["title"])
    assert made["questions"][0]["text"] == {"en": "Where?", "de": "Wo?"}
    assert made["questions"][0]["choices"] == question["choices"]
    code, changed = call("patch", f"{made['slug']}/", {"contact": {"en": "Ada", "de": "Ada, Berlin"}})
    assert (code, changed["title"], changed["contact"]["de"]) == (200, sent["title"], "Ada, Berlin")
    code, wrong = call("patch", f"{made['slug']}/", {"contact": {"fr": "Ada"}})
    assert (code, list(wrong["errors"])) == (422, ["contact"])
    code, wrong = call("patch", f"{made['slug']}/", {"language": "fr"})
    assert (code, list(wrong["errors"])) == (422, ["languages"])
    code, plain = call("put", f"{made['slug']}/", {"title": "Work", "language": "fr"})
    assert (code, plain["title"], plain["languages"]) == (200, "Work", ["fr"])


def test_what_is_missing_keeps_it_from_being_published_and_is_named_by_place() -> None:
    survey = german()
    survey.translations = {}
    survey.save()
    question = survey.questions.get(key="tax")
    question.translations = {"de": {"text": "Haben Sie?"}}
    question.save()
    with pytest.raises(Refused) as refused:
        publish(survey)
    assert str(refused.value) == (
        "In Deutsch 6 texts are missing: "
        "title; introduction; contact; consent; question 1 (tax), help text; and 1 more."
    )
    must = [
        point for point in points(survey, overview(survey)) if point.severity == "must" and point.mend == "languages"
    ]
    assert [(point.mend, point.sentence) for point in must] == [("languages", str(refused.value))]


def test_two_answers_that_are_the_same_in_one_language_are_refused() -> None:
    survey = german()
    Choice.objects.filter(question__key="region").update(translations={"de": {"label": "Dort"}})
    with pytest.raises(Refused, match="In Deutsch two answers are the same: question 4 \\(region\\), “Dort”"):
        publish(survey)


def test_a_text_that_was_only_copied_is_pointed_at() -> None:
    survey = german()
    survey.translations["de"]["introduction"] = survey.introduction
    survey.save()
    found = [point for point in points(survey, overview(survey)) if point.mend == "languages"]
    assert [point.severity for point in found] == ["think"]
    assert "introduction. Is it just a copy?" in found[0].sentence
    publish(survey)


def test_a_page_that_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    survey = german()
    monkeypatch.setattr("surveys.fieldwork.page.LARGEST", 5000)
    with pytest.raises(Refused, match="With 2 languages the respondents’ page would be"):
        publish(survey)


def test_without_the_script_every_language_says_what_is_needed(client: Client) -> None:
    """18. One under another, as nobody can pick; before the opening and after the closing too."""
    survey = german()
    address = f"/s/{publish(survey).survey.slug}/"

    def seen() -> str:
        return client.get(address).content.decode()

    said = re.findall(r"<noscript>.*?</noscript>", seen(), re.DOTALL)
    assert ["JavaScript is off" in said[-1], "JavaScript ist in diesem Browser" in said[0]] == [True, True]
    assert '<div class="govuk-inset-text" lang="de" dir="ltr">' in said[0]
    Survey.objects.update(opens="2100-01-01T00:00:00Z")
    assert ("not open yet" in seen(), '<div lang="de" dir="ltr">' in seen(), "A survey auf Deutsch" in seen()) == (
        True,
    ) * 3
    Survey.objects.update(opens=None, status="closed")
    assert "geschlossen" in re.findall(r"<noscript>.*?</noscript>", seen(), re.DOTALL)[0]


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
def test_a_table_that_is_wrong_is_refused_by_row_and_nothing_is_stored(change: dict, said: str) -> None:
    survey = german()
    rows = table(survey)
    rows[1]["de"] = "Neu"
    rows = [dict.fromkeys(change, "") | row for row in rows]
    rows[0] |= change
    with pytest.raises(Unreadable) as refused:
        take(survey, as_file(rows), survey.owner)
    assert said in refused.value.lines[0]
    assert Survey.objects.get().translations == survey.translations


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\xfa", b"PK\x03\x04", b"key,field,choice\n", b"a\0b"])
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
    assert shown.count(">missing</span>") == len(places(Survey.objects.get())) == 17
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
    assert page.post(f"{address}?in=ar", sent | {"seen": seen, "ar-survey-title-0": ""}).status_code == 302
    assert "ar" not in Survey.objects.get().translations
    page.post(address, {"remove": "ar"})
    assert Survey.objects.get().further_languages == ["de"]
    assert labels(survey, "region")[1][0] == "South"


def test_two_translators_do_not_overwrite_each_other_unseen() -> None:
    survey = german()
    page, address = author(survey), f"/surveys/{survey.slug}/languages/?in=de"
    seen = re.search(r'name="seen" value="(\w+)"', page.get(address).content.decode())[1]
    translate(survey=survey, texts={("", "title", 0): {"de": "Anders"}})
    sent = {place.id("de"): place.text.others.get("de", "") for place in places(survey)}
    answer = page.post(address, sent | {"seen": seen, "de-survey-title-0": "Meins"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Someone saved changes while you were writing" in text
    assert "Meins" in text
    again = re.search(r'name="seen" value="(\w+)"', text)[1]
    assert page.post(address, sent | {"seen": again, "de-survey-title-0": "Meins"}).status_code == 302
    assert Survey.objects.get().translations["de"]["title"] == "Meins"


def test_a_program_translates_by_the_same_service(client: Client) -> None:
    survey = german()
    client.force_login(survey.owner)
    address = f"/api/v1/surveys/{survey.slug}/languages/"

    def call(method: str, data: object = None) -> tuple[int, dict]:
        answer = getattr(client, method)(address, data, content_type="application/json")
        return answer.status_code, answer.json()

    assert call("put", {"languages": ["en", "de", "fr"]})[1]["further"][1]["missing"] == 17
    code, shown = call("patch", {"texts": [{"key": "region", "field": "label", "choice": 2, "texts": {"fr": "Sud"}}]})
    assert (code, shown["texts"][-1]["texts"]) == (200, {"en": "South", "de": "South auf Deutsch", "fr": "Sud"})
    code, wrong = call("patch", {"texts": [{"key": "tax", "field": "colour", "texts": {"es": "x"}}]})
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
