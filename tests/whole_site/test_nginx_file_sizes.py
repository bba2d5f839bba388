"""nginx as documented lets files pass that are as large as the features read them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from features.response_import import staging
from features.xlsform import reader
from tests.faults.conftest import Site
from tests.security.test_nginx import Front, needs_nginx, running, serve_behind_proxy


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from serve_behind_proxy(tmp_path_factory.mktemp("site"))


@pytest.fixture
def front(site: Site, tmp_path: Path) -> Iterator[Front]:
    with running(tmp_path, site.port) as front:
        yield front


@needs_nginx
def test_files_as_large_as_candor_reads_pass_and_larger_ones_are_told(front: Front) -> None:
    """What passes is refused by Candor itself: nobody is logged in."""
    api, page = "/api/v1/xlsform/", "/surveys/import/"
    with front.client() as client:

        def refused(method: str, path: str, size: int) -> int:
            """Candor says no before it has read all. Where nginx meets a closed connection then, it is asked again."""
            answers = (
                client.request(method, path, content=b"x" * size).status_code for _ in range(10)
            )
            return next(status for status in answers if status != 503)

        for path, size, status in (
            (api, reader.LARGEST, 401),
            (page, reader.LARGEST + 100_000, 403),
        ):
            assert refused("POST", path, size) == status
        assert refused("PUT", "/api/v1/surveys/x/imports/", staging.PART + 2000) == 401
        for path, kind in (
            (api, "application/problem+json"),
            (page, "text/plain"),
            ("/surveys/new/", "text/plain"),
        ):
            told = client.post(path, content=b"x" * 6_300_000)
            assert (told.status_code, told.headers["Content-Type"]) == (413, kind)
            assert told.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert "nginx" not in told.text
