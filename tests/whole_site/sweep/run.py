"""Run a life in a process of its own, with the settings of a site, and return what it found."""

import json
import pickle
from pathlib import Path
from typing import NamedTuple

from tests.faults.conftest import Site
from tests.whole_site.sweep.cures import CURES
from tests.whole_site.sweep.findings import Finding
from tests.whole_site.sweep.life import LifeInOneProcess, Options, ServedLife

COMMAND = "from tests.whole_site.sweep.run import run_life; run_life({folder!r})"


class Result(NamedTuple):
    """The findings of a life, how many patterns it searched for, and in how many bytes."""

    findings: list[Finding]
    pattern_count: int
    searched_bytes: int


def life_of(site: Site, options: Options) -> Result:
    """Run a life on a site, and return its result."""
    (options.folder / "options").write_bytes(pickle.dumps(options))
    command = COMMAND.format(folder=str(options.folder))
    log = options.folder / "logs" / "life"
    process = site.commands.start("manage.py", "shell", "--no-imports", "-c", command, log=log)
    exit_code = process.wait()
    assert exit_code == 0, log.read_text()
    result = json.loads((options.folder / "result").read_text())
    findings = [Finding(*values) for values in result.pop("findings")]
    return Result(findings=findings, **result)


def run_life(folder: str) -> None:
    """Run the life whose options are in this folder, and write its result there."""
    options = pickle.loads((Path(folder) / "options").read_bytes())
    if options.without in CURES:
        CURES[options.without].remove()
    life = ServedLife(options) if options.servers else LifeInOneProcess(options)
    life.run()
    planted = life.canaries.counts()
    findings = []
    for (stage, place, kind), canaries in sorted(life.canaries_by_finding.items()):
        findings.append((stage, place, kind, len(canaries), planted[kind]))
    result = {
        "findings": findings,
        "pattern_count": life.canaries.pattern_count(),
        "searched_bytes": life.searched_bytes,
    }
    (Path(folder) / "result").write_text(json.dumps(result))
