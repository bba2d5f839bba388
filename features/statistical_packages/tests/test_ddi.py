"""The codebook for archives says who asked what and when, in the structure of DDI-Codebook 2.5."""

import copy
import io
import zipfile
from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from features.statistical_packages.ddi import Fieldwork, ddi
from features.statistical_packages.tests.ddi_structure import structure_problems
from surveys.definition.parsing import parse_instrument
from surveys.export.scrambled import NOTE
from surveys.models import Event, Instrument
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import publish_survey
from tests.helpers.exports import export_file

pytestmark = pytest.mark.django_db
NAMES = {"": "ddi:codebook:2_5"}
DAYS = (datetime(2026, 3, 1, tzinfo=UTC).date(), datetime(2026, 3, 14, tzinfo=UTC).date())


@pytest.fixture
def survey_with_answers() -> Instrument:
    survey = surveys.create_draft(title="Land & tax")
    survey.sender, survey.contact = "Office of Statistics", "office@example.org"
    survey.introduction = "About land."
    survey.save()
    surveys.add_yes_no(survey, "owns_land", design="two-coin")
    fruit = surveys.add_choice(survey, "fruit", design="unary-any", parameters={"epsilon": "4"})
    survey.questions.filter(pk=fruit.pk).update(kind="any")
    surveys.add_background(survey, "region", ("North", "South"))
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 40)
    return Instrument.objects.get(pk=instrument.pk)


def parse_xml(text: str) -> Element:
    return ElementTree.fromstring(text.encode())


def study(instrument: Instrument, fieldwork: Fieldwork | None = None) -> Element:
    root = parse_xml(ddi(parse_instrument(instrument), instrument.tally, fieldwork))
    found = root.find("stdyDscr", NAMES)
    assert found is not None
    return found


def test_it_names_author_producer_and_contact(survey_with_answers: Instrument) -> None:
    citation = study(survey_with_answers)

    assert citation.findtext("citation/rspStmt/AuthEnty", "", NAMES) == "Office of Statistics"
    assert citation.findtext("citation/prodStmt/producer", "", NAMES) == "Office of Statistics"
    assert citation.findtext("citation/distStmt/contact", "", NAMES) == "office@example.org"


def test_it_has_the_days_of_opening_and_closing_and_the_response_rate(
    survey_with_answers: Instrument,
) -> None:
    description = study(
        survey_with_answers, Fieldwork(first_day=DAYS[0], last_day=DAYS[1], invited=160)
    )

    days = description.findall("stdyInfo/sumDscr/collDate", NAMES)
    assert [(day.get("event"), day.get("date")) for day in days] == [
        ("start", "2026-03-01"),
        ("end", "2026-03-14"),
    ]
    size = "method/dataColl/targetSampleSize/sampleSize"
    assert description.findtext(size, "", NAMES) == "160"
    rate = description.findtext("method/anlyInfo/respRate", "", NAMES)
    assert rate == "40 of 160 invited people (25.0%)"


def test_without_tickets_there_is_no_response_rate(survey_with_answers: Instrument) -> None:
    root = parse_xml(export_file(survey_with_answers, "codebook.xml").decode())

    assert root.find(".//respRate", NAMES) is None
    assert root.find(".//sampleSize", NAMES) is None
    published = Event.objects.get(survey=survey_with_answers.survey, what="published")
    day = root.find(".//collDate", NAMES)
    assert day is not None
    assert day.get("event") == "start"
    assert published is not None


def test_it_says_that_answers_are_scrambled(survey_with_answers: Instrument) -> None:
    root = parse_xml(export_file(survey_with_answers, "codebook.xml").decode())

    assert root.findtext("stdyDscr/notes", "", NAMES) == NOTE
    labels = {
        variable.get("name"): variable.findtext("labl", "", NAMES).endswith("[scrambled]")
        for variable in root.findall("dataDscr/var", NAMES)
    }
    assert labels.pop("region") is False
    assert all(labels.values())


def test_only_readers_of_rows_get_received_counts(survey_with_answers: Instrument) -> None:
    archive = zipfile.ZipFile(io.BytesIO(export_file(survey_with_answers, "everything.zip")))
    with_counts = parse_xml(archive.read("codebook.xml").decode())
    without = parse_xml(export_file(survey_with_answers, "codebook.xml").decode())

    assert without.find(".//catStat", NAMES) is None
    for variable in with_counts.findall("dataDscr/var", NAMES):
        frequencies = variable.findall("catgry/catStat", NAMES)
        assert {frequency.get("type") for frequency in frequencies} == {"freq"}
        assert sum(int(frequency.text or 0) for frequency in frequencies) == 40


def test_its_structure_is_that_of_ddi_codebook(survey_with_answers: Instrument) -> None:
    fieldwork = Fieldwork(first_day=DAYS[0], last_day=DAYS[1], invited=160)
    text = ddi(
        parse_instrument(survey_with_answers), survey_with_answers.tally, fieldwork, has_counts=True
    )

    assert [*structure_problems(parse_xml(text))] == []


def test_a_wrong_structure_is_noticed(survey_with_answers: Instrument) -> None:
    root = parse_xml(ddi(parse_instrument(survey_with_answers), survey_with_answers.tally))
    wrong_order, wrong_value, wrong_element = (copy.deepcopy(root) for _ in range(3))
    wrong_order[:] = reversed(wrong_order)
    variable = wrong_value.find("dataDscr/var", NAMES)
    assert variable is not None
    variable.set("nature", "categorical")
    ElementTree.SubElement(wrong_element, "title")

    for wrong in (wrong_order, wrong_value, wrong_element):
        assert [*structure_problems(wrong)] != []
