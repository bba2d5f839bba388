"""The main job, end to end, as people do it: write, publish, answer, close, read, export."""

import csv
import json
import re

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.page_scripts import with_modules
from tests.browser.test_workspace import add_question, close, save
from tests.browser.workspace_steps import answer, log_in, publish, send, set_password

FRUIT = ["Apple", "Pear", "Plum", "Quince"]


def write_survey(page: Page) -> None:
    page.get_by_role("link", name="New survey").click()
    page.get_by_label("Title", exact=True).fill("Tax and fruit")
    page.get_by_role("button", name="Create survey").click()
    page.get_by_role("link", name="Welcome").click()
    page.get_by_label("Introduction").fill("Two questions, <b>plainly</b> asked.")
    save(page)
    expect(
        page.get_by_text("Two questions, <b>plainly</b> asked.")
    ).to_be_visible()  # beside the questions


def name_variable(page: Page, name: str) -> None:
    page.locator("summary", has_text="Method, variable name").click()
    page.get_by_label("Variable name").fill(name)


def add_warner(page: Page) -> None:
    add_question(page)
    page.get_by_label("Question", exact=True).fill("Have you ever evaded taxes?")
    name_variable(page, "tax")
    page.get_by_label("Warner’s spinner").check()
    page.locator("[name=warner-p]").fill("3/4")
    expect(page.get_by_role("region", name="What this question means")).to_contain_text(
        "Privacy loss ε = 1.10"
    )
    save(page)


def add_unary(page: Page) -> None:
    add_question(page, "Single choice")
    page.get_by_label("Question", exact=True).fill("Which fruit do you steal?")
    name_variable(page, "fruit")
    page.get_by_label("Answers", exact=True).fill("\n".join(FRUIT))
    page.get_by_text("More methods").click()
    page.locator("#design-unary").check()
    page.locator("[name=unary-p]").fill("0.75")
    page.locator("[name=unary-q]").fill("0.25")
    save(page)


def publish_it(page: Page) -> str:
    """Publishes the survey whose page is open; returns the respondents' link."""
    page.get_by_role("link", name="Review and publish").click()
    page.get_by_label("Reason").fill("Nobody but this test answers.")
    page.get_by_role("button", name="Publish for everyone with the link").click()
    expect(page.get_by_role("link", name="/s/")).to_be_visible()
    return page.locator("main a[href*='/s/']").get_attribute("href")


def test_from_an_empty_account_to_report_and_csv(site, page: Page, browser: Browser) -> None:
    set_password(page, site, "wanda", "battery staple 7")
    log_in(page, site, "wanda", "battery staple 7")
    write_survey(page)
    add_warner(page)
    add_unary(page)
    link = publish_it(page)
    workspace = page.url.partition("?")[0]

    respondent = browser.new_context()
    visit = respondent.new_page()
    requests: list[Request] = []
    visit.goto(link)
    expect(visit.locator("#all")).to_be_enabled()
    visit.on("request", lambda request: requests.append(request))  # noqa: PLW0108 (append itself takes no mark)
    answer(visit, "Have you ever evaded taxes?", "No")
    answer(visit, "Which fruit do you steal?", "Plum")
    send(visit)
    posts = [request for request in requests if request.method == "POST"]
    assert len(requests) == len(posts) == 1
    body = json.loads(posts[0].post_data)
    assert body.keys() == {"instrument", "key", "reports"}
    assert body["reports"].keys() == {"tax", "fruit"}
    assert body["reports"]["tax"] in (0, 1)
    assert re.fullmatch("[01]{4}", body["reports"]["fruit"])
    assert respondent.cookies() == []
    assert visit.evaluate(SUBMIT, [{"tax": 0, "fruit": 1}] * 24) == [
        "recorded"
    ]  # one by itself is never shown
    respondent.close()

    page.goto(workspace)
    page.get_by_role("link", name="Close survey").click()
    close(page)
    page.goto(f"{workspace}report/")
    expect(page.locator("main")).to_contain_text("25 responses")
    expect(page.get_by_label("At a glance")).to_contain_text("Have you ever evaded taxes?")
    page.get_by_role("link", name="Files", exact=True).click()
    page.locator("summary", has_text=re.compile(r"All \d+ formats")).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="responses.csv", exact=True).click()
    with open(download.value.path(), newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 25
    marks = {f"fruit_{place}": mark for place, mark in enumerate(body["reports"]["fruit"], 1)}
    assert {"tax": str(body["reports"]["tax"])} | marks in rows

    page.goto(link)
    expect(page.locator("main")).to_contain_text("closed", use_inner_text=True)


# Reads the modules through the page's own import map, so what runs is what respondents run.
SUBMIT = with_modules(
    """
async (truths) => {
  const { buildMessage, postBody, scramble } = await import("/static/respondent/sending.js");
  const instrument = JSON.parse(document.getElementById("instrument").textContent);
  const hash = document.getElementById("main").dataset.sha256;
  const outcomes = new Set();
  for (const chosen of truths) {
    const reports = scramble(instrument.questions, new Map(Object.entries(chosen)));
    const body = buildMessage(instrument, hash, crypto.randomUUID(), reports);
    outcomes.add(await postBody(`/api/v1/surveys/${instrument.survey}/responses/`, body));
  }
  return [...outcomes];
}
"""
)
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
        "choices": FRUIT,
        "design": "unary",
        "parameters": {"p": "3/4", "q": "1/4"},
    },
    {
        "kind": "choice",
        "text": "Tree?",
        "key": "tree",
        "choices": ["Ash", "Beech", "Cedar"],
        "design": "direct",
        "parameters": {"epsilon": "1.5"},
    },
    {
        "kind": "background",
        "text": "Region?",
        "key": "region",
        "choices": ["North", "South"],
        "cut": True,
    },
]
READ = """
import json
from surveys.models import Instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.results.estimates.report import report
from surveys.results.report.shape import ReportResult
from surveys.site.shape import as_json
instrument = Instrument.objects.get(survey__slug={slug!r})
close_survey(instrument.survey)
print(json.dumps(as_json(ReportResult.tell(report(instrument)))))
"""


def test_400_known_truths_through_the_real_randomizer_are_found_in_the_report(
    site, page: Page
) -> None:
    slug = publish(site, QUESTIONS)
    page.goto(f"{site.url}/s/{slug}/")
    truths = [
        {
            "tax": int(n < 120),
            "fruit": 0 if n < 200 else n % 4,
            "tree": n % 3,
            "region": int(n < 100),
        }
        for n in range(400)
    ]
    assert page.evaluate(SUBMIT, truths) == ["recorded"]
    report = json.loads(site.shell(READ.format(slug=slug)))
    assert report["n"] == 400
    for question in report["questions"]:
        for index, choice in enumerate(question["choices"]):
            share = sum(truth[question["key"]] == index for truth in truths) / 400
            assert abs(choice["estimate"] - share) < 4 * choice["standard_error"], (
                question["key"],
                choice,
            )
    region = report["questions"][3]["choices"]
    assert [choice["estimate"] for choice in region] == [pytest.approx(0.75), pytest.approx(0.25)]
