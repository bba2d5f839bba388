"""python -m mechanisms.batches FILES...: see `mechanisms.batches`.

Ends with 0; with 1 where files cannot be counted, which it says in a sentence; with 2 for arguments that are none.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from mechanisms.batches.adding import count_here, count_on_cluster
from mechanisms.batches.counting import Counted
from mechanisms.batches.places import expand_patterns
from mechanisms.batches.questions import Unusable
from mechanisms.batches.telling import as_json, as_table


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m mechanisms.batches", description="Estimates from very many responses."
    )
    parser.add_argument(
        "files", nargs="+", help="Parquet files as a survey exports them; paths, or such as s3://…"
    )
    parser.add_argument(
        "--add", action="store_true", help="add up several files, each of other responses"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a running cluster of Dask, such as tcp://host:8786",
    )
    where.add_argument(
        "--workers", type=_whole, help="processes on this machine; by default one below a gigabyte"
    )
    parser.add_argument(
        "--likelihood",
        action="store_true",
        help="likeliest shares of reports of up to 20 marks, and of numbers",
    )
    parser.add_argument(
        "--confidence", type=_share, default=0.95, help="of the intervals; by default 0.95"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON, with the names of the survey's own report"
    )
    return parser.parse_args(given)


def _whole(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of processes; allowed are 1 to 1024"
        )
    return int(text)


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no confidence; allowed is a number between 0 and 1"
        )
    return found


def _count(asked: argparse.Namespace) -> Counted:
    if twice := next((name for name in asked.files if asked.files.count(name) > 1), None):
        raise Unusable(f"{twice} is named twice, and would count twice.")
    files = expand_patterns(asked.files)
    if len(files) > 1 and not asked.add:
        raise Unusable(
            f"{files[0]} and {files[1]}: an export holds all responses that were released until then, so two exports "
            "of one site count them twice. Name the newest alone. If each file has responses of its own, say --add."
        )
    if asked.scheduler:
        return count_on_cluster(files, asked.scheduler, forms=asked.likelihood)
    return count_here(files, asked.workers, forms=asked.likelihood)


def main(given: Sequence[str] | None = None) -> int:
    asked = _arguments(given)
    try:
        found = as_json(_count(asked), asked.confidence, likelihood=asked.likelihood)
    except Unusable as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except ModuleNotFoundError as wrong:
        if wrong.name not in ("pyarrow", "pyarrow.parquet"):
            raise
        print(
            'To read Parquet takes pyarrow: pip install "candor-mechanisms[batches]".',
            file=sys.stderr,
        )
        return 1
    print(json.dumps(found, ensure_ascii=False, indent=1) if asked.json else as_table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
