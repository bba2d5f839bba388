"""A background answer as outcome is explained by an ordinary logit: statsmodels finds the same."""

import warnings

import numpy as np
import pytest

from surveys.fieldwork.responses import released
from surveys.models import Instrument, Question
from tests.factories.analysis_surveys import get_api, owner_client
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

with warnings.catch_warnings():  # of what statsmodels uses of pandas
    warnings.simplefilter("ignore")
    from statsmodels.discrete.discrete_model import Logit, MNLogit
    from statsmodels.regression.linear_model import OLS

pytestmark = [pytest.mark.django_db, pytest.mark.once]
N = 900


@pytest.fixture
def made() -> Instrument:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "work", ("None", "Part time", "Full time"))
    add_background(survey, "sex", ("Men", "Women"))
    age = add_background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(kind="number", minimum=20, maximum=59)
    made, rng = publish_survey(survey), np.random.default_rng(11)
    sex, age = rng.binomial(1, 0.4, N), rng.integers(0, 40, N)
    work = (rng.random(N) < 0.8 - 0.3 * sex).astype(int) + (rng.random(N) < 0.2 + age / 80)
    add_responses(made, N, work=work, sex=sex, age=age)
    return Instrument.objects.get(pk=made.pk)


def model_columns(made: Instrument) -> tuple[np.ndarray, np.ndarray]:
    """The outcome, and ones, women against men, who are most, and tens of years."""
    rows = np.concatenate(list(released.iter_batches(made)))
    table = np.column_stack([np.ones(N), rows["sex"], (20 + rows["age"].astype(float)) / 10])
    return rows["work"].astype(int), table


def moved(fitted, table: np.ndarray) -> np.ndarray:
    """The mean difference between everybody as a woman and everybody as a man."""
    sides = [np.column_stack([table[:, 0], np.full(N, sex), table[:, 2]]) for sex in (1, 0)]
    return fitted.predict(sides[0]).mean(axis=0) - fitted.predict(sides[1]).mean(axis=0)


def test_one_answer_is_an_ordinary_logit(made: Instrument) -> None:
    work, table = model_columns(made)
    peer = Logit(work == 2, table).fit(disp=0)
    found = get_api(owner_client(made), made, "model/?outcome=work:2&explain=sex,age:number").json()
    assert (found["model"], found["verdict"], found["n"]) == ("logit", "fine", N)
    assert found["log_likelihood"] == pytest.approx(peer.llf, rel=1e-10)
    terms = {term["key"]: term for term in found["terms"]}
    for place, key in ((1, "sex:1"), (2, "age")):
        assert terms[key]["coefficient"] == pytest.approx(peer.params[place], rel=1e-6)
        assert terms[key]["standard_error"] == pytest.approx(peer.bse[place], rel=1e-6)
        assert terms[key]["odds_ratio"] == pytest.approx(np.exp(peer.params[place]), rel=1e-6)
    robust = Logit(work == 2, table).fit(disp=0, cov_type="HC0")
    assert terms["sex:1"]["robust_error"] == pytest.approx(robust.bse[1], rel=1e-6)
    assert terms["sex:1"]["difference"] == pytest.approx(
        OLS(work == 2, table).fit().params[1], rel=1e-8
    )
    assert terms["sex:1"]["corrected"] == pytest.approx((work[table[:, 1] == 1] == 2).mean())
    tests = {test["key"]: test["statistic"] for test in found["tests"]}
    for place, key in ((1, "sex"), (2, "age")):
        without = Logit(work == 2, np.delete(table, place, axis=1)).fit(disp=0)
        assert tests[key] == pytest.approx(2 * (peer.llf - without.llf), rel=1e-6)


def test_all_answers_at_once_are_an_ordinary_multinomial_logit(made: Instrument) -> None:
    work, table = model_columns(made)
    peer = MNLogit(work, table).fit(disp=0)
    found = get_api(owner_client(made), made, "model/?outcome=work&explain=sex,age:number").json()
    assert found["log_likelihood"] == pytest.approx(peer.llf, rel=1e-10)
    women = [term for term in found["terms"] if term["key"] == "sex:1"]
    assert women[0]["coefficient"] is None  # the first answer is what the others are compared with
    assert [term["coefficient"] for term in women[1:]] == pytest.approx(
        list(peer.params[1]), rel=1e-5
    )
    assert [term["standard_error"] for term in women[1:]] == pytest.approx(
        list(peer.bse[1]), rel=1e-5
    )
    assert [term["difference"] for term in women] == pytest.approx(
        list(moved(peer, table)), rel=1e-5
    )
