"""Programs that nobody here wrote read every file, and see the same numbers, labels and levels in it."""

import json
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from django.db import transaction

from features.statistical_packages.names import spss_names, stata_names
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.export import decoded, earlier_names, files as all_files
from surveys.export.columns import Holds, all_columns, columns
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.records import wire_reports
from surveys.models import Instrument, Question
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import export_file
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = [pytest.mark.django_db, pytest.mark.once]  # the files are made once, for all tests
HARD = "It's \"so\"; */ /* // $x `y' !z. \\ 100 % – ß 日本 😀"
WAYS = ("Yes; =1+1", "=cmd|' /C calc'!A0", "-5", HARD)
LONG = "twenty_nine_letters_and_more_b"
PSPP = shutil.which("pspp")
needs_pspp = pytest.mark.skipif(
    not PSPP, reason="PSPP is not installed on this machine: apt-get install pspp"
)


def hard() -> Instrument:
    """A question of each form of column, names and texts that break what is not careful, and missing reports."""
    survey = surveys.create_draft(title=f"{HARD}\n* a.\nexit\n*/", import_only=True)
    surveys.add_yes_no(survey, "with")
    surveys.add_choice(survey, "fruit", [*surveys.FRUIT, HARD])
    surveys.add_choice(survey, "fruit_1", ["a", "b"])
    surveys.add_choice(survey, f"{LONG}a", ["a", "b"])
    surveys.add_choice(survey, f"{LONG}b", ["a", "b"])
    picked = surveys.add_choice(survey, "picked", design="marks", parameters={"epsilon": "1"})
    surveys.add_choice(survey, "direct", WAYS, design="direct", parameters={"epsilon": "2"})
    surveys.add_scale(survey, "agrees", design="direct", parameters={"epsilon": "2"})
    surveys.add_quantity(survey, "hours")
    surveys.add_background(survey, "region", WAYS)
    surveys.add_background(survey, "age", ())
    surveys.add_background(survey, "change", ())
    asked = Question.objects.filter(survey=survey)
    asked.filter(pk=picked.pk).update(kind=Question.Kind.ANY)
    asked.filter(key="age").update(kind=Question.Kind.NUMBER, minimum=18, maximum=97, decline=True)
    asked.filter(key="change").update(kind=Question.Kind.NUMBER, minimum=-300, maximum=97)
    asked.update(text=f"{HARD}\n{'Long ß ' * 60}?")
    instrument = lock_questions(survey)
    add_invented_responses(instrument, 300, missing=0.1)
    return instrument


def values(frozen: SurveyDefinition, rows: np.ndarray) -> pd.DataFrame:
    """Every cell, written here once more from the reports as they went on the wire; float, NaN for nothing."""
    found = {}
    for item in frozen.items:
        sent = wire_reports(frozen, rows, item)
        names = [column.name for column in columns(frozen)[item.key]]
        if item.is_string:
            cells = [
                [None] * item.size if each is None else [{"-": None}.get(m, m) for m in each]
                for each in sent
            ]
            found |= dict(zip(names, zip(*cells, strict=True), strict=True))
        elif item.kind == "number":
            numbers = [
                None if each in (None, item.decline_code) else item.choices[each] for each in sent
            ]
            found[item.key] = numbers
            if item.decline_code:
                found[names[1]] = [
                    None if each is None else each == item.decline_code for each in sent
                ]
        elif item.has_own_numbers or (item.mechanism and item.mechanism.in_groups):
            found[item.key] = sent
        else:
            numbers = item.values.numbers
            found[item.key] = [None if each is None else numbers[each] for each in sent]
    return pd.DataFrame(found).astype(float)


class Made:
    """What was asked, what was reported, and every file of it in a folder."""

    def __init__(self, instrument: Instrument, folder: Path) -> None:
        self.paper, self.folder = parse_instrument(instrument), folder
        self.expected = values(self.paper, np.concatenate(list(decoded(instrument))))
        for file in (*all_files(), *earlier_names()):
            (folder / file.name).write_bytes(export_file(instrument, file.name))

    def file(self, name: str) -> Path:
        return self.folder / name

    def from_codes(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The same with the value of each answer in place of its place among the categories."""
        found = frame.copy()
        for column in all_columns(self.paper):
            if column.holds is Holds.CODE:
                values = dict(enumerate(column.labels))
                found[column.name] = found[column.name].map(values)
        return found

    def same(self, frame: pd.DataFrame, names: dict[str, str] | None = None) -> None:
        expected = self.expected.rename(columns=names or {})
        pd.testing.assert_frame_equal(frame.astype(float), expected, check_names=False)


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> Made:
    with django_db_blocker.unblock(), transaction.atomic():
        found = Made(hard(), tmp_path_factory.mktemp("files"))
        transaction.set_rollback(True)
    return found


def test_numbers_leave_as_numbers_and_names_do_not_collide(made: Made) -> None:
    assert made.expected["age"].min() >= 18
    assert made.expected["change"].min() == -300
    assert {"fruit__1", "fruit_1_1", "age_declined", "picked_4"} <= set(made.expected)
    assert len(set(stata_names(made.paper).values())) == len(all_columns(made.paper))
    assert max(map(len, stata_names(made.paper).values())) <= 32


def test_pandas_reads_what_is_text_and_parquet_without_a_word(made: Made) -> None:
    made.same(pd.read_csv(made.file("responses.csv")))
    made.same(pd.read_parquet(made.file("responses.parquet")))
    kinds = {str(field.type) for field in pq.read_schema(made.file("responses.parquet"))}
    assert kinds == {"uint8", "int16"}


def test_pyreadstat_reads_the_sav_with_labels_and_levels(made: Made) -> None:
    frame, about = pyreadstat.read_sav(made.file("responses.sav"), user_missing=True)
    names = spss_names(made.paper)
    made.same(frame, names)
    assert names["with"] == "with_"
    for column in all_columns(made.paper):
        name = names[column.name]
        assert about.variable_value_labels.get(name, {}).keys() == column.labels.keys()
        assert about.variable_measure[name] == column.level
        assert about.column_names_to_labels[name].startswith("It's")
    assert about.column_names_to_labels["fruit__2"].endswith("…: Pear [scrambled]")
    assert about.variable_value_labels["region"] == dict(enumerate(WAYS, 1))
    assert about.file_label.startswith("It's")


def test_the_sav_compresses_rows_which_older_programs_read_too(made: Made) -> None:
    """A file that begins with $FL3 is compressed as a whole, which foreign of R, gretl and older PSPP cannot read."""
    header = made.file("responses.sav").read_bytes()[:176]
    compression = int.from_bytes(header[72:76], "little")
    assert header[:4] == b"$FL2"
    assert compression == 1


def test_pandas_reads_the_dta_with_labels(made: Made) -> None:
    names = stata_names(made.paper)
    with pd.read_stata(made.file("responses.dta"), iterator=True) as reader:
        made.same(reader.read(convert_categoricals=False), names)
        assert reader.variable_labels()["fruit__2"].endswith("…: Pear [scrambled]")
        assert reader.value_labels()["region"] == dict(enumerate(WAYS, 1))
        assert reader.value_labels()["age_declined"][1] == "Prefer not to say"


def test_a_workbook_holds_text_and_numbers_and_nothing_that_calculates(made: Made) -> None:
    book = openpyxl.load_workbook(made.file("responses.xlsx"))
    sheet, about = book["responses"], book["codebook"]
    kinds = {cell.data_type for rows in (sheet, about) for row in rows.iter_rows() for cell in row}
    assert kinds == {"n", "s"}
    header, *rows = sheet.values
    frame = pd.DataFrame(rows, columns=header)
    assert set(frame["region"].dropna()) <= set(WAYS)
    assert frame["fruit: Pear"].astype(float).equals(made.expected["fruit__2"])
    numbers = pd.to_numeric(frame["age"], errors="coerce")
    assert numbers.equals(made.expected["age"])
    assert (frame["age"] == "Prefer not to say").sum() == made.expected["age_declined"].sum()
    read = pd.read_excel(made.file("responses.xlsx"), sheet_name="responses", engine="calamine")
    assert read["region"].tolist() == [np.nan if each is None else each for each in frame["region"]]
    assert next(about.values) == (
        *("column", "variable", "label", "values"),
        *("scrambled", "c", "d"),
    )


def test_the_python_script_makes_categories_and_numbers(made: Made) -> None:
    run = (
        "import runpy; runpy.run_path('import_responses.py')['responses'].to_pickle('read.pickle')"
    )
    subprocesses.run([sys.executable, "-c", run], cwd=made.folder)
    frame = pd.read_pickle(made.folder / "read.pickle")
    assert frame["region"].cat.categories.tolist() == list(WAYS)
    assert frame["agrees"].cat.ordered
    assert frame.attrs["title"] == made.paper.title
    assert frame["age"].mean() == pytest.approx(made.expected["age"].mean())
    coded = {
        name: column.cat.codes.replace(-1, np.nan)
        for name, column in frame.items()
        if column.dtype == "category"
    }
    numbers = frame.assign(**coded).astype("Float64").astype(float)
    made.same(made.from_codes(numbers))


R = """
source("import.R", encoding = "UTF-8")
code <- function(each) as.integer(each) - is.factor(each)
write.csv(as.data.frame(lapply(responses, code)), "read.csv", na = "", row.names = FALSE)
stopifnot(is.ordered(responses$agrees), is.factor(responses$with), is.integer(responses$age))
writeLines(enc2utf8(c(levels(responses$region), attr(responses, "title"))), "texts", useBytes = TRUE)
if (requireNamespace("haven", quietly = TRUE)) {
  sav <- haven::read_sav("responses.sav")
  dta <- haven::read_dta("responses.dta")
  for (each in list(sav, dta)) stopifnot(all.equal(as.vector(each$age), as.vector(responses$age)))
  stopifnot(identical(unname(attr(sav$region, "labels")), c(0, 1, 2, 3)), haven::is.labelled(dta$region))
  for (each in list(sav, dta)) stopifnot(endsWith(attr(each$fruit__2, "label"), ": Pear [scrambled]"))
}
"""


@needs_r
def test_r_reads_factors_and_numbers_and_haven_the_files_of_others(made: Made) -> None:
    subprocesses.run([RSCRIPT, "--vanilla", "-e", R], cwd=made.folder)
    made.same(made.from_codes(pd.read_csv(made.folder / "read.csv")))
    *levels, title = made.file("texts").read_text().split("\n", len(WAYS))
    assert (levels, title.rstrip("\n")) == (list(WAYS), made.paper.title)


@needs_pspp
def test_pspp_runs_the_spss_syntax(made: Made) -> None:
    syntax = made.file("import.sps").read_text() + "SAVE OUTFILE='from_pspp.sav'.\n"
    (made.folder / "run.sps").write_text(syntax, encoding="utf-8")
    command = [PSPP, "--syntax-encoding=UTF-8", "-O", "format=txt", "-o", "listing", "run.sps"]
    done = subprocesses.run(command, cwd=made.folder)
    assert done.stderr == ""
    frame, about = pyreadstat.read_sav(made.folder / "from_pspp.sav")
    made.same(frame, spss_names(made.paper))
    assert about.variable_value_labels["region"] == dict(enumerate(WAYS, 1))
    assert about.variable_measure["agrees"] == "ordinal"
    assert about.variable_measure["age"] == "scale"
    assert about.column_names_to_labels["fruit__2"].endswith("…: Pear [scrambled]")
    assert "rror" not in made.file("listing").read_text()


@pytest.mark.long
def test_polars_and_duckdb_read_all_of_it(made: Made) -> None:
    polars, duckdb = (
        pytest.importorskip(name, reason="pip install polars duckdb")
        for name in ("polars", "duckdb")
    )
    made.same(polars.read_csv(made.file("responses.csv"), infer_schema_length=None).to_pandas())
    made.same(polars.read_parquet(made.file("responses.parquet")).to_pandas())
    for name in ("responses.csv", "responses.parquet"):
        made.same(duckdb.sql(f"SELECT * FROM '{made.file(name)}'").df())


DDI = {"ddi": "ddi:codebook:2_5"}
ORDER = [
    "labl",
    "qstn",
    "valrng",
    "universe",
    "txt",
    "catgry",
    "varFormat",
]  # as the schema wants them


def test_the_ddi_codebook_has_what_archives_need(made: Made) -> None:
    """By the elements that the schema demands, and their order; the schema itself is not at hand offline."""
    root = ElementTree.parse(made.file("codebook.xml")).getroot()
    assert (root.tag, root.get("version")) == ("{ddi:codebook:2_5}codeBook", "2.5")
    assert [part.tag.split("}")[1] for part in root] == ["stdyDscr", "fileDscr", "dataDscr"]
    assert root.findtext("ddi:stdyDscr/ddi:citation/ddi:titlStmt/ddi:titl", "", DDI).startswith(
        "It's"
    )
    size = root.find("ddi:fileDscr/ddi:fileTxt/ddi:dimensns", DDI)
    assert [int(part.text) for part in size] == [300, made.expected.shape[1]]
    variables = root.findall("ddi:dataDscr/ddi:var", DDI)
    assert [each.get("name") for each in variables] == list(made.expected)
    assert len({each.get("ID") for each in variables}) == len(variables)
    for each, column in zip(variables, all_columns(made.paper), strict=True):
        parts = [part.tag.split("}")[1] for part in each]
        assert parts == sorted(parts, key=ORDER.index)
        labels = [
            category.findtext("ddi:labl", "", DDI) for category in each.findall("ddi:catgry", DDI)
        ]
        assert labels == list(column.labels.values())
    known = {each.get("ID") for each in variables}
    for group in root.findall("ddi:dataDscr/ddi:varGrp", DDI):
        assert set(group.get("var").split()) <= known


def test_the_codebook_names_version_columns_and_numbers(made: Made) -> None:
    book = json.loads(made.file("codebook.json").read_text())
    variables = {each["name"]: each for each in book["variables"]}
    assert book["version"] == 3
    assert [name for each in book["variables"] for name in each["columns"]] == list(made.expected)
    assert variables["age"]["numbers"] == {"first": 18, "last": 97, "step": 1}
    assert [each["column"] for each in variables["fruit"]["choices"]] == variables["fruit"][
        "columns"
    ]
    assert "\n# Codebook\n" in made.file("README.txt").read_text()
