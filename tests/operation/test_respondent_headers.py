"""The headers of everything a respondent's browser receives. Numbers: lines of the list in docs/threat-model.md."""

import base64
import gzip
import hashlib
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.page import PAGES
from surveys.models import Survey
from surveys.site.page_program import ENTRIES, bundle_modules, program
from tests.factories import surveys

pytestmark = pytest.mark.django_db

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "noopener-allow-popups",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection-Allowlist": "(response-origin)",
}
POLICY = {
    "default-src": "'none'",
    "connect-src": "'self'",
    "img-src": "data:",
    "form-action": "'none'",
    "base-uri": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
UNSCRIPTED = POLICY | {"connect-src": "'none'"}
IN_PLACE_OF_A_PAGE = UNSCRIPTED | {
    "img-src": "'self'",
    "script-src": "'none'",
    "style-src": "'self'",
}


def get(survey: Survey, **headers: str) -> HttpResponse:
    return Client().get(f"/s/{survey.slug}/", headers=headers)


def _open() -> tuple[int, HttpResponse]:
    return 200, get(surveys.create_published().survey)


def _closed() -> tuple[int, HttpResponse]:
    survey = surveys.create_published().survey
    close(survey)
    return 200, get(survey)


def _draft() -> tuple[int, HttpResponse]:
    return 404, get(surveys.create_draft())


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
    instrument = surveys.create_published()
    return 201, surveys.post_response(instrument, surveys.response_body(instrument))


def _trust() -> tuple[int, HttpResponse]:
    return 200, Client().get(f"/trust/{surveys.create_published().survey.slug}/")


def _untrusted() -> tuple[int, HttpResponse]:
    return 404, Client().get("/trust/nobodyknows/")


def _rejected() -> tuple[int, HttpResponse]:
    return 400, surveys.post_response(surveys.create_published(), b"nonsense")


EVERYWHERE = pytest.mark.parametrize(
    "visit",
    [
        *(
            _open,
            _closed,
            _draft,
            _unknown,
            _no_such_route,
            _no_slug,
            _cut_off,
            _posted,
            _recorded,
            _rejected,
        ),
        *(_trust, _untrusted),
    ],
)


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def inside(tag: str, page: str) -> list[str]:
    return re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


@EVERYWHERE
def test_the_policy_stands_on_every_answer(visit) -> None:
    """1. Nothing unsafe, no nonce, no wildcard: the script and the style that stand in the page, by their hashes."""
    status, response = visit()
    assert response.status_code == status
    policy = directives(response["Content-Security-Policy"])
    assert policy.pop("frame-ancestors") == "'none'"
    if response["Content-Type"] != "text/html; charset=utf-8" or not response.content:
        assert policy == IN_PLACE_OF_A_PAGE
        return
    page = response.content.decode()
    scripts, (style,) = inside("script", page), inside("style", page)
    assert policy.pop("style-src") == source(style)
    assert policy.pop("script-src") == (source(scripts[0]) if scripts else "'none'")
    assert len(scripts) == page.count("<script>") <= 1
    assert policy == (POLICY if scripts else UNSCRIPTED)


def test_the_page_states_the_policy_of_its_header() -> None:
    """1. Directive by directive, right after its charset: but who may frame it, which a page cannot say."""
    response = get(surveys.create_published().survey)
    (stated,) = re.findall(
        r'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="([^"]+)">',
        response.content.decode(),
    )
    assert directives(response["Content-Security-Policy"]) == directives(stated) | {
        "frame-ancestors": "'none'"
    }


def test_a_page_comes_with_the_headers_that_are_compared_and_no_other() -> None:
    """4. What the connection adds, such as the length, is of no interest."""
    survey = surveys.create_published().survey
    for state in ("open", "closed"):
        out = StringIO()
        call_command("page", survey.slug, "--headers", "--state", state, stdout=out)
        answer = {
            name: value for name, value in get(survey).headers.items() if name != "Content-Length"
        }
        assert out.getvalue().splitlines() == sorted(
            f"{name}: {value}" for name, value in answer.items()
        )
        close(survey) if state == "open" else None


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
    assert (
        '<meta http-equiv="refresh" content="0; url=https://www.wikipedia.org/">'
        in response.content.decode()
    )
    assert "survey" not in response.content.decode().lower()
    assert "candor" not in response.content.decode().lower()


def test_the_page_is_the_same_for_everybody() -> None:
    """4. The same bytes whatever cookies, browser, languages, address and login a visitor brings."""
    instrument = surveys.create_published(owner := surveys.create_researcher())
    path = f"/s/{instrument.survey.slug}/"
    stranger = Client().get(path)
    known = Client(
        headers={"user-agent": "Other/1.0", "accept-language": "ar,de;q=0.5"},
        REMOTE_ADDR="203.0.113.9",
    )
    known.cookies["marker"] = "value"
    known.force_login(owner)
    again = known.get(path, {"utm": "mail"})
    assert again.content == stranger.content
    assert again.headers == stranger.headers


def test_the_compressed_page_is_the_same_for_everybody_too() -> None:
    """4. It unpacks to the plain one, byte for byte, and holds neither a time nor random padding."""
    survey = surveys.create_published().survey
    PAGES.clear()
    first = get(survey, **{"accept-encoding": "gzip, br"})
    PAGES.clear()
    second = get(survey, **{"accept-encoding": "gzip", "user-agent": "Other/1.0"})
    assert first["Content-Encoding"] == second["Content-Encoding"] == "gzip"
    assert first.content == second.content
    assert gzip.decompress(first.content) == get(survey).content
    assert first["Vary"] == get(survey)["Vary"] == "Accept-Encoding"


def test_sixty_questions_are_still_a_small_page() -> None:
    """With program and style in it stays far below 60 kB as sent."""
    survey = surveys.create_draft()
    for number in range(60):
        surveys.add_choice(survey, f"q{number}", design="direct", parameters={"epsilon": "1"})
    surveys.publish_survey(survey)
    assert len(get(survey, **{"accept-encoding": "gzip"}).content) < 45_000


@pytest.mark.parametrize("entry", ENTRIES)
def test_program_has_no_comments_except_the_names_of_its_files(entry: str) -> None:
    """Lines that begin with // and JSDoc blocks are not downloaded by respondents."""
    comments = re.findall(r"^ *(?://|/?\*).*$", program(entry), re.M)

    assert comments == [f"/* static/{name} */" for name in bundle_modules(entry)]


def test_module_with_a_text_of_several_lines_is_refused(tmp_path: Path) -> None:
    """Its indentation would be lost in the program."""
    (tmp_path / "one_line.js").write_text("const a = `b`, c = `d`;\n")
    (tmp_path / "lines.js").write_text("const a = `b\n  c`;\n")

    assert "`b`, c = `d`" in bundle_modules("one_line.js", root=tmp_path)["one_line.js"]
    with pytest.raises(ValueError, match="has a text of several lines"):
        bundle_modules("lines.js", root=tmp_path)


def test_the_instrument_stands_verbatim_in_the_page() -> None:
    """Its hash can be computed from the page, whatever its author wrote."""
    survey = surveys.create_draft(title="</script><b>&amp; “ü”")
    surveys.add_yes_no(survey)
    frozen = parse_instrument(surveys.publish_survey(survey))
    response = get(survey)
    text = re.search(rb'id="instrument">(.*?)</script>', response.content, re.DOTALL)[1]
    assert hashlib.sha256(text).hexdigest() == frozen.sha256


def test_nothing_in_the_page_is_fetched() -> None:
    """5. No address but those of links, no handler in an attribute, and no address in the style."""
    content = get(surveys.create_published().survey).content.decode()
    (style,) = inside("style", content)
    assert not re.findall(r"url\(|data:|@import", style)
    html = content.replace(style, "").replace(inside("script", content)[0], "")
    assert not re.findall(r"\sstyle=|\son[a-z]+=|javascript:|\ssrc=", html)
    assert not re.findall(r"href=\"(?!/leave/|/trust/|#|data:,)", html)
