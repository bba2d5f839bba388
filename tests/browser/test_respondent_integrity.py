"""What the respondent's page is made of: its headers, its policy, its scripts and its questions.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import base64
import hashlib

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from surveys.site.page_program import PAGE, program, style
from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    address,
    answer,
    expect_closed,
    expect_heading,
    press,
    survey,
    visit,
)

MODULES = ["respondent/page.js", "mechanisms/draw.js"]


def test_headers_reach_the_browser(page: Page, site: Site) -> None:
    """1. The policy on the page, on an unknown address and on the answer to the POST."""
    slug = survey(site)
    traffic = Traffic(page)
    unknown = page.goto(address(site, "nobodyknows"))
    assert unknown.status == 404
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    checked = [
        one for one in traffic.responses if one.request.resource_type in ("document", "fetch")
    ]
    assert [one.status for one in checked] == [404, 200, 201]
    policies = [
        dict(
            part.strip().split(" ", 1)
            for part in response.headers["content-security-policy"].split(";")
        )
        for response in checked
    ]
    assert [policy["script-src"] for policy in policies] == [
        "'none'",
        source(program(PAGE)),
        "'none'",
    ]
    assert policies[1] == {
        "default-src": "'none'",
        "script-src": source(program(PAGE)),
        "style-src": source(style()),
        "img-src": "data:",
        "connect-src": "'self'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


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
    expect_heading(page, "Sent. Thank you.")
    assert not [one.url for one in traffic.responses if "set-cookie" in one.all_headers()]
    assert context.cookies() == []


def test_it_is_one_request(page: Page, site: Site) -> None:
    """5, 6. The page with its program, its style and its icon, and nothing more until Send."""
    traffic = Traffic(page)
    visit(page, site, slug := survey(site))
    page.wait_for_load_state("networkidle")
    assert [one.url for one in traffic.requests] == [address(site, slug)]


@pytest.mark.parametrize("name", MODULES)
def test_a_changed_program_leaves_the_form_disabled(page: Page, site: Site, name: str) -> None:
    """5. Whichever piece was changed on the way, nothing can be answered, and the page says so."""
    slug = survey(site)
    change(
        page,
        address(site, slug),
        f"/* static/{name} */",
        f"/* static/{name}, changed on the way */",
    )
    page.goto(address(site, slug))
    expect(page.locator(".candor-late")).to_be_visible()
    expect(page.locator(".candor-late")).to_contain_text("or blocks it", use_inner_text=True)
    expect_closed(page)


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
    pytest.param("times in 100. If you choose", "times in 1,000. If you choose", id="people"),
    pytest.param('id="q-tax-sent"', 'id="q-tax-said"', id="odds that are not there"),
    pytest.param(
        "<strong>at most 90</strong>", "<strong>at most 89</strong>", id="one answer alone"
    ),
    pytest.param(
        "<strong>at most 97</strong>", "<strong>at most 96</strong>", id="all answers together"
    ),
]


@pytest.mark.parametrize(("old", "new"), STATED)
def test_changed_questions_leave_the_form_disabled(
    page: Page, site: Site, old: str, new: str
) -> None:
    """5. Questions and odds are bound to their hash like the scripts, in the data and in what a person reads."""
    slug = survey(site)
    change(page, address(site, slug), old, new)
    page.goto(address(site, slug))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    expect_closed(page)


TURNED = [
    pytest.param("<b>2</b> of 3 parts", "<b>1</b> of 3 parts", id="part of a spinner"),
    pytest.param(
        'name="q-warner" value="1"', 'name="q-warner" value="0"', id="values behind True and False"
    ),
]


BY_CHANCE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher("by-chance"))
surveys.add_yes_no(survey, "warner", design="warner", mode="spinner", parameters={"p": "2/3"})
surveys.add_yes_no(survey, "coins", design="two-coin", mode="by-hand")
print(surveys.publish_survey(survey).survey.slug)
"""


@pytest.fixture(scope="module")
def by_chance(site: Site) -> str:
    """Warner's spinner on the screen, and two coins by hand."""
    return site.shell(BY_CHANCE)


@pytest.mark.parametrize(("old", "new"), TURNED)
def test_a_changed_spinner_leaves_the_form_disabled(
    page: Page, site: Site, by_chance: str, old: str, new: str
) -> None:
    """5. What it shows is what its chances are, and the values behind a statement's answers are the right way round."""
    change(page, address(site, by_chance), old, new)
    page.goto(address(site, by_chance))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    expect_closed(page)
