"""The report over 10,000,000 responses, one survey for each kind of question; filters and analysis over their rows.

    python -m bench.reports [sqlite|postgres [responses [kind ...]]]

The report's page and its JSON from the API are made of the running tally: the goal is 150 ms. What is filtered, put
side by side, checked or analysed is read from the batches: the goal is 3 s. A report is first asked for cold, right
after a further batch, as whoever watches a survey does, when nothing of it is known from an earlier request; then it is
the best of three. The survey of 60 scales has a hundredth of the responses, and its goal is 500 ms. What reads rows is
asked once more after a first time, with nothing kept of it. By the processor time of this process,
by which the goals are judged where other work runs as well, and by the clock. Rows are drawn for 500,000 responses,
which come again and again in batches of 10,000; each survey has also a region of four and an age, and its batches are
removed before the next is filled.
"""

import sys
import time
from collections.abc import Callable

from bench import inside

SLICE, DRAWN = 10_000, 50
TEN = [f"Choice {v}" for v in range(10)]
TWENTY = [f"Choice {v}" for v in range(20)]
PLACES = [f"Place {v}" for v in range(20_000)]
NUMBER = {"kind": "quantity", "minimum": "0", "maximum": "100", "unit": "hours"}
SCALE = {"kind": "scale", "choices": ["Never", "Rarely", "Sometimes", "Often", "Always"]}
UNARY = {"design": "unary", "parameters": {"p": "3/4", "q": "1/4"}}
AT_2 = {"parameters": {"epsilon": "2"}}
KINDS: dict[str, dict] = {
    "yes/no": {"kind": "yes-no", "design": "two-coin"},
    "choice, direct": {"kind": "choice", "choices": TEN, "design": "direct", **AT_2},
    "choice, unary": {"kind": "choice", "choices": TWENTY, **UNARY},
    "choice, subset": {"kind": "choice", "choices": TWENTY, "design": "subset", **AT_2},
    "marks": {"kind": "any", "choices": TWENTY[:16], "design": "marks", **AT_2},
    "number, window": {**NUMBER, "design": "window", **AT_2},
    "scale, window": {**SCALE, "design": "window", **AT_2},
    "scale, subset": {**SCALE, "design": "subset", **AT_2},
    "asked by lot": {"kind": "yes-no", "design": "two-coin"},
    "60 scales": {**SCALE, "design": "window", "parameters": {"epsilon": "1.1"}},
    "list of 20,000": {"kind": "choice", "choices": PLACES, "design": "balanced"},
}
READS = {
    "filtered by a region": "report/?only-region=1",
    "all compared by region": "compare/?by=region",
    "linked to region and age": "compare/linked/?explain=region&explain=age:number&outcome={outcome}",
    "table with region": "compare/linked/?rows={key}&columns=region",
    "weighted by region": "compare/weighting/?region-0=40&region-1=30&region-2=20&region-3=10",
    "checks of the rows": "report/quality/",
}
MORE = {"asked by lot": 3, "60 scales": 59}  # questions like the first
REPORT, MANY, ROWS = 0.15, 0.5, 3.0


def make(name: str):
    from django.contrib.auth import get_user_model  # noqa: PLC0415

    from surveys.authoring.drafts import drafts, question_subset  # noqa: PLC0415
    from surveys.fieldwork.lifecycle import publish  # noqa: PLC0415

    owner, _ = get_user_model().objects.get_or_create(username="bench")
    made = drafts.create_survey(owner=owner, title=name)
    drafts.save_question(survey=made, key="q0", text="First?", **KINDS[name])
    keys = [f"q{place}" for place in range(MORE.get(name, 0) + 1)]
    for key in keys[1:]:
        drafts.save_question(survey=made, key=key, text=f"{key}?", **KINDS[name])
    if name == "asked by lot":
        question_subset.set_draw(survey=made, count=2, of=keys)
    regions = [f"Region {v}" for v in range(4)]
    drafts.save_question(
        survey=made, key="region", text="Where?", kind="background", choices=regions, decline=False
    )
    drafts.save_question(
        survey=made,
        key="age",
        text="Age?",
        kind="number",
        minimum="18",
        maximum="97",
        decline=False,
    )
    return publish(made, reason="A measurement, which nobody answers.")


def grow(instrument, n: int) -> dict:
    """n responses, straight into batches and tally. The tally of one batch."""
    import numpy as np  # noqa: PLC0415  # after the settings, by which it uses one thread as on the site

    from surveys.definition.parsing import parse_instrument  # noqa: PLC0415
    from surveys.fieldwork.responses.records import add_tallies, count_responses, record_dtype  # noqa: PLC0415
    from surveys.fieldwork.responses.simulated_records import leave_out_questions  # noqa: PLC0415
    from surveys.models import Batch  # noqa: PLC0415
    from tests.factories.many_responses import random_reports  # noqa: PLC0415

    frozen, rng, slices, total = parse_instrument(instrument), np.random.default_rng(1), [], {}
    number, one = -(-n // SLICE), {}
    for place in range(min(DRAWN, number)):
        rows = np.zeros(SLICE, record_dtype(frozen))
        for item in frozen.items:
            rows[item.key] = (
                rng.integers(0, item.size, SLICE)
                if item.key == "age"
                else random_reports(item, SLICE, rng)
            )
        leave_out_questions(frozen, rows, rng)
        slices.append(rows.tobytes())
        one = count_responses(frozen, rows)
        for _ in range(len(range(place, number, DRAWN))):
            total = add_tallies(total, one)
    batches = (
        Batch(instrument=instrument, n=SLICE, records=slices[place % DRAWN])
        for place in range(number)
    )
    Batch.objects.bulk_create(batches, batch_size=50)
    set_tally(instrument, total)
    return one


def set_tally(instrument, tally: dict) -> None:
    instrument.tally = tally
    instrument.save(update_fields=["tally"])


def best(act: Callable[[], object], times: int) -> tuple[float, float]:
    """Seconds of the processor and by the clock."""
    found: list[tuple[float, float]] = []
    for _ in range(times):
        start = time.process_time(), time.perf_counter()
        act()
        found.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return min(used for used, _ in found), min(clock for _, clock in found)


def measure(kind: str, n: int) -> None:
    from django.test import Client  # noqa: PLC0415

    from surveys.accounts.tokens import issue_token  # noqa: PLC0415
    from surveys.fieldwork.responses.records import add_tallies  # noqa: PLC0415
    from surveys.results.disclosure.kept import KEPT  # noqa: PLC0415

    print(f"{kind}, {n:,} responses; seconds of the processor, and by the clock")
    for name in sys.argv[3:] or KINDS:
        instrument = make(name)
        one = grow(instrument, n // 100 if name == "60 scales" else n)
        grown = instrument.tally
        survey, client = instrument.survey, Client()
        client.force_login(survey.owner)
        program = Client(
            headers={"authorization": f"Token {issue_token(survey.owner, f'Bench {name}')}"}
        )
        print(f"{name}")
        reports = {"page": (client, f"/surveys/{survey.slug}/report/")}
        reports["JSON"] = (program, f"/api/v1/surveys/{survey.slug}/report/")
        goal = MANY if name == "60 scales" else REPORT
        for what, (who, address) in reports.items():
            who.get(address)  # the programs and templates
            set_tally(
                instrument, add_tallies(instrument.tally, one)
            )  # its rows are left out: no report reads them
            tell(f"{what}, cold", who, address, goal, times=1)
            tell(what, who, address, goal, times=3)
        set_tally(instrument, grown)
        outcome = "q0" if KINDS[name]["kind"] in ("quantity", "scale") else "q0:1"
        for what, read in READS.items():
            address = f"/surveys/{survey.slug}/{read.format(key='q0', outcome=outcome)}"
            client.get(address)
            KEPT.clear()
            tell(what, client, address, ROWS, times=1)
        instrument.batches.all().delete()


def tell(what: str, client, address: str, goal: float, times: int) -> None:
    answers = []
    used, clock = best(lambda: answers.append(client.get(address).status_code), times)
    if set(answers) != {200}:
        print(f"  {what:26} answered {answers[0]}", flush=True)
        return
    met = "" if used <= goal else "   MISSED"
    print(f"  {what:26} {used:7.3f} {clock:7.3f}{met}", flush=True)


if __name__ == "__main__":
    inside.run("bench.reports", measure, 10_000_000)
