"""Who asks: name, logo and colours, from what an author brings to what a respondent's browser loads."""

import base64
import hashlib
import io
import json
import re
import struct
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from PIL import Image

from surveys.authoring.drafts.drafts import delete_survey, update_settings
from surveys.authoring.drafts.logo import MOST
from surveys.authoring.files import survey_file
from surveys.definition import accent
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.page import PAGES
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.models import Logo, Survey
from surveys.site.errors import Invalid, Refused, Unreadable
from tests.api.test_reading import client_of
from tests.factories import images
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.html_forms import Form, errors
from tests.operation.test_respondent_headers import HEADERS

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def survey() -> Survey:
    survey = create_draft()
    add_yes_no(survey)
    return survey


def branded(survey: Survey) -> Survey:
    more = {"accent": "#7a1f3d", "accent_dark": "#ff9fb8", "logo": images.create_png()}
    return update_settings(survey, {"sender": "Institute <of> examples", **more})


def chunks(png: bytes) -> set[str]:
    found, at = set(), 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        found.add(png[at + 4 : at + 8].decode())
        at += 12 + length
    return found


@pytest.mark.parametrize(
    "make",
    [
        images.create_png,
        images.create_png_with_comment,
        images.create_photograph,
        images.create_noise,
    ],
)
def test_of_a_picture_only_its_pixels_are_kept(survey: Survey, make: object) -> None:
    kept = bytes(update_settings(survey, {"sender": "We", "logo": make()}).logo.png)
    assert chunks(kept) <= {"IHDR", "PLTE", "tRNS", "IDAT", "IEND"}
    assert len(kept) <= MOST
    assert images.SECRET not in kept
    logo = Logo.objects.get()
    assert logo.sha256 == hashlib.sha256(kept).hexdigest()
    assert Image.open(io.BytesIO(kept)).size == (logo.width, logo.height)


def test_a_photograph_lies_as_it_was_meant(survey: Survey) -> None:
    logo = update_settings(survey, {"sender": "We", "logo": images.create_photograph()}).logo
    assert (logo.width, logo.height) == (80, 40)


def test_what_can_be_seen_through_stays_so_and_colours_stay(survey: Survey) -> None:
    half = images.encode_image(Image.new("RGBA", (30, 10), (15, 88, 102, 128)))
    kept = Image.open(
        io.BytesIO(bytes(update_settings(survey, {"sender": "We", "logo": half}).logo.png))
    )
    assert kept.getpixel((5, 5)) == (15, 88, 102, 128)


@pytest.mark.parametrize("name", images.TRAPS)
def test_what_is_no_picture_is_named_at_its_place_and_nothing_is_lost(
    survey: Survey, client: Client, name: str
) -> None:
    data, said = images.TRAPS[name]
    update_settings(survey, {"sender": "Before", "logo": images.create_png()})
    client.force_login(survey.owner)
    file = SimpleUploadedFile("logo.png", data, "image/png")
    typed = {"sender": "We", "accent": "#0f5866", "accent_dark": "", "logo": file}
    answer = client.post(f"/surveys/{survey.slug}/welcome/", typed)
    assert answer.status_code == 422
    assert set(errors(answer)) == {"logo"}
    assert said in errors(answer)["logo"]
    assert (Form(answer).values["sender"], Form(answer).values["accent"]) == ("We", "#0f5866")
    survey.refresh_from_db()
    assert (survey.sender, survey.accent, Logo.objects.count()) == ("Before", "", 1)


def test_a_picture_is_asked_for_again_where_something_else_is_wrong(
    survey: Survey, client: Client
) -> None:
    client.force_login(survey.owner)
    file = SimpleUploadedFile("logo.png", images.create_png())
    answer = client.post(
        f"/surveys/{survey.slug}/welcome/", {"sender": "We", "accent": "#fc0", "logo": file}
    )
    assert set(errors(answer)) == {"logo", "accent"}
    assert "Choose the picture again" in errors(answer)["logo"]
    assert Form(answer).values["accent"] == "#fc0"


def test_the_page_saves_what_is_right_and_keeps_the_logo(survey: Survey, client: Client) -> None:
    client.force_login(survey.owner)
    file = SimpleUploadedFile("logo.png", images.create_png())
    path = f"/surveys/{survey.slug}/welcome/"
    assert client.post(path, {"sender": "We", "accent": "0F5866", "logo": file}).status_code == 302
    assert client.post(path, {"sender": "Us", "accent": "#0f5866"}).status_code == 302
    survey.refresh_from_db()
    assert (survey.sender, survey.accent, survey.logo is not None) == ("Us", "#0f5866", True)
    assert f"/brand/{survey.logo_id}.png" in client.get(path).content.decode()
    assert client.post(path, {"sender": "Us", "without_logo": "1"}).status_code == 302
    survey.refresh_from_db()
    assert (survey.logo, Logo.objects.count()) == (None, 0)
    assert (
        "name of the sender" in survey.events.first().detail
        or "logo" in survey.events.first().detail
    )


def test_a_logo_needs_a_name(survey: Survey) -> None:
    with pytest.raises(Invalid) as wrong:
        update_settings(survey, {"logo": images.create_png()})
    assert set(wrong.value.errors) == {"sender"}
    assert Logo.objects.count() == 0


def test_contrast_is_that_of_wcag() -> None:
    assert accent.contrast_ratio("#000000", "#ffffff") == pytest.approx(21)
    assert accent.contrast_ratio("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert accent.contrast_ratio("#0f5866", "#ffffff") == pytest.approx(
        8.1, abs=0.05
    )  # as the table of colours has it
    assert accent.contrast_ratio("#7fd0dc", "#0e1518") == pytest.approx(10.5, abs=0.05)


def test_the_grounds_are_those_of_the_page() -> None:
    light, _, dark = (ROOT / "static/css/respondent.css").read_text().partition("@media")
    for name, css in (("light", light), ("dark", dark)):
        colours = dict(re.findall(r"--(paper|wash|on-accent): (#[0-9a-f]{6})", css))
        assert accent.BACKGROUNDS[name] == (colours["paper"], colours["wash"])
        assert (
            colours["on-accent"] == colours["paper"]
        )  # so that words on a button are as easy to read


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "colour", ["#ffcc00", "#ff0000", "#0000ff", "#777777", "#ffffff", "#000000", "#123456"]
)
def test_a_colour_is_refused_with_its_ratio_and_the_nearest_that_is_allowed(
    colour: str, mode: str
) -> None:
    ratio = accent.lowest_contrast(colour, mode)
    if ratio >= 4.5:
        assert accent.validate_colour(colour, mode) == colour
        return
    with pytest.raises(ValueError, match=f"contrast of {int(ratio * 10) / 10} : 1") as wrong:
        accent.validate_colour(colour, mode)
    nearest = re.findall("#[0-9a-f]{6}", str(wrong.value))[-1]
    assert accent.validate_colour(nearest, mode) == nearest
    assert accent.lowest_contrast(nearest, mode) < 4.7  # no further than it takes


@pytest.mark.parametrize("typed", ["red", "#12", "#1234567", "url(x)", "#0f5866;}", "#０f5866"])
def test_what_is_no_colour_is_refused(survey: Survey, typed: str) -> None:
    with pytest.raises(Invalid) as wrong:
        update_settings(survey, {"accent": typed})
    assert set(wrong.value.errors) == {"accent"}


def test_no_colour_can_be_read_on_both_kinds_of_screens() -> None:
    greys = [f"#{value:02x}{value:02x}{value:02x}" for value in range(256)]
    assert not [
        grey
        for grey in greys
        if all(accent.lowest_contrast(grey, mode) >= 4.5 for mode in ("light", "dark"))
    ]


def test_the_instrument_holds_it_and_one_without_is_as_it_was(survey: Survey) -> None:
    assert (
        not {"sender", "logo", "accent", "controller", "rights", "delete_on"}
        & json.loads(build_definition(survey).content).keys()
    )
    survey = branded(survey)
    data = json.loads(publish_survey(survey).content)
    logo = Logo.objects.get()
    assert data["sender"] == "Institute <of> examples"
    assert data["logo"] == {"sha256": logo.sha256, "width": 300, "height": 100}
    assert data["accent"] == {"light": "#7a1f3d", "dark": "#ff9fb8"}
    assert data["format"] == 4


def test_without_a_colour_for_dark_screens_it_is_the_nearest(survey: Survey) -> None:
    survey = update_settings(survey, {"accent": "#0f5866"})
    found = build_definition(survey).colours
    assert (found[0], accent.validate_colour(found[1], "dark")) == ("#0f5866", found[1])


def test_the_page_holds_logo_and_colours(survey: Survey) -> None:
    """The logo with the bytes whose hash the instrument names, the colours at the end of its one style."""
    publish_survey(branded(survey))
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    (src,) = re.findall(
        r'<img class="candor-logo" src="([^"]+)" width="300" height="100" alt="">', page
    )
    assert "Institute &lt;of&gt; examples" in page
    png = base64.b64decode(src.removeprefix("data:image/png;base64,"))
    logo = parse_instrument(survey.instrument).logo
    assert hashlib.sha256(png).hexdigest() == logo.sha256
    assert Client().get(logo.address).content == png
    assert re.search(r"--accent: #7a1f3d; }\n[^\n]+\n</style>", page)


def test_the_page_made_again_needs_the_logo(survey: Survey, tmp_path: Path) -> None:
    """Its hash is in the instrument, so no other picture makes a page."""
    publish_survey(branded(survey))
    instrument, logo = tmp_path / "instrument.json", tmp_path / "logo.png"
    instrument.write_text(survey.instrument.content)
    logo.write_bytes(Client().get(parse_instrument(survey.instrument).logo.address).content)
    with pytest.raises(CommandError, match=r"shows a logo\. Download /brand/"):
        call_command("page", str(instrument))
    out = StringIO()
    call_command("page", str(instrument), "--logo", str(logo), stdout=out)
    page = Client().get(f"/s/{survey.slug}/").content
    assert f"{hashlib.sha256(page).hexdigest()}  open" in out.getvalue().splitlines()
    PAGES.clear()
    logo.write_bytes(b"another picture")
    with pytest.raises(CommandError, match="the PNG with the SHA-256"):
        call_command("page", str(instrument), "--logo", str(logo))


def test_the_logo_is_sealed_off_as_the_page_is(survey: Survey) -> None:
    """1, 2, 3, 4. No foreign host, no cookie, not cached, the same bytes for everybody."""
    publish_survey(branded(survey))
    path = parse_instrument(survey.instrument).logo.address
    answer, other = (
        Client().get(path),
        Client().get(path, headers={"cookie": "a=1", "accept-language": "ar"}),
    )
    assert answer.content == other.content
    assert dict(answer.headers) == dict(other.headers)
    assert not answer.cookies
    assert {name: answer[name] for name in HEADERS} == HEADERS
    assert "script-src 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["0" * 64 + ".png", "0f5866-7fd0dc-0000000000000000.css", "..png"])
def test_other_addresses_hold_nothing(name: str) -> None:
    assert Client().get(f"/brand/{name}").status_code == 404


def test_the_same_page_comes_for_every_visitor_also_once_closed(survey: Survey) -> None:
    """4. With a sender and data protection too, open and closed."""
    survey = update_settings(
        branded(survey), {"controller": "Examples Ltd", "delete_on": "2099-01-31"}
    )
    publish_survey(survey)
    for step in (lambda: None, lambda: close_survey(Survey.objects.get(pk=survey.pk))):
        step()
        pages = {
            Client().get(f"/s/{survey.slug}/", headers=headers).content
            for headers in ({}, {"cookie": "a=1"}, {"accept-language": "de"}, {"user-agent": "x"})
        }
        assert len(pages) == 1
        assert b"data:image/png;base64," in pages.pop()


@pytest.mark.parametrize(
    ("language", "words", "day"),
    [
        ("en", "Data protection officer", "Jan. 31, 2099"),
        ("de", "Datenschutzbeauftragte Person", "31. Januar 2099"),
        ("fr", "Base juridique", "31 janvier 2099"),
        ("es", "Sus derechos", "31 de enero de 2099"),
        ("ar", "حماية البيانات", "2099"),
    ],
)
def test_data_protection_stands_in_a_fold_in_the_language_of_the_survey(
    survey: Survey, language: str, words: str, day: str
) -> None:
    Survey.objects.update(language=language)
    texts = {
        name: f"{name} <b>&"
        for name in ("controller", "officer", "purpose", "legal_basis", "rights")
    }
    publish_survey(update_settings(survey, {"delete_on": "2099-01-31", **texts}))
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    assert words in page
    assert day in page
    for name in texts:
        assert f"{name} &lt;b&gt;&amp;" in page


def test_without_any_of_it_there_is_no_fold(survey: Survey) -> None:
    publish_survey(survey)
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    assert "Data protection" not in page.partition('<script type="application/json"')[0]
    assert "data:image" not in page


def test_a_published_survey_keeps_its_sender(survey: Survey, client: Client) -> None:
    publish_survey(branded(survey))
    with pytest.raises(Refused):
        update_settings(survey, {"sender": "Others"})
    with pytest.raises(Refused):
        update_settings(survey, {"purpose": "Another"})
    client.force_login(survey.owner)
    for page in ("welcome", "after"):
        assert client.get(f"/surveys/{survey.slug}/{page}/").status_code == 409


def test_a_file_of_the_survey_holds_it_and_gives_it_back(survey: Survey) -> None:
    survey = update_settings(branded(survey), {"rights": "To ask.", "delete_on": "2099-01-31"})
    data = json.loads(survey_file.as_text(survey))
    copy = survey_file.read(data, owner=survey.owner)
    assert survey_file.write(copy) == data
    assert copy.logo_id == survey.logo_id
    Survey.objects.all().delete()
    Logo.objects.all().delete()
    fresh = survey_file.read(data, owner=survey.owner)  # on another site
    assert (fresh.logo.width, fresh.sender) == (300, "Institute <of> examples")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"sender": "We", "logo": "%%%"}, "logo: The logo must be a picture in base64"),
        ({"sender": "We", "logo": base64.b64encode(images.SVG).decode()}, "logo: This is an SVG"),
        (
            {"logo": base64.b64encode(images.create_png()).decode()},
            "sender: Add the name of the sender",
        ),
        ({"accent": "#fc0"}, "accent: #ffcc00 has a contrast"),
        ({"accent": 5}, "accent: must be text"),
        ({"sender": 5}, "sender: must be text"),
        ({"face": "x"}, "“face” is not a known field"),
        ({"delete_on": "soon"}, "delete_on: Write the day as"),
        ({"delete_on": 5}, "delete_on: must be text"),
        ({"target": 0}, "target: Enter a target from 1"),
        ({"target": True}, "target: Enter a target from 1"),
    ],
)
def test_a_file_that_is_wrong_is_told_where(part: dict, said: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(said)):
        survey_file.read({"candor": 1, "title": "A"} | part, owner=create_researcher())
    assert Survey.objects.count() == 0


def test_a_logo_goes_with_the_last_survey_that_has_it(survey: Survey) -> None:
    copy = survey_file.duplicate(branded(survey), survey.owner)
    delete_survey(survey=copy)
    assert Logo.objects.count() == 1
    publish_survey(survey)
    close_survey(survey)
    survey.refresh_from_db()
    destroy(survey, survey.owner, confirm=survey.title)
    assert Logo.objects.count() == 0


def test_a_program_sets_all_of_it(survey: Survey) -> None:
    client, at = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/"

    def patch(**data: object) -> HttpResponse:
        return client.patch(at, json.dumps(data), content_type="application/json")

    told = {
        "sender": "We",
        "accent": "#7a1f3d",
        "controller": "Examples Ltd",
        "delete_on": "2099-01-31",
    }
    made = patch(**told, logo=base64.b64encode(images.create_png_with_comment()).decode()).json()
    assert told.items() <= made.items()
    assert base64.b64decode(made["logo"]) == bytes(Logo.objects.get().png)
    assert client.get(at).json() == made
    wrong = patch(logo=base64.b64encode(images.SVG).decode())
    assert (wrong.status_code, set(wrong.json()["errors"])) == (422, {"logo"})
    assert patch(logo=None).json()["logo"] is None
    assert not Survey.objects.get().logo
    assert "nearest colour" in patch(accent="#fc0").json()["errors"]["accent"]
    assert "logo" not in client.get("/api/v1/surveys/").json()["results"][0]


def test_publishing_waits_for_a_day_that_is_past(survey: Survey, client: Client) -> None:
    client.force_login(survey.owner)
    Survey.objects.update(delete_on="2020-01-01")
    page = client.get(f"/surveys/{survey.slug}/publish/").content.decode()
    assert "Day of deletion" in page
    assert f"/surveys/{survey.slug}/welcome/#data-protection" in page


def test_sender_and_data_protection_come_in_the_languages_of_the_survey(survey: Survey) -> None:
    data = json.loads(survey_file.as_text(survey)) | {"languages": ["en", "de"]}
    data |= {
        "sender": {"en": "Institute", "de": "Institut"},
        "rights": {"en": "To ask.", "de": "Zu fragen."},
    }
    data["title"] = {"en": "A survey", "de": "Eine Umfrage"}
    data["questions"][0]["text"] = {"en": "Tax?", "de": "Steuer?"}
    fresh = survey_file.read(data, owner=survey.owner)
    fresh = update_settings(
        fresh, {"sender": fresh.sender, "logo": images.create_png()}
    )  # its other language stays
    frozen = parse_instrument(publish_survey(fresh))
    assert json.loads(frozen.content)["sender"] == {"en": "Institute", "de": "Institut"}
    assert frozen.in_language("de").rights == "Zu fragen."
    program = client_of(survey.owner).get(f"/api/v1/surveys/{fresh.slug}/").json()
    assert program["sender"] == {"en": "Institute", "de": "Institut"}


def test_what_a_program_sends_back_keeps_sender_and_data_protection(survey: Survey) -> None:
    """And a page that does not know of them leaves them alone."""
    update_settings(survey, {"controller": "Examples Ltd", "delete_on": "2099-01-31"})
    client, at = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/"
    changed = client.patch(
        at, json.dumps({"title": "Other"}), content_type="application/json"
    ).json()
    assert (changed["title"], changed["controller"]) == ("Other", "Examples Ltd")
    page = Client()
    page.force_login(survey.owner)
    assert (
        page.post(
            f"{at.replace('/api/v1', '')}welcome/", {"title": "Third", "limit": "5"}
        ).status_code
        == 302
    )
    survey.refresh_from_db()
    assert (survey.title, survey.controller, survey.delete_on.year) == (
        "Third",
        "Examples Ltd",
        2099,
    )
    replaced = client.put(
        at, json.dumps({"title": "Fourth"}), content_type="application/json"
    ).json()
    assert replaced["controller"] == ""  # what is not given becomes empty
