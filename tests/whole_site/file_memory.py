"""Read a file as a web worker does, in a process of its own, and say how much memory that took.

python -m tests.whole_site.file_memory KIND FILE

Prints JSON: `grown`, by how many megabytes the process was larger while it read than before, and `message`, what it
said of the file. A small file is read first, so that what is imported late does not count.
"""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from tests.servers import subprocesses

SMALL = {
    "people": b"label,email\nAda,ada@example.org\n",
    "answers": b"tax,fruit,region,age\nYes,010,North,30\n",
    "choices": b"label\nCat\n",
    "lines": b"Cat\n",
    "form": b"survey,type,name,label\n,note,hello,Hello\n",
}


def measure_reading(kind: str, data: bytes, folder: Path) -> tuple[float, str]:
    """Return by how many megabytes a process grew that read this file, and its message."""
    file = folder / "file"
    file.write_bytes(data)
    command = [sys.executable, "-m", "tests.whole_site.file_memory", kind, str(file)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    run = subprocesses.run(command, env=environment)
    result = json.loads(run.stdout.splitlines()[-1])
    return result["grown"], result["message"]


def readers() -> dict[str, Callable[[bytes], object]]:
    from django.http import QueryDict

    from features.invitations import roster
    from features.response_import.tests.import_files import PAPER, part
    from features.response_import.views import looked
    from features.xlsform import reader
    from surveys.authoring.files import choice_list

    def read_answers(data: bytes) -> str:
        """As the page does, which shows what the file holds, and then as the import does."""
        looked(PAPER, data, QueryDict(), is_cut=False)
        rows = part(data).n
        return f"{rows:,} rows"

    return {
        "people": roster.parse_people,
        "answers": read_answers,
        "choices": lambda data: choice_list.choices(data, "choices.csv"),
        "lines": lambda data: choice_list.choices(data, "choices.txt"),
        "form": lambda data: reader.read(data, "form.csv"),
    }


def memory(name: str) -> float:
    """Return a line of /proc/self/status in megabytes."""
    match = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert match
    return int(match[1]) / 1024


def main(kind: str, path: str) -> None:
    import django

    django.setup()
    from surveys.site.errors import Invalid, Unreadable
    from surveys.site.files.delimited import Broken

    read, data = readers()[kind], Path(path).read_bytes()
    read(SMALL[kind])
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    try:
        message = str(read(data))[:200]
    except (Invalid, Unreadable, Broken) as error:
        message = str(error)[:1000]
    print(json.dumps({"grown": memory("VmHWM") - before, "message": message}))


if __name__ == "__main__":
    main(*sys.argv[1:])
