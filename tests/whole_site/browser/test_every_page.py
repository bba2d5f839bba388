"""Every page there is, from the table of routes: accessible in light and dark, silent, light, no wider than a phone."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.respondent_steps import fits_window
from tests.browser.workspace_steps import log_in
from tests.whole_site.route_permissions import RULES, asks_invited, state

MAKE = """
import json, uuid
from django.contrib.auth import get_user_model
from surveys.fieldwork.responses.closing import close_survey
from surveys.accounts.account import link_to_set_password
from surveys.models import Membership, Response, Webhook
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import lock_questions
from tests.factories.surveys import publish_survey
from surveys.fieldwork.responses.records import encode
from django.core.management import call_command
from features.webhooks.announcements import queue_ping
from surveys.authoring.drafts.drafts import update_settings
from surveys.models import Survey
from surveys.fieldwork.tickets.invitees import Row, invite
from features.shared_reports.publication import set_public
from tests.factories import images
from tests.factories import surveys
owner = get_user_model().objects.get(username="sweeper")
owner.is_staff = owner.is_superuser = True
owner.save()
slugs = {}
for name in ("draft", "open", "closed", "filling", "invited", "finishing"):
    title = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
    survey = surveys.create_draft(owner, title=title, import_only=name == "filling",
                          tickets="one" if name in ("invited", "finishing") else "", asks_consent=True, consent=title,
                          after_sending=title, after_declining=title, help_lines=f"{title} tel:116006 https://example.org")
    surveys.add_yes_no(survey, mode="by-hand" if name == "filling" else "automatic")
    if name != "filling":  # which has a printed sheet
        surveys.add_choice(survey, decline=True)
    surveys.add_background(survey)
    for question in survey.questions.all():
        survey.questions.filter(pk=question.pk).update(text=f"{title} {question.key}?")
    slugs[name] = survey.slug
    brand = {"sender": title, "accent": "#7a1f3d", "logo": images.create_png()}
    texts = dict.fromkeys(("controller", "officer", "purpose", "legal_basis", "rights"), title)
    survey = update_settings(survey, brand | texts | {"delete_on": "2099-01-31"})
    if name == "draft":
        Webhook.objects.filter(pk="{webhook}").delete()
        queue_ping(Webhook.objects.create(pk="{webhook}", survey=survey, url="https://example.org/hook"))
        continue
    if name == "filling":
        lock_questions(survey)
        continue
    if name in ("invited", "finishing"):
        invite(survey, [Row(title, "somebody@example.org")])
        publish_survey(survey)
        Survey.objects.filter(pk=survey.pk).update(status="open" if name == "invited" else "closed")
        continue
    instrument = publish_survey(survey)
    for number in range(80):
        reports = {"tax": number % 2, "fruit": f"{number % 32:05b}", "region": number % 2}
        record = encode(parse_instrument(instrument), reports)
        Response.objects.create(key=uuid.uuid4(), instrument=instrument, record=record)
    if name == "closed":
        close_survey(instrument.survey)
call_command("seal")
set_public(Survey.objects.get(slug=slugs["closed"]), public=True)
Survey.objects.filter(slug=slugs["open"]).update(predecessor=Survey.objects.get(slug=slugs["closed"]))
slugs["link"] = link_to_set_password(surveys.create_researcher("forgetful"))
print(json.dumps(slugs))
"""
WEBHOOK = "11111111-1111-4111-8111-111111111111"
SET_PASSWORD = "account/set-password/<str:uidb64>/<str:token>/"
WATCH = "addEventListener('securitypolicyviolation', (event) => console.error('refused', event.effectiveDirective))"
WEIGHT = (
    """performance.getEntries().reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0)"""
)
STYLES = "[...document.styleSheets].map((sheet) => sheet.href).join()"
AGAIN = Axe("0")  # on a page that has its script already
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
MOST = 150_000  # bytes of a page and all it loads, as they travel
PROBES = ("healthz", "readyz", "metrics")
ELSEWHERE = (
    "logout/",
    "leave/",
    "admin/",
    "api/v1/schema/",
    *PROBES,
)  # leads away, or is not ours to draw


def whose(route: str) -> str:
    """Which of the surveys the route is looked at with."""
    if route.endswith("invite/finish/"):
        return "finishing"
    return "invited" if asks_invited(route) or route.startswith("i/") else state(route)


def pages(slugs: dict[str, str]) -> list[str]:
    """The addresses of all routes, filled in, in the state that each is for."""
    found = []
    for route in RULES:
        if route in ELSEWHERE or (route.startswith("api/") and route != "api/v1/docs/"):
            continue
        address = route.replace("<slug:slug>", slugs[whose(route)]).replace("<slug:key>", "tax")
        address = address.replace("<uuid:webhook>", WEBHOOK).replace("<slug:name>", "invalid")
        if route == SET_PASSWORD:
            address = slugs["link"]
        found.append(
            "/"
            + address.lstrip("/")
            .replace("<path:rest>", "nowhere")
            .replace("<str:secret>", "nowhere")
        )
    return [address for address in found if "<" not in address]


@pytest.mark.parametrize("each_dark", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_page(site: Site, page: Page, each_dark: bool) -> None:
    """each_dark: else one page of each set of stylesheets is looked at in the dark."""
    name, password = site.researcher("sweeper")
    slugs = json.loads(site.shell(MAKE.replace("{webhook}", WEBHOOK)).splitlines()[-1])
    page.set_viewport_size({"width": 320, "height": 640})
    said: list[str] = []
    page.add_init_script(WATCH)
    page.on(
        "console", lambda message: said.append(message.text) if message.type == "error" else None
    )
    page.on("pageerror", lambda error: said.append(str(error)))
    log_in(page, site, name, password)
    looked_at, styled = 0, set()
    for address in pages(slugs):
        answer = page.request.get(site.url + address)
        assert answer.status < 500, address
        if not answer.ok or "text/html" not in answer.headers["content-type"]:
            continue
        said.clear()
        page.goto(site.url + address)
        found = Axe().run(page)
        assert not found.violations_count, f"{address}: {found.generate_report()}"
        assert fits_window(page), address
        assert page.evaluate(WEIGHT) <= MOST or address == "/api/v1/docs/", address
        styles = page.evaluate(STYLES)
        if each_dark or styles not in styled:
            styled.add(styles)
            page.emulate_media(color_scheme="dark")
            found = AGAIN.run(page, options=CONTRAST)
            assert not found.violations_count, f"{address}, dark: {found.generate_report()}"
            page.emulate_media(color_scheme="light")
        assert said == [], address
        looked_at += 1
    assert looked_at >= 30
