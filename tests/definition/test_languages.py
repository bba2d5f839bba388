"""A survey in several languages: one instrument with all texts in all of them. One of one language stays as it was."""

import json
import pickle
import re

import pytest
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.parsing import parse, parse_instrument
from surveys.definition.texts import Text, text_from_instrument, text_to_instrument
from surveys.models import Choice, Survey
from surveys.site.errors import Invalid, Refused, Unreadable
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db
NOTHING = {"kind": "background", "choices": ["North", "South"]}


def german(**more: object) -> Survey:
    """A draft in English and German with a question of each kind that has texts of its own."""
    survey = surveys.create_draft(
        introduction="About you.", contact="Ada", consent="You agree.", **more
    )
    surveys.add_yes_no(survey, help="Any tax.", section="Money")
    surveys.add_choice(survey, decline=True)
    surveys.add_quantity(survey, parameters={"epsilon": "0.8"})
    surveys.add_background(survey)
    return surveys.add_translations(survey, "de")


def test_a_text_is_that_of_the_first_language_and_has_the_others() -> None:
    text = Text("Yes", {"de": "Ja"})
    assert (text, text.in_language("de"), text.in_language("en")) == ("Yes", "Ja", "Yes")
    assert pickle.loads(pickle.dumps(text)).in_language("de") == "Ja"
    assert text_from_instrument(text_to_instrument(text, ["en", "de"]), ["en", "de"]).others == {
        "de": "Ja"
    }
    assert (
        text_to_instrument(Text("18", {"de": "18"}), ["en", "de"])
        == text_to_instrument("18", ["en", "de"])
        == "18"
    )


def test_one_language_leaves_the_instrument_as_it_was() -> None:
    content = json.loads(publish_survey(german_without_translations()).content)
    assert "languages" not in content
    assert content["title"] == "A survey"
    assert content["questions"][0]["choices"] == ["No", "Yes"]


def german_without_translations() -> Survey:
    survey = german()
    survey.further_languages = []
    survey.save()
    return survey


def test_every_text_of_the_instrument_is_in_all_languages() -> None:
    content = json.loads(publish_survey(german()).content)
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
    instrument = publish_survey(german())
    read = parse(instrument.sha256, instrument.content)
    assert read.languages == ("en", "de")
    assert (read.title, read.items[1].choices[0]) == ("A survey", "Apple")
    other = read.in_language("de")
    assert (other.language, other.further, other.sha256) == ("de", (), read.sha256)
    assert (other.consent, other.items[0].help) == (
        "You agree. auf Deutsch",
        "Any tax. auf Deutsch",
    )
    assert other.items[1].choices[-1] == "Keine Angabe"
    assert other.items[2].choices == read.items[2].choices


@pytest.mark.parametrize(
    "copy",
    [lambda s: survey_file.duplicate(s, s.owner), lambda s: survey_file.new_version(s, s.owner)],
)
def test_copies_and_versions_keep_the_translations(copy: object) -> None:
    survey = german()
    before = parse_instrument(publish_survey(survey))
    after = parse_instrument(publish_survey(copy(Survey.objects.get(pk=survey.pk))))
    assert after.languages == before.languages
    assert after.in_language("de").title.startswith("A survey auf Deutsch")
    assert [item.in_language("de") for item in after.items] == [
        item.in_language("de") for item in before.items
    ]


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
        (
            {"questions": [NOTHING | {"text": {"en": "Q", "de": "\0"}}]},
            "text.de: The question: character 1",
        ),
        (
            {"questions": [NOTHING | {"text": "Q", "choices": ["A", {"de": "B"}]}]},
            "choice 2: lacks the first",
        ),
    ],
)
def test_a_file_that_is_wrong_says_where(change: dict, said: str) -> None:
    data = {"candor": 1, "title": "A", "language": "en", "languages": ["en", "de"]} | change
    with pytest.raises(Unreadable) as refused:
        survey_file.read(data, owner=surveys.create_researcher())
    assert said in str(refused.value)
    assert not Survey.objects.exists()


def test_rewriting_a_text_leaves_the_translations_and_emptying_it_takes_them() -> None:
    survey = german()
    texts = {"title": "Another", "introduction": "", "contact": "Ada", "consent": "You agree."}
    survey = drafts.update_settings(survey, texts)
    assert survey.translations["de"] == {
        "title": "A survey auf Deutsch",
        "contact": "Ada auf Deutsch",
        "consent": "You agree. auf Deutsch",
    }
    with pytest.raises(Invalid, match="First remove this language"):
        drafts.update_settings(survey, {"title": "Another", "language": "de"})


def labels(survey: Survey, key: str = "region") -> list[tuple[str, str]]:
    rows = survey.questions.get(key=key).choices.all()
    return [(row.label, row.translations.get("de", {}).get("label", "")) for row in rows]


def rewrite(survey: Survey, choices: list[str]) -> list[tuple[str, str]]:
    question = survey.questions.get(key="region")
    drafts.save_question(
        survey=survey,
        question=question,
        text="Where?",
        key="region",
        kind=question.kind,
        choices=choices,
    )
    return labels(survey)


def test_choices_keep_their_translations_wherever_they_go() -> None:
    survey = german()
    north, south = ("North", "North auf Deutsch"), ("South", "South auf Deutsch")
    assert rewrite(survey, ["South", "North"]) == [south, north]
    assert rewrite(survey, ["South", "East", "North"]) == [south, ("East", ""), north]
    assert rewrite(survey, ["South", "West", "North"]) == [south, ("West", ""), north]
    assert rewrite(survey, ["Southern", "West", "North"]) == [
        ("Southern", "South auf Deutsch"),
        ("West", ""),
        north,
    ]


def test_what_is_given_with_translations_brings_them() -> None:
    survey = german()
    question = survey.questions.get(key="region")
    choices = [Text("North", {"de": "Norden"}), Text("South")]
    texts = {"text": Text("Where?", {"de": "Wo?"}), "key": "region", "choices": choices}
    drafts.save_question(survey=survey, question=question, kind="background", **texts)
    assert survey.questions.get(key="region").translations == {"de": {"text": "Wo?"}}
    assert labels(survey) == [("North", "Norden"), ("South", "")]


def test_a_program_writes_and_reads_all_languages(client: Client) -> None:
    client.force_login(surveys.create_researcher())
    question = {
        "key": "region",
        "kind": "background",
        "choices": [{"en": "North", "de": "Norden"}, "South"],
    }
    sent = {
        "title": {"en": "Work", "de": "Arbeit"},
        "languages": ["en", "de"],
        "questions": [question | {"text": {"en": "Where?", "de": "Wo?"}}],
    }

    def call(method: str, address: str, data: dict) -> tuple[int, dict]:
        answer = getattr(client, method)(
            f"/api/v1/surveys/{address}", data, content_type="application/json"
        )
        return answer.status_code, answer.json()

    code, made = call("post", "", sent)
    assert (code, made["languages"], made["title"]) == (201, ["en", "de"], sent["title"])
    assert made["questions"][0]["text"] == {"en": "Where?", "de": "Wo?"}
    assert made["questions"][0]["choices"] == question["choices"]
    code, changed = call(
        "patch", f"{made['slug']}/", {"contact": {"en": "Ada", "de": "Ada, Berlin"}}
    )
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
        publish_survey(survey)
    assert str(refused.value) == (
        "In Deutsch 6 texts are missing: "
        "title; introduction; contact; consent; question 1 (tax), help text; and 1 more."
    )
    must = [
        point
        for point in points(survey, survey_overview(survey))
        if point.severity == "must" and point.mend == "languages"
    ]
    assert [(point.mend, point.sentence) for point in must] == [("languages", str(refused.value))]


def test_two_answers_that_are_the_same_in_one_language_are_refused() -> None:
    survey = german()
    Choice.objects.filter(question__key="region").update(translations={"de": {"label": "Dort"}})
    with pytest.raises(
        Refused, match="In Deutsch two answers are the same: question 4 \\(region\\), “Dort”"
    ):
        publish_survey(survey)


def test_a_text_that_was_only_copied_is_pointed_at() -> None:
    survey = german()
    survey.translations["de"]["introduction"] = survey.introduction
    survey.save()
    found = [
        point for point in points(survey, survey_overview(survey)) if point.mend == "languages"
    ]
    assert [point.severity for point in found] == ["think"]
    assert "introduction. Is it just a copy?" in found[0].sentence
    publish_survey(survey)


def test_a_page_that_would_be_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    survey = german()
    monkeypatch.setattr("surveys.fieldwork.page.LARGEST_PAGE", 5000)
    with pytest.raises(Refused, match="With 2 languages the respondents’ page would be"):
        publish_survey(survey)


def test_without_the_script_every_language_says_what_is_needed(client: Client) -> None:
    """18. One under another, as nobody can pick; before the opening and after the closing too."""
    survey = german()
    address = f"/s/{publish_survey(survey).survey.slug}/"

    def seen() -> str:
        return client.get(address).content.decode()

    said = re.findall(r"<noscript>.*?</noscript>", seen(), re.DOTALL)
    assert ["JavaScript is off" in said[-1], "JavaScript ist in diesem Browser" in said[0]] == [
        True,
        True,
    ]
    assert '<div class="govuk-inset-text" lang="de" dir="ltr">' in said[0]
    Survey.objects.update(opens="2100-01-01T00:00:00Z")
    assert (
        "not open yet" in seen(),
        '<div lang="de" dir="ltr">' in seen(),
        "A survey auf Deutsch" in seen(),
    ) == (True,) * 3
    Survey.objects.update(opens=None, status="closed")
    assert "geschlossen" in re.findall(r"<noscript>.*?</noscript>", seen(), re.DOTALL)[0]
