"""Files of SPSS and Stata: a value becomes its label, and what the file declares missing is no report."""

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from features.response_import.tests.import_files import added_up, part
from mechanisms import Warner
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken

SEX = QuestionDefinition("sex", "background", "Sex?", "", ("Man", "Woman", "No answer"), None)
AGE = QuestionDefinition("age", "number", "Age?", "", tuple(map(str, range(18, 100))), None)
TAX = QuestionDefinition("tax", "yes-no", "Taxes?", "", ("No", "Yes"), Warner("3/4"))
PEOPLE = pd.DataFrame({"sex": [2.0, 1, 9, None], "age": [18.0, 99, -99, 33]})
LABELS = {
    "sex": {1: "Man", 2: "Woman", 9: "no  answer"},
    "age": {99: "99 or older", -99: "Refused"},
}


def sav(path: Path, people: pd.DataFrame, labels: dict, **more: object) -> bytes:
    pyreadstat.write_sav(people, path, variable_value_labels=labels, **more)
    return path.read_bytes()


def dta(path: Path, people: pd.DataFrame, labels: dict, **more: object) -> bytes:
    pyreadstat.write_dta(people, path, variable_value_labels=labels, **more)
    return path.read_bytes()


def counts(data: bytes, item: QuestionDefinition, mapping: object = None) -> tuple[list[int], int]:
    """How often each report came, and how many rows have none."""
    taken = part(data, mapping, (item,), nonresponse=True)
    assert taken.problems == []
    return added_up(taken, (item,), nonresponse=True)["counts"][item.key], taken.missing.get(
        item.key, 0
    )


def test_what_spss_declares_missing_is_no_report_unless_it_is_an_answer(tmp_path: Path) -> None:
    declared = {"sex": [9], "age": [{"lo": -99, "hi": -1}]}
    data = sav(tmp_path / "a.sav", PEOPLE, LABELS, missing_ranges=declared)
    assert counts(data, SEX) == ([1, 1, 1], 1)
    assert counts(
        data, QuestionDefinition("sex", "background", "Sex?", "", ("Man", "Woman"), None)
    ) == ([1, 1], 2)
    ages, missing = counts(data, AGE)
    assert ([18 + code for code, n in enumerate(ages) if n], missing) == ([18, 33, 99], 1)


def test_what_stata_declares_missing_has_a_letter(tmp_path: Path) -> None:
    people = PEOPLE.astype(object)
    people.loc[2] = ["a", "b"]
    labels = {"sex": {1: "Man", 2: "Woman", "a": "No answer"}, "age": {"b": "Refused"}}
    data = dta(tmp_path / "a.dta", people, labels, missing_user_values={"sex": ["a"], "age": ["b"]})
    assert counts(data, SEX) == ([1, 1, 1], 1)
    ages, missing = counts(data, AGE)
    assert ([18 + code for code, n in enumerate(ages) if n], missing) == ([18, 33, 99], 1)


def test_labels_that_are_no_answers_are_asked_for(tmp_path: Path) -> None:
    people = pd.DataFrame({"tax": [1, 2, 1]})
    data = sav(tmp_path / "a.sav", people, {"tax": {1: "Same", 2: "Different", 3: "Never used"}})
    with pytest.raises(Invalid) as raised:
        part(data, items=(TAX,))
    assert raised.value.errors == {
        "questions.tax.texts": "Choose which answer each of the labels “same”, “different” means. They are not "
        "answers of this question."
    }
    texts = {"questions": {"tax": {"texts": {"Same": 1, "Different": 0}}}}
    assert counts(data, TAX, texts) == ([1, 2], 0)


def test_a_value_without_a_label_is_named_by_its_row(tmp_path: Path) -> None:
    data = sav(tmp_path / "a.sav", pd.DataFrame({"sex": [1, 2, 2, 7]}), LABELS)
    taken = part(data, items=(SEX,))
    assert [(each.row, each.column) for each in taken.problems] == [(5, "sex")]
    assert taken.problems[0].message.startswith("“7” is not one of Man, Woman")


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    for data in (sav(tmp_path / "a.sav", PEOPLE, LABELS), dta(tmp_path / "a.dta", PEOPLE, LABELS)):
        with pytest.raises(Broken, match="can’t be read to the end"):
            part(data[: len(data) // 2], items=(SEX,))
