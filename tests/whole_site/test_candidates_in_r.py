"""The script for R counts candidates as the pages do."""

from pathlib import Path

import pytest

from features.text_candidates import candidate_rounds
from tests.definition.test_written import DRUGS, answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = pytest.mark.django_db


@needs_r
def test_r_counts_candidates_as_the_page_does(tmp_path: Path) -> None:
    survey = surveys.create_draft(title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS)
    instrument = publish_survey(survey)
    answer(instrument, 500)
    (counted,) = candidate_rounds.round_results(instrument, "drug")
    (tmp_path / "responses.csv").write_text(csv_of(instrument))
    points = ", ".join(str(row.point) for row in counted.rows)
    script = export_file(instrument, "analysis.R").decode()
    said = f'\nprint(candidates("drug", c({points}), level = {counted.level}), digits = 12)\n'
    (tmp_path / "analysis.R").write_text(script + said)
    ran = subprocesses.run([RSCRIPT, "analysis.R"], cwd=tmp_path)
    table = [line.split() for line in ran.stdout.splitlines()[-3:]]
    for row, (_, _, *numbers) in zip(counted.rows, table, strict=True):
        assert [float(number) for number in numbers] == pytest.approx(
            [row.share, row.standard_error, *row.interval]
        )
