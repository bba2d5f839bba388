"""A whole visit, walked from inside the page, so that any browser and any language can be walked the same way.

What chance gives is fixed, so that every truth has the same report at first, and another one if there were a second
draw. So is the clock: a message is kept with the minute in which it was sent first, and a visit may begin in the next
one. The network is played: the first attempt to send fails, the second is refused, the third is confirmed.
"""

MAKE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({name!r}), language={language!r})
surveys.add_yes_no(survey)
surveys.add_choice(survey, labels=("Apple", "Pear", "Plum"))
surveys.add_choice(survey, "tree", labels=("Ash", "Beech", "Cedar"), design="direct", parameters={{"epsilon": "1"}})
print(surveys.publish_survey(survey).survey.slug)
"""
TRUTHS = (
    {"tax": 0, "fruit": 0, "tree": 0},
    {"tax": 1, "fruit": 2, "tree": 1},
    {"tax": 1, "fruit": 1, "tree": 2},
)
REPORTS = {"tax": 0, "fruit": "000", "tree": 0}

FIXED = """
crypto.getRandomValues = (words) => words.fill(globalThis.word ?? 0);
crypto.randomUUID = () => "6e1f6b0c-6d9a-4c4f-8d6e-0f2b7f0f9a11";
Date.now = () => Date.UTC(2030, 0);
"""
NETWORK = """
globalThis.posted = [];
globalThis.fetch = async (address, { signal, ...options }) => {
    globalThis.posted.push([address, options]);
    if (globalThis.posted.length === 1) {
        throw new TypeError("no network");
    }
    if (globalThis.posted.length === 2) {
        const headers = { "Content-Type": "application/problem+json" };
        return new Response('{"type": "/problems/instrument-mismatch"}', { status: 409, headers });
    }
    return new Response('{"status": "recorded"}', { status: 201 });
};
"""
STATE = """async () => ({
    url: location.href,
    title: document.title,
    name: window.name,
    history: history.length,
    cookie: document.cookie,
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
})"""
DOCUMENT = """() => ({
    html: document.documentElement.outerHTML,
    checked: document.querySelectorAll(":checked").length,
    values: [...document.querySelectorAll("input")].map((input) => [input.value, input.checked]),
})"""
# Takes the truths as JSON; returns as JSON what could be seen after each step, and what was posted.
WALK = f"""async (truths) => {{
    const seen = [];
    const wait = () => new Promise((done) => setTimeout(done, 10));
    const step = () => document.querySelector("main section:not([hidden])");
    const look = async () => seen.push(await ({STATE})(), ({DOCUMENT})());
    const sent = async (press) => {{
        press.click();
        while (step().id === "delivery" && !step().querySelector("[data-when=sending]").hidden) {{
            await wait();
        }}
        await look();
    }};
    while (document.getElementById("begin").disabled) {{
        await wait();
    }}
    document.getElementById("begin").click();
    for (const [key, index] of Object.entries(JSON.parse(truths))) {{
        document.getElementById(`q-${{key}}-${{index}}`).click();
        step().querySelector("[type=submit]").click();
        seen.push(await ({STATE})());
    }}
    await sent(step().querySelector("[type=submit]"));
    globalThis.word = 1;
    await sent(step().querySelector("[data-do=retry]"));
    await sent(step().querySelector("[data-do=retry]"));
    await sent(step().querySelector("[data-do=copy]"));
    return JSON.stringify({{ step: step().id, seen, posted: globalThis.posted }});
}}"""
