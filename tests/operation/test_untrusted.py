"""Files from anywhere are read in a child that has little and gives back JSON; whatever happens there, we say so."""

import io
import resource
import subprocess
from dataclasses import replace

import pytest
from openpyxl import Workbook

from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.files.untrusted import (
    BUSY_MESSAGE,
    CHILD_ENVIRONMENT,
    DAMAGED_MESSAGE,
    DEFAULT_LIMITS,
    TOO_LARGE_MESSAGE,
    read_in_child,
)
from tests.factories import malicious_workbooks
from tests.helpers import untrusted_readers

SAMPLES = malicious_workbooks.hostile_workbooks()


def small() -> bytes:
    book = Workbook()
    book.active.append(["type", "näme", 1, 2.5, None])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def refused(reader, data: bytes = b"x", limits: untrusted.Limits = DEFAULT_LIMITS) -> list[str]:
    with pytest.raises(Unreadable) as wrong:
        read_in_child(reader, data, limits)
    return list(wrong.value.lines)


def test_what_the_reader_returns_arrives() -> None:
    assert read_in_child(untrusted_readers.read_cells, small()) == [["type", "näme", 1, 2.5, None]]


def test_what_the_reader_prints_does_not() -> None:
    assert read_in_child(untrusted_readers.print_warning, b"x") == "read"


def test_what_ends_badly_after_its_answer_has_answered() -> None:
    """As a thread does that a reader has started, now and then."""
    assert read_in_child(untrusted_readers.abort_at_exit, b"x") == "read"


def test_the_child_inherits_nothing_that_it_does_not_need() -> None:
    found = read_in_child(untrusted_readers.describe_surroundings, b"x")
    # Python itself may set the locale. Files: three pipes, one twice, and the handle that lists them.
    assert {*found["variables"]} <= {*CHILD_ENVIRONMENT, "LC_CTYPE"}
    assert found["files"] in ([], [0, 1, 2, 3, 4])
    assert found["django"] == []
    assert found["folder"] == "/"


@pytest.mark.parametrize(
    ("reader", "lines"),
    [
        (untrusted_readers.refuse_file, ["Row 3: no.", "Row 4: neither."]),
        (untrusted_readers.raise_key_error, [DAMAGED_MESSAGE]),
        (untrusted_readers.exhaust_memory, [TOO_LARGE_MESSAGE]),
        (untrusted_readers.loop_forever, [TOO_LARGE_MESSAGE]),
        (untrusted_readers.sleep_a_minute, [TOO_LARGE_MESSAGE]),
        (untrusted_readers.return_long_text, [TOO_LARGE_MESSAGE]),
        (untrusted_readers.write_large_file, [DAMAGED_MESSAGE]),
        (untrusted_readers.abort_process, [TOO_LARGE_MESSAGE]),
        (untrusted_readers.import_missing_module, [DAMAGED_MESSAGE]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_failure_of_the_reader_is_said_in_words(reader, lines: list[str]) -> None:
    assert refused(reader, limits=replace(DEFAULT_LIMITS, seconds=1, result=10_000)) == lines


def test_a_reader_that_cannot_be_imported_is_said_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused(untrusted_readers.import_missing_module)
    assert "Is everything installed?" in caplog.text


def test_a_file_that_is_too_long_starts_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    assert (
        "too large: it can have at most 5,000,000 bytes"
        in refused(untrusted_readers.read_cells, b"x" * 5_000_001)[0]
    )


def test_files_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    with untrusted._turn:
        assert refused(untrusted_readers.read_cells, limits=replace(DEFAULT_LIMITS, seconds=1)) == [
            BUSY_MESSAGE
        ]
    assert read_in_child(untrusted_readers.read_cells, small())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_hostile_workbook_is_refused_and_takes_nothing_from_this_process(name: str) -> None:
    """Most are counted, not read. What passes the count meets the limits of the child."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = refused(untrusted_readers.read_cells, SAMPLES[name])
    counted = (
        "is too large",
        "its own entities",
        "no spreadsheet program writes",
        "packed in an unusual way",
    )
    late = ("one long text shared by many cells", "a sheet as wide and long as can be")
    assert (
        lines == [TOO_LARGE_MESSAGE]
        if name in late
        else any(words in lines[0] for words in counted)
    ), lines
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04" + b"\0" * 100, small()[:3000], malicious_workbooks.build_zip({"a.txt": "a"})],
)
def test_a_broken_workbook_is_said_to_be_damaged(data: bytes) -> None:
    assert refused(untrusted_readers.read_cells, data) == [DAMAGED_MESSAGE]
