"""A long list in codebook and scripts; and rehearsed before it is asked."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from surveys.export.formats import files as all_files
from surveys.models import Instrument
from surveys.results.estimates.report import report
from tests.definition.test_geometry import asked
from tests.factories.responses import add_responses
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = pytest.mark.django_db
PLACES = tuple(f"Place {number}" for number in range(300))


@pytest.fixture
def made() -> Instrument:
    instrument = asked(PLACES)
    rng = np.random.default_rng(3)
    add_responses(
        instrument, 2000, place=np.where(rng.random(2000) < 0.7, 7, rng.integers(300, size=2000))
    )
    return Instrument.objects.get(pk=instrument.pk)


def written(instrument: Instrument) -> dict[str, bytes]:
    return {file.name: b"".join(file.stream(instrument)) for file in all_files()}


def test_the_codebook_says_how_groups_are_counted(made: Instrument) -> None:
    book = json.loads(written(made)["codebook.json"])["variables"][0]
    assert book["mechanism"]["kind"] == "geometry"
    assert "sum to a multiple of `order`" in book["how_to_correct"]


@needs_r
def test_the_r_script_gives_the_numbers_of_the_report(made: Instrument, tmp_path: Path) -> None:
    files = written(made)
    more = [
        b'model("place", 7, ~ region)',
        b'print(nrow(crosstab("region", "place:7")))',
        b"print(weigh(list(region = c(.5, .5))))",
    ]
    (tmp_path / "analysis.R").write_bytes(b"\n".join([files["analysis.R"], *more, b""]))
    (tmp_path / "responses.csv").write_bytes(files["responses.csv"])
    command = [RSCRIPT, "--vanilla", "analysis.R", "responses.csv", "report.csv"]
    subprocesses.run(command, cwd=tmp_path)
    frame = pd.read_csv(tmp_path / "report.csv")
    place = frame[frame["question"] == "place"]
    expected = [
        [
            choice.observed,
            choice.estimate,
            choice.standard_error,
            *choice.interval,
            choice.constrained,
        ]
        for choice in report(made).questions[0].choices
    ]
    names = ["observed", "estimate", "standard_error", "low", "high", "constrained"]
    assert np.allclose(place[names].to_numpy(float), expected, rtol=0, atol=1e-12)
