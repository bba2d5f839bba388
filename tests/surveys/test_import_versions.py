"""Files that this site wrote come back the same, those of before numbers left as numbers, and those since."""

import csv
import io

import numpy as np
import pytest

from surveys.authoring.drafts import create_survey, save_question
from surveys.ballots.records import responses
from surveys.errors import Invalid
from surveys.export import decoded
from surveys.export.columns import every
from surveys.importing.guessing import version
from surveys.models import Instrument, Survey
from surveys.publishing import lifecycle
from surveys.publishing.instruments import paper
from tests import making
from tests.exported import written
from tests.filling import fill
from tests.surveys import filed
from tests.surveys.filed import problems, questions, send, tally

pytestmark = pytest.mark.django_db
DECLINED = {"kind": "number", "minimum": "18", "maximum": "97", "decline": True}


def asked(*, marks: bool = True) -> Survey:
    """With numbers that may be declined, and with marks or without."""
    survey = create_survey(owner=making.researcher(f"ada{Survey.objects.count()}"), title="Here", import_only=True)
    if marks:
        questions(survey)
    else:
        save_question(survey=survey, text="Taxes?", key="tax", kind="yes-no", design="warner", parameters={"p": "3/4"})
    save_question(survey=survey, text="Since?", key="since", **DECLINED)
    lifecycle.prepare(survey, survey.owner)
    survey.refresh_from_db()
    return survey


@pytest.fixture
def filled() -> Instrument:
    instrument = asked().instrument
    fill(instrument, 500, missing=0.05)
    return instrument


def older(instrument: Instrument) -> bytes:
    """responses.csv as it was written when its codebook had no version."""
    frozen, file = paper(instrument), io.StringIO(newline="")
    rows = np.concatenate(list(decoded(instrument)))
    table = csv.writer(file)
    table.writerow(item.key for item in frozen.items)
    table.writerows(zip(*(responses(frozen, rows, item) for item in frozen.items), strict=True))
    return file.getvalue().encode()


@pytest.mark.parametrize(
    "name",
    [
        *("responses.csv", "responses-compact.csv", "responses-excel.csv", "responses.xlsx"),
        *("responses.parquet", "responses-packed.parquet"),
    ],
)
def test_every_table_comes_back_without_a_word(filled: Instrument, name: str) -> None:
    again = asked()
    send(again, written(filled, name))
    assert tally(again) == Instrument.objects.get(pk=filled.pk).tally


def test_a_file_of_before_comes_back_too(filled: Instrument) -> None:
    again = asked()
    send(again, older(filled), {"version": 1})
    assert tally(again) == Instrument.objects.get(pk=filled.pk).tally


def test_where_both_look_alike_the_codebooks_version_says_it() -> None:
    """Ages from 18 to 79 can be codes of 36 to 97, too."""
    source = asked(marks=False).instrument
    fill(source, 300)
    before, now = older(source), written(source, "responses-excel.csv").replace(b"Yes", b"1").replace(b"No", b"0")
    assert before.splitlines()[0] == b"tax,since"
    for data, number in ((before, 1), (now.removeprefix(b"\xef\xbb\xbf"), 2)):
        again = asked(marks=False)
        send(again, data, {"version": number})
        assert tally(again)["counts"] == Instrument.objects.get(pk=source.pk).tally["counts"]
    with pytest.raises(Invalid, match="version 2"):
        send(asked(marks=False), b"tax,since\n1,20\n0,40\n")


def test_the_version_is_seen_in_the_names_of_the_columns(filled: Instrument) -> None:
    frozen = paper(filled)
    for name, expected in (("responses.csv", 2), ("responses-excel.csv", 2)):
        header = next(csv.reader(io.StringIO(written(filled, name).decode("utf-8-sig"))))
        assert version(frozen, header) == expected
    assert version(frozen, [item.key for item in frozen.items]) == 1
    assert version(frozen, ["something", "else"]) is None


def test_picked_marks_with_a_number_look_alike_in_both_versions() -> None:
    """Picked marks have had columns of their own since ever: then nothing but the numbers tells the versions apart."""

    def survey() -> Survey:
        made = making.draft(making.researcher(f"eve{Survey.objects.count()}"), import_only=True)
        making.choice(made, "fruit", making.FRUIT, design="marks", parameters={"epsilon": "1"})
        making.background(made, "age", ())
        made.questions.filter(key="fruit").update(kind="any")
        made.questions.filter(key="age").update(kind="number", minimum=18, maximum=99)
        lifecycle.prepare(made, made.owner)
        made.refresh_from_db()
        return made

    frozen = paper(survey().instrument)
    names = [column.name for column in every(frozen)]
    assert version(frozen, names) is None
    marks = ",".join("1" if place < frozen.items[0].wire.pick else "" for place in range(4))
    data = f"{','.join(names)}\n{marks},20\n{marks},40\n".encode()
    with pytest.raises(Invalid, match="version 2"):
        send(survey(), data)
    for number, code in ((1, 20), (2, 2)):
        again = survey()
        send(again, data, {"version": number})
        assert tally(again)["counts"]["age"][code] == 1


@pytest.mark.parametrize("number", [3, "2", True])
def test_another_version_is_refused(number: object) -> None:
    with pytest.raises(Invalid, match="1 or 2"):
        send(asked(), b"", {"version": number})


def test_a_number_beside_declining_is_wrong() -> None:
    survey = asked(marks=False)
    data = b"tax,since,since_declined\n1,30,0\n0,,1\n1,,\n0,30,1\n1,x,1\n1,99,0\n1,30,2\n"
    assert problems(survey, data) == [
        (5, "since", "A number, “30”, stands in the row of somebody who gave none: since_declined is 1."),
        (6, "since", "“x” is not a whole number from 18 to 97, or “Prefer not to say”."),
        (7, "since", "“99” is not a whole number from 18 to 97, or “Prefer not to say”."),
        (8, "since_declined", "“2” is not a whole number from 18 to 97, or “Prefer not to say”."),
    ]


def test_labels_with_a_sign_come_back_without_their_apostrophe() -> None:
    asked = {"kind": "background", "choices": ["+2", "-3", "x"], "decline": False}
    source, again = (filed.only(making.researcher(name), **asked) for name in ("ada", "eve"))
    fill(source.instrument, 30)
    data = written(source.instrument, "responses-excel.csv")
    assert b"'+2" in data
    assert b"'-3" in data
    send(again, data)
    assert tally(again)["counts"] == Instrument.objects.get(survey=source).tally["counts"]
