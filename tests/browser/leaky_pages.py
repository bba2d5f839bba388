"""Deliberately leaky copies of the respondent's page, each the real one with a line or two put in.

A test that finds no leak proves something only if it would have found one. The copies are served without the policy and
the hashes that would keep them from running, since a site that leaks on purpose would not send those either.
"""

import re
from dataclasses import dataclass

from playwright.sync_api import Page, Route

DROPPED = ("content-security-policy", "connection-allowlist", "content-length", "content-encoding")
GO_ON = "const missingKeys = keys.filter(isUnanswered);"
TRUTHS = "const truths = new Map(state.askedQuestions.map(({ key }) => [key, readAnswer(key)]));"
COMPOSED = "const body = buildMessage(instrument, hash, key, reports);"
RETRIED = "retry: () => deliverMessage(null),"
COPIED = "copy: { survey, reports: Object.fromEntries(scrambled) }"
AGAIN = """retry: () => {
    const { instrument: hash, key } = JSON.parse(responseRecord.read().body);
    responseRecord.forget();
    const { buildMessage, scramble } = $respondent_sending;
    deliverMessage(buildMessage(instrument, hash, key, scramble(instrument.questions, globalThis.truths)));
},"""


@dataclass(frozen=True)
class Leak:
    """What stands in page.js -> what stands there in the leaky copy."""

    name: str
    changes: dict[str, str]


def _after(line: str, more: str) -> dict[str, str]:
    return {line: f"{line}\n{more}"}


def _going_on(more: str) -> dict[str, str]:
    return _after(GO_ON, f"const [key] = keys;\n{more}")


LEAKS = (
    Leak(
        "the answer in the address",
        _going_on('history.replaceState(null, "", `#${readAnswer(key)}`);'),
    ),
    Leak(
        "one more entry in the history for Yes",
        _going_on('if (readAnswer(key) === 1) history.pushState(null, "");'),
    ),
    Leak("a draft in the storage", _going_on('localStorage.setItem("draft", readAnswer(key));')),
    Leak("a draft for the session", _going_on('sessionStorage.setItem("draft", readAnswer(key));')),
    Leak("a cookie", _going_on("document.cookie = `draft=${readAnswer(key)}`;")),
    Leak("an early request", _going_on("fetch(`/s/?saved=${readAnswer(key)}`);")),
    Leak(
        "a request whose length tells",
        _going_on('fetch("/s/", { headers: { a: "x".repeat(1 + readAnswer(key)) } });'),
    ),
    Leak(
        "the title of the page",
        _going_on("document.title = `${document.title} ${readAnswer(key)}`;"),
    ),
    Leak("the name of the window", _going_on("window.name = readAnswer(key);")),
    Leak(
        "the document after Send",
        _after(TRUTHS, 'find("main").dataset.chosen = [...truths.values()].join();'),
    ),
    Leak(
        "the length of the message",
        {COMPOSED: COMPOSED.replace("reports);", 'reports) + " ".repeat(truths.get("tax"));')},
    ),
    Leak(
        "the answers in the copy",
        _after(TRUTHS, "globalThis.truths = truths;")
        | {COPIED: "copy: { survey, reports: Object.fromEntries(truths) }"},
    ),
    Leak(
        "fresh noise on a second try",
        _after(TRUTHS, "globalThis.truths = truths;") | {RETRIED: AGAIN},
    ),
)


def spoil(page: Page, leak: Leak) -> None:
    """From now on this tab gets the leaky copy, without a policy, in its header or in itself."""

    def change(route: Route) -> None:
        response = route.fetch()
        headers = {name: value for name, value in response.headers.items() if name not in DROPPED}
        text = re.sub(
            r'<meta http-equiv="Content-Security-Policy"[^>]+>', "", response.text(), count=1
        )
        for old, new in leak.changes.items():
            assert text.count(old) == 1, (
                f"page.js has changed, so this leak leaks nothing any more: {leak.name}"
            )
            text = text.replace(old, new)
        route.fulfill(status=response.status, headers=headers, body=text)

    page.route(re.compile(r"/s/[^/]+/$"), change)
