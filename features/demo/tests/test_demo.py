"""The demo: a study with something to see, a survey with known figures whose report lands near them, and drafts."""

import hashlib
import json

import numpy as np
import pytest
from django.test import Client

from features.demo import census, drafts, misconduct, survey as demo
from features.demo.answers import NOT_ASKED
from surveys.authoring.files import survey_file
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.external import IMPORT_ONLY_DESIGNS
from surveys.definition.parsing import parse_instrument
from surveys.definition.protection import definition_losses
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import count_responses, decode, has_report
from surveys.models import Question, Response, Survey
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import report, summarize
from surveys.results.report.headlines import Verdict, finding
from surveys.site.number_format import epsilon
from tests.factories.surveys import create_researcher


@pytest.fixture(scope="module")
def found() -> dict[str, QuestionReport]:
    """The report of the study by question, made without a database."""
    frozen = misconduct.published()
    questions = summarize(
        frozen, count_responses(frozen, decode(frozen, misconduct.records(frozen)))
    ).questions
    return {question.key: question for question in questions}


@pytest.fixture
def study(db: None) -> Survey:
    return demo.load(create_researcher())


def test_the_truths_of_the_census_are_the_published_counts() -> None:
    truths = census.truths()
    assert len(truths["sales"]) == len(truths["occupation"]) == 32_561
    assert truths["sales"].sum() == 3650
    assert np.bincount(truths["occupation"]).tolist() == [
        *census.OCCUPATIONS.values(),
        census.UNKNOWN,
    ]


@pytest.mark.django_db
def test_the_report_of_the_census_lands_near_the_truth_and_everybody_may_read_it() -> None:
    survey = census.load(create_researcher())
    result = report(survey.instrument)
    sales, occupation = result.questions
    yes = sales.choices[1]
    assert result.n == 32_561
    assert abs(yes.estimate - 3650 / 32_561) < 4 * yes.standard_error
    for choice, count in zip(
        occupation.choices, [*census.OCCUPATIONS.values(), census.UNKNOWN], strict=True
    ):
        assert abs(choice.estimate - count / 32_561) < 4 * choice.standard_error, choice.label
    assert [epsilon(value) for value in (sales.epsilon, occupation.epsilon, result.epsilon)] == [
        "1.0987",
        "2.1973",
        "3.2959",
    ]
    assert "32,561" in Client().get(f"/r/{survey.slug}/").text


def test_the_study_is_published_as_its_file_has_it(study: Survey) -> None:
    assert survey_file.write(study) == misconduct.document()
    frozen = misconduct.published()
    assert frozen.content == study.instrument.content, (
        "instrument.json is old: put the instrument's content there"
    )
    assert (
        frozen.sha256
        == study.instrument.sha256
        == hashlib.sha256(frozen.content.encode()).hexdigest()
    )
    assert study.instrument.tally == count_responses(
        frozen, decode(frozen, misconduct.records(frozen))
    )
    assert (study.title, study.slug, study.status) == (misconduct.TITLE, "misconduct", "open")


def test_the_study_has_every_kind_of_question_two_languages_paths_a_lot_and_groups() -> None:
    frozen = misconduct.published()
    assert {item.kind for item in frozen.items} == set(Question.Kind.values) - {
        Question.Kind.WRITTEN
    }  # a draft has it
    assert len({item.key for item in frozen.items if item.grid}) == 3
    assert (frozen.languages, frozen.cut) == (("en", "de"), ("faculty", "year"))
    assert frozen.keys_with_condition
    assert frozen.draw
    assert definition_losses(frozen).max_guess_rates == (75, 90)


def test_the_truths_keep_to_the_paths() -> None:
    frozen, truths = misconduct.published(), misconduct.truths()
    rows = decode(frozen, misconduct.records(frozen))
    assert truths.keys() == {item.key for item in frozen.items}
    for key in frozen.keys_with_condition:
        assert not (has_report(frozen, rows, key) & (truths[key] == NOT_ASKED)).any(), (
            key
        )  # picked, and on its path
    for item in frozen.items:
        assert len(truths[item.key]) == misconduct.PEOPLE == len(rows)
        assert truths[item.key].max() < item.size


def test_the_report_of_the_study_lands_near_the_truths(found: dict[str, QuestionReport]) -> None:
    truths = misconduct.truths()
    for key in ("copied", "kind", "help", "invented"):
        told = truths[key][truths[key] >= 0] if truths[key].ndim == 1 else truths[key]
        shares = (
            told.mean(axis=0)
            if told.ndim > 1
            else np.bincount(told, minlength=len(found[key].choices)) / len(told)
        )
        for choice, share in zip(found[key].choices, shares, strict=True):
            assert abs(choice.estimate - share) < 4 * choice.standard_error, (key, choice.label)


def test_the_report_of_the_study_has_something_to_see(found: dict[str, QuestionReport]) -> None:
    copied = finding(found["copied"])
    assert (copied.number, copied.range) == ("26.1%", "23.3 to 28.9%")
    n = {
        "copied": 4_841,
        "kind": 4_832,
        "help": 4_789,
        "days": 4_833,
        "invented": 2_149,
        "pressure": 2_682,
    }
    assert {key: found[key].n for key in n} == n  # 2 of 6 for each of 14,436 people
    assert finding(found["invented"]).sentence.startswith(
        "Among people who answered “Third year” or “Fourth"
    )
    assert finding(found["invented"]).sentence.endswith(": at most 1 in 25.")
    assert finding(found["kind"]).verdict in (Verdict.CLEAR, Verdict.OVERLAP)
    assert finding(found["help"]).verdict == finding(found["days"]).verdict == Verdict.CLEAR


def test_closing_it_shows_everybody_who_may_read_the_faculties_but_a_small_one_with_its_neighbour(
    study: Survey,
) -> None:
    close_survey(study)
    starts = study.instrument.cut.starts
    assert starts == {"faculty": [0, 2, 3, 4, 5, 6], "year": [0, 1, 2, 3]}


def test_the_drafts_have_each_design_and_read_as_surveys_do() -> None:
    questions = [question for document in drafts.documents() for question in document["questions"]]
    assert {question["design"] for question in questions} == {*DESIGNS, *IMPORT_ONLY_DESIGNS}
    assert json.loads(json.dumps(drafts.documents())) == drafts.documents()


def test_loading_again_changes_nothing(study: Survey) -> None:
    count = Survey.objects.count()
    assert demo.load(study.owner) == study == demo.study()
    assert Survey.objects.count() == count == 2 + len(drafts.documents())
    assert not Response.objects.exists()
    assert parse_instrument(study.instrument) == misconduct.published()
