"""The methods of an analysis: one text for page, JSON and file, with what was really done and all its literature."""

import html
import re

import numpy as np
import pytest

from features.regression.model import fits
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument
from tests.factories.analysis_surveys import (
    analyst_client,
    get_analysis_page,
    get_api,
    get_report_page,
    owner_client,
    publish_with_counts,
)
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ASKED = {
    "model": ("model/", "outcome=tax:1&explain=region,coast"),
    "table": ("table/", "rows=region&columns=tax"),
    "compare": ("groups/", "by=region&outcome=tax:1"),
    "weighted": ("weighted/", "margins=region:0.5,0.5"),
}
ON_THE_PAGE = {
    "model": "outcome=tax:1&explain=region&explain=coast",
    "weighted": "region-0=50&region-1=50",
}


@pytest.fixture
def made() -> Instrument:
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_background(survey, cut=True)
    add_background(survey, "coast", cut=True)
    made, region = publish_survey(survey), np.arange(3000) % 2
    coast = np.arange(3000) // 2 % 2
    add_responses(
        made,
        3000,
        region=region,
        coast=coast,
        tax=(np.random.default_rng(2).random(3000) < 0.3 + 0.2 * region).astype(int),
    )
    return Instrument.objects.get(pk=made.pk)


@pytest.mark.parametrize("name", ASKED)
def test_page_json_and_file_have_one_text(made: Instrument, name: str) -> None:
    client, (address, asked) = owner_client(made), ASKED[name]
    found = get_api(client, made, f"{address}?{asked}").json()
    found = found.get("comparison", found)
    text = found["method" if name == "model" else "methods"]
    typed = ON_THE_PAGE.get(name, asked)
    if name == "compare":  # its page has no methods text
        typed, files = asked, get_api
    else:
        files = get_report_page
        place = {"weighted": "weighting"}.get(name, "linked")
        shown = html.unescape(get_analysis_page(client, made, f"{place}/?{typed}").content.decode())
        assert text in shown[shown.index("Method and checks, for experts") :]
        assert f"report/{name}.txt?" in shown
    file = files(client, made, f"{name}.txt?{typed}")
    assert (
        file.headers["Content-Disposition"]
        == f'attachment; filename="{made.survey.slug}-{name}-methods.txt"'
    )
    assert file.headers["Content-Type"].startswith("text/plain")
    assert text in file.content.decode()
    assert file.content == get_api(client, made, f"{name}.txt?{asked}").content


@pytest.mark.parametrize("name", ASKED)
def test_the_file_names_survey_design_assumptions_and_all_that_is_cited(
    made: Instrument, name: str
) -> None:
    text = get_api(owner_client(made), made, f"{name}.txt?{ASKED[name][1]}").content.decode()
    body, _, works = text.partition("References")
    assert f"instrument SHA-256 {made.sha256}" in body
    assert "n = 3,000" in body
    assert "“About tax?” (tax): " in body
    assert "The estimates assume that respondents answered truthfully" in body
    assert "The privacy loss of one answer is at most " in body
    years = set(re.findall(r"(?<![\d.])(?:19|20)\d\d(?!\d)", body.replace(made.sha256, "")))
    assert years
    assert [year for year in years if f"({year})" not in works] == []
    (address, asked) = ASKED[name]
    found = get_api(owner_client(made), made, f"{address}?{asked}").json()
    references = found.get("comparison", found)["references"]
    assert references == sorted(references)
    assert all(work in works for work in references)


def test_a_model_says_which_model_errors_rule_and_tests() -> None:
    people = {(0,): (1312, 497), (1,): (1123, 334)}
    made = publish_with_counts(people, sex=("Men", "Women"))
    said = get_api(owner_client(made), made, "model/?outcome=tax:1&explain=sex").json()
    text = said["method"]
    assert "for n = 2,435 people by logistic regression of the true answer" in text
    assert "standard errors from the observed information" in text
    assert "with fewer than 3 effective events E for each column" in text
    assert f"here E = {said['effective_events']:.1f}, verdict “{said['verdict']}”" in text
    assert "tested by a likelihood-ratio test" in text
    assert "score intervals (Mee 1984; Miettinen & Nurminen 1985)" in text
    shares = get_api(
        owner_client(made), made, "model/?outcome=tax:1&explain=sex&model=shares"
    ).json()["method"]
    assert "HC1" in shares
    assert "tested by a Wald test" in shares
    assert "effective events" not in shares


def test_where_another_fit_for_each_question_is_long_walds_test_is_named_and_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = {(0,): (1312, 497), (1,): (1123, 334)}
    made = publish_with_counts(people, sex=("Men", "Women"))
    quick = get_api(owner_client(made), made, "model/?outcome=tax:1&explain=sex").json()
    monkeypatch.setattr(fits, "REFITTED", 0)
    said = get_api(owner_client(made), made, "model/?outcome=tax:1&explain=sex").json()
    assert "tested by a Wald test" in said["method"]
    (ratio,), (wald,) = quick["tests"], said["tests"]
    row = next(each for each in said["terms"] if each["coefficient"] is not None)
    assert wald["statistic"] == pytest.approx((row["coefficient"] / row["standard_error"]) ** 2)
    assert wald["kind"] == "Wald"
    assert ratio["kind"] == "likelihood ratio"
    assert {**said, "tests": 0, "method": 0, "references": 0} == {
        **quick,
        "tests": 0,
        "method": 0,
        "references": 0,
    }


def test_a_model_that_took_anothers_place_says_why() -> None:
    made = publish_with_counts({(0,): (400, 100), (1,): (400, 101)}, sex=("Men", "Women"))
    said = get_api(owner_client(made), made, "model/?outcome=tax:1&explain=sex").json()
    assert (said["asked"], said["model"]) == ("logit", "shares")
    assert "verdict “boundary”" in said["method"]
    assert "least squares of the decoded reports" in said["method"]


def test_a_truth_that_explains_is_named(made: Instrument) -> None:
    text = get_api(owner_client(made), made, "model/?outcome=tax:1&explain=region,fruit:0")
    assert (
        "The true answer to “About fruit?” has its own logistic regression" in text.json()["method"]
    )


def test_who_has_no_right_to_rows_gets_the_methods_of_groups_only(made: Instrument) -> None:
    reader = analyst_client(made)
    for name, (_, asked) in ASKED.items():
        assert get_api(reader, made, f"{name}.txt?{asked}").status_code == 422
    close_survey(made.survey)
    for name, (_, asked) in ASKED.items():
        assert get_api(reader, made, f"{name}.txt?{asked}").status_code == 200
    filtered = get_api(reader, made, f"table.txt?{ASKED['table'][1]}&where=region:0")
    assert "restricted to respondents where" in filtered.content.decode()


def test_what_is_refused_has_no_methods(made: Instrument) -> None:
    wrong = get_report_page(owner_client(made), made, "model.txt?outcome=tax:1")
    assert wrong.status_code == 422
    assert "Choose at least one possible factor" in wrong.content.decode()
