"""Files as pandas, SPSS and Stata write them come in as pandas counts them: by the page, the API and the command."""

import html
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.fieldwork import lifecycle
from surveys.models import Batch, Import, Survey
from tests.filed import tally
from tests.making import researcher

pytestmark = [pytest.mark.django_db, pytest.mark.once]  # the statements are those of test_import_staging.py
SEXES, REGIONS, DRUGS = ["Man", "Woman"], ["North", "East", "South", "West"], ["Never", "Once", "Often"]
ANSWERS = {"sex": SEXES, "region": REGIONS, "drugs": DRUGS}
Ask = dict[str, str]  # question key -> how it is answered where it is asked from where codes count


def survey() -> Survey:
    """Declining is offered everywhere, as it is for a new background question."""
    made = create_survey(owner=researcher(), title="On paper", import_only=True)
    for key in ("sex", "region"):
        save_question(survey=made, text=key, key=key, kind="background", choices=ANSWERS[key])
    scrambled = {"kind": "choice", "design": "direct", "parameters": {"epsilon": "1"}, "decline": True}
    save_question(survey=made, text="Drugs?", key="drugs", choices=DRUGS, **scrambled)
    save_question(survey=made, text="Age?", key="age", kind="number", minimum="18", maximum="99")
    lifecycle.prepare(made, made.owner)
    made.refresh_from_db()
    return made


def frame() -> pd.DataFrame:
    """200 people."""
    rng = np.random.default_rng(7)
    chosen = {key: pd.Categorical(rng.choice(answers, 200), answers) for key, answers in ANSWERS.items()}
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


FILES: dict[str, tuple[Callable[[Path], bytes], bool]] = {  # name -> the file, and whether its codes count from 1
    "pandas-labels.csv": (lambda _: csv(frame()), False),
    "pandas-labels.xlsx": (lambda _: xlsx(frame()), False),
    "pandas-codes.csv": (lambda _: csv(coded(0)), False),
    "pandas-codes.xlsx": (lambda _: xlsx(coded(0)), False),
    "spss-labels.csv": (lambda folder: csv(labelled(folder, "sav", as_labels=True)), False),
    "spss.sav": (lambda folder: raw(folder, "sav"), False),
    "stata.dta": (lambda folder: raw(folder, "dta"), False),
    "spss-codes.csv": (lambda folder: csv(labelled(folder, "sav", as_labels=False)), True),
    "spss-codes.xlsx": (lambda folder: xlsx(labelled(folder, "sav", as_labels=False)), True),
    "stata-labels.csv": (lambda folder: csv(labelled(folder, "dta", as_labels=True)), False),
    "stata-codes.csv": (lambda folder: csv(labelled(folder, "dta", as_labels=False)), True),
    "stata-codes.xlsx": (lambda folder: xlsx(labelled(folder, "dta", as_labels=False)), True),
}


class Refused(Exception):
    """What a door says."""


def by_page(into: Survey, data: bytes, name: str, ways: Ask) -> None:
    client = Client()
    client.force_login(into.owner)
    typed = {f"as-{key}": how for key, how in ways.items()}
    typed |= {"mapped": "1", "missing-age": "-7"}  # which stays, whatever is asked
    address = f"/surveys/{into.slug}/import/"
    for do in ("look", "preview"):
        file = SimpleUploadedFile(name, data)
        answer = client.post(address, {"do": do, "file": file, **typed})
        if answer.status_code == 302:
            client.post(address, {"do": "add", "file": answer["Location"].split("file=")[1]})
            return
    page = answer.content.decode()
    assert 'name="missing-age" value="-7"' in page
    for key in re.findall(r'<details[^>]* open id="line-(\w+)"', page):
        choice = re.search(rf'<select[^>]* id="as-{key}".*?</select>', page, re.DOTALL).group(0)
        assert re.findall('value="(codes[^"]*)"', choice) == ["codes", "codes-from-1"]
    raise Refused(html.unescape(page))


def by_api(into: Survey, data: bytes, name: str, ways: Ask) -> None:
    client = Client(headers={"Authorization": f"Token {issue_token(into.owner, name)}"})
    asked = {"questions": {key: {"as": how} for key, how in ways.items()}}
    begun = client.post(f"/api/v1/surveys/{into.slug}/imports/", {"mapping": asked}, content_type="application/json")
    address = f"/api/v1/surveys/{into.slug}/imports/{begun.json()['id']}/"
    client.put(f"{address}parts/1/", data, content_type="text/csv")
    end = client.post(f"{address}finish/", {"parts": 1}, content_type="application/json")
    if end.status_code != 200:
        client.delete(address)
        raise Refused(json.dumps(end.json(), ensure_ascii=False))


def by_command(into: Survey, data: bytes, name: str, ways: Ask, folder: Path) -> None:
    path, mapping = folder / name, folder / "mapping.json"
    path.write_bytes(data)
    mapping.write_text(json.dumps({"questions": {key: {"as": how} for key, how in ways.items()}}))
    try:
        call_command("import_responses", into.slug, str(path), mapping=str(mapping), stdout=io.StringIO())
    except CommandError as refused:
        raise Refused(str(refused)) from refused


@pytest.fixture(params=["page", "api", "command"])
def bring(request: pytest.FixtureRequest, tmp_path: Path) -> Callable:
    if request.param == "command":
        return lambda *brought: by_command(*brought, tmp_path)
    return by_page if request.param == "page" else by_api


def nothing_is_stored(into: Survey) -> bool:
    return tally(into) == {} and not Batch.objects.exists() and not Import.objects.exists()


@pytest.mark.parametrize("name", FILES)
def test_every_answer_counts_as_pandas_counts_it(name: str, bring: Callable, tmp_path: Path) -> None:
    into, people, (make, from_1) = survey(), frame(), FILES[name]
    data, ways = make(tmp_path), {}
    if from_1:
        with pytest.raises(Refused) as refused:
            bring(into, data, name, {})
        assert str(refused.value).count("Do these codes count from 0") == 3
        counted = people["sex"].value_counts()
        assert (
            "Do these codes count from 0 (0 = Man, 1 = Woman) or from 1 (1 = Man, 2 = Woman)? "
            f"The column has 1 ({counted['Man']} times), 2 ({counted['Woman']} times)."
        ) in str(refused.value)
        assert nothing_is_stored(into)
        ways = dict.fromkeys(ANSWERS, "codes-from-1")
    bring(into, data, name, ways)
    found = tally(into)
    for key, answers in ANSWERS.items():
        assert found["counts"][key] == [*people[key].value_counts()[answers], 0]
    ages = people["age"].value_counts()
    assert found["counts"]["age"] == [*(ages.get(age, 0) for age in range(18, 100)), 0]


def test_one_age_out_of_bounds_is_named_by_its_row_and_nothing_is_stored(bring: Callable) -> None:
    into, people = survey(), frame()
    people.loc[150, "age"] = 17
    for name, data in (("people.csv", csv(people)), ("people.xlsx", xlsx(people))):
        with pytest.raises(Refused) as refused:
            bring(into, data, name, {})
        assert "“17” is not a whole number from 18 to 99" in str(refused.value)
        assert "152" in str(refused.value)
        assert nothing_is_stored(into)
