"""The secret of a link to a report is in no log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import Site, migrated_file, serving
from tests.security.test_logs import BREAK, visitor

LINK = """
from features.shared_reports import links
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from tests.factories.many_responses import add_invented_responses
survey = Survey.objects.get(slug={slug!r})
add_invented_responses(survey.instrument, 45)
close_survey(survey, survey.owner)
print(links.create(survey=survey, by=survey.owner)[1])
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_failure_behind_a_secret_link_keeps_the_secret(site: Site, form: str) -> None:
    """Nor does the log have it where all is well, or where the link has ended."""
    site.environment["LOG_FORMAT"] = form
    survey = site.survey()
    secret = site.shell(LINK.format(slug=survey.slug)).split()[-1]
    site.start()
    with visitor(site) as client:
        assert client.get(f"/r/link/{secret}/").status_code == 200
        assert client.get(f"/r/link/{secret}x/").status_code == 404
        site.shell(BREAK.format(slug=survey.slug))
        answer = client.get(f"/r/link/{secret}/")
    assert answer.status_code == 500
    assert (answer.headers["Cache-Control"], answer.headers["Referrer-Policy"]) == (
        "no-store",
        "no-referrer",
    )
    site.kill()
    written = (site.folder / "log").read_text()
    assert "/r/link/…" in written
    assert secret not in written
