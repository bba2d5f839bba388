"""The researcher's pages at their fullest: 100 surveys, a draft of 60 questions and their editor, a report of as many.

    python -m bench.workspace

Through Django's request handling with a temporary SQLite, no network. The median of 11 requests; the queries of one.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not this folder, whose mechanisms.py is a bench
FOLDER = tempfile.TemporaryDirectory()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "only-for-this-run",
    "HTTPS": "0",
    "DATABASE_URL": f"sqlite:///{Path(FOLDER.name) / 'bench.sqlite3'}",
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
from surveys.definition.instrument import FrozenQuestion, paper  # noqa: E402
from surveys.fieldwork.lifecycle import publish  # noqa: E402
from surveys.fieldwork.responses.records import encode  # noqa: E402
from surveys.fieldwork.responses.release import join  # noqa: E402
from surveys.models import Survey  # noqa: E402

LIMIT = 0.200  # seconds
LIVE = "its panel while typing"


def small(owner: AbstractBaseUser) -> Survey:
    survey = drafts.create_survey(owner=owner, title="Taxes and undeclared work")
    for what in ("leave out income", "claim costs", "pay for work"):
        drafts.save_question(survey=survey, text=f"Did you {what}?", kind="yes-no", design="balanced")
    return survey


def prepare(client: Client) -> dict[str, str]:
    """The pages to measure by name."""
    owner = get_user_model().objects.create_user("bench")
    client.force_login(owner)
    for _ in range(99):
        instrument = publish(small(owner))
        Survey.objects.filter(pk=instrument.survey_id).update(target=1000)
        join(instrument, bytes(3 * 400))  # three questions of a byte
    survey = drafts.create_survey(owner=owner, title="Sixty", project="P")
    for number in range(60):
        kinds = {"kind": "yes-no"} if number % 2 else {"kind": "choice", "choices": [f"Choice {v}" for v in range(10)]}
        drafts.save_question(survey=survey, text=f"Question {number}?", design="balanced", **kinds)
    own = f"/surveys/{survey.slug}/"
    return {
        "100 surveys": "/surveys/",
        "100 surveys, searched": "/surveys/?search=tax",
        "60 questions": own,
        "60 questions, to publish": f"{own}publish/",
        "60 questions, rehearsed": f"{own}rehearsal/",
        "one of 60 questions": f"{own}questions/{survey.questions.first().key}/",
        "a 61st question": f"{own}questions/new/",
        LIVE: f"{own}questions/new/",
        "60 questions, their report": f"/surveys/{reported(survey)}/report/",
    }


def reported(survey: Survey) -> str:
    """The address of a copy with 5,000 released responses."""
    instrument = publish(survey_file.duplicate(survey, survey.owner), reason="A measurement, which nobody answers.")
    frozen, rng, n = paper(instrument), np.random.default_rng(1), 5_000
    columns = [_reports(item, rng, n) for item in frozen.items]
    keys = [item.key for item in frozen.items]
    people = zip(*columns, strict=True)
    join(instrument, b"".join(encode(frozen, dict(zip(keys, person, strict=True))) for person in people))
    return str(frozen.survey)


def _reports(item: FrozenQuestion, rng: np.random.Generator, n: int) -> list:
    made = item.mechanism.randomize(rng.integers(item.size, size=n), rng).tolist()
    return ["".join(map(str, bits)) for bits in made] if item.is_string else made


def ask(client: Client, name: str, path: str) -> None:
    sent = {"kind": "choice", "text": "Which?", "choices": "A\nB\nC\nD", "design": "strong", "show": "panel"}
    response = client.post(path, sent, headers={"X-Panel": "1"}) if name == LIVE else client.get(path)
    if response.status_code != 200:
        raise SystemExit(f"{path} answered {response.status_code}")


def measure(client: Client, name: str, path: str) -> tuple[float, int]:
    times = []
    ask(client, name, path)
    for _ in range(11):
        start = time.perf_counter()
        ask(client, name, path)
        times.append(time.perf_counter() - start)
    with CaptureQueriesContext(connection) as queries:
        ask(client, name, path)
    return statistics.median(times), len(queries)


def main() -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    client = Client(headers={"host": "localhost"})
    for name, path in prepare(client).items():
        seconds, queries = measure(client, name, path)
        verdict = "under" if seconds < LIMIT else "OVER"
        print(f"{name:26} {1000 * seconds:6.0f} ms, {verdict} {1000 * LIMIT:.0f} ms; {queries} queries")


if __name__ == "__main__":
    main()
