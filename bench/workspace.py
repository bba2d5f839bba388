"""The researcher's pages at their fullest: 100 surveys, a draft of 60 questions and their editor, a report of as many.

    python -m bench.workspace

Through Django's request handling with a temporary SQLite, no network. The median of 11 requests in processor time; the
queries of one, and its bytes. The report is over 10,240,000 responses: at most 150 ms and 300 kB.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(
    Path(__file__).resolve().parents[1]
)  # not this folder, whose mechanisms.py is a bench
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "only-for-this-run",
    "HTTPS": "0",
    "DATABASE_URL": f"sqlite:///{Path(FOLDER.name) / 'bench.sqlite3'}",
    "VAR": FOLDER.name,
    "STATIC_ROOT": str(Path(FOLDER.name) / "static"),
}

import django  # noqa: E402

django.setup()

import numpy as np  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.models import AbstractBaseUser  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from surveys.authoring.drafts import drafts  # noqa: E402
from surveys.authoring.files import survey_file  # noqa: E402
from surveys.definition.instrument import QuestionDefinition  # noqa: E402
from surveys.definition.parsing import parse_instrument  # noqa: E402
from surveys.fieldwork.lifecycle import publish  # noqa: E402
from surveys.fieldwork.responses.records import add_tallies, encode  # noqa: E402
from surveys.fieldwork.responses.release import add_to_report  # noqa: E402
from surveys.models import Survey  # noqa: E402

LIMIT, REPORT = 0.200, 0.150  # seconds
LIVE = "its panel while typing"


def small(owner: AbstractBaseUser) -> Survey:
    survey = drafts.create_survey(owner=owner, title="Taxes and undeclared work")
    for what in ("leave out income", "claim costs", "pay for work"):
        drafts.save_question(
            survey=survey, text=f"Did you {what}?", kind="yes-no", design="balanced"
        )
    return survey


def prepare(client: Client) -> dict[str, str]:
    """The pages to measure by name."""
    owner = get_user_model().objects.create_user("bench")
    client.force_login(owner)
    for _ in range(99):
        instrument = publish(small(owner), reason="A measurement, which nobody answers.")
        Survey.objects.filter(pk=instrument.survey_id).update(target=1000)
        add_to_report(instrument, bytes(3 * 400))  # three questions of a byte
    survey = drafts.create_survey(owner=owner, title="Sixty", project="P")
    for number in range(60):
        kinds = (
            {"kind": "yes-no"}
            if number % 2
            else {"kind": "choice", "choices": [f"Choice {v}" for v in range(10)]}
        )
        drafts.save_question(survey=survey, text=f"Question {number}?", design="balanced", **kinds)
    own = f"/surveys/{survey.slug}/"
    return {
        "100 surveys": "/surveys/",
        "100 surveys, searched": "/surveys/?search=tax",
        "60 questions": own,
        "60 questions, to publish": f"{own}publish/",
        "60 questions, simulated": f"{own}simulation/",
        "one of 60 questions": f"{own}questions/{survey.questions.first().key}/",
        "a 61st question": f"{own}questions/new/",
        LIVE: f"{own}questions/new/",
        **reports(survey),
    }


def reports(survey: Survey) -> dict[str, str]:
    """The report of a copy, over 5,000 responses that count 2,048 times each, and what one of its folds loads."""
    instrument = publish(
        survey_file.duplicate(survey, survey.owner), reason="A measurement, which nobody answers."
    )
    frozen, rng, n = parse_instrument(instrument), np.random.default_rng(1), 5_000
    columns = [_reports(item, rng, n) for item in frozen.items]
    keys = [item.key for item in frozen.items]
    people = zip(*columns, strict=True)
    add_to_report(
        instrument,
        b"".join(encode(frozen, dict(zip(keys, person, strict=True))) for person in people),
    )
    for _ in range(11):
        instrument.tally = add_tallies(instrument.tally, instrument.tally)
    instrument.save(update_fields=["tally"])
    own = f"/surveys/{frozen.survey}/report/"
    return {"report of 60 questions": own, "report, one question": f"{own}{keys[0]}/details/"}


def _reports(item: QuestionDefinition, rng: np.random.Generator, n: int) -> list:
    made = item.mechanism.randomize(rng.integers(item.size, size=n), rng).tolist()
    return ["".join(map(str, bits)) for bits in made] if item.is_string else made


def ask(client: Client, name: str, path: str) -> int:
    sent = {
        "kind": "choice",
        "text": "Which?",
        "choices": "A\nB\nC\nD",
        "design": "strong",
        "show": "panel",
    }
    response = (
        client.post(path, sent, headers={"X-Panel": "1"}) if name == LIVE else client.get(path)
    )
    if response.status_code != 200:
        raise SystemExit(f"{path} answered {response.status_code}")
    return len(response.content)


def measure(client: Client, name: str, path: str) -> tuple[float, int, int]:
    times = []
    ask(client, name, path)
    for _ in range(11):
        start = time.process_time()
        ask(client, name, path)
        times.append(time.process_time() - start)
    with CaptureQueriesContext(connection) as queries:
        size = ask(client, name, path)
    return statistics.median(times), len(queries), size


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    client = Client(headers={"host": "localhost"})
    for name, path in prepare(client).items():
        seconds, queries, size = measure(client, name, path)
        limit = REPORT if name.startswith("report") else LIMIT
        verdict = "under" if seconds < limit else "OVER"
        print(
            f"{name:26} {1000 * seconds:6.0f} ms, {verdict} {1000 * limit:.0f} ms; {queries} queries; "
            f"{size / 1000:.0f} kB"
        )


if __name__ == "__main__":
    main()
