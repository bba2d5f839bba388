"""Very many responses: what is counted from exported files is what the report says, wherever it is counted."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import LocalCluster

from features.statistical_packages.parquet import PackedParquet, Parquet
from mechanisms import (
    DirectEncoding,
    Geometry,
    Matrix,
    OptionSampling,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    Window,
)
from mechanisms.batches.__main__ import main
from mechanisms.batches.totals import sum_in_tree
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import QuestionSubset
from surveys.fieldwork.responses.records import (
    add_tallies,
    count_responses,
    mark_missing,
    record_dtype,
)
from surveys.results.estimates.report import summarize
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses, random_reports
from tests.factories.surveys import publish_survey
from tests.helpers.exports import export_file
from tests.helpers.report_api import report_json
from tests.servers import ports, subprocesses

ROOT = Path(__file__).resolve().parents[3]
LABELS = tuple("ABCDEFGHIJ")
ITEMS = (
    QuestionDefinition("tax", "yes-no", "Did you?", "", ("No", "Yes"), TwoCoin()),
    QuestionDefinition("direct", "choice", "Which?", "", LABELS, DirectEncoding(10, 2.0)),
    QuestionDefinition(
        "odd", "choice", "Which?", "", LABELS[:3], Matrix([[6, 3, 1], [2, 6, 2], [1, 1, 8]], 10)
    ),
    QuestionDefinition("unary", "choice", "Which?", "", LABELS, UnaryEncoding(10, "3/4", "1/4")),
    QuestionDefinition("subset", "choice", "Which?", "", LABELS, SubsetSelection(10, 1.0)),
    QuestionDefinition(
        "wide", "choice", "Which?", "", tuple(map(str, range(30))), UnaryEncoding(30, "3/4", "1/4")
    ),
    QuestionDefinition(
        "town", "choice", "Where?", "", tuple(f"Town {n}" for n in range(300)), Geometry(300, 2.0)
    ),
    QuestionDefinition(
        "several", "any", "Which?", "", LABELS, UnaryEncoding(10, "3/4", "1/4", "any")
    ),
    QuestionDefinition(
        "drugs", "any", "Which?", "", LABELS, OptionSampling(10, 2.2, pick=2, reach=0)
    ),
    QuestionDefinition(
        "hours",
        "quantity",
        "How many?",
        "",
        tuple(map(str, range(0, 60, 10))),
        Window(6, 2.0),
        step=10,
    ),
    QuestionDefinition(
        *(
            "days",
            "quantity",
            "How many?",
            "",
            (*map(str, range(5, 11)), "Rather not"),
            DirectEncoding(7, 2.0),
        ),
        aside=True,
    ),
    QuestionDefinition(
        "agrees",
        "scale",
        "Do you?",
        "",
        (*surveys.POINTS, "Rather not"),
        Window(5, 2.0, aside=True),
        aside=True,
    ),
    QuestionDefinition("region", "background", "Where?", "", ("North", "South"), None),
    QuestionDefinition(
        "age", "number", "How old?", "", (*map(str, range(18, 98)), "Rather not"), None, aside=True
    ),
)
DRAWN = ("tax", "unary", "drugs", "days")
FROZEN = SurveyDefinition(
    *("5" * 64, "slug", "Habits", "", "", "en"),
    items=ITEMS,
    length=0,
    content="{}",
    draw=QuestionSubset(2, DRAWN),
)


def rows(n: int, seed: int) -> np.ndarray:
    """Of each response two of the four questions that are drawn by lot."""
    rng, found = np.random.default_rng(seed), np.zeros(n, record_dtype(FROZEN))
    asked = np.argsort(rng.random((n, len(DRAWN))), axis=1) < 2
    for item in ITEMS:
        found[item.key] = random_reports(item, n, rng)
    absent = {key: ~asked[:, place] for place, key in enumerate(DRAWN)}
    mark_missing(FROZEN, found, absent)
    for key, places in absent.items():
        found[key][places] = 0
    return found


@pytest.fixture(scope="module")
def parts() -> list[np.ndarray]:
    return [rows(n, seed) for seed, n in enumerate((700, 1, 900, 0, 1200))]


@pytest.fixture(scope="module")
def told(parts: list[np.ndarray]) -> dict:
    """The report of the survey."""
    total: dict = {}
    for part in parts:
        total = add_tallies(total, count_responses(FROZEN, part))
    return report_json(summarize(FROZEN, total))


@pytest.fixture(scope="module")
def files(parts: list[np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """In both forms, which add up as well."""
    folder, forms = tmp_path_factory.mktemp("parts"), (PackedParquet, Parquet)
    return [str(write(forms[n % 2], part, folder / f"{n}.parquet")) for n, part in enumerate(parts)]


def write(
    form: type[Parquet], part: np.ndarray, path: Path, frozen: SurveyDefinition = FROZEN
) -> Path:
    with path.open("wb") as out:
        file = form(frozen, out)
        for start in range(0, len(part), 300):
            file.write(part[start : start + 300])
        file.end()
    return path


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def found(capsys: pytest.CaptureFixture, *arguments: str) -> dict:
    assert main([*arguments, "--json", "--add"]) == 0
    return json.loads(capsys.readouterr().out)


def wrong(capsys: pytest.CaptureFixture, *arguments: str) -> str:
    """What is said of files that cannot be counted."""
    assert main([*arguments, "--add"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.strip()


def same(counted: dict, told: dict) -> None:
    """Whether all that both say is the same."""
    assert (counted["n"], counted["instrument"]) == (told["n"], told["instrument"])
    for one, other in zip(counted["questions"], told["questions"], strict=True):
        for name in ("key", "text", "design", "epsilon", "n", "interval_kind", "constrained_by"):
            assert one[name] == other[name], name
        assert [choice["label"] for choice in one["choices"]] == [
            choice["label"] for choice in other["choices"]
        ]
        for choice, expected in zip(one["choices"], other["choices"], strict=True):
            shared = {name: value for name, value in expected.items() if name in choice}
            assert flat(choice) == pytest.approx(flat(shared)), one["key"]
        # The report also gives the mean of a background number, and what is counted from files does not.
        is_background = one["design"] is None
        assert (one["number"] is None) == (other["number"] is None or is_background)
        number = {name: other["number"][name] for name in one["number"] or {}}
        assert flat(one["number"] or {}) == pytest.approx(flat(number))


def flat(found: dict) -> dict:
    ends = found.get("interval") or (None, None)
    return {name: value for name, value in found.items() if name != "interval"} | {
        "low": ends[0],
        "high": ends[1],
    }


class TestTheSameAsTheReport:
    def test_in_one_process_and_in_two(
        self, files: list[str], told: dict, capsys: pytest.CaptureFixture
    ) -> None:
        alone = found(capsys, *files, "--workers", "1")
        same(alone, told)
        assert found(capsys, *files, "--workers", "2") == alone

    @pytest.mark.parametrize("form", [Parquet, PackedParquet])
    def test_in_either_form(
        self,
        form: type[Parquet],
        parts: list[np.ndarray],
        told: dict,
        tmp_path: Path,
        capsys: pytest.CaptureFixture,
    ) -> None:
        same(found(capsys, str(write(form, np.concatenate(parts), tmp_path / form.name))), told)

    def test_on_a_cluster(
        self, files: list[str], told: dict, scheduler: str, capsys: pytest.CaptureFixture
    ) -> None:
        same(found(capsys, *files, "--scheduler", scheduler), told)

    def test_from_far_away_with_a_pattern(
        self, files: list[str], told: dict, tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        """Through fsspec, which opens an asterisk that no shell has: here its file system in memory, and file://."""
        for number, name in enumerate(files):
            fsspec.filesystem("memory").pipe(
                f"/study/site-{number}.parquet", Path(name).read_bytes()
            )
        same(found(capsys, "memory://study/site-*.parquet"), told)
        folder = Path(files[0]).parent
        same(found(capsys, f"file://{folder}/*.parquet"), told)

    @pytest.mark.parametrize("lacks", ["", "scheduler"])
    def test_the_documented_cluster(
        self, files: list[str], told: dict, tmp_path: Path, lacks: str
    ) -> None:
        """The three commands as the page has them, but for address, port and number of workers."""
        port = ports.find_free_port()
        text = (
            (ROOT / "docs/many-responses.md")
            .read_text()
            .replace("10.0.0.1:8786", f"127.0.0.1:{port}")
        )
        scheduler, worker = (
            re.search(rf"(?m)^    dask ({what} .*?) *#", text)[1]
            for what in ("scheduler", "worker")
        )
        scheduler = scheduler.replace("10.0.0.1", "127.0.0.1") + f" --port {port} --no-dashboard"
        worker = worker.replace("--nworkers 4", "--nworkers 2") + " --no-dashboard"
        program = re.search(
            r"(?m)^    python (-m mechanisms.batches .* --add) (--scheduler \S+)$", text
        )
        with_package = os.environ | {"PYTHONPATH": str(ROOT)}
        running = []
        try:
            for name, command in (("scheduler", scheduler), ("worker", worker)):
                environment = os.environ | {"PYTHONPATH": ""} if name == lacks else with_package
                with (tmp_path / name).open("wb") as log:
                    started = [
                        sys.executable,
                        "-m",
                        "distributed.cli.dask_" + name,
                        *command.split()[1:],
                    ]
                    options = {"cwd": tmp_path, "env": environment, "stdout": log, "stderr": log}
                    running.append(subprocess.Popen(started, start_new_session=True, **options))
            asked = ["-m", "mechanisms.batches", *files, "--add", "--json", *program[2].split()]
            code = 1 if lacks else 0
            done = subprocesses.run(
                [sys.executable, *asked], code=code, cwd=ROOT, env=with_package, timeout=120
            )
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if lacks:
            assert done.stderr.startswith("Scheduler and workers need this package too"), (
                done.stderr
            )
            assert "Traceback" not in done.stderr
        else:
            same(json.loads(done.stdout), told)

    def test_of_a_survey_as_a_site_exports_it(
        self, db: None, tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        survey = surveys.create_draft()
        surveys.add_yes_no(survey)
        surveys.add_choice(survey)
        surveys.add_quantity(survey)
        instrument = publish_survey(survey)
        add_invented_responses(instrument, 1500)
        expected = report_json(summarize(parse_instrument(instrument), instrument.tally))
        for name in ("responses.parquet", "responses-packed.parquet"):
            (tmp_path / name).write_bytes(export_file(instrument, name))
            same(found(capsys, str(tmp_path / name)), expected)

    def test_as_a_program_of_its_own(self, files: list[str], told: dict) -> None:
        command = [
            sys.executable,
            "-m",
            "mechanisms.batches",
            files[0],
            f"file://{files[2]}",
            "--add",
        ]
        done = subprocesses.run(command)
        assert done.stderr == ""
        assert done.stdout.startswith(
            "1,600 responses to “Habits”, instrument 5555555555555555\n\ntax: Did you?\n"
        )
        assert "  mean " in done.stdout


class TestLikelihood:
    def test_reports_of_up_to_20_marks_are_asked_as_a_whole(
        self,
        files: list[str],
        parts: list[np.ndarray],
        scheduler: str,
        capsys: pytest.CaptureFixture,
    ) -> None:
        counted = {
            each["key"]: each
            for each in found(capsys, *files, "--likelihood", "--workers", "1")["questions"]
        }
        names = {
            key: each["constrained_by"]
            for key, each in counted.items()
            if key in ("unary", "subset", "wide")
        }
        whole = "maximum likelihood of whole reports"
        assert names == {"unary": whole, "subset": whole, "wide": "Norm-Sub"}
        item = next(item for item in ITEMS if item.key == "subset")
        best = item.mechanism.maximum_likelihood_packed(
            np.concatenate([part["subset"] for part in parts])
        )
        assert [choice["constrained"] for choice in counted["subset"]["choices"]] == pytest.approx(
            best, abs=1e-5
        )
        curve = [at["share"] for at in counted["agrees"]["number"]["curve"]]
        assert (curve, curve[-1]) == (sorted(curve), pytest.approx(1))
        away = found(capsys, *files, "--likelihood", "--scheduler", scheduler)["questions"]
        assert away == list(counted.values())

    def test_reports_that_prove_an_answer(self) -> None:
        mechanism = UnaryEncoding(3, "1/2", 0)
        distinct, times = np.packbits(np.eye(3, dtype=np.uint8), axis=1), np.array([3, 5, 2])
        found = mechanism.maximum_likelihood_packed(distinct, times=times)
        assert found == pytest.approx(
            mechanism.maximum_likelihood_packed(np.repeat(distinct, times, axis=0))
        )


class TestWhatCannotBeCounted:
    """Each is told in a sentence that names the file, and nothing is shown."""

    def test_a_file_that_is_broken(
        self, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        broken = tmp_path / "broken.parquet"
        broken.write_bytes(Path(files[0]).read_bytes()[:-9])
        assert wrong(capsys, files[1], str(broken), "--workers", "1").startswith(
            f"{broken} cannot be read as Parquet: "
        )
        assert wrong(capsys, str(tmp_path / "none")).startswith(
            f"{tmp_path / 'none'} cannot be read as Parquet: "
        )

    def test_one_that_breaks_while_it_is_read(
        self, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        content = bytearray(Path(files[0]).read_bytes())
        content[4:2000] = bytes(1996)
        (tmp_path / "torn.parquet").write_bytes(content)
        assert "torn.parquet cannot be read as Parquet: " in wrong(
            capsys, str(tmp_path / "torn.parquet")
        )

    def test_a_foreign_file(self, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
        pq.write_table(pa.table({"tax": [0, 1]}), tmp_path / "foreign.parquet")
        assert wrong(capsys, str(tmp_path / "foreign.parquet")) == (
            f"{tmp_path / 'foreign.parquet'} has no codebook inside, so that nobody knows how its answers were "
            "randomized. Take responses.parquet or responses-packed.parquet as a survey exports them."
        )

    @pytest.mark.parametrize(
        ("book", "said"),
        [
            ("{", "cannot be read"),
            ('{"version": 2}', "'instrument'"),
            ('{"version": 4}', "of version 4; allowed are 2 and 3"),
        ],
    )
    def test_a_codebook_that_nobody_understands(
        self, book: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        table = pa.table({"tax": [0, 1]}).replace_schema_metadata({"candor.codebook": book})
        pq.write_table(table, tmp_path / "strange.parquet")
        assert said in wrong(capsys, str(tmp_path / "strange.parquet"))

    def test_two_surveys(
        self, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        other = write(
            Parquet, rows(5, 9), tmp_path / "other.parquet", replace(FROZEN, sha256="6" * 64)
        )
        said = wrong(capsys, files[0], str(other), "--workers", "1")
        assert said.startswith(
            f"{files[0]} and {other} are of two surveys, “Habits” (555555555555) and “Habits” (666"
        )

    def test_a_column_that_lacks(
        self, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        table = pq.read_table(files[0]).drop_columns(["direct"])
        pq.write_table(table, tmp_path / "less.parquet")
        said = wrong(capsys, str(tmp_path / "less.parquet"))
        assert said.endswith("lacks the column “direct” of the question “direct”. Export it again.")

    @pytest.mark.parametrize(
        ("key", "value", "said"),
        [
            (
                "direct",
                pa.array([10]),
                "to “direct” can be: direct holds 10; allowed is a whole number from 0 to 9",
            ),
            (
                "direct",
                pa.array(["x"]),
                "has string in the column of “direct”; allowed are whole numbers.",
            ),
            ("subset", pa.array([b"\0\0"], pa.binary(2)), "a row with 0 ones"),
            ("unary", pa.array([b"\0\1"], pa.binary(2)), "zero padding"),
            (
                "drugs",
                pa.array([b"\1"], pa.binary(1)),
                "has fixed_size_binary[1] in the column of “drugs”; allowed",
            ),
            ("age", pa.array([17]), "a number in “age” that could not be answered"),
        ],
    )
    def test_what_no_report_can_be(
        self, key: str, value: pa.Array, said: str, tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        table = pq.read_table(write(PackedParquet, rows(1, 1), tmp_path / "one.parquet"))
        place, metadata = table.column_names.index(key), table.schema.metadata
        changed = table.set_column(place, key, value).replace_schema_metadata(metadata)
        pq.write_table(changed, tmp_path / "one.parquet")
        assert said in wrong(capsys, str(tmp_path / "one.parquet"))

    @pytest.mark.parametrize("value", [None, 2])
    def test_half_a_report(
        self, value: int | None, tmp_path: Path, capsys: pytest.CaptureFixture
    ) -> None:
        table = pq.read_table(write(Parquet, rows(1, 1), tmp_path / "one.parquet"))
        place, metadata = table.column_names.index("wide_7"), table.schema.metadata
        column = pa.array([value], pa.uint8())
        pq.write_table(
            table.set_column(place, "wide_7", column).replace_schema_metadata(metadata),
            tmp_path / "one.parquet",
        )
        said = (
            "some marks and not all"
            if value is None
            else "holds 2 in a mark of “wide”; allowed is 0 or 1"
        )
        assert said in wrong(capsys, str(tmp_path / "one.parquet"))

    def test_a_file_named_twice(self, files: list[str], capsys: pytest.CaptureFixture) -> None:
        assert (
            wrong(capsys, files[0], files[0])
            == f"{files[0]} is named twice, and would count twice."
        )

    def test_a_wrong_file_on_a_cluster(
        self, tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture
    ) -> None:
        pq.write_table(pa.table({"tax": [0, 1]}), tmp_path / "foreign.parquet")
        assert "has no codebook inside" in wrong(
            capsys, str(tmp_path / "foreign.parquet"), "--scheduler", scheduler
        )

    def test_several_exports_are_not_added_unasked(
        self, files: list[str], capsys: pytest.CaptureFixture
    ) -> None:
        """Two of one survey in a folder of downloads would make its intervals too short."""
        assert main(files[:2]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith(
            f"{files[0]} and {files[1]}: an export holds all responses that were released until"
        )
        assert "say --add" in said.err

    def test_a_pattern_that_is_no_file(self, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
        for name in (f"{tmp_path}/site-*.parquet", f"file://{tmp_path}/site-*.parquet"):
            assert wrong(capsys, name) == f"No file is called {name}."

    def test_storage_that_nobody_knows(self, capsys: pytest.CaptureFixture) -> None:
        assert wrong(capsys, "nowhere://study/a.parquet").startswith(
            "nowhere://study/a.parquet cannot be opened: "
        )

    def test_no_cluster(
        self, files: list[str], capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("mechanisms.batches.totals.PATIENCE", 1)
        said = wrong(capsys, files[0], "--scheduler", "tcp://127.0.0.1:9")
        assert said == "No scheduler of Dask answers at tcp://127.0.0.1:9."

    @pytest.mark.parametrize(
        "arguments", [["--workers", "0"], ["--confidence", "1"], ["--workers", "2", "--scheduler"]]
    )
    def test_arguments_that_are_none(
        self, arguments: list[str], capsys: pytest.CaptureFixture
    ) -> None:
        with pytest.raises(SystemExit) as ended:
            main(["part.parquet", *arguments])
        assert ended.value.code == 2


def test_no_responses_are_told_as_none(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    counted = found(capsys, str(write(PackedParquet, rows(0, 1), tmp_path / "empty.parquet")))
    assert (counted["n"], counted["questions"][0]["n"], counted["questions"][0]["choices"]) == (
        0,
        0,
        [],
    )


def test_a_tree_adds_each_part_few_times_and_keeps_their_order() -> None:
    depth = sum_in_tree(
        ((str(n), 0) for n in range(1000)), lambda a, b: (f"{a[0]} {b[0]}", max(a[1], b[1]) + 1)
    )
    assert depth == (" ".join(map(str, range(1000))), 10)


def test_written_answers_are_named_as_not_counted(
    parts: list[np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    table = pq.read_table(write(PackedParquet, parts[0], tmp_path / "one.parquet"))
    book = json.loads(table.schema.metadata[b"candor.codebook"])
    book["variables"] = [
        each | ({"choices": []} if each["name"] == "town" else {}) for each in book["variables"]
    ]
    changed = {**table.schema.metadata, b"candor.codebook": json.dumps(book).encode()}
    pq.write_table(table.replace_schema_metadata(changed), tmp_path / "one.parquet")
    counted = found(capsys, str(tmp_path / "one.parquet"))
    assert (counted["not_counted"], len(counted["questions"])) == (["town"], len(ITEMS) - 1)
    assert main([str(tmp_path / "one.parquet")]) == 0
    assert "Not counted here, since people write the answers: town." in capsys.readouterr().out


class TestThePackedFile:
    def test_says_what_it_holds(self, parts: list[np.ndarray], tmp_path: Path) -> None:
        table = pq.read_table(write(PackedParquet, parts[0], tmp_path / "packed.parquet"))
        types = {field.name: str(field.type) for field in table.schema}
        assert [types[key] for key in ("unary", "wide", "drugs")] == [
            f"fixed_size_binary[{n}]" for n in (2, 4, 4)
        ]
        book = {
            each["name"]: each
            for each in json.loads(table.schema.metadata[b"candor.codebook"])["variables"]
        }
        assert (book["wide"]["columns"], "column" in book["wide"]["choices"][0]) == (
            ["wide"],
            False,
        )
        assert book["unary"]["report"] == (
            "2 bytes: 10 bits, one for each choice by its code, packed into bytes as numpy.packbits does"
        )
        held = table.column("wide").to_pylist()
        assert b"".join(held) == np.ascontiguousarray(parts[0]["wide"]).tobytes()

    def test_lacks_what_was_not_asked(self, parts: list[np.ndarray], tmp_path: Path) -> None:
        plain = pq.read_table(write(Parquet, parts[2], tmp_path / "plain.parquet"))
        packed = pq.read_table(write(PackedParquet, parts[2], tmp_path / "packed.parquet"))
        assert packed.column("unary").is_valid() == plain.column("unary_1").is_valid()
        assert 0 < packed.column("unary").null_count < len(packed)
        whole = io.BytesIO()
        pq.write_table(packed, whole)
        assert pq.read_table(io.BytesIO(whole.getvalue())).equals(packed)
