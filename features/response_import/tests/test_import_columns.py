"""Questions of several marks as Kobo and LimeSurvey write them: a column for each choice."""

import pytest

from features.response_import.tests.import_files import ITEMS, added_up, csv, part
from surveys.site.errors import Invalid
from tests.factories.import_surveys import FRUIT

MARKS = ["0,1,0", "1,1,1", "0,0,0"]


@pytest.mark.parametrize("spelling", ["fruit/{}", "fruit[{}]", "fruit.{}", "fruit_{}", "fruit: {}"])
@pytest.mark.parametrize("names", [FRUIT, ["PEAR", "plum", "APPLE"]])
def test_a_column_for_each_choice_goes_before_the_one_of_all(spelling: str, names: list) -> None:
    """Kobo writes “Pear Plum” beside them, which is no string of marks."""
    order = [1, 2, 0] if "plum" in names else [0, 1, 2]
    header = f"tax,fruit,{','.join(spelling.format(name) for name in names)},region,age"
    rows = [
        f"Yes,Pear Plum,{','.join(marks.split(',')[place] for place in order)},North,30"
        for marks in MARKS
    ]
    taken = part(csv(*rows, header=header))
    assert taken.problems == []
    assert added_up(taken)["counts"]["fruit"] == added_up(part(csv()))["counts"]["fruit"]


@pytest.mark.parametrize(
    "header", ["fruit,fruit/c1,fruit/c2,fruit/c3", "note,fruit/c1,fruit/c2,fruit/c3"]
)
def test_columns_that_do_not_say_which_choice_they_are_are_asked_for(header: str) -> None:
    with pytest.raises(Invalid) as raised:
        part(csv("Yes,x,0,1,0,North,30", header=f"tax,{header},region,age"))
    assert raised.value.errors == {
        "questions.fruit.columns": "“fruit/c1”, “fruit/c2”, “fruit/c3”: choose which column is which answer."
    }


def test_other_questions_with_longer_names_are_no_choices() -> None:
    taken = part(
        csv("Yes,010,x,x,x,North,30", header="tax,fruit,fruit_when,fruit_why,fruit_how,region,age")
    )
    assert (taken.problems, added_up(taken)["n"]) == ([], 1)
    assert len(ITEMS[1].choices) == 3
