"""Files as pandas, SPSS and Stata write them come in as pandas counts them: by the page, the API and the command."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from features.response_import.tests.import_files import tally
from features.response_import.tests.response_uploads import (
    DOORS,
    Refused,
    Send,
    door,
    nothing_is_stored,
)
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Survey
from tests.factories.surveys import create_researcher

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
]  # the statements are those of test_import_staging.py
SEXES, REGIONS, DRUGS = (
    ["Man", "Woman"],
    ["North", "East", "South", "West"],
    ["Never", "Once", "Often"],
)
ANSWERS = {"sex": SEXES, "region": REGIONS, "drugs": DRUGS}


def survey() -> Survey:
    """Declining is offered everywhere, as it is for a new background question."""
    made = create_survey(owner=create_researcher(), title="On paper", import_only=True)
    for key in ("sex", "region"):
        save_question(survey=made, text=key, key=key, kind="background", choices=ANSWERS[key])
    scrambled = {
        "kind": "choice",
        "design": "direct",
        "parameters": {"epsilon": "1"},
        "decline": True,
    }
    save_question(survey=made, text="Drugs?", key="drugs", choices=DRUGS, **scrambled)
    save_question(survey=made, text="Age?", key="age", kind="number", minimum="18", maximum="99")
    lifecycle.lock_questions(made, made.owner)
    made.refresh_from_db()
    return made


def frame() -> pd.DataFrame:
    """200 people."""
    rng = np.random.default_rng(7)
    chosen = {
        key: pd.Categorical(rng.choice(answers, 200), answers) for key, answers in ANSWERS.items()
    }
    return pd.DataFrame(chosen | {"age": rng.integers(18, 76, 200)})


def coded(first: int) -> pd.DataFrame:
    people = frame()
    return people.assign(**{key: people[key].cat.codes + first for key in ANSWERS})


def csv(people: pd.DataFrame) -> bytes:
    return people.to_csv(index=False).encode()


def xlsx(people: pd.DataFrame) -> bytes:
    file = io.BytesIO()
    people.to_excel(file, index=False)
    return file.getvalue()


def labelled(folder: Path, ending: str, *, as_labels: bool) -> pd.DataFrame:
    """What SPSS or Stata makes of its own file, in which values from 1 on have labels."""
    path = folder / f"people.{ending}"
    write, read = {
        "sav": (pyreadstat.write_sav, pyreadstat.read_sav),
        "dta": (pyreadstat.write_dta, pyreadstat.read_dta),
    }[ending]
    meaning = {key: dict(enumerate(answers, 1)) for key, answers in ANSWERS.items()}
    write(coded(1).astype("int32"), path, variable_value_labels=meaning)
    return read(path, apply_value_formats=as_labels)[0]


def raw(folder: Path, ending: str) -> bytes:
    labelled(folder, ending, as_labels=True)
    return (folder / f"people.{ending}").read_bytes()


FILES: dict[
    str, tuple[Callable[[Path], bytes], int | None]
] = {  # name -> the file, and its first code if it has codes
    "pandas-labels.csv": (lambda _: csv(frame()), None),
    "pandas-labels.xlsx": (lambda _: xlsx(frame()), None),
    "pandas-codes.csv": (lambda _: csv(coded(0)), 0),
    "pandas-codes.xlsx": (lambda _: xlsx(coded(0)), 0),
    "spss-labels.csv": (lambda folder: csv(labelled(folder, "sav", as_labels=True)), None),
    "spss.sav": (lambda folder: raw(folder, "sav"), None),
    "stata.dta": (lambda folder: raw(folder, "dta"), None),
    "spss-codes.csv": (lambda folder: csv(labelled(folder, "sav", as_labels=False)), 1),
    "spss-codes.xlsx": (lambda folder: xlsx(labelled(folder, "sav", as_labels=False)), 1),
    "stata-labels.csv": (lambda folder: csv(labelled(folder, "dta", as_labels=True)), None),
    "stata-codes.csv": (lambda folder: csv(labelled(folder, "dta", as_labels=False)), 1),
    "stata-codes.xlsx": (lambda folder: xlsx(labelled(folder, "dta", as_labels=False)), 1),
}


@pytest.fixture(params=DOORS)
def send(request: pytest.FixtureRequest, tmp_path: Path) -> Send:
    return door(request, tmp_path)


@pytest.mark.parametrize("name", FILES)
def test_every_answer_counts_as_pandas_counts_it(name: str, send: Send, tmp_path: Path) -> None:
    into, people, (make, first) = survey(), frame(), FILES[name]
    data, meanings = make(tmp_path), {}
    if first is not None:
        with pytest.raises(Refused) as refused:
            send(into, data, name, {})
        for key, answers in ANSWERS.items():
            counted = people[key].value_counts()
            assert refused.value.asked[key] == {
                str(code): counted[answer]
                for code, answer in enumerate(answers, first)
                if answer in counted
            }
        assert nothing_is_stored(into)
        for key, answers in ANSWERS.items():
            meanings[key] = {str(code + first): code for code in range(len(answers))}
    send(into, data, name, meanings)
    found = tally(into)
    for key, answers in ANSWERS.items():
        assert found["counts"][key] == [*people[key].value_counts()[answers], 0]
    ages = people["age"].value_counts()
    assert found["counts"]["age"] == [*(ages.get(age, 0) for age in range(18, 100)), 0]


def test_one_age_out_of_bounds_is_named_by_its_row_and_nothing_is_stored(send: Send) -> None:
    into, people = survey(), frame()
    people.loc[150, "age"] = 17
    for name, data in (("people.csv", csv(people)), ("people.xlsx", xlsx(people))):
        with pytest.raises(Refused) as refused:
            send(into, data, name, {})
        assert "“17” is not a whole number from 18 to 99" in str(refused.value)
        assert "152" in str(refused.value)
        assert nothing_is_stored(into)
