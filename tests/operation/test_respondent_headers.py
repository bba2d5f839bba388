"""The headers of everything a respondent's browser receives. Numbers: lines of the list in docs/threat-model.md."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client

from surveys.definition.instrument import paper
from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.page import page
from surveys.models import Survey
from tests import making

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Integrity-Policy": "blocked-destinations=(script)",
    "Connection-Allowlist": "(response-origin)",
}
SCRIPTS = [
    path for room in ("early", "mechanisms", "respondent", "tickets") for path in (ROOT / "static" / room).glob("*.js")
]
ICON = hashlib.md5((ROOT / "static/css/icon.svg").read_bytes(), usedforsecurity=False).hexdigest()[:12]  # in its name
POLICY = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": f"http://testserver/static/css/icon.{ICON}.svg",
    "connect-src": "'self'",
    "form-action": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}


def get(survey: Survey, **headers: str) -> HttpResponse:
    return Client().get(f"/s/{survey.slug}/", headers=headers)


def _open() -> tuple[int, HttpResponse]:
    return 200, get(making.published().survey)


def _closed() -> tuple[int, HttpResponse]:
    survey = making.published().survey
    close(survey)
    return 200, get(survey)


def _draft() -> tuple[int, HttpResponse]:
    return 404, get(making.draft())


def _unknown() -> tuple[int, HttpResponse]:
    return 404, Client().get("/s/nobodyknows/")


def _no_such_route() -> tuple[int, HttpResponse]:
    return 404, Client().get("/s/nobody/knows/")


def _no_slug() -> tuple[int, HttpResponse]:
    return 404, Client().get("/s/")


def _cut_off() -> tuple[int, HttpResponse]:
    return 301, Client().get("/s/nobodyknows")


def _posted() -> tuple[int, HttpResponse]:
    return 405, Client().post("/s/nobodyknows/")


def _recorded() -> tuple[int, HttpResponse]:
    instrument = making.published()
    return 201, making.send(instrument, making.body(instrument))


def _trust() -> tuple[int, HttpResponse]:
    return 200, Client().get(f"/trust/{making.published().survey.slug}/")


def _untrusted() -> tuple[int, HttpResponse]:
    return 404, Client().get("/trust/nobodyknows/")


def _manifest() -> tuple[int, HttpResponse]:
    return 200, Client().get("/trust/scripts.sha256")


def _rejected() -> tuple[int, HttpResponse]:
    return 400, making.send(making.published(), b"nonsense")


EVERYWHERE = pytest.mark.parametrize(
    "visit",
    [
        *(_open, _closed, _draft, _unknown, _no_such_route, _no_slug, _cut_off, _posted, _recorded, _rejected),
        *(_trust, _untrusted, _manifest),
    ],
)


@EVERYWHERE
def test_the_policy_stands_on_every_answer(visit) -> None:
    """1. Nothing unsafe, no nonce, no wildcard, no script by its site: import map and scripts by their hashes, no image
    but the icon.
    """
    status, response = visit()
    assert response.status_code == status
    policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
    sources = policy.pop("script-src").split()
    assert all(re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", source) for source in sources)
    assert len(sources) == len(set(sources)) == 1 + len(SCRIPTS)
    assert policy == POLICY


@pytest.mark.parametrize(
    ("host", "images"),
    [
        ("survey.example.org", f"https://survey.example.org/static/css/icon.{ICON}.svg"),
        ("survey.example.org:8443", f"https://survey.example.org:8443/static/css/icon.{ICON}.svg"),
        ("other.example.org", "'none'"),
    ],
)
def test_behind_a_proxy_images_come_from_the_site_as_browsers_know_it(
    settings: LazySettings, host: str, images: str
) -> None:
    """1. Its own name with https, and no name that somebody else put into the request."""
    settings.ALLOWED_HOSTS = ["survey.example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    response = get(making.published().survey, host=host, **{"x-forwarded-proto": "https"})
    assert response.status_code == 200
    assert response["Content-Security-Policy"].endswith(f"; img-src {images}")


@EVERYWHERE
def test_the_other_headers_stand_on_every_answer(visit) -> None:
    """2. Nothing stored, nothing referred, nothing sniffed, nothing shared, no feature allowed."""
    _, response = visit()
    assert {name: response[name] for name in HEADERS} == HEADERS
    features = response["Permissions-Policy"].split(", ")
    assert len(features) > 30
    assert all(feature.endswith("=()") for feature in features)


@EVERYWHERE
def test_no_answer_sets_a_cookie(visit) -> None:
    """3. No Set-Cookie, and nothing that depends on one, but the redirect to an address with its last slash."""
    status, response = visit()
    assert not response.cookies
    assert status == 301 or "Cookie" not in response.get("Vary", "")


def test_quick_exit_may_lead_outward_and_nothing_else_is_looser() -> None:
    """28. Its page has every header of the others but the list of allowed connections, which would hold it back."""
    response = Client().get("/leave/")
    assert "Connection-Allowlist" not in response
    assert {name: response[name] for name in HEADERS if name in response} == {
        name: value for name, value in HEADERS.items() if name != "Connection-Allowlist"
    }
    assert '<meta http-equiv="refresh" content="0; url=https://www.wikipedia.org/">' in response.content.decode()
    assert "survey" not in response.content.decode().lower()
    assert "candor" not in response.content.decode().lower()


def test_the_page_is_the_same_for_everybody() -> None:
    """4. The same bytes whatever cookies, browser, languages, address and login a visitor brings."""
    instrument = making.published(owner := making.researcher())
    path = f"/s/{instrument.survey.slug}/"
    stranger = Client().get(path)
    known = Client(headers={"user-agent": "Other/1.0", "accept-language": "ar,de;q=0.5"}, REMOTE_ADDR="203.0.113.9")
    known.cookies["marker"] = "value"
    known.force_login(owner)
    again = known.get(path, {"utm": "mail"})
    assert again.content == stranger.content
    assert again.headers == stranger.headers


def test_the_compressed_page_is_the_same_for_everybody_too() -> None:
    """4. It unpacks to the plain one, byte for byte, and holds neither a time nor random padding."""
    survey = making.published().survey
    page.cache_clear()
    first = get(survey, **{"accept-encoding": "gzip, br"})
    page.cache_clear()
    second = get(survey, **{"accept-encoding": "gzip", "user-agent": "Other/1.0"})
    assert first["Content-Encoding"] == second["Content-Encoding"] == "gzip"
    assert first.content == second.content
    assert gzip.decompress(first.content) == get(survey).content
    assert first["Vary"] == get(survey)["Vary"] == "Accept-Encoding"


def test_sixty_questions_are_still_a_small_page() -> None:
    """Page, scripts and styles together stay far below 60 kB as sent."""
    survey = making.draft(limit=100, limit_reason="A test of sizes.")
    for number in range(60):
        making.choice(survey, f"q{number}", design="direct", parameters={"epsilon": "1"})
    making.publish(survey, hardly_protected=True)
    assert len(get(survey, **{"accept-encoding": "gzip"}).content) < 30_000


def test_the_import_map_stands_verbatim_under_its_hash() -> None:
    response = get(making.published().survey)
    text = re.search(rb'<script type="importmap">(.*?)</script>', response.content, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
    assert f"'sha256-{digest}'" in response["Content-Security-Policy"]
    assert json.loads(text)["imports"]["/static/respondent/page.js"].startswith("/static/respondent/page.")


@pytest.mark.parametrize("path", ["/s/{slug}/", "/s/nobodyknows/", "/trust/{slug}/"])
def test_the_stylesheet_stands_there_with_its_hash(path: str) -> None:
    """5. Of the bytes of the repository, on every page of respondents."""
    digest = base64.b64encode(hashlib.sha256((ROOT / "static/css/respondent.css").read_bytes()).digest()).decode()
    page = Client().get(path.format(slug=making.published().survey.slug)).content.decode()
    assert re.findall('<link rel="stylesheet"[^>]* integrity="([^"]+)">', page) == [f"sha256-{digest}"]
    assert page.count('rel="stylesheet"') == 1


def test_the_instrument_stands_verbatim_in_the_page() -> None:
    """Its hash can be computed from the page, whatever its author wrote."""
    survey = making.draft(title="</script><b>&amp; “ü”")
    making.yes_no(survey)
    frozen = paper(making.publish(survey))
    response = get(survey)
    text = re.search(rb'id="instrument">(.*?)</script>', response.content, re.DOTALL)[1]
    assert hashlib.sha256(text).hexdigest() == frozen.sha256


def test_the_page_has_no_inline_code_or_style() -> None:
    content = get(making.published().survey).content.decode()
    assert not re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", content)
    assert not re.findall(r"(?:src|href)=\"(?!/static/|/leave/|/trust/|#)", content)
