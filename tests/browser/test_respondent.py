"""The respondent's page in a real browser. Numbers in docstrings: lines of the list in docs/threat-model.md."""

import base64
import hashlib
import json
import re
import uuid

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import ROOT, Site
from tests.browser.respondent import (
    Traffic,
    address,
    answer,
    begin,
    choose,
    closed,
    press,
    ready,
    see,
    see_what_was_sent,
    stored,
    survey,
    visit,
    wire,
)

MODULES = sorted(path for name in ("respond", "mechanisms") for path in (ROOT / "static" / name).glob("*.js"))


def test_a_response_is_sent_explained_and_stored(page: Page, site: Site) -> None:
    slug = survey(site, "stored")
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    expect(page.locator("#form, #intro")).to_have_count(0)
    see_what_was_sent(page)
    reports = wire(page)
    said = page.locator("#sent dd[data-key=tax]").inner_text()
    assert said == (
        "Yes was sent. That happens to 75 of 100 people who choose Yes and to 25 of 100 who choose No."
        if reports["tax"]
        else "No was sent. That happens to 75 of 100 people who choose No and to 25 of 100 who choose Yes."
    )
    expect(page.locator("#sent dd[data-key=region]")).to_have_text("North was sent, as it is.")
    marked = page.locator("#sent dd[data-key=fruit] li").all_inner_texts()
    labels = ("Apple", "Pear", "Plum", "Quince", "Prefer not to say")
    assert marked == [label for label, bit in zip(labels, reports["fruit"], strict=True) if bit == "1"] or set(
        reports["fruit"]
    ) in ({"0"}, {"1"})
    assert stored(site, slug) == 1


def test_yes_stands_before_no_and_is_index_1(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    begin(page)
    assert page.locator("[data-key=tax] label").all_inner_texts() == ["Yes", "No"]
    assert page.locator("[data-key=tax] input").evaluate_all("all => all.map(one => one.value)") == ["1", "0"]


def test_the_explanation_has_the_numbers_of_the_matrix(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    tax = "Of 100 people who choose Yes, 75 will have Yes recorded; of 100 who choose No, 25 will."
    fruit = "Of 100 people who choose an answer, 75 will have it marked; of 100 who do not choose it, 25 will."
    expect(page.locator("#q-tax-sent")).to_contain_text(tax)
    expect(page.locator("#q-fruit-sent")).to_contain_text(fruit)
    expect(page.locator("#q-region-sent")).to_contain_text("Sent as it is")
    consequence = page.locator(".candor-consequence").inner_text()
    # ln 3 for tax, 2 ln 3 for fruit: 9/10 and 27/28.
    assert (
        "right at most 90 times in 100 for any one question, and at most 97 times in 100 for all scrambled"
        in consequence
    )


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
        assert set(policy.pop("script-src").split()) == {"'self'", f"'sha256-{digest}'"}
        assert policy == {
            "default-src": "'none'",
            "style-src": "'self'",
            "img-src": "'self'",
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
    entry = page.locator("script[type=module]")
    integrity = dict(inline["integrity"])
    assert integrity[entry.get_attribute("src")] == entry.get_attribute("integrity")
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

    page.route(re.compile(rf"/static/(respond|mechanisms)/{module}\.[0-9a-f]+\.js$"), tamper)
    page.goto(address(site, survey(site)), wait_until="networkidle")
    closed(page)
    expect(page.locator("#notice")).to_contain_text("blocked or changed on its way to you")


@pytest.mark.parametrize(("old", "new"), [('"den":4', '"den":5'), (">Apple</label>", ">Grape</label>")])
def test_changed_questions_leave_the_form_disabled(page: Page, site: Site, old: str, new: str) -> None:
    """5. The questions are bound to their hash like the scripts, in the data and in what a person reads."""
    slug = survey(site)

    def tamper(route: Route) -> None:
        response = route.fetch()
        assert old in response.text()
        route.fulfill(response=response, body=response.text().replace(old, new))

    page.route(address(site, slug), tamper)
    page.goto(address(site, slug))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    closed(page)


def test_nothing_is_asked_of_the_network_before_send(page: Page, site: Site) -> None:
    """6. Practice, answering, changing answers, leaving one out and being told so, back and forth: no request."""
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    length = page.evaluate("history.length")
    for summary in page.locator("summary:visible").all():
        summary.click()
    for answered in ("1", "0", "0"):
        page.check(f"#practice-{answered}")
        press(page, "Scramble it")
    begin(page)
    choose(page, tax=1)
    press(page, "Continue")
    expect(page.locator("#errors")).to_be_focused()
    page.locator("#errors a:visible").click()
    expect(page.locator("#q-fruit-0")).to_be_focused()
    choose(page, fruit=2)
    press(page, "Back")
    press(page, "Back")
    choose(page, tax=0, fruit=4, region=1)
    page.get_by_role("button", name="Change About tax?").click()
    choose(page, tax=1)
    see(page, "Look over your answers")
    page.wait_for_timeout(300)
    assert traffic.requests == []
    assert page.url == address(site, survey(site))
    assert page.evaluate("history.length") == length


def test_a_missing_answer_is_named_at_the_top_and_at_its_question(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    begin(page)
    press(page, "Continue")
    expect(page.locator("#errors")).to_be_focused()
    assert page.locator("#errors a:visible").all_inner_texts() == ["Choose one answer"]
    expect(page.locator(".candor-question:visible .govuk-error-message")).to_be_visible()
    expect(page.locator("#q-tax")).to_have_attribute("aria-describedby", "q-tax-error q-tax-sent")
    page.get_by_role("link", name="Choose one answer").click()
    expect(page.locator("#q-tax-1")).to_be_focused()
    choose(page, tax=1)
    expect(page.locator("#errors")).to_be_hidden()
    press(page, "Back")
    expect(page.locator("#q-tax")).to_have_attribute("aria-describedby", "q-tax-sent")


def test_the_list_shows_what_was_chosen_and_lets_it_be_changed(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    answer(page, tax=0, fruit=1, region=0)
    shown = page.locator("#review [data-answer]")
    assert shown.all_inner_texts() == ["No", "Pear", "North"]
    page.get_by_role("button", name="Change About fruit?").click()
    see(page, "About fruit?")
    choose(page, fruit=3)
    see(page, "Look over your answers")
    assert shown.all_inner_texts() == ["No", "Quince", "North"]


def test_send_is_one_post_of_one_length_with_the_declared_keys(browser: Browser, site: Site) -> None:
    """7. For every truth: one POST, these keys only, values in range, padded to the same length."""
    slug = survey(site)
    bodies = []
    for tax, fruit, region in ((0, 0, 0), (1, 4, 1), (1, 2, 0)):
        page = browser.new_page()
        visit(page, site, slug)
        declared = json.loads(page.locator("#instrument").text_content())
        traffic = Traffic(page)
        answer(page, tax, fruit, region)
        press(page, "Send")
        see(page, "Your response has been sent")
        assert [(one.method, one.url) for one in traffic.requests] == [
            ("POST", f"{site.url}/api/v1/surveys/{slug}/responses/")
        ]
        bodies += traffic.bodies
        content = json.loads(traffic.bodies[0])
        assert list(content) == ["instrument", "key", "reports"]
        assert uuid.UUID(content["key"]).version == 4
        assert list(content["reports"]) == ["tax", "fruit", "region"]
        assert content["reports"]["tax"] in (0, 1)
        assert re.fullmatch("[01]{5}", content["reports"]["fruit"])
        assert content["reports"]["region"] == region
        page.close()
    assert {len(body.encode()) for body in bodies} == {declared["length"]}


def test_the_post_carries_nothing_that_names_anybody(page: Page, context: BrowserContext, site: Site) -> None:
    """8. No Cookie, Referer or Authorization, although this browser has a cookie for the site."""
    context.add_cookies([{"name": "sessionid", "value": "a-researcher", "url": site.url}])
    traffic = Traffic(page)
    visit(page, site, survey(site))
    assert "cookie" in traffic.requests[0].all_headers()
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    sent = traffic.posts[0].all_headers()
    assert not {"cookie", "referer", "authorization"} & set(sent)
    assert sent["content-type"] == "application/json"


def test_reload_brings_no_answer_back(page: Page, site: Site) -> None:
    """16. Before Send: nothing is checked after a reload."""
    visit(page, site, survey(site))
    answer(page)
    page.reload()
    ready(page)
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.locator("#review [data-answer]").first).to_have_text("")


def test_after_send_neither_back_nor_reload_brings_answers_back(page: Page, site: Site) -> None:
    """16. After Send: the reports are shown again, the answers are gone."""
    visit(page, site, survey(site))
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    sent = wire(page)
    page.goto(f"{site.url}/")
    page.go_back()
    see(page, "A response has been sent from this device")
    assert wire(page) == sent
    page.reload()
    see(page, "A response has been sent from this device")
    expect(page.locator("input:checked")).to_have_count(0)
    closed(page)


def test_without_javascript_nothing_can_be_answered(browser: Browser, site: Site) -> None:
    """18. The page explains why, and no request carries an answer."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    traffic = Traffic(page)
    page.goto(address(site, survey(site)))
    notice = page.locator("#notice p:visible")
    expect(notice).to_have_count(1)
    assert notice.inner_text().startswith("JavaScript is switched off in this browser")
    closed(page)
    expect(page.locator("#q-tax-1")).to_be_hidden()
    expect(page.get_by_role("heading", name="How your answers are protected")).to_be_visible()
    page.get_by_role("button", name="Go to the questions").click(force=True)
    page.get_by_text("Try it out on a harmless question").click()
    page.check("#practice-1")
    page.get_by_role("button", name="Scramble it").click()
    page.keyboard.press("Enter")
    assert {one.method for one in traffic.requests} == {"GET"}
    assert not [one.url for one in traffic.requests if "?" in one.url]
    assert page.url == address(site, survey(site))
    context.close()


def test_the_page_fits_a_telephone(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    visit(page, site, survey(site))
    for summary in page.locator("summary:visible").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    answer(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    press(page, "Send")
    see(page, "Your response has been sent")
    see_what_was_sent(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_texts_of_authors_are_text(page: Page, site: Site) -> None:
    """HTML stays text, Arabic runs from right to left, and a </script> does not end the instrument."""
    slug = site.shell(
        """
from tests import making
introduction = "</script><img src=x onerror=alert(1)>"
survey = making.draft(making.researcher("texts"), title="<b>bold</b>", introduction=introduction)
question = making.choice(survey, labels=["<i>one</i>", "اثنان", "&amp;"], design="direct", parameters={"epsilon": "1"})
question.text = "ما هو <script>alert(1)</script>"
question.save()
making.publish(survey)
print(survey.slug)
"""
    )
    visit(page, site, slug)
    expect(page.locator("h1:visible")).to_have_text("<b>bold</b>")
    expect(page.get_by_text("</script><img src=x onerror=alert(1)>")).to_be_visible()
    assert page.locator("[data-key=fruit] label").all_inner_texts() == ["<i>one</i>", "اثنان", "&amp;"]
    assert page.locator(".candor-question__text").evaluate("one => getComputedStyle(one).direction") == "rtl"
    begin(page)
    choose(page, fruit=0)
    press(page, "Send")
    see(page, "Your response has been sent")
    assert page.locator("main img, main b, main i").count() == 0


def test_few_requests_and_little_to_load(page: Page, site: Site) -> None:
    """Page, scripts and styles together: at most 8 requests and 60 kB as sent."""
    traffic = Traffic(page)
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    sizes = {one.url: one.request.sizes()["responseBodySize"] for one in traffic.responses}
    assert len(traffic.requests) <= 8, [one.url for one in traffic.requests]
    assert sum(sizes.values()) < 60_000, sizes
