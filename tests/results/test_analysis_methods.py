"""The literature of the methods of an analysis."""

import pytest

from surveys.results.analysis.literature import LITERATURE, cited
from tests.factories.analysis_surveys import get_api, owner_client
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, add_quantity, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_methods_of_a_mean_name_their_literature() -> None:
    survey = create_draft()
    add_quantity(survey)
    add_background(survey)
    made = publish_survey(survey)
    add_responses(made, 400)
    text = get_api(owner_client(made), made, "compare.txt?by=region&outcome=hours").content.decode()
    assert "Cochran’s (1954) test" in text
    assert "Cochran, W. G. (1954)" in text.partition("References")[2]


def test_every_work_is_found_by_its_author_and_year() -> None:
    for (author, year), work in LITERATURE.items():
        assert work.startswith(f"{author}, ")
        assert f"({year})" in work
        assert cited(f"as {author} ({year}) did") == [work]
