"""Nobody waits for what a worker could have read before: no module, page or language is loaded while it answers."""

import json
import os
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import io, json, sys
from config.wsgi import application
from django.template import engines
from django.utils.translation import trans_real
pages = engines["django"].engine.template_loaders[0].get_template_cache
OURS = ("config", "surveys", "features", "mechanisms")
before, seen, languages = set(sys.modules), set(pages), set(trans_real._translations)
asked = {"REQUEST_METHOD": sys.argv[1], "PATH_INFO": sys.argv[2], "wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr,
         "SERVER_NAME": "localhost", "SERVER_PORT": "80", "wsgi.url_scheme": "http", "REMOTE_ADDR": "127.0.0.1"}
answered = []
b"".join(application(asked, lambda status, headers: answered.append(status)))
ours = {name for name in set(sys.modules) - before if name.partition(".")[0] in OURS}
spoken = set(trans_real._translations) - languages
print(json.dumps([answered, sorted(ours), sorted(set(pages) - seen), sorted(spoken)]))
"""


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", "200 OK"),
        ("GET", "/sample/", "200 OK"),
        ("GET", "/login/", "200 OK"),
        ("POST", "/s/x/", "405 Method Not Allowed"),
    ],
)
def test_the_first_request_finds_everything_loaded(
    tmp_path: Path, method: str, path: str, status: str
) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}",
        "STATIC_ROOT": str(settings.STATIC_ROOT),
    }
    command = [sys.executable, "-c", ASK, method, path]
    done = subprocesses.run(command, cwd=ROOT, env=environment)
    answered, *loaded = json.loads(done.stdout)
    assert answered == [status]
    assert loaded == [[], [], []]
