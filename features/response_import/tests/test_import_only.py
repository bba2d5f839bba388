"""A survey that takes its responses from files: any design, and never a respondent."""

import math

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.authoring.files import survey_file
from surveys.definition.designs.construction import build
from surveys.definition.designs.external import IMPORT_ONLY_DESIGNS
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.factories.surveys import create_researcher, publish_survey
from tests.fieldwork.test_schedule_pages import everything

pytestmark = pytest.mark.django_db
GOOD = {
    "crosswise": ({"prevalence": "1/4"}, [[1, 3], [3, 1]], 4),  # recorded is “both the same”
    "triangular": ({"prevalence": "1/4"}, [[3, 1], [0, 4]], 4),
    "mangat": ({"p": "3/4"}, [[3, 1], [0, 4]], 4),
    "kuk": ({"p1": "3/4", "p2": "1/5"}, [[16, 4], [5, 15]], 20),
    "one-sided": ({"rate": "1/3"}, [[2, 1], [0, 3]], 3),
    "matrix": ({"rows": "1/2 1/2; 0 1"}, [[1, 1], [0, 2]], 2),
}


@pytest.fixture
def survey() -> Survey:
    owner = User.objects.create_user("ada", password="right horse")
    survey = create_survey(owner=owner, title="On paper", import_only=True)
    save_question(
        survey=survey,
        text="Taxes?",
        key="tax",
        kind="yes-no",
        design="mangat",
        parameters={"p": "3/4"},
    )
    return survey


@pytest.mark.parametrize("key", IMPORT_ONLY_DESIGNS)
def test_every_design_for_files_is_the_matrix_of_the_literature(key: str) -> None:
    parameters, rows, den = GOOD[key]
    spec = build(key, 2, parameters, import_only=True).spec()
    assert (spec["rows"], spec["den"]) == (rows, den)


@pytest.mark.parametrize("key", IMPORT_ONLY_DESIGNS)
def test_no_respondent_is_asked_with_them(key: str) -> None:
    with pytest.raises(Invalid, match="only for import-only surveys"):
        build(key, 2, GOOD[key][0])


@pytest.mark.parametrize(
    ("key", "parameters", "wrong"),
    [
        ("crosswise", {"prevalence": "1/2"}, "prevalence"),
        ("triangular", {"prevalence": "1"}, "prevalence"),
        ("mangat", {"p": "0"}, "p"),
        ("kuk", {"p1": "1/3", "p2": "1/3"}, "p2"),
        ("one-sided", {"rate": "1"}, "rate"),
        ("warner", {"p": "0.5"}, "p"),
        ("forced-response", {"truth": "0", "yes": "1/2", "no": "1/2"}, "truth"),
        ("unrelated-question", {"p": "0", "prevalence": "1/2"}, "p"),
        ("matrix", {"rows": ""}, "rows"),
        ("matrix", {"rows": "1/2 1/2; 1/2 1/2"}, "rows"),
        ("matrix", {"rows": "1/2 1/2; 1/2 1/3"}, "rows"),
        ("matrix", {"rows": "3/2 -1/2; 0 1"}, "rows"),
        ("matrix", {"rows": "1/2 1/2"}, "rows"),
        ("matrix", {"rows": "1/2 x; 0 1"}, "rows"),
    ],
)
def test_what_says_nothing_is_refused_at_its_place(
    key: str, parameters: dict[str, str], wrong: str
) -> None:
    with pytest.raises(Invalid) as raised:
        build(key, 2, parameters, import_only=True)
    assert set(raised.value.errors) == {wrong}
    assert "too many digits" not in raised.value.errors[wrong]


def test_chances_of_0_and_1_are_allowed_for_files_only() -> None:
    forced = {"truth": "1/2", "yes": "1/2", "no": "0"}
    assert math.isinf(build("forced-response", 2, forced, import_only=True).epsilon)
    with pytest.raises(Invalid):
        build("forced-response", 2, forced)


def test_it_is_prepared_not_published(survey: Survey) -> None:
    with pytest.raises(Refused, match="can’t be published to respondents"):
        lifecycle.publish(survey)
    instrument = lifecycle.lock_questions(survey, survey.owner)
    survey.refresh_from_db()
    assert survey.status == Survey.Status.FILLING
    assert parse_instrument(instrument).import_only
    assert math.isinf(parse_instrument(instrument).epsilon)
    with pytest.raises(Refused, match="Only an open survey can be paused"):
        lifecycle.pause(survey)
    with pytest.raises(Refused, match="already"):
        lifecycle.lock_questions(survey)
    close_survey(survey)
    lifecycle.reopen(survey)
    survey.refresh_from_db()
    assert survey.status == Survey.Status.FILLING
    assert [event.what for event in survey.events.all()][:3] == ["reopened", "closed", "prepared"]


def test_a_survey_that_asks_its_respondents_is_not_prepared(survey: Survey) -> None:
    asking = create_survey(owner=survey.owner, title="Here")
    save_question(survey=asking, text="Taxes?", kind="yes-no", design="two-coin")
    with pytest.raises(Refused, match="Publish this survey instead"):
        lifecycle.lock_questions(asking)


@pytest.mark.parametrize("status", ["open", "paused"])
def test_the_database_itself_keeps_it_from_respondents(survey: Survey, status: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(status=status)


def test_no_address_for_respondents_knows_it(survey: Survey, client: Client) -> None:
    instrument = lifecycle.lock_questions(survey)
    assert client.get(f"/s/{survey.slug}/").status_code == 404
    assert client.get(f"/api/v1/surveys/{survey.slug}/instrument/").status_code == 404
    assert client.get(f"/api/v1/instruments/{instrument.sha256}/").status_code == 404
    body = {
        "instrument": instrument.sha256,
        "key": "7f1f3c2e-8c43-4f0e-9d57-7c4d2f3a9b10",
        "reports": {"tax": 1},
    }
    sent = client.post(
        f"/api/v1/surveys/{survey.slug}/responses/", body, content_type="application/json"
    )
    assert sent.status_code == 404


def test_a_file_and_a_copy_stay_what_they_are(survey: Survey) -> None:
    copy = survey_file.duplicate(survey, survey.owner)
    assert copy.import_only
    assert survey_file.write(copy)["questions"] == survey_file.write(survey)["questions"]


def test_the_hash_of_a_survey_for_respondents_does_not_change(survey: Survey) -> None:
    asking = create_survey(owner=survey.owner, title="Here")
    save_question(survey=asking, text="Taxes?", kind="yes-no", design="two-coin")
    assert "import_only" not in publish_survey(asking).content


@pytest.mark.parametrize("door", ["page", "program"])
def test_a_copy_for_paper_takes_files_and_has_the_same_questions_and_designs(
    client: Client, door: str
) -> None:
    survey = everything(create_researcher())
    client.force_login(survey.owner)
    Survey.objects.update()
    instrument = publish_survey(survey)
    assert (
        "Copy for paper answers" in client.get(f"/surveys/{survey.slug}/settings/").content.decode()
    )
    if door == "page":
        client.post(f"/surveys/{survey.slug}/duplicate/", {"paper": "1"})
    else:
        at = f"/api/v1/surveys/{survey.slug}/duplicate/"
        program = client_of(survey.owner)
        assert program.post(at, {"import_only": True}, "application/json").status_code == 201
        assert program.post(at, {"paper": True}, "application/json").status_code == 422
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert (copy.import_only, copy.title, copy.owner) == (
        True,
        f"{survey.title} (paper)",
        survey.owner,
    )
    asked, again = parse_instrument(instrument).items, parse_instrument(lock_questions(copy)).items
    for here, there in zip(asked, again, strict=True):
        assert (here.key, here.text, here.help, here.choices) == (
            there.key,
            there.text,
            there.help,
            there.choices,
        )
        assert (here.mechanism and here.mechanism.spec()) == (
            there.mechanism and there.mechanism.spec()
        )
    assert (
        "Copy for paper answers"
        not in client.get(f"/surveys/{copy.slug}/settings/").content.decode()
    )
