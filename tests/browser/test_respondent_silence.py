"""Nothing a person chooses leaves a trace. Numbers in docstrings: lines of the list in docs/threat-model.md."""

import json

import pytest
from playwright.sync_api import Browser, BrowserType, Page, Request, Route, expect
from scipy.stats import chisquare

from tests.browser.conftest import Site
from tests.browser.leaky_pages import LEAKS, Leak, spoil
from tests.browser.respondent_steps import (
    DRAWS,
    RESPONSES,
    Traffic,
    address,
    answer,
    begin,
    choose,
    expect_heading,
    expect_ready,
    expect_text,
    press,
    save_copy,
    survey,
    visit,
)
from tests.browser.survey_walk import DOCUMENT, FIXED, MAKE, NETWORK, REPORTS, STATE, TRUTHS, WALK
from tests.browser.workspace_steps import publish

QUESTIONS = [
    {
        "kind": "yes-no",
        "text": "Tax?",
        "key": "tax",
        "design": "warner",
        "parameters": {"p": "3/4"},
    },
    {
        "kind": "choice",
        "text": "Fruit?",
        "key": "fruit",
        "choices": ["Apple", "Pear", "Plum"],
        "design": "unary",
        "parameters": {"p": "3/4", "q": "1/4"},
    },
    {
        "kind": "choice",
        "text": "Tree?",
        "key": "tree",
        "choices": ["Ash", "Beech", "Cedar"],
        "design": "direct",
        "parameters": {"epsilon": "1"},
    },
]


@pytest.fixture(scope="module")
def secret(site: Site) -> str:
    """The slug of a survey in which everything is scrambled."""
    return publish(site, QUESTIONS)


def _asked(request: Request) -> tuple:
    return request.method, request.url, request.post_data, sorted(request.all_headers().items())


def traces(
    browser: Browser, site: Site, slug: str, truth: dict[str, int], leak: Leak | None = None
) -> list:
    """Everything that anyone but the person could observe of a whole visit with one failed attempt to send, and with a
    copy kept at the end.
    """
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(FIXED)
    if leak:
        spoil(page, leak)
    traffic = Traffic(page)
    visit(page, site, slug)
    begin(page)
    seen = []
    for key, index in truth.items():
        choose(page, **{key: index})
        seen.append(page.evaluate(STATE))
    page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT)]
    page.evaluate("globalThis.word = 1")
    page.unroute(RESPONSES)
    page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT)]
    save_copy(page)
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies()]
    asked = sorted((_asked(request) for request in traffic.requests), key=repr)
    context.close()
    return [*asked, *seen]


@pytest.mark.parametrize(
    "other",
    [
        {"tax": 1, "fruit": 0, "tree": 0},
        {"tax": 0, "fruit": 2, "tree": 0},
        {"tax": 1, "fruit": 1, "tree": 2},
    ],
)
def test_two_truths_with_the_same_report_leave_the_same_traces(
    browser: Browser, site: Site, secret: str, other: dict[str, int]
) -> None:
    """11. Requests, storage, cookies, address, history, title, document and controls, at each step and after Send."""
    no = traces(browser, site, secret, {"tax": 0, "fruit": 0, "tree": 0})
    bodies = [one[2] for one in no if isinstance(one, tuple) and one[0] == "POST"]
    assert [json.loads(body)["reports"] for body in bodies] == 2 * [
        {"tax": 0, "fruit": "000", "tree": 0}
    ]
    assert traces(browser, site, secret, other) == no


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ar"])
def test_the_truth_shows_in_no_language(browser: Browser, site: Site, language: str) -> None:
    """11. The same visit in each language: through failure and refusal to what was sent and the copy of it."""
    slug = site.shell(MAKE.format(name=f"walked in {language}", language=language))
    first, *others = (_walked(browser, site, slug, truth) for truth in TRUTHS)
    assert first["step"] == "sent"
    assert [json.loads(options["body"])["reports"] for _, options in first["posted"]] == 3 * [
        REPORTS
    ]
    for other in others:
        assert other == first


def _walked(browser: Browser, site: Site, slug: str, truth: dict[str, int]) -> dict:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(FIXED + NETWORK)
    traffic = Traffic(page)
    page.goto(address(site, slug))
    found = json.loads(page.evaluate(WALK, json.dumps(truth)))
    asked = sorted((_asked(request) for request in traffic.requests), key=repr)
    context.close()
    return found | {"asked": asked}


LATER = """
from surveys.authoring.files.survey_file import new_version
from surveys.models import Survey
from tests.factories.surveys import publish_survey
first = Survey.objects.get(slug={slug!r})
for shared in (False, True):
    fresh = new_version(first, by=first.owner)
    fresh.shared_device = shared
    fresh.save()
    print(publish_survey(fresh).survey.slug)
"""


@pytest.fixture(scope="module")
def later(site: Site, secret: str) -> list[str]:
    """The slugs of two newer versions: an ordinary one, and one for shared devices."""
    return site.shell(LATER.format(slug=secret)).split()


def test_no_later_state_tells_two_truths_apart(
    browser: Browser, site: Site, secret: str, later: list[str]
) -> None:
    """11. Refused, loaded anew, met by a new version, confirmed there, copied; and all that a shared device shows."""
    no, other = {"tax": 0, "fruit": 0, "tree": 0}, {"tax": 1, "fruit": 2, "tree": 1}
    assert _refused(browser, site, (secret, later[0]), other) == _refused(
        browser, site, (secret, later[0]), no
    )
    assert _shared(browser, site, later[1], other) == _shared(browser, site, later[1], no)


def _refuse(route: Route) -> None:
    problem = json.dumps({"type": "/problems/instrument-mismatch"})
    route.fulfill(status=409, body=problem, content_type="application/problem+json")


def _confirm(route: Route) -> None:
    route.fulfill(status=201, json={"status": "recorded"})


def _filled(browser: Browser, site: Site, slug: str, truth: dict[str, int]) -> Page:
    page = browser.new_context(base_url=site.url).new_page()
    page.add_init_script(FIXED)
    visit(page, site, slug)
    begin(page)
    choose(page, **truth)
    return page


def _seen(page: Page) -> list:
    return [page.evaluate(STATE), page.evaluate(DOCUMENT)]


def _refused(browser: Browser, site: Site, slugs: tuple[str, str], truth: dict[str, int]) -> list:
    page = _filled(browser, site, slugs[0], truth)
    traffic = Traffic(page)
    page.route(RESPONSES, _refuse)
    press(page, "Send")
    expect_heading(page, "The questions have been replaced")
    seen = _seen(page)
    page.reload()
    expect_heading(page, "Not confirmed yet")
    seen += _seen(page)
    page.goto(address(site, slugs[1]))
    expect_heading(page, "Not confirmed yet")
    seen += _seen(page)
    page.unroute(RESPONSES)
    page.route(RESPONSES, _confirm)
    press(page, "Try again")
    expect_heading(
        page, "Answers to another version of this survey have been sent from this device"
    )
    seen += [*_seen(page), *traffic.bodies]
    page.context.close()
    return seen


def _shared(browser: Browser, site: Site, slug: str, truth: dict[str, int]) -> list:
    page = _filled(browser, site, slug, truth)
    traffic = Traffic(page)
    page.route(RESPONSES, _refuse)
    press(page, "Send")
    expect_heading(page, "The questions have been replaced")
    seen = _seen(page)
    press(page, "For the next person")
    expect_heading(page, "Not sent yet: try again or discard")
    seen += _seen(page)
    page.unroute(RESPONSES)
    page.route(RESPONSES, _confirm)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    seen += _seen(page)
    with page.expect_navigation():
        press(page, "For the next person")
    expect_ready(page)
    seen += [*_seen(page), *traffic.bodies]
    page.context.close()
    return seen


def test_a_copy_without_guards_and_without_a_leak_leaves_the_same_traces(
    browser: Browser, site: Site, secret: str
) -> None:
    """11. What the copies below lack besides makes no difference, so it is their leaks that are caught."""
    yes, no = ({"tax": tax, "fruit": 0, "tree": 0} for tax in (1, 0))
    tight = Leak("none", {})
    assert traces(browser, site, secret, yes, tight) == traces(browser, site, secret, no, tight)


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(each, id=each.name, marks=() if place % 3 == 0 else pytest.mark.long)
        for place, each in enumerate(LEAKS)
    ],
)
def test_a_leaky_copy_is_caught(browser: Browser, site: Site, secret: str, leak: Leak) -> None:
    """11. The comparison above finds each of these leaks; so finding none means something."""
    yes, no = ({"tax": tax, "fruit": 0, "tree": 0} for tax in (1, 0))
    assert traces(browser, site, secret, yes, leak) != traces(browser, site, secret, no, leak)


def test_the_predictable_generator_plays_no_part(browser: Browser, site: Site, secret: str) -> None:
    """12. Whatever Math.random gives, and even if it fails, what is sent and kept is the same."""
    seen = []
    for body in ("return 0", "return 0.999", "throw new Error()"):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(FIXED + f"Math.random = () => {{ {body}; }};")
        page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
        traffic = Traffic(page)
        visit(page, site, secret)
        begin(page)
        choose(page, tax=1, fruit=2, tree=1)
        press(page, "Send")
        expect_heading(page, "Sent. Thank you.")
        seen.append((traffic.bodies, page.evaluate(STATE), page.evaluate(DOCUMENT)))
        context.close()
    assert seen[0] == seen[1] == seen[2]


def test_the_browser_draws_with_the_chances_of_the_matrix(
    page: Page, site: Site, secret: str
) -> None:
    """13. 4,000 draws per truth from the browser's own generator: cells within 4 standard errors; chi-square."""
    draws = 4_000
    visit(page, site, secret)
    tax, fruit, tree = page.evaluate(DRAWS, draws)
    tree_rows = json.loads(page.locator("#instrument").text_content())["questions"][2]["mechanism"]
    _near(tax, [[3 / 4, 1 / 4], [1 / 4, 3 / 4]], draws)
    _near(tree, [[weight / tree_rows["den"] for weight in row] for row in tree_rows["rows"]], draws)
    for truth, counts in enumerate(fruit):
        chances = [3 / 4 if answer == truth else 1 / 4 for answer in range(3)]
        reports = [f"{number:03b}" for number in range(8)]
        cells = [_product(chances, report) for report in reports]
        _near(
            [{str(place): counts.get(report, 0) for place, report in enumerate(reports)}],
            [cells],
            draws,
        )


def _product(chances: list[float], report: str) -> float:
    share = 1.0
    for chance, bit in zip(chances, report, strict=True):
        share *= chance if bit == "1" else 1 - chance
    return share


def _near(found: list[dict[str, int]], rows: list[list[float]], draws: int) -> None:
    for counts, row in zip(found, rows, strict=True):
        cells = [counts.get(str(report), 0) for report in range(len(row))]
        for count, chance in zip(cells, row, strict=True):
            assert abs(count - draws * chance) < 4 * (draws * chance * (1 - chance)) ** 0.5, (
                cells,
                row,
            )
        assert chisquare(cells, [draws * chance for chance in row]).pvalue > 1e-5, (cells, row)


def test_every_request_goes_to_the_pages_own_host(page: Page, site: Site) -> None:
    """9. From loading to what was sent."""
    traffic = Traffic(page)
    visit(page, site, survey(site))
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert {request.url.split("/")[2] for request in traffic.requests} == {site.url.split("/")[2]}


def test_without_the_network_answering_works_and_sending_fails_politely(
    page: Page, site: Site
) -> None:
    """10. In flight mode: three failures and a success send four identical bodies."""
    visit(page, site, survey(site))
    page.context.set_offline(True)
    answer(page)
    traffic = Traffic(page)
    press(page, "Send")
    for _ in range(2):
        expect_heading(page, "Not confirmed yet")
        press(page, "Try again")
    expect_heading(page, "Not confirmed yet")
    expect_text(
        page, "While this page is open, the same message is sent again when you are online."
    )
    page.context.set_offline(False)  # without a tap
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.bodies) == 4
    assert len(set(traffic.bodies)) == 1


def test_plain_http_on_another_host_refuses_to_start(
    browser_type: BrowserType, browser_type_launch_args: dict, site: Site
) -> None:
    """19. Only https, or this very machine, is a secure context."""
    args = [*browser_type_launch_args["args"], "--host-resolver-rules=MAP survey.test 127.0.0.1"]
    browser = browser_type.launch(**browser_type_launch_args | {"args": args})
    page = browser.new_page()
    traffic = Traffic(page)
    response = page.goto(address(site, survey(site)).replace("127.0.0.1", "survey.test"))
    assert response.status == 200
    assert page.evaluate("isSecureContext") is False
    expect(page.locator("#notice")).to_contain_text("not loaded over a secure connection")
    expect(page.locator("#begin")).to_be_disabled()
    expect(page.locator("#q-tax-1")).to_be_disabled()
    assert not traffic.posts
    browser.close()
