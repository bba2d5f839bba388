"""The command python -m mechanisms.batches FILES...: see `mechanisms.batches`.

It ends with 0; with 1 if files cannot be counted, after a sentence that says why; with 2 for wrong
arguments.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from mechanisms.batches.counting import Counted
from mechanisms.batches.files import expand_patterns
from mechanisms.batches.questions import Unusable
from mechanisms.batches.results import as_json, as_table
from mechanisms.batches.totals import count_here, count_on_cluster


def _parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m mechanisms.batches", description="Estimates from very many responses."
    )
    parser.add_argument(
        "files", nargs="+", help="Parquet files as a survey exports them; paths, or such as s3://…"
    )
    parser.add_argument(
        "--add", action="store_true", help="add up several files, each of other responses"
    )
    processes = parser.add_mutually_exclusive_group()
    processes.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a running cluster of Dask, such as tcp://host:8786",
    )
    processes.add_argument(
        "--workers",
        type=_process_count,
        help="processes on this machine; by default one below a gigabyte",
    )
    parser.add_argument(
        "--likelihood",
        action="store_true",
        help="likeliest shares of reports of up to 20 marks, and of numbers",
    )
    parser.add_argument(
        "--confidence", type=_confidence, default=0.95, help="of the intervals; by default 0.95"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON, with the names of the survey's own report"
    )
    return parser.parse_args(arguments)


def _process_count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of processes; allowed are 1 to 1024"
        )
    return int(text)


def _confidence(text: str) -> float:
    try:
        confidence = float(text)
    except ValueError:
        confidence = 0.0
    if not 0 < confidence < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no confidence; allowed is a number between 0 and 1"
        )
    return confidence


def _count_files(options: argparse.Namespace) -> Counted:
    """Return the counts of all files. Raises Unusable if they cannot be counted together."""
    for name in options.files:
        if options.files.count(name) > 1:
            raise Unusable(f"{name} is named twice, and would count twice.")
    files = expand_patterns(options.files)
    if len(files) > 1 and not options.add:
        raise Unusable(
            f"{files[0]} and {files[1]}: an export holds all responses that were released until "
            "then, so two exports of one site count them twice. Name the newest alone. "
            "If each file has responses of its own, say --add."
        )
    if options.scheduler:
        return count_on_cluster(files, options.scheduler, count_rows=options.likelihood)
    return count_here(files, options.workers, count_rows=options.likelihood)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the estimates from files, and return the exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments of the command; by default those of the process.

    Returns
    -------
    int
        0, or 1 if the files cannot be counted.
    """
    options = _parse_arguments(arguments)
    try:
        counted = _count_files(options)
        results = as_json(counted, options.confidence, likelihood=options.likelihood)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        if error.name not in ("pyarrow", "pyarrow.parquet"):
            raise
        print(
            'To read Parquet takes pyarrow: pip install "candor-mechanisms[batches]".',
            file=sys.stderr,
        )
        return 1
    if options.json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
    else:
        print(as_table(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
