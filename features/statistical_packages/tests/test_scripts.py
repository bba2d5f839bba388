"""Files and scripts for SPSS, Stata, R and archives: the numbers of the report, and texts that break no syntax."""

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
from mechanisms import Crosswise, Geometry, Kuk, Mangat, Triangular, UnrelatedQuestion, regress
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.export import files as all_files, find_file
from surveys.export.columns import all_columns
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Question
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from tests.export.test_export import GENERAL, every_kind, made
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled() -> Instrument:
    instrument = every_kind()
    add_invented_responses(instrument, 700)
    add_invented_responses(instrument, 500, seed=2)
    return instrument


def test_parquet_says_the_same_as_csv(filled: Instrument) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_of(filled))))
    table = pq.read_table(io.BytesIO(export_file(filled, "responses.parquet"))).to_pydict()
    columns = {name: [str(value) for value in values] for name, values in table.items()}
    assert len(rows) == 1200
    assert [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ] == rows


def test_a_survey_without_responses_has_a_parquet_file_without_rows() -> None:
    assert pq.read_table(io.BytesIO(export_file(every_kind(), "responses.parquet"))).num_rows == 0


def test_the_parquet_file_of_a_zip_holds_the_rows_of_the_csv(filled: Instrument) -> None:
    """Also if responses are sealed while it is written."""
    pieces = find_file("everything.zip").stream(filled)
    started = [next(pieces)]
    add_invented_responses(filled, 400, seed=3)
    archive = zipfile.ZipFile(io.BytesIO(b"".join([*started, *pieces])))
    rows = archive.read("responses.csv").count(b"\n") - 1
    assert pq.read_table(io.BytesIO(archive.read("responses.parquet"))).num_rows == rows


def test_the_command_writes_the_packed_form(filled: Instrument, tmp_path: Path) -> None:
    target = tmp_path / "out"
    call_command(
        "export",
        parse_instrument(filled).survey,
        "responses.parquet",
        output=str(target),
        form="packed",
        verbosity=0,
    )
    assert target.read_bytes() == export_file(filled, "responses-packed.parquet")


def test_parquet_has_a_row_group_for_each_batch_typed_columns_and_the_instrument(
    filled: Instrument,
) -> None:
    file = pq.ParquetFile(io.BytesIO(export_file(filled, "responses.parquet")))
    assert sorted(
        file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)
    ) == [500, 700]
    schema = file.schema_arrow
    assert (str(schema.field("warner").type), str(schema.field("several_1").type)) == (
        "uint8",
        "uint8",
    )
    metadata = schema.metadata
    assert hashlib.sha256(metadata[b"candor.instrument"]).hexdigest() == filled.sha256
    variables = json.loads(metadata[b"candor.codebook"])["variables"]
    assert variables[0]["mechanism"]["rows"] == [[3, 1], [1, 3]]


@pytest.mark.parametrize(
    ("mechanism", "calls"),
    [
        (Crosswise("1/4"), ['design = "mirrored", p = 1/4', 'model = "Crosswise", p = 1/4']),
        (
            UnrelatedQuestion("2/3", "1/12"),
            ["p = 2/3, q = 1/12", 'model = "UQTknown", p = c(2/3, 1/12)'],
        ),
        (Mangat("1/3"), ['model = "Mangat", p = 1/3']),
        (Triangular("1/4"), ['model = "Triangular", p = 1/4']),
        (Kuk("4/5", "1/5"), ['model = "Kuk", p = c(4/5, 1/5)']),
    ],
)
def test_the_packages_get_their_own_names_of_the_probabilities(
    mechanism: object, calls: list[str]
) -> None:
    written_calls = package_calls(
        QuestionDefinition("card", "yes-no", "?", "", ("No", "Yes"), mechanism)
    )
    assert len(written_calls) == len(calls)
    assert all(part in call for part, call in zip(calls, written_calls, strict=True))


def run_r(folder: Path, script: str) -> pd.DataFrame:
    (folder / "analysis.R").write_text(script, encoding="utf-8")
    command = [RSCRIPT, "--vanilla", "analysis.R", "responses.csv", "report.csv"]
    subprocesses.run(command, cwd=folder)
    return pd.read_csv(folder / "report.csv")


NUMBERS = ("observed", "estimate", "standard_error", "low", "high", "constrained")


@needs_r
@pytest.mark.parametrize("name", ["responses.csv", "responses.csv with BOM"])
def test_the_r_script_gives_the_numbers_of_the_report(
    filled: Instrument, tmp_path: Path, name: str
) -> None:
    text = ("\ufeff" if name.endswith("BOM") else "") + csv_of(filled)
    (tmp_path / "responses.csv").write_text(text, encoding="utf-8", newline="")
    frame = run_r(tmp_path, export_file(filled, "analysis.R").decode())
    expected = [
        [
            choice.observed,
            choice.estimate,
            choice.standard_error,
            *choice.interval,
            choice.constrained,
        ]
        for question in report(filled, seen=ReaderView(filled)).questions
        for choice in question.choices
    ]
    assert np.allclose(frame[list(NUMBERS)].to_numpy(float), expected, rtol=0, atol=1e-12)
    assert frame["choice"][len(frame) - 2] == 'Say "no", please'


def test_the_r_script_knows_how_many_shares_are_free(filled: Instrument) -> None:
    script = export_file(filled, "analysis.R").decode()
    free = [
        int(line.split("=")[1].rstrip(", "))
        for line in script.splitlines()
        if line.startswith("    free = ")
    ]
    assert free == [
        item.mechanism.free_shares if item.mechanism else item.size
        for item in parse_instrument(filled).items
    ]
    assert "simultaneous <- FALSE" in script


@needs_r
def test_the_r_script_makes_intervals_that_hold_together(
    filled: Instrument, tmp_path: Path
) -> None:
    (tmp_path / "responses.csv").write_text(csv_of(filled), encoding="utf-8", newline="")
    script = (
        export_file(filled, "analysis.R")
        .decode()
        .replace("simultaneous <- FALSE", "simultaneous <- TRUE")
    )
    questions = report(filled, simultaneous=True, seen=ReaderView(filled)).questions
    expected = [choice.interval for question in questions for choice in question.choices]
    assert np.allclose(
        run_r(tmp_path, script)[["low", "high"]].to_numpy(float), expected, rtol=0, atol=1e-10
    )


@needs_r
def test_the_r_script_knows_means_and_picked_marks(tmp_path: Path) -> None:
    survey = surveys.create_draft()
    surveys.add_quantity(survey, "hours")
    surveys.add_quantity(survey, "nights", decline=True)
    surveys.add_scale(survey, "agrees")
    several = surveys.add_choice(survey, "several", design="marks", parameters={"epsilon": "1"})
    Question.objects.filter(pk=several.pk).update(kind=Question.Kind.ANY)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 900)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    frame = run_r(tmp_path, export_file(instrument, "analysis.R").decode())
    *numbers, marks = report(instrument).questions
    means = [question.average.mean for question in numbers]
    expected = [[*mean[:2], *mean.interval] for mean in means]
    expected += [
        [choice.estimate, choice.standard_error, *choice.interval] for choice in marks.choices
    ]
    assert np.allclose(
        frame[["estimate", "standard_error", "low", "high"]].to_numpy(float), expected, atol=1e-11
    )
    assert frame["n"].tolist() == [900] * 3 + [choice.n for choice in marks.choices]


@needs_r
def test_the_r_script_fits_a_model(tmp_path: Path) -> None:
    survey = surveys.create_draft()
    surveys.add_yes_no(survey)
    surveys.add_background(survey)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 2000)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    more = 'write.csv(model("tax", 1, ~ region)$terms, "report.csv", row.names = FALSE)\n'
    terms = run_r(tmp_path, export_file(instrument, "analysis.R").decode() + more)
    rows = pd.read_csv(tmp_path / "responses.csv")
    other = (rows["region"] != rows["region"].mode()[0]).to_numpy(float)
    design = np.column_stack([np.ones(len(rows)), other])
    expected = regress(
        parse_instrument(instrument).items[0].mechanism, rows["tax"].to_numpy(), design
    )
    assert np.allclose(terms["coefficient"], expected.coefficients, rtol=0, atol=1e-6)
    assert np.allclose(terms["standard_error"], expected.standard_errors, rtol=0, atol=1e-6)


@needs_r
def test_the_r_script_decodes_a_general_matrix(tmp_path: Path) -> None:
    item = QuestionDefinition("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    reports = random.Random(3).choices(range(3), [5, 3, 2], k=400)
    (tmp_path / "responses.csv").write_text("card\n" + "".join(f"{code}\n" for code in reports))
    frame = run_r(tmp_path, r_script(made(item)))
    estimate = GENERAL.estimate(GENERAL.tally(reports), interval="wald")
    assert np.allclose(frame["estimate"], estimate.proportions, atol=1e-12)
    assert np.allclose(frame["standard_error"], estimate.standard_errors, atol=1e-12)
    assert np.allclose(frame[["low", "high"]], estimate.intervals, atol=1e-12)


@needs_r
@pytest.mark.parametrize(
    "text", ['"', "\\", "é", "日本", "😀", "'", "a\nb", "$x`y`", "%s", "\u202eabc"]
)
def test_r_reads_any_text_as_it_is(text: str) -> None:
    code = f"cat(utf8ToInt(enc2utf8({quoted(text)})))"
    done = subprocesses.run([RSCRIPT, "--vanilla", "-e", code])
    assert done.stdout.split() == [str(ord(letter)) for letter in text]


TRICKY = QuestionDefinition(
    "using",
    "background",
    "It's `a' $x \"y\" = 5.",
    "",
    ("Don't", '"Quote"', "`tick'", "$HOME"),
    None,
)


def test_spss_syntax_labels_everything_and_stays_valid(filled: Instrument) -> None:
    syntax = spss_syntax(parse_instrument(filled))
    assert "  /FIRSTCASE=2" in syntax
    assert "    warner F1.0" in syntax
    assert "    subset_11 F1.0" in syntax
    assert "VARIABLE LABELS several_2 'About several?: Pear [scrambled]'." in syntax
    assert "VARIABLE LEVEL several_2 (NOMINAL)." in syntax
    tricky = spss_syntax(made(TRICKY))
    assert "  0 'Don''t'" in tricky
    assert "VARIABLE LABELS by_ " in spss_syntax(
        made(QuestionDefinition("by", "background", "?", "", ("a", "b"), None))
    )


def test_the_stata_file_labels_everything_and_runs_no_macro(filled: Instrument) -> None:
    do = stata_do(parse_instrument(filled))
    assert 'using "responses.csv", varnames(1) encoding("UTF-8") clear' in do
    assert 'label variable several_2 `"About several?: Pear [scrambled]"\'' in do
    tricky = stata_do(made(TRICKY))
    assert "import delimited using_ using" in tricky
    assert "define choices1 2 `\"\\`tick'\"', add" in tricky
    assert 'define choices1 3 `"\\$HOME"\', add' in tricky


def test_a_title_stays_in_the_comment_of_a_stata_file(filled: Instrument) -> None:
    title = "A /* b // c ///\nd `e' $f \\ g"
    head, after = stata_do(replace(parse_instrument(filled), title=title)).split("\n", 1)
    assert head.startswith("* A ")
    assert head.endswith("g")
    assert not set(head) & set("/`$\\")
    assert after.startswith("* Instrument")


def test_what_is_made_as_a_whole_is_offered_up_to_its_limit(
    filled: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [file.name for file in all_files() if file.limit]
    assert whole == ["responses.xlsx", "responses.sav", "responses.dta"]
    for name in whole:
        assert find_file(name).limit == 100_000
        monkeypatch.setattr(find_file(name), "limit", 1199)
    slug, client = parse_instrument(filled).survey, Client()
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


def test_so_are_files_with_too_many_cells_or_columns(
    filled: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    width = len(all_columns(parse_instrument(filled)))
    holds = {name: find_file(name) for name in ("responses.xlsx", "responses.sav", "responses.dta")}
    assert [file.most_cells for file in holds.values()] == [5_000_000] * 3
    assert [file.most_columns for file in holds.values()] == [16_384, None, 32_767]
    monkeypatch.setattr(holds["responses.sav"], "most_cells", 1200 * width - 1)
    monkeypatch.setattr(holds["responses.dta"], "most_columns", width - 1)
    address, client = f"surveys/{parse_instrument(filled).survey}/export/", Client()
    client.force_login(filled.survey.owner)
    page = client.get(f"/surveys/{parse_instrument(filled).survey}/files/").content.decode()
    cells = (
        f"responses.sav holds at most {1200 * width - 1:,} cells, and there are {1200 * width:,}."
    )
    columns = f"responses.dta holds at most {width - 1} columns, and there are {width}."
    assert f"{cells} {columns} Use responses.parquet or responses.csv." in page
    assert [f'/export/{name}" download' in page for name in holds] == [True, False, False]
    for name, said in (("responses.sav", cells), ("responses.dta", columns)):
        refused = client.get(f"/api/v1/{address}{name}")
        assert (refused.status_code, refused.json()["detail"].startswith(said)) == (409, True)
    for file in holds.values():
        assert file.size_problem(1200, width - 1) == ""


def test_the_number_that_is_sent_for_a_text_is_no_amount(tmp_path: Path) -> None:
    survey = surveys.create_draft()
    surveys.add_text_question(survey, "word")
    surveys.add_quantity(survey, "hours")
    instrument = publish_survey(survey)
    (tmp_path / "responses.sav").write_bytes(export_file(instrument, "responses.sav"))
    _, book = pyreadstat.read_sav(tmp_path / "responses.sav", metadataonly=True)
    assert book.variable_measure == {"word": "nominal", "hours": "scale"}
    assert "VARIABLE LEVEL word (NOMINAL)." in spss_syntax(parse_instrument(instrument))


def test_no_text_makes_the_codebook_for_archives_unreadable() -> None:
    survey = surveys.create_draft()
    surveys.add_choice(survey, "fruit", ["a\ufffe\x01b", "c\uffffd"])
    root = ElementTree.fromstring(export_file(publish_survey(survey), "codebook.xml"))
    assert "ab" in "".join(root.itertext())


def test_the_files_of_programs_are_the_same_byte_for_byte(filled: Instrument) -> None:
    close_survey(filled.survey)
    names = ["responses.sav", "responses.dta"]
    first = [export_file(filled, name) for name in names]
    time.sleep(1.1)  # their formats hold the time to the second
    assert [export_file(filled, name) for name in names] == first


def test_an_archive_is_told_the_chances_without_markdown(filled: Instrument) -> None:
    """Also those of a matrix, of which the codebook for reading has a table."""
    card = QuestionDefinition("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    place = QuestionDefinition(
        "place", "choice", "?", "", tuple(map(str, range(400))), Geometry(400, 2.0)
    )
    texts = []
    for frozen in (parse_instrument(filled), made(card), made(place)):
        root = ElementTree.fromstring(ddi(frozen, {"n": 1}))
        texts += [each.text for each in root.iter("{ddi:codebook:2_5}txt")]
    assert not [text for text in texts if "|--" in text or "`" in text]
    assert (
        "For the true answer 1: 0 is reported with probability 1/5, 1 is reported with probability 3/5, "
        "2 is reported with probability 1/5." in "".join(texts)
    )


@needs_r
def test_the_r_script_knows_numbers_and_who_declined(tmp_path: Path) -> None:
    survey = surveys.create_draft()
    surveys.add_yes_no(survey)
    age = surveys.add_background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(
        kind=Question.Kind.NUMBER, minimum=18, maximum=97, decline=True
    )
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 900)
    (tmp_path / "responses.csv").write_text(csv_of(instrument), encoding="utf-8", newline="")
    more = 'write.csv(model("tax", 1, ~ age)$terms, "model.csv")\n'
    frame = run_r(tmp_path, export_file(instrument, "analysis.R").decode() + more)
    ages = frame[frame["question"] == "age"]
    assert ages["observed"].tolist() == pytest.approx(
        [count / 900 for count in instrument.tally["counts"]["age"]]
    )
    assert ages["choice"].iloc[-1] == "Prefer not to say"
    assert len(pd.read_csv(tmp_path / "model.csv")) == 2


def test_scripts_do_not_name_reports_after_answers() -> None:
    survey = surveys.create_draft()
    surveys.add_quantity(survey)
    surveys.add_quantity(survey, "money", minimum=0, maximum=1000, step=10, unit="€", decline=True)
    frozen = parse_instrument(publish_survey(survey))
    assert "VALUE LABELS hours" not in spss_syntax(frozen)
    assert "label values hours" not in stata_do(frozen)
    script = r_script(frozen)
    assert "window = list(size = 51, width = " in script
    assert "numbers = seq(0, by = 10, length.out = 101)" in script
