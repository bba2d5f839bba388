"""Asking for consent, the texts at the end, and the page of the help lines."""

import json

import pytest
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, update_settings
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import survey_overview
from surveys.definition import help_lines
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import close
from surveys.models import Survey
from surveys.site.errors import Invalid
from tests.api.test_reading import client_of
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.html_forms import errors

pytestmark = pytest.mark.django_db

LINES = "Help for victims: tel:116-006, at any time.\nAdvice (https://help.example.org/a?b=1&c=2)."
TEXTS = {
    "consent": "I take part freely.",
    "asks_consent": True,
    "after_sending": "Thank you.\n\nWe <b>publish</b> in May.",
    "after_declining": "That is fine.",
    "help_lines": LINES,
}


@pytest.fixture
def survey() -> Survey:
    survey = surveys.create_draft(**TEXTS)
    surveys.add_yes_no(survey)
    return survey


def test_addresses_become_links_and_a_number_is_shown_as_people_dial_it() -> None:
    first, second = help_lines.split_links(LINES)
    assert [(piece.text, piece.address) for piece in first] == [
        ("Help for victims: ", ""),
        ("116-006", "tel:116-006"),
        (", at any time.", ""),
    ]
    address = "https://help.example.org/a?b=1&c=2"
    assert [piece.address for piece in second] == ["", address, ""]
    assert "".join(piece.text for piece in second) == f"Advice ({address})."
    assert help_lines.validate_links(LINES) == LINES
    assert (
        help_lines.validate_links("TEL:+49-800-1110111\n\nMo-Fr:9-17, Tel.:0800")
        == "TEL:+49-800-1110111\n\nMo-Fr:9-17, Tel.:0800"
    )
    assert help_lines.split_links("TEL:+49-800-1110111")[0][0].address == "tel:+49-800-1110111"
    assert help_lines.validate_links("https://bücher.example/") == "https://bücher.example/"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Good\nhttp://help.example.org", "Line 2: “http://help.example.org” can’t be a link."),
        ("Write to (mailto:a@example.org)", "can’t be a link"),
        ("javascript:alert(1)", "can’t be a link"),
        ("see www.example.org", "“www.example.org” can’t be a link."),
        ("data:text/html,x", "can’t be a link"),
        ("https://", "“https://” can’t be a link."),
        ("https://user@example.org/", "is not an address"),
        ("https://exa mple", "is not an address"),
        ("https://example.org:99999999/", "is not an address"),
        ("tel:help", "is not an address"),
        ("tel:1", "is not an address"),
        ("tel:12;ext=3", "is not an address"),
        ("\n".join(["x"] * 21), "Write at most 20 lines"),
        ("x" * 3001, "3,001 characters"),
    ],
)
def test_what_may_be_no_link_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(Invalid) as raised:
        create_survey(owner=surveys.create_researcher(), title="A", help_lines=text)
    assert said in raised.value.errors["help_lines"]
    assert not Survey.objects.exists()


def test_asking_for_consent_needs_its_text(survey: Survey) -> None:
    with pytest.raises(Invalid) as raised:
        update_settings(survey, {"title": "A", "consent": "", "asks_consent": True})
    assert raised.value.errors == {
        "consent": "Write what people agree to, or don’t ask them to agree."
    }


def test_each_stands_in_the_instrument_only_where_it_is_used(survey: Survey) -> None:
    content = json.loads(build_definition(survey).content)
    assert {name: content[name] for name in TEXTS} == TEXTS
    plain = surveys.create_draft(survey.owner)
    surveys.add_yes_no(plain)
    assert not {*TEXTS} - {"consent"} & json.loads(build_definition(plain).content).keys()
    assert not build_definition(plain).asks_consent


def test_a_page_without_them_is_as_it_was() -> None:
    page = Client().get(f"/s/{surveys.create_published().survey.slug}/").content.decode()
    assert 'id="declined"' not in page
    assert "/help/" not in page
    assert "Help and advice" not in page


def test_the_page_links_to_phones_and_to_no_other_site(survey: Survey) -> None:
    publish_survey(survey)
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    for words in (
        "Agree and start",
        "Do not take part",
        "I take part freely.",
        "That is fine.",
        "116-006",
    ):
        assert words in page
    assert "We &lt;b&gt;publish&lt;/b&gt; in May." in page
    assert "What you agree to by sending" not in page
    assert 'href="https:' not in page
    assert (
        page.count('href="tel:116-006"') == 2
    )  # at both ends; between Start and Send nothing of the page is a link
    assert page.count(f'href="/help/{survey.slug}/"') == 2


def test_the_help_page_is_the_same_for_everybody_and_keeps_nothing(survey: Survey) -> None:
    """3, 4. Whoever asks, and in every state of the survey."""
    publish_survey(survey)
    path = f"/help/{survey.slug}/"
    plain = Client().get(path)
    assert plain.status_code == 200
    known = Client(
        headers={"user-agent": "x", "accept-language": "ar", "referer": "/s/x/", "cookie": "a=b"}
    )
    known.force_login(survey.owner)
    other = known.get(path, REMOTE_ADDR="192.0.2.1")
    assert plain.content == other.content
    assert not plain.cookies
    assert not other.cookies
    page = plain.content.decode()
    assert 'href="tel:116-006" rel="noreferrer"' in page
    assert 'href="https://help.example.org/a?b=1&amp;c=2" rel="noreferrer"' in page
    assert "<script" not in page
    assert survey.title not in page  # nor in the browser's history
    close(survey)
    assert Client().get(path).content == plain.content
    assert Client().post(path).status_code == 405


def test_its_headers_let_people_go_elsewhere_and_nothing_else(survey: Survey) -> None:
    """1, 2. The policy of a page without a script."""
    publish_survey(survey)
    found = Client().get(f"/help/{survey.slug}/")
    assert "Connection-Allowlist" not in found
    assert found["Referrer-Policy"] == "no-referrer"
    assert found["Cache-Control"] == "no-store"
    policy = dict(
        part.strip().partition(" ")[::2] for part in found["Content-Security-Policy"].split(";")
    )
    assert (policy["default-src"], policy["script-src"], policy["form-action"]) == ("'none'",) * 3
    assert (policy["connect-src"], policy["base-uri"], policy["frame-ancestors"]) == ("'none'",) * 3
    assert "unsafe" not in found["Content-Security-Policy"]


def test_there_is_none_of_a_draft_of_files_or_without_help_lines(survey: Survey) -> None:
    assert Client().get(f"/help/{survey.slug}/").status_code == 404
    plain = surveys.create_published(surveys.create_researcher("grace")).survey
    assert Client().get(f"/help/{plain.slug}/").status_code == 404
    assert Client().get("/help/nobodyknows/").status_code == 404


def test_what_an_author_wrote_is_never_markup(survey: Survey) -> None:
    survey.help_lines = '<script>x</script> https://example.org/"onclick="x'
    survey.save()
    publish_survey(survey)
    page = Client().get(f"/help/{survey.slug}/").content.decode()
    assert "<script" not in page
    assert '"onclick' not in page


def test_it_is_previewed(client: Client, survey: Survey) -> None:
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/preview/").content.decode()
    assert f'href="/surveys/{survey.slug}/preview/help/"' in page
    found = client.get(f"/surveys/{survey.slug}/preview/help/")
    assert 'href="tel:116-006"' in found.content.decode()
    assert "Connection-Allowlist" not in found


def test_the_editor_takes_them_and_loses_nothing(client: Client, survey: Survey) -> None:
    client.force_login(survey.owner)
    own = f"/surveys/{survey.slug}/"
    path = f"{own}after/"
    typed = {"after_sending": "Thanks."}
    wrong = client.post(path, typed | {"help_lines": "http://x.example"})
    assert wrong.status_code == 422
    assert "can’t be a link" in errors(wrong)["help_lines"]
    assert "http://x.example" in wrong.content.decode()
    client.post(path, typed | {"help_lines": "A\r\ntel:116006"})
    client.post(
        f"{own}welcome/",
        {"title": "New", "consent": "I do.", "asks_consent": "1", "language": "en"},
    )
    survey.refresh_from_db()
    assert (survey.asks_consent, survey.after_sending, survey.help_lines) == (
        True,
        "Thanks.",
        "A\ntel:116006",
    )
    assert "Help lines" in client.get(f"{own}publish/").content.decode()


def test_files_and_programs_carry_them(survey: Survey) -> None:
    copy = survey_file.duplicate(survey, survey.owner)
    assert {name: getattr(copy, name) for name in TEXTS} == TEXTS
    ada = client_of(survey.owner)
    seen = ada.get(f"/api/v1/surveys/{survey.slug}/").json()
    assert {name: seen[name] for name in TEXTS} == TEXTS
    data = {"title": "New", "asks_consent": True, "help_lines": "ftp://x"}
    refused = ada.post("/api/v1/surveys/", data, content_type="application/json")
    assert refused.status_code == 422
    assert {"consent", "help_lines"} <= refused.json()["errors"].keys()


@pytest.mark.parametrize(
    ("text", "language", "advised"),
    [
        ("Were you harassed at work?", "en", True),
        ("Haben Sie Gewalt erlebt?", "de", True),
        ("Avez-vous subi du harcèlement ?", "fr", True),
        ("¿Ha sufrido acoso?", "es", True),
        ("هل تعرضت لعنف؟", "ar", True),
        ("Did you evade taxes?", "en", False),
        ("Do you play the violin, and do you like grapes?", "en", False),
        ("¿Está acostumbrado a ello?", "es", False),
    ],
)
def test_help_lines_are_advised_where_people_may_have_been_hurt(
    text: str, language: str, advised: bool
) -> None:
    survey = surveys.create_draft(language=language)
    question = surveys.add_yes_no(survey)
    question.text = text
    question.save()
    found = {point.short: point.severity for point in points(survey, survey_overview(survey))}
    assert ("No help lines" in found) == advised
    publish_survey(survey)  # advice, and no refusal
    assert parse_instrument(survey.instrument).help_lines == ""


def test_a_text_that_nobody_would_read_is_told(survey: Survey) -> None:
    assert "Help lines" in {point.short for point in points(survey, survey_overview(survey))}
    survey.asks_consent = False
    assert "A text no one reads" in {
        point.short for point in points(survey, survey_overview(survey))
    }


def test_they_are_translated_as_every_text_and_checked_alike(survey: Survey) -> None:
    ada = client_of(survey.owner)
    path = f"/api/v1/surveys/{survey.slug}/"
    seen = ada.get(path).json()
    kept = {
        name: {"en": seen[name], "de": f"{name}!"}
        for name in ("title", "consent", "after_declining")
    }
    kept["asks_consent"] = True
    german = {"en": LINES, "de": "Hilfe: tel:0800-116016"}
    data = kept | {
        "languages": ["en", "de"],
        "after_sending": {"en": "Thanks.", "de": "Danke."},
        "help_lines": german,
    }
    wrong = data | {"help_lines": german | {"de": "http://x.example"}}
    refused = ada.put(path, wrong, content_type="application/json")
    assert refused.status_code == 422
    assert "can’t be a link" in str(refused.json()["errors"])
    assert ada.put(path, data, content_type="application/json").status_code == 200
    survey.refresh_from_db()
    survey.questions.update(translations={"de": {"text": "Steuern?"}})
    frozen = parse_instrument(publish_survey(survey))
    assert json.loads(frozen.content)["help_lines"] == german
    assert frozen.in_language("de").after_sending == "Danke."
    page = Client().get(f"/help/{survey.slug}/").content.decode()
    assert (
        page.index('lang="en" dir="ltr"')
        < page.index("116-006")
        < page.index('lang="de" dir="ltr"')
    )
    assert page.index("Hilfe und Beratung") < page.index('href="tel:0800-116016"')


def test_declining_is_offered_in_every_language() -> None:
    survey = surveys.create_draft(further_languages=["de"])
    background = surveys.add_background(survey)
    background.decline = True
    background.save()
    (item,) = build_definition(survey).items
    assert item.choices[item.decline_code].in_language("de") == "Keine Angabe"
