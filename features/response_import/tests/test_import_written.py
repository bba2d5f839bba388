"""Written answers in files."""

import pytest
from django.contrib.auth.models import User

from features.response_import.tests.import_files import part
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import decode
from tests.definition.test_written import DRUGS, answer
from tests.factories.surveys import add_text_question, create_draft, publish_survey
from tests.helpers.exports import csv_of

pytestmark = pytest.mark.django_db


def test_its_rows_are_numbers_that_a_file_brings_back(ada: User) -> None:
    survey = create_draft(ada, title="Drugs")
    add_text_question(survey, candidates=DRUGS)
    instrument = publish_survey(survey)
    answer(instrument, 300)
    rows = csv_of(instrument)
    numbers = sorted(map(int, rows.split()[1:]))
    assert len(numbers) == 300
    assert numbers[-1] > 2**24

    items = parse_instrument(instrument).items
    found = part(rows.encode(), items=items)
    assert sorted(decode(parse_instrument(instrument), found.records)["drug"].tolist()) == numbers
    wrong = part(b"drug\r\n4294967295\r\n1.5\r\nheroin\r\n7\r\n", items=items).problems
    assert [problem.row for problem in wrong] == [2, 3, 4]
