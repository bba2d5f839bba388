"""Every file that leaves says the same, opens where researchers work, and is harmless in a spreadsheet."""

import csv
import hashlib
import io
import json
import random
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from features.statistical_packages.ddi import ddi
from features.statistical_packages.scripts.r import package_calls, quoted, r_script
from features.statistical_packages.scripts.spss import spss_syntax
from features.statistical_packages.scripts.stata import stata_do
from mechanisms import Crosswise, Geometry, Kuk, Mangat, Matrix, Triangular, UnrelatedQuestion, regress
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey
from surveys.definition.parsing import paper
from surveys.export import codebook, files as all_files, find_file
from surveys.export.codebook import as_markdown, line
from surveys.export.columns import every, fitting, one_line
from surveys.export.text import csv_cell
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Question
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.site.files.formulas import armed, defused
from tests.factories import surveys
from tests.factories.many_responses import fill
from tests.factories.surveys import publish
from tests.helpers.exports import csv_of
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = pytest.mark.django_db


def every_kind() -> Instrument:
    """An open survey with a question of each form of report."""
    survey = surveys.draft(title="Työ & “elämä”")
    surveys.yes_no(survey, "warner")
    surveys.yes_no(survey, "coins", design="two-coin")
    surveys.yes_no(survey, "forced", "forced-response", parameters={"truth": "2/3", "yes": "1/6", "no": "1/6"})
    surveys.yes_no(survey, "harmless", "unrelated-question", parameters={"p": "2/3", "prevalence": "1/12"})
    surveys.yes_no(survey, "general", "generalized", parameters={"p": "0.9", "q": "0.7"})
    surveys.choice(survey, "direct", design="direct", parameters={"epsilon": "2"}, decline=True)
    surveys.choice(survey, "unary")
    surveys.choice(survey, "subset", list("ABCDEFGHIJK"), design="subset", parameters={"epsilon": "1"})
    several = surveys.choice(survey, "several", design="unary-any", parameters={"epsilon": "4"})
    Question.objects.filter(pk=several.pk).update(kind=Question.Kind.ANY)
    surveys.background(survey, "region", ("=cmd|' /C calc'!A0", "+49", 'Say "no", please', "-5"))
    return publish(survey)


def written(instrument: Instrument, name: str) -> bytes:
    return b"".join(find_file(name).stream(instrument))


@pytest.fixture
def filled() -> Instrument:
    instrument = every_kind()
    fill(instrument, 700)
    fill(instrument, 500, seed=2)
    return instrument


def test_csv_json_lines_and_parquet_say_the_same(filled: Instrument) -> None:
    rows = list(csv.DictReader(io.StringIO(written(filled, "responses.csv").decode())))
    objects = [json.loads(text) for text in written(filled, "responses.jsonl").splitlines()]
    table = pq.read_table(io.BytesIO(written(filled, "responses.parquet"))).to_pydict()
    assert len(rows) == 1200
    assert [{key: str(value) for key, value in one.items()} for one in objects] == rows
    assert [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)] == objects


def test_pandas_reads_the_csv_and_its_shares_are_the_reports(filled: Instrument) -> None:
    frame = pd.read_csv(io.BytesIO(written(filled, "responses.csv")))
    found = {question.key: question for question in report(filled, seen=ReaderView(filled)).questions}
    assert frame["warner"].mean() == pytest.approx(found["warner"].choices[1].observed)
    assert frame["unary_3"].mean() == pytest.approx(found["unary"].choices[2].observed)


def test_parquet_has_a_row_group_for_each_batch_typed_columns_and_the_instrument(filled: Instrument) -> None:
    file = pq.ParquetFile(io.BytesIO(written(filled, "responses.parquet")))
    assert sorted(file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)) == [500, 700]
    schema = file.schema_arrow
    assert (str(schema.field("warner").type), str(schema.field("several_1").type)) == ("uint8", "uint8")
    metadata = schema.metadata
    assert hashlib.sha256(metadata[b"candor.instrument"]).hexdigest() == filled.sha256
    variables = json.loads(metadata[b"candor.codebook"])["variables"]
    assert variables[0]["mechanism"]["rows"] == [[3, 1], [1, 3]]


def test_a_spreadsheet_gets_labels_a_mark_of_utf8_and_no_formula(filled: Instrument) -> None:
    content = written(filled, "responses-excel.csv")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert {row["region"] for row in rows} == {"'=cmd|' /C calc'!A0", "'+49", 'Say "no", please', "'-5"}
    assert {row["warner"] for row in rows} == {"No", "Yes"}
    plain = csv.DictReader(io.StringIO(written(filled, "responses-compact.csv").decode()))
    assert ["m" + "".join(row[f"unary: {label}"] for label in surveys.FRUIT) for row in rows] == [
        row["unary"] for row in plain
    ]


@pytest.mark.parametrize("text", ["=1+1", "+a", "-a", "@SUM(A1)", "\tx", "\rx", "＝1", "-5+cmd|x", "+2", "-3"])
def test_what_a_spreadsheet_would_run_is_defused(text: str) -> None:
    (cell,) = next(csv.reader(io.StringIO(csv_cell(text), newline="")))
    assert cell == "'" + text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("No;=1+1", "No;'=1+1"),
        ('a;=HYPERLINK("http://evil")', 'a;\'=HYPERLINK("http://evil")'),
        ("a\t@x", "a\t'@x"),
        ("-5\n=1", "'-5\n'=1"),
        ("a; -1", "a; '-1"),
    ],
)
def test_nothing_runs_where_a_spreadsheet_cuts_at_semicolons(text: str, cell: str) -> None:
    """As with German, French or Spanish settings, where numbers have a comma."""
    assert defused(text) == cell
    assert armed(cell) == text
    assert next(csv.reader(io.StringIO(csv_cell(text), newline=""))) == [cell]


@pytest.mark.parametrize("text", ["5", "3.5", "Apple", "a=b", "naïve, “x”", 'a "b"'])
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert next(csv.reader(io.StringIO(csv_cell(text)))) == [text]


def test_a_survey_without_responses_gives_whole_files() -> None:
    instrument = every_kind()
    assert len(csv_of(instrument).splitlines()) == 1
    assert pq.read_table(io.BytesIO(written(instrument, "responses.parquet"))).num_rows == 0
    assert zipfile.ZipFile(io.BytesIO(written(instrument, "everything.zip"))).testzip() is None


def test_the_zip_holds_every_file_and_all_agree(filled: Instrument) -> None:
    archive = zipfile.ZipFile(io.BytesIO(written(filled, "everything.zip")))
    assert archive.testzip() is None
    for file in all_files():
        if file.is_packed:
            assert archive.read(file.name) == written(filled, file.name), file.name
    assert hashlib.sha256(archive.read("instrument.json")).hexdigest() == filled.sha256
    assert json.loads(archive.read("report.json"))["n"] == 1200


def test_the_zip_of_a_closed_survey_is_the_same_byte_for_byte(filled: Instrument) -> None:
    close_survey(filled.survey)
    assert written(filled, "everything.zip") == written(filled, "everything.zip")


def test_responses_sealed_while_the_zip_is_written_are_in_none_of_its_files(filled: Instrument) -> None:
    pieces = find_file("everything.zip").stream(filled)
    started = [next(pieces)]
    fill(filled, 400, seed=3)
    archive = zipfile.ZipFile(io.BytesIO(b"".join([*started, *pieces])))
    rows = archive.read("responses.csv").count(b"\n") - 1
    assert rows == json.loads(archive.read("codebook.json"))["n"]
    assert pq.read_table(io.BytesIO(archive.read("responses.parquet"))).num_rows == rows
    assert json.loads(archive.read("report.json"))["n"] == rows


def test_the_number_of_queries_does_not_grow_with_the_rows(django_assert_num_queries) -> None:
    instrument = every_kind()
    fill(instrument, 50)
    with django_assert_num_queries(1):
        written(instrument, "responses.csv")
    for seed in range(5):
        fill(instrument, 50, seed)
    with django_assert_num_queries(1):
        written(instrument, "responses.csv")


def test_the_codebook_says_how_to_correct(filled: Instrument) -> None:
    book = json.loads(written(filled, "codebook.json"))
    variables = {variable["name"]: variable for variable in book["variables"]}
    assert (book["n"], book["epsilon"]) == (1200, pytest.approx(paper(filled).epsilon))
    assert [variables["coins"]["choices"][1][letter] for letter in "cd"] == [0.5, 0.25]
    result = {question.key: question for question in report(filled, seen=ReaderView(filled)).questions}
    for name, variable in variables.items():
        for choice, reported in zip(variable["choices"], result[name].choices, strict=True):
            assert (reported.observed - choice["d"]) / choice["c"] == pytest.approx(reported.estimate), name
    text = written(filled, "codebook.md").decode()
    assert "1,200 responses" in text
    assert "| 1 | Yes | 1/2 | 1/4 |" in text
    assert "Not randomized" in text


def made(item: FrozenQuestion) -> FrozenSurvey:
    return FrozenSurvey("0" * 64, "slug", "Title", "", "", "en", items=(item,), length=0, content="{}")


def test_an_infinite_epsilon_is_marked_and_is_valid_json() -> None:
    frozen = made(FrozenQuestion("card", "yes-no", "?", "", ("No", "Yes"), Mangat("1/2")))
    book = codebook(frozen)
    assert (book["epsilon"], book["epsilon_is_infinite"]) == (None, True)
    assert "NaN" not in json.dumps(book, allow_nan=False)
    assert "infinite" in as_markdown(frozen)


GENERAL = Matrix([[6, 3, 1], [2, 6, 2], [1, 1, 8]], 10)


def test_a_general_matrix_has_no_line_and_says_so() -> None:
    item = FrozenQuestion("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    assert line(item) is None
    assert codebook(made(item))["variables"][0]["choices"][0]["c"] is None
    assert "M^-1" in as_markdown(made(item))


@pytest.mark.parametrize(
    ("mechanism", "calls"),
    [
        (Crosswise("1/4"), ['design = "mirrored", p = 1/4', 'model = "Crosswise", p = 1/4']),
        (UnrelatedQuestion("2/3", "1/12"), ["p = 2/3, q = 1/12", 'model = "UQTknown", p = c(2/3, 1/12)']),
        (Mangat("1/3"), ['model = "Mangat", p = 1/3']),
        (Triangular("1/4"), ['model = "Triangular", p = 1/4']),
        (Kuk("4/5", "1/5"), ['model = "Kuk", p = c(4/5, 1/5)']),
    ],
)
def test_the_packages_get_their_own_names_of_the_probabilities(mechanism: object, calls: list[str]) -> None:
    found = package_calls(FrozenQuestion("card", "yes-no", "?", "", ("No", "Yes"), mechanism))
    assert len(found) == len(calls)
    assert all(part in call for part, call in zip(calls, found, strict=True))


def run_r(folder: Path, script: str) -> pd.DataFrame:
    (folder / "analysis.R").write_text(script, encoding="utf-8")
    command = [RSCRIPT, "--vanilla", "analysis.R", "responses.csv", "report.csv"]
    subprocesses.run(command, cwd=folder)
    return pd.read_csv(folder / "report.csv")


NUMBERS = ("observed", "estimate", "standard_error", "low", "high", "constrained")


@needs_r
@pytest.mark.parametrize("name", ["responses.csv", "responses.csv with BOM"])
def test_the_r_script_gives_the_numbers_of_the_report(filled: Instrument, tmp_path: Path, name: str) -> None:
    text = ("\ufeff" if name.endswith("BOM") else "") + csv_of(filled)
    (tmp_path / "responses.csv").write_text(text, encoding="utf-8", newline="")
    frame = run_r(tmp_path, written(filled, "analysis.R").decode())
    expected = [
        [choice.observed, choice.estimate, choice.standard_error, *choice.interval, choice.constrained]
        for question in report(filled, seen=ReaderView(filled)).questions
        for choice in question.choices
    ]
    assert np.allclose(frame[list(NUMBERS)].to_numpy(float), expected, rtol=0, atol=1e-12)
    assert frame["choice"][len(frame) - 2] == 'Say "no", please'


def test_the_r_script_knows_how_many_shares_are_free(filled: Instrument) -> None:
    script = written(filled, "analysis.R").decode()
    free = [int(line.split("=")[1].rstrip(", ")) for line in script.splitlines() if line.startswith("    free = ")]
    assert free == [item.mechanism.free_shares if item.mechanism else item.size for item in paper(filled).items]
    assert "simultaneous <- FALSE" in script


@needs_r
def test_the_r_script_makes_intervals_that_hold_together(filled: Instrument, tmp_path: Path) -> None:
    (tmp_path / "responses.csv").write_text(csv_of(filled), encoding="utf-8", newline="")
    script = written(filled, "analysis.R").decode().replace("simultaneous <- FALSE", "simultaneous <- TRUE")
    questions = report(filled, simultaneous=True, seen=ReaderView(filled)).questions
    expected = [choice.interval for question in questions for choice in question.choices]
    assert np.allclose(run_r(tmp_path, script)[["low", "high"]].to_numpy(float), expected, rtol=0, atol=1e-10)


@needs_r
def test_the_r_script_knows_means_and_picked_marks(tmp_path: Path) -> None:
    survey = surveys.draft()
    surveys.quantity(survey, "hours")
    surveys.quantity(survey, "nights", decline=True)
    surveys.scale(survey, "agrees")
    several = surveys.choice(survey, "several", design="marks", parameters={"epsilon": "1"})
    Question.objects.filter(pk=several.pk).update(kind=Question.Kind.ANY)
    instrument = publish(survey)
    fill(instrument, 900)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    frame = run_r(tmp_path, written(instrument, "analysis.R").decode())
    *numbers, marks = report(instrument).questions
    means = [question.average.mean for question in numbers]
    expected = [[*mean[:2], *mean.interval] for mean in means]
    expected += [[choice.estimate, choice.standard_error, *choice.interval] for choice in marks.choices]
    assert np.allclose(frame[["estimate", "standard_error", "low", "high"]].to_numpy(float), expected, atol=1e-11)
    assert frame["n"].tolist() == [900] * 3 + [choice.n for choice in marks.choices]


@needs_r
def test_the_r_script_fits_a_model(tmp_path: Path) -> None:
    survey = surveys.draft()
    surveys.yes_no(survey)
    surveys.background(survey)
    instrument = publish(survey)
    fill(instrument, 2000)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    more = 'write.csv(model("tax", 1, ~ region)$terms, "report.csv", row.names = FALSE)\n'
    found = run_r(tmp_path, written(instrument, "analysis.R").decode() + more)
    rows = pd.read_csv(tmp_path / "responses.csv")
    other = (rows["region"] != rows["region"].mode()[0]).to_numpy(float)
    design = np.column_stack([np.ones(len(rows)), other])
    expected = regress(paper(instrument).items[0].mechanism, rows["tax"].to_numpy(), design)
    assert np.allclose(found["coefficient"], expected.coefficients, rtol=0, atol=1e-6)
    assert np.allclose(found["standard_error"], expected.standard_errors, rtol=0, atol=1e-6)


@needs_r
def test_the_r_script_decodes_a_general_matrix(tmp_path: Path) -> None:
    item = FrozenQuestion("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    reports = random.Random(3).choices(range(3), [5, 3, 2], k=400)
    (tmp_path / "responses.csv").write_text("card\n" + "".join(f"{code}\n" for code in reports))
    frame = run_r(tmp_path, r_script(made(item)))
    estimate = GENERAL.estimate(GENERAL.tally(reports), interval="wald")
    assert np.allclose(frame["estimate"], estimate.proportions, atol=1e-12)
    assert np.allclose(frame["standard_error"], estimate.standard_errors, atol=1e-12)
    assert np.allclose(frame[["low", "high"]], estimate.intervals, atol=1e-12)


@needs_r
@pytest.mark.parametrize("text", ['"', "\\", "é", "日本", "😀", "'", "a\nb", "$x`y`", "%s", "\u202eabc"])
def test_r_reads_any_text_as_it_is(text: str) -> None:
    code = f"cat(utf8ToInt(enc2utf8({quoted(text)})))"
    done = subprocesses.run([RSCRIPT, "--vanilla", "-e", code])
    assert done.stdout.split() == [str(ord(letter)) for letter in text]


TRICKY = FrozenQuestion(
    "using", "background", "It's `a' $x \"y\" = 5.", "", ("Don't", '"Quote"', "`tick'", "$HOME"), None
)


def test_spss_syntax_labels_everything_and_stays_valid(filled: Instrument) -> None:
    syntax = spss_syntax(paper(filled))
    assert "  /FIRSTCASE=2" in syntax
    assert "    warner F1.0" in syntax
    assert "    subset_11 F1.0" in syntax
    assert "VARIABLE LABELS several_2 'About several?: Pear'." in syntax
    assert "VARIABLE LEVEL several_2 (NOMINAL)." in syntax
    tricky = spss_syntax(made(TRICKY))
    assert "  0 'Don''t'" in tricky
    assert "VARIABLE LABELS by_ " in spss_syntax(made(FrozenQuestion("by", "background", "?", "", ("a", "b"), None)))


def test_the_stata_file_labels_everything_and_runs_no_macro(filled: Instrument) -> None:
    do = stata_do(paper(filled))
    assert 'using "responses.csv", varnames(1) encoding("UTF-8") clear' in do
    assert 'label variable several_2 `"About several?: Pear"\'' in do
    tricky = stata_do(made(TRICKY))
    assert "import delimited using_ using" in tricky
    assert "define choices1 2 `\"\\`tick'\"', add" in tricky
    assert 'define choices1 3 `"\\$HOME"\', add' in tricky


def test_a_title_stays_in_the_comment_of_a_stata_file(filled: Instrument) -> None:
    title = "A /* b // c ///\nd `e' $f \\ g"
    head, after = stata_do(replace(paper(filled), title=title)).split("\n", 1)
    assert head.startswith("* A ")
    assert head.endswith("g")
    assert not set(head) & set("/`$\\")
    assert after.startswith("* Instrument")


def test_the_command_writes_the_same_bytes(filled: Instrument, tmp_path: Path) -> None:
    target = tmp_path / "out"
    call_command("export", paper(filled).survey, "responses.csv", output=str(target), verbosity=0)
    assert target.read_bytes() == written(filled, "responses.csv")
    call_command("export", paper(filled).survey, "responses.parquet", output=str(target), form="packed", verbosity=0)
    assert target.read_bytes() == written(filled, "responses-packed.parquet")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "No published survey has the slug 'nothing'"),
        (["{slug}", "x.doc"], "There is no file 'x.doc'. Choose one of everything.zip, responses.csv"),
        (["{slug}", "responses.csv", "--marks", "packed"], "There is no file 'responses.csv' in the form 'packed'"),
        (["{slug}", "codebook.md", "-o", "/nowhere/at/all"], "can’t be written"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    slug = paper(surveys.published()).survey
    with pytest.raises(CommandError, match=message):
        call_command("export", *(argument.format(slug=slug) for argument in arguments))


def test_what_is_made_as_a_whole_is_offered_up_to_its_limit(
    filled: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [file.name for file in all_files() if file.limit]
    assert whole == ["responses.xlsx", "responses.sav", "responses.dta"]
    for name in whole:
        assert find_file(name).limit == 100_000
        monkeypatch.setattr(find_file(name), "limit", 1199)
    slug, client = paper(filled).survey, Client()
    client.force_login(filled.survey.owner)
    page = client.get(f"/surveys/{slug}/files/").content.decode()
    said = "responses.xlsx, responses.sav and responses.dta hold at most 1,199 responses, and there are 1,200. Use "
    assert said in page
    assert "/export/responses.sav" not in page
    refused = client.get(f"/surveys/{slug}/export/responses.sav")
    assert refused.status_code == 409
    assert "Use responses.parquet or responses.csv." in refused.content.decode()
    with pytest.raises(CommandError, match="holds at most 1,199 responses, and there are 1,200"):
        call_command("export", slug, "responses.dta")


def test_so_are_files_with_too_many_cells_or_columns(filled: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    width = len(every(paper(filled)))
    holds = {name: find_file(name) for name in ("responses.xlsx", "responses.sav", "responses.dta")}
    assert [file.most_cells for file in holds.values()] == [5_000_000] * 3
    assert [file.most_columns for file in holds.values()] == [16_384, None, 32_767]
    monkeypatch.setattr(holds["responses.sav"], "most_cells", 1200 * width - 1)
    monkeypatch.setattr(holds["responses.dta"], "most_columns", width - 1)
    address, client = f"surveys/{paper(filled).survey}/export/", Client()
    client.force_login(filled.survey.owner)
    page = client.get(f"/surveys/{paper(filled).survey}/files/").content.decode()
    cells = f"responses.sav holds at most {1200 * width - 1:,} cells, and there are {1200 * width:,}."
    columns = f"responses.dta holds at most {width - 1} columns, and there are {width}."
    assert f"{cells} {columns} Use responses.parquet or responses.csv." in page
    assert [f'/export/{name}" download' in page for name in holds] == [True, False, False]
    for name, said in (("responses.sav", cells), ("responses.dta", columns)):
        refused = client.get(f"/api/v1/{address}{name}")
        assert (refused.status_code, refused.json()["detail"].startswith(said)) == (409, True)
    for file in holds.values():
        assert file.lack(1200, width - 1) == ""


@pytest.mark.parametrize("name", ["responses.xlsx", "everything.zip"])
def test_a_part_of_a_zip_may_be_of_any_size(filled: Instrument, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What is written piece by piece has no size to tell beforehand, so its header must have room for any."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1000)
    with zipfile.ZipFile(io.BytesIO(written(filled, name))) as archive:
        assert archive.testzip() is None


def test_declining_is_no_point_above_the_others_of_a_scale() -> None:
    survey = surveys.draft()
    surveys.scale(survey, "agrees")
    surveys.scale(survey, "declines", design="direct", parameters={"epsilon": "2"}, decline=True)
    surveys.scale(survey, "tells", design="direct", parameters={"epsilon": "2"})
    frozen = paper(publish(survey))
    assert {column.name: column.level for column in every(frozen)} == {
        "agrees": "scale",
        "declines": "nominal",
        "tells": "ordinal",
    }


def test_the_number_that_is_sent_for_a_text_is_no_amount(tmp_path: Path) -> None:
    survey = surveys.draft()
    surveys.written(survey, "word")
    surveys.quantity(survey, "hours")
    instrument = publish(survey)
    (tmp_path / "responses.sav").write_bytes(written(instrument, "responses.sav"))
    _, book = pyreadstat.read_sav(tmp_path / "responses.sav", metadataonly=True)
    assert book.variable_measure == {"word": "nominal", "hours": "scale"}
    assert "VARIABLE LEVEL word (NOMINAL)." in spss_syntax(paper(instrument))


def test_an_archive_is_told_the_chances_without_markdown(filled: Instrument) -> None:
    """Also those of a matrix, of which the codebook for reading has a table."""
    card = FrozenQuestion("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    place = FrozenQuestion("place", "choice", "?", "", tuple(map(str, range(400))), Geometry(400, 2.0))
    texts = []
    for frozen in (paper(filled), made(card), made(place)):
        root = ElementTree.fromstring(ddi(frozen, {"n": 1}))
        texts += [each.text for each in root.iter("{ddi:codebook:2_5}txt")]
    assert not [text for text in texts if "|--" in text or "`" in text]
    assert (
        "For the true code 1: 0 is reported with probability 1/5, 1 is reported with probability 3/5, "
        "2 is reported with probability 1/5." in "".join(texts)
    )


def test_no_text_makes_a_file_of_xml_unreadable() -> None:
    survey = surveys.draft()
    surveys.choice(survey, "fruit", ["a\ufffe\x01b", "c\uffffd"])
    instrument = publish(survey)
    fill(instrument, 20)
    root = ElementTree.fromstring(written(instrument, "codebook.xml"))
    assert "ab" in "".join(root.itertext())
    header = next(openpyxl.load_workbook(io.BytesIO(written(instrument, "responses.xlsx")))["responses"].values)
    assert header == ("fruit: ab", "fruit: cd")
    assert one_line("a\ud800b\ufffec") == "abc"


def test_the_files_of_programs_are_the_same_byte_for_byte(filled: Instrument) -> None:
    close_survey(filled.survey)
    names = ["responses.xlsx", "responses.sav", "responses.dta"]
    first = [written(filled, name) for name in names]
    time.sleep(1.1)  # their formats hold the time to the second
    assert [written(filled, name) for name in names] == first


def test_a_label_that_is_too_long_keeps_its_end() -> None:
    text = fitting("ß" * 300, ": Apple", 255, lambda part: len(part.encode()))
    assert text.endswith("ß…: Apple")
    assert 250 < len(text.encode()) <= 255
    assert fitting("a\n b\x07\u2028c", "", 0) == "a b c"


@needs_r
def test_the_r_script_knows_numbers_and_who_declined(tmp_path: Path) -> None:
    survey = surveys.draft()
    surveys.yes_no(survey)
    age = surveys.background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(kind=Question.Kind.NUMBER, minimum=18, maximum=97, decline=True)
    instrument = publish(survey)
    fill(instrument, 900)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    more = 'write.csv(model("tax", 1, ~ age)$terms, "model.csv")\n'
    frame = run_r(tmp_path, written(instrument, "analysis.R").decode() + more)
    ages = frame[frame["question"] == "age"]
    assert ages["observed"].tolist() == pytest.approx([count / 900 for count in instrument.tally["counts"]["age"]])
    assert ages["choice"].iloc[-1] == "Prefer not to say"
    assert len(pd.read_csv(tmp_path / "model.csv")) == 2
