"""What the respondent's page is made of: its headers, its policy, its scripts and its questions.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import base64
import hashlib
import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import ROOT, Site
from tests.browser.respondent import Traffic, address, answer, closed, press, see, survey, visit

RUN = [
    path for name in ("early", "mechanisms", "respondent", "tickets") for path in (ROOT / "static" / name).glob("*.js")
]
ICON = hashlib.md5((ROOT / "static/css/icon.svg").read_bytes(), usedforsecurity=False).hexdigest()[:12]  # in its name
KINDS = ("marks", "subset", "window", "geometry", "written", "rappor")  # that the survey of these tests has not
MODULES = sorted(path for path in RUN if path.parent.name in ("respondent", "mechanisms") and path.stem not in KINDS)


def test_headers_reach_the_browser(page: Page, site: Site) -> None:
    """1. The policy on the page, on an unknown address and on the answer to the POST."""
    slug = survey(site)
    traffic = Traffic(page)
    unknown = page.goto(address(site, "nobodyknows"))
    assert unknown.status == 404
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    inline = page.evaluate("document.querySelector('script[type=importmap]').textContent")
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    checked = [one for one in traffic.responses if one.request.resource_type in ("document", "fetch")]
    assert [one.status for one in checked] == [404, 200, 201]
    for response in checked:
        policy = dict(part.strip().split(" ", 1) for part in response.headers["content-security-policy"].split(";"))
        modules = [base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode() for path in RUN]
        assert sorted(policy.pop("script-src").split()) == sorted(f"'sha256-{one}'" for one in (digest, *modules))
        assert policy == {
            "default-src": "'none'",
            "style-src": "'self'",
            "img-src": f"{site.url}/static/css/icon.{ICON}.svg",
            "connect-src": "'self'",
            "form-action": "'none'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
            "trusted-types": "'none'",
        }


def test_the_policy_stops_foreign_code(page: Page, site: Site) -> None:
    """1. What the policy forbids does not run."""
    visit(page, site, survey(site))
    outcome = page.evaluate(
        """() => {
            const script = document.createElement("script");
            try {
                script.text = "window.ran = true";
                document.head.append(script);
            } catch (error) {
                return error.name;
            }
            return window.ran ? "ran" : "blocked";
        }"""
    )
    assert outcome in ("TypeError", "blocked")


def test_no_cookie_is_set(page: Page, context: BrowserContext, site: Site) -> None:
    """3. Neither the page nor the submission sets a cookie."""
    traffic = Traffic(page)
    visit(page, site, survey(site))
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    assert not [one.url for one in traffic.responses if "set-cookie" in one.all_headers()]
    assert context.cookies() == []


def test_every_script_is_ours_and_bound_to_its_hash(page: Page, site: Site) -> None:
    """5. Same origin, integrity on each, and the bytes of the repository."""
    traffic = Traffic(page)
    visit(page, site, survey(site))
    inline = json.loads(page.evaluate("document.querySelector('script[type=importmap]').textContent"))
    integrity = dict(inline["integrity"])
    entry = page.locator("script[type=module]")
    expect(entry).to_have_attribute("integrity", integrity[entry.get_attribute("src")])
    fetched = {one.url: one.body() for one in traffic.responses if one.request.resource_type == "script"}
    assert set(fetched) <= {site.url + path for path in integrity}
    for url, content in fetched.items():
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert integrity[url.removeprefix(site.url)] == f"sha256-{digest}"
    assert sorted(fetched.values()) == sorted(path.read_bytes() for path in MODULES)


@pytest.mark.parametrize("module", [path.stem for path in MODULES])
def test_a_tampered_module_leaves_the_form_disabled(page: Page, site: Site, module: str) -> None:
    """5. Whichever script was changed on the way, nothing can be answered, and the page says so."""

    def tamper(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text() + "\n// changed on the way\n")

    page.route(re.compile(rf"/static/(respondent|mechanisms)/{module}\.[0-9a-f]+\.js$"), tamper)
    page.goto(address(site, survey(site)))
    expect(page.locator("#notice")).to_contain_text("blocked or changed on its way to you", use_inner_text=True)
    closed(page)


def change(page: Page, where: str, old: str, new: str) -> None:
    """Change the page on its way to the browser, once where it stands first."""

    def tamper(route: Route) -> None:
        response = route.fetch()
        assert old in response.text()
        route.fulfill(response=response, body=response.text().replace(old, new, 1))

    page.route(where, tamper)


STATED = [  # what a person reads -> what a changed page says
    pytest.param('"den":4', '"den":5', id="instrument"),
    pytest.param(">Apple</label>", ">Grape</label>", id="answer"),
    pytest.param("<b>75</b>", "<b>55</b>", id="odds of whoever chooses it"),
    pytest.param("<b>25</b>", "<b>45</b>", id="odds of the others"),
    pytest.param("of 100 who choose", "of 1,000 who choose", id="people"),
    pytest.param('id="q-tax-sent"', 'id="q-tax-said"', id="odds that are not there"),
    pytest.param("<strong>right at most", "<strong>right at most 51 times in 100, not", id="consequence"),
]


@pytest.mark.parametrize(("old", "new"), STATED)
def test_changed_questions_leave_the_form_disabled(page: Page, site: Site, old: str, new: str) -> None:
    """5. Questions and odds are bound to their hash like the scripts, in the data and in what a person reads."""
    slug = survey(site)
    change(page, address(site, slug), old, new)
    page.goto(address(site, slug))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    closed(page)


TURNED = [
    pytest.param("<b>2</b> of 3 parts", "<b>1</b> of 3 parts", id="part of a spinner"),
    pytest.param('name="q-warner" value="1"', 'name="q-warner" value="0"', id="values behind True and False"),
]


BY_CHANCE = """
from tests import making
survey = making.draft(making.researcher("by-chance"))
making.yes_no(survey, "warner", design="warner", mode="spinner", parameters={"p": "2/3"})
making.yes_no(survey, "coins", design="two-coin", mode="by-hand")
print(making.publish(survey).survey.slug)
"""


@pytest.fixture(scope="module")
def by_chance(site: Site) -> str:
    """Warner's spinner on the screen, and two coins by hand."""
    return site.shell(BY_CHANCE)


@pytest.mark.parametrize(("old", "new"), TURNED)
def test_a_changed_spinner_leaves_the_form_disabled(page: Page, site: Site, by_chance: str, old: str, new: str) -> None:
    """5. What it shows is what its chances are, and the values behind a statement's answers are the right way round."""
    change(page, address(site, by_chance), old, new)
    page.goto(address(site, by_chance))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    closed(page)


def test_a_script_that_was_put_in_does_not_run(page: Page, site: Site) -> None:
    """5. Not even one of the site's own, with its right integrity: the policy names what may run."""
    slug = survey(site)
    foreign = next(path for path in (ROOT / "static" / "workspace").glob("*.js") if "import " not in path.read_text())
    digest = base64.b64encode(hashlib.sha256(foreign.read_bytes()).digest()).decode()
    added = f'<script type="module" src="/static/workspace/{foreign.name}" integrity="sha256-{digest}"></script>'
    change(page, address(site, slug), "</head>", f"{added}</head>")
    with page.expect_console_message(lambda line: foreign.name in line.text and "script-src" in line.text):
        visit(page, site, slug)
