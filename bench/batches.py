"""Very many responses counted from Parquet files, against a bare read of the same files.

    python -m bench.batches [responses, default 100000000] [folder]

Yes/no answers, and reports of 16 marks, packed as an export packs them, in 16 files each; 20,000 choices besides, with
a tenth as many responses. Seconds of the processor are those of all processes together, their start included, with one
worker and with two. A bare read decodes the same columns and does nothing else. Memory is the peak of the largest
process. The files are removed at the end.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path[0] = str(
    Path(__file__).resolve().parents[1]
)  # not this folder, whose mechanisms.py is a bench

from mechanisms import Geometry, TwoCoin, UnaryEncoding  # noqa: E402

FILES = 16
GROUP = 500_000
DRAWN = 2_000_000  # different reports; files repeat them, which changes no cost
BARE = """
import sys, pyarrow.parquet as pq
for name in sys.argv[1:]:
    file = pq.ParquetFile(name, buffer_size=2**20, pre_buffer=False)
    for batch in file.iter_batches(batch_size=500_000, use_threads=False):
        pass
"""


def book(key: str, mechanism, kind: str) -> dict[str, str]:
    labels = [{"label": f"Choice {code}"} for code in range(mechanism.size)]
    variable = {
        "name": key,
        "question": "?",
        "kind": kind,
        "design": mechanism.name,
        "mechanism": mechanism.spec(),
    }
    whole = {"version": 2, "instrument": "0" * 64, "title": "Bench"}
    variables = [variable | {"columns": [key], "choices": labels}]
    return {"candor.codebook": json.dumps(whole | {"variables": variables})}


def column(mechanism, rng: np.random.Generator) -> pa.Array:
    truths = np.minimum(rng.geometric(0.4, DRAWN) - 1, mechanism.size - 1)
    stored = mechanism.randomize_stored(truths, rng).astype(mechanism.wire.field.base)
    if mechanism.wire.option_count is None:
        return pa.array(stored)
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(stored.shape[1]), DRAWN, [None, pa.py_buffer(stored)]
    )


def write(folder: Path, key: str, mechanism, kind: str, n: int) -> list[str]:
    reports = column(mechanism, np.random.default_rng(1))
    schema = pa.schema(
        [pa.field(key, reports.type, nullable=False)], metadata=book(key, mechanism, kind)
    )
    names = [str(folder / f"{key}-{place:02}.parquet") for place in range(FILES)]
    for place, name in enumerate(names):
        rows = n * (place + 1) // FILES - n * place // FILES
        is_whole = mechanism.wire.option_count is None
        with pq.ParquetWriter(
            name, schema, compression="zstd", use_dictionary=is_whole
        ) as out:  # as an export does
            for start in range(0, rows, GROUP):
                at = (start + place * 100_003) % (DRAWN - GROUP)
                part = reports.slice(at, min(GROUP, rows - start))
                out.write_table(pa.Table.from_arrays([part], schema=schema))
    return names


def run(*command: str) -> tuple[float, float, float]:
    """Seconds of the processor, of the clock, and megabytes of the largest process."""
    before, start, largest = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), 0.0
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, env=alone)  # noqa: S603
    while process.poll() is None:
        largest = max(largest, *map(peak, family(process.pid)))
        time.sleep(0.02)
    if process.returncode:
        raise RuntimeError("what was measured went wrong")
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock, largest


def family(process: int) -> list[int]:
    """A process and its children."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        children = []
    return [process, *map(int, children)]


def peak(process: int) -> float:
    """Megabytes; 0 of one that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), 0.0)


def measure(name: str, names: list[str], n: int) -> None:
    size = sum(Path(each).stat().st_size for each in names) / 1e6
    bare, clock, most = run("-c", BARE, *names)
    print(f"{name}: {n:,} responses, {size:,.0f} MB in {len(names)} files")
    print(
        f"  bare read     {bare:6.1f} s of the processor, {clock:6.1f} s by the clock, {most:4.0f} MB"
    )
    for workers in ("1", "2"):
        command = ("-m", "mechanisms.batches", "--add", "--workers", workers)
        used, clock, most = run(*command, *names)
        _, _, few = run(*command, *names[:2])
        rates = f"{used / bare:.2f} times the bare read, {n / used / 1e6:.0f} million a second"
        print(
            f"  workers: {workers}    {used:6.1f} s of the processor, {clock:6.1f} s by the clock, "
            f"{most:4.0f} MB ({few:.0f} MB for 2 files): {rates}"
        )


def main(n: int, where: str | None) -> None:
    with tempfile.TemporaryDirectory(prefix="candor-bench-", dir=where) as made:
        folder = Path(made)
        wanted = (
            ("yes/no", "tax", TwoCoin(), "yes-no", n),
            ("16 marks", "marks", UnaryEncoding.symmetric(16, 1.0986), "choice", n),
            ("20,000 choices", "town", Geometry(20_000, 1.0986), "choice", n // 10),
        )
        for name, key, mechanism, kind, responses in wanted:
            names = write(folder, key, mechanism, kind, responses)
            measure(name, names, responses)
            for each in names:
                Path(each).unlink()
    used, _, most = run("-c", "import mechanisms.batches")
    print(f"to start Python with the library: {used:.1f} s of the processor, {most:.0f} MB")


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else 100_000_000,
        sys.argv[2] if len(sys.argv) > 2 else None,
    )
