"""Record what a demo site answers, to prove that a change of the code changes no page, file or JSON.

    python -m bench.snapshot make DATABASE         create the demo's database, once, with the code before the change
    python -m bench.snapshot record DATABASE OUT   request every address of a copy of it with this code
    python -m bench.snapshot compare OLD NEW       list the addresses whose answers differ

Record twice with the code before the change: what differs between the two (previews with new addresses, simulations)
says nothing. PYTHONHASHSEED=0 keeps the order of the content security policies. The folder of DATABASE keeps the secret
keys and the collected static files. `record` follows all links, then asks for addresses that no link has. Names of
static files with their hashes are left out of the comparison, as their bytes are in the repository.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # not this folder, whose mechanisms.py is a bench
START = (
    "/",
    "/sample/",
    "/surveys/",
    "/account/",
    "/api/v1/schema/",
    "/api/v1/surveys/",
    "/readyz",
)
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
SKIPPED = re.compile(r"/(logout|static|admin)/")
IGNORED_HEADERS = {"Date", "Set-Cookie", "Content-Length"}
MOST_ADDRESSES = 5_000
READER = "reader-without-rows"
STATIC_FILE = re.compile(rb"/static/[^\"' >]*")
IMPORT_MAP = re.compile(rb'<script type="importmap">.*?</script>')
# The tag of an answer and the hashes of its scripts change with the names of static files.
HASHES = re.compile(rb"'sha256-[A-Za-z0-9+/=]{44}' ?|\"ETag\": \"[^,]*\",")

Answer = tuple[int, str, int]  # status, SHA-256, size


def start_django(database: Path, var: Path) -> None:
    """Configure Django for this database. The folder `var` holds its keys and static files."""
    os.environ |= {
        "DEBUG": "1",
        "DATABASE_URL": f"sqlite:///{database.resolve()}",
        "VAR": str(var.resolve()),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    import django  # noqa: PLC0415 (its settings read the environment)

    django.setup()


def make(database: Path) -> None:
    """Create the database of the demo, with a reader who may see the report but no rows."""
    start_django(database, database.parent)
    from django.contrib.auth import get_user_model  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    from features.demo import survey as demo  # noqa: PLC0415
    from features.demo.management.commands.demo import demo_access  # noqa: PLC0415
    from surveys.models import Role, Survey  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    demo_access()
    demo.load(get_user_model().objects.get(username="demo"))
    reader = get_user_model().objects.create_user(READER)
    for survey in Survey.objects.all():
        survey.memberships.create(user=reader, role=Role.ANALYST)


def record(database: Path, out: Path) -> None:
    """Request the addresses of a copy of the database, and store status, hash and size by person and address."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "site.sqlite3"
        shutil.copy(database, copy)
        start_django(copy, database.parent)
        from django.contrib.auth import get_user_model  # noqa: PLC0415
        from django.core.management import call_command  # noqa: PLC0415
        from django.middleware import csrf  # noqa: PLC0415
        from django.test import Client  # noqa: PLC0415
        from django.utils import timezone  # noqa: PLC0415

        call_command("collectstatic", verbosity=0, interactive=False)
        with (
            mock.patch.object(timezone, "now", return_value=NOW),
            mock.patch.object(csrf, "_mask_cipher_secret", return_value="m" * 64),
            mock.patch.object(csrf, "_get_new_csrf_string", return_value="s" * 32),
        ):
            for name in ("demo", READER, ""):
                client = Client(raise_request_exception=False)
                if name:
                    client.force_login(get_user_model().objects.get(username=name))
                for address, answer in crawl(client):
                    answers[f"{name or 'visitor'} {address}"] = answer
    out.write_text(json.dumps(answers, indent=0, sort_keys=True))
    size = sum(size for _, _, size in answers.values())
    print(f"{len(answers)} addresses, {size:,} bytes")


def crawl(client: object) -> Iterator[tuple[str, Answer]]:
    """Follow all links and yield each address with its answer, then those that no link has."""
    queue = [*START, *unlinked_addresses()]
    known = set(queue)
    while queue and len(known) < MOST_ADDRESSES:
        address = queue.pop(0)
        response = client.get(address, headers={"host": "127.0.0.1"})
        body = b"".join(response.streaming_content) if response.streaming else response.content
        headers = {
            name: value for name, value in response.headers.items() if name not in IGNORED_HEADERS
        }
        content = body + json.dumps(headers, sort_keys=True).encode()
        content = STATIC_FILE.sub(b"", IMPORT_MAP.sub(b"", HASHES.sub(b"", content)))
        yield address, (response.status_code, hashlib.sha256(content).hexdigest(), len(content))
        for link in find_links(response, body):
            if link not in known and not SKIPPED.search(link):
                known.add(link)
                queue.append(link)


def unlinked_addresses() -> Iterator[str]:
    """Yield addresses of the API and of analyses with parameters, for each survey with responses."""
    from surveys.definition.parsing import parse_instrument  # noqa: PLC0415
    from surveys.models import Instrument  # noqa: PLC0415

    for instrument in Instrument.objects.select_related("survey").order_by("survey__slug"):
        survey = parse_instrument(instrument)
        api, pages = f"/api/v1/surveys/{survey.survey}/", f"/surveys/{survey.survey}/"
        questions = [item.key for item in survey.items if item.mechanism]
        background = [item.key for item in survey.items if not item.mechanism]
        for name in ("", "history/", "team/", "protection/", "export/", "count/", "link/"):
            yield api + name
        for name in ("", "quality/", "trend/", "methods.txt", "shares.csv"):
            yield f"{api}report/{name}"
        for key in questions:
            yield f"{api}report/{key}/readings/"
            yield f"{pages}report/{key}/details/"
            for background_key in background:
                yield f"{api}report/compare/?by={background_key}&outcome={key}:1"
                yield f"{api}report/model/?outcome={key}:1&explain={background_key}"
                yield f"{api}report/model.csv?outcome={key}:1&explain={background_key}"
                yield f"{pages}compare/linked/?outcome={key}:1&explain={background_key}"
                yield f"{api}report/table/?rows={key}&columns={background_key}"
                yield f"{api}report/table.csv?rows={key}&columns={background_key}"
                yield f"{api}report/?where={background_key}:0"
                yield f"{pages}report/?where={background_key}:0"
        for background_key in background:
            yield f"{pages}compare/?by={background_key}"
            yield f"{api}report/groups/?by={background_key}"
            yield f"{api}report/weighted/?margins={background_key}:0.5,0.5"
        for form in ("csv", "xlsx", "parquet", "sav", "dta"):
            yield f"{api}export/responses.{form}"


def find_links(response: object, body: bytes) -> list[str]:
    """Return the addresses of this site that a response names."""
    content_type = response.headers.get("Content-Type", "")
    if response.status_code in (301, 302):
        links = [response.headers["Location"].encode()]
    elif "html" in content_type:
        links = re.findall(rb'(?:href|action)="(/[^"#]*)"', body)
    elif "json" in content_type:
        links = re.findall(rb'"(?:http://[^/"]+)?(/api/v1/[^"{}]*)"', body)
    else:
        links = []
    addresses = [link.decode().replace("&amp;", "&") for link in links]
    return [address for address in addresses if address.startswith("/")]


def compare(old: Path, new: Path) -> None:
    """Print the addresses whose answers differ, and how many are the same."""
    before = json.loads(old.read_text())
    after = json.loads(new.read_text())
    same = 0
    for address in sorted(before.keys() | after.keys()):
        if before.get(address) == after.get(address):
            same += 1
        else:
            print(address, before.get(address), after.get(address))
    print(f"same: {same} of {len(before)}")


COMMANDS = {"make": make, "record": record, "compare": compare}

if __name__ == "__main__":
    command, *files = sys.argv[1:]
    COMMANDS[command](*map(Path, files))
