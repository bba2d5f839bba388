"""What it takes to read a file from anywhere: an ordinary form, and workbooks that mean harm.

.venv/bin/python -m bench.untrusted    CPU of the child, time on the clock, and what the parent grew.
"""

import io
import resource
import time

from openpyxl import Workbook

from features.xlsform import workbook
from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from tests.factories import malicious_workbooks


def form(questions: int) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("survey")
    sheet.append(["type", "name", "label", "hint", "rr::design"])
    for number in range(questions):
        sheet.append(["select_one yn", f"q{number}", f"Question {number}?", "Think", "two-coin"])
    choices = book.create_sheet("choices")
    for row in (["list_name", "name", "label"], ["yn", 1, "Yes"], ["yn", 0, "No"]):
        choices.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def used(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    files = {
        "a form of 10 questions": form(10),
        "a form of 500 questions": form(500),
        **malicious_workbooks.hostile_workbooks(),
    }
    runs = [
        ("nothing: the start of a child", bool, b"x"),
        *((name, workbook.sheets, data) for name, data in files.items()),
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{'CPU s':>6} {'clock s':>8} {'bytes':>10}  what, and what came of it")
    for name, reader, data in runs:
        cpu, clock = used(resource.RUSAGE_CHILDREN), time.perf_counter()
        try:
            told = "read" if untrusted.read_in_child(reader, data) else ""
        except Unreadable as wrong:
            told = str(wrong)
        cpu, clock = used(resource.RUSAGE_CHILDREN) - cpu, time.perf_counter() - clock
        print(f"{cpu:6.2f} {clock:8.2f} {len(data):10,}  {name}: {told[:70]}")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"The parent grew by {grown / 1024:.0f} MB.")


if __name__ == "__main__":
    main()
