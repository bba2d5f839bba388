"""The record codec: the conversion between the reports of one respondent and a record.

A record is a few bytes of fixed width: one element of a structured NumPy dtype. It has a field for
each question, in the order of the instrument, in the report format of the question
(mechanisms.designs.wire).

Some questions may have no report: all questions if the instrument allows missing reports,
otherwise those of the question subset and those with a condition. If an instrument has any, its
records have one more field, the mask. The mask has one bit for each of these questions, in their
order. The bit is 1 if the record has no report to the question, whose field is then zero.

In this module `responses` is always a structured array with one element for each response, whose
dtype is that of `record_dtype`.
"""

import os
from typing import Any

import numpy as np

from mechanisms.checks import IntArray
from surveys.definition.response_format import Layout, QuestionSubset, ReportItem
from surveys.definition.routing.conditions import iter_leaves
from surveys.definition.routing.paths import left_out, rows_left_out
from surveys.fieldwork.responses import packed_counts
from surveys.site.byte_cache import cache_on_instance

# No key of a question contains a question mark, so the mask has a name of its own.
MASK = "mask?"


class InvalidReports(ValueError):
    """The error for reports that the instrument does not allow.

    The message names questions, and never contains what was sent.
    """


@cache_on_instance
def record_dtype(layout: Layout) -> np.dtype:
    """Return the dtype of a record. Its `itemsize` is the number of bytes of a record."""
    fields: list[tuple] = [(item.key, item.report_format.field) for item in layout.items]
    optional_keys = layout.keys_with_missing
    if optional_keys:
        # Eight bits in a byte, rounded up.
        mask_bytes = (len(optional_keys) + 7) // 8
        fields.append((MASK, "u1", (mask_bytes,)))
    return np.dtype(fields)


def mark_missing(layout: Layout, responses: np.ndarray, missing: dict[str, np.ndarray]) -> None:
    """Set the mask bits of missing reports in decoded responses, in place.

    Questions that must have a report are ignored, and no bit is reset.

    missing: question key -> which responses have no report to the question; bool, shape (n,).
    """
    for index, key in enumerate(layout.keys_with_missing):
        if key in missing:
            byte, bit = divmod(index, 8)
            # The first question has the highest bit of a byte, as np.packbits writes it.
            responses[MASK][:, byte] |= missing[key].astype(np.uint8) << (7 - bit)


def has_report(layout: Layout, responses: np.ndarray, key: str) -> np.ndarray:
    """Return which responses have a report to the question `key`; bool, shape (n,)."""
    if key not in layout.keys_with_missing:
        return np.ones(len(responses), bool)
    byte, bit = divmod(layout.keys_with_missing.index(key), 8)
    return (responses[MASK][:, byte] >> (7 - bit)) & 1 == 0


def present_reports(layout: Layout, responses: np.ndarray, key: str) -> np.ndarray:
    """Return the stored reports to the question `key`, without the responses that have none."""
    reports = responses[key]
    mask = has_report(layout, responses, key)
    if mask.all():
        return reports
    return reports[mask]


def encode(layout: Layout, reports: dict[str, int | str | None]) -> bytes:
    """Return the record of one respondent's reports. Raise InvalidReports if they are not allowed.

    Every question needs exactly one possible report. A report may be None only if the layout
    allows it: of the question subset, as many questions have a report as each device picks,
    without those that are not on the path; every other question with a condition has a report if
    and only if it is on the path.

    reports: question key -> report, or None for no report.
    """
    keys = {item.key for item in layout.items}
    if not isinstance(reports, dict) or reports.keys() != keys:
        raise InvalidReports("Send exactly one report for each question of the instrument.")

    skipped_keys: set[str] = set()
    if layout.keys_with_condition:
        skipped_keys = left_out(layout.items, reports.get)
    _check_path(layout, reports, skipped_keys)
    _check_question_subset(layout, reports, skipped_keys)

    optional_keys = layout.keys_with_missing
    record = b""
    for item in layout.items:
        record += _encode_report(item, reports[item.key], is_optional=item.key in optional_keys)
    missing = np.array([reports[key] is None for key in optional_keys], bool)
    return record + np.packbits(missing).tobytes()


def _check_path(layout: Layout, reports: dict[str, Any], skipped_keys: set[str]) -> None:
    """Raise InvalidReports unless the reports to questions with a condition fit the path.

    A question off the path must have no report. One on the path must have a report, unless the
    instrument allows missing reports or the question is in the question subset, whose number of
    reports `_check_question_subset` checks.

    reports: question key -> report, or None for no report.
    skipped_keys: the questions that the background answers do not ask for.
    """
    for key in layout.keys_with_condition:
        if key in skipped_keys and reports[key] is not None:
            raise InvalidReports(
                f"The report of {key} must be null: the background answers do not ask for it."
            )
        may_be_missing = layout.nonresponse or layout.is_drawn(key)
        if key not in skipped_keys and reports[key] is None and not may_be_missing:
            raise InvalidReports(
                f"The report of {key} must not be null: the background answers ask for it."
            )


def _check_question_subset(layout: Layout, reports: dict[str, Any], skipped_keys: set[str]) -> None:
    """Raise InvalidReports unless the question subset has a possible number of reports.

    reports: question key -> report, or None for no report.
    skipped_keys: the questions that the background answers do not ask for.
    """
    subset = layout.draw
    if not subset:
        return
    n_skipped = sum(key in skipped_keys for key in subset.of)
    n_reports = sum(reports[key] is not None for key in subset.of)
    least, most = report_limits(subset, n_skipped)
    if least <= n_reports <= most:
        return
    number = f"{least} to {most}"
    if least == most:
        number = f"exactly {most}"
    keys = ", ".join(subset.of)
    raise InvalidReports(f"Of {keys} {number} must have a report, and the others null.")


def report_limits(
    subset: QuestionSubset, n_skipped: IntArray | int
) -> tuple[IntArray | int, IntArray | int]:
    """Return the smallest and largest number of reports that a respondent may send to the subset.

    The device picks `subset.count` questions, and sends no report to those off the path. It has
    picked as many of these as possible, or as few: only the device knows. So the limits differ if
    there are any.

    n_skipped: how many questions of the subset the background answers do not ask for; a number,
        or an array with a number for each respondent.
    """
    least = np.maximum(subset.count - n_skipped, 0)
    most = np.minimum(subset.count, len(subset.of) - n_skipped)
    return least, most


def _encode_report(item: ReportItem, report: int | str | None, *, is_optional: bool) -> bytes:
    """Return the field of a record with this report. Raise InvalidReports if it is not possible.

    is_optional: whether the report may be None, which gives a field of zeros.
    """
    if report is None and is_optional:
        return bytes(item.report_format.field.itemsize)
    try:
        return item.report_format.encode(report)
    except ValueError as problem:
        raise InvalidReports(f"The report of {item.key} must {problem}.") from None


def decode(layout: Layout, records: bytes) -> np.ndarray:
    """Return the responses in these records: a structured array, shape (n,), without copying.

    The array is read-only.
    """
    return np.frombuffer(records, record_dtype(layout))


def count_reports(layout: Layout, responses: np.ndarray) -> dict[str, packed_counts.Counts]:
    """Return, by question key, how often each answer or bit was reported."""
    counts = {}
    for item in layout.items:
        reports = present_reports(layout, responses, item.key)
        counts[item.key] = packed_counts.pack(item.report_format.counts(reports))
    return counts


def count_responses(layout: Layout, responses: np.ndarray) -> dict[str, Any]:
    """Return the tally of decoded responses.

    A tally has the keys "n", the number of responses, and "counts", the result of
    `count_reports`. If reports may be missing, it has "answered": the number of reports by
    question key. If devices pick among questions with a condition, it has "on_path": the number
    of respondents by question key who have the question on their path, picked or not.
    """
    tally: dict[str, Any] = {"n": len(responses), "counts": count_reports(layout, responses)}
    answered = {}
    for key in layout.keys_with_missing:
        answered[key] = int(has_report(layout, responses, key).sum())
    if answered:
        tally["answered"] = answered

    on_path = {}
    for key, mask in drawable_respondents(layout, responses).items():
        on_path[key] = int(mask.sum())
    if on_path:
        tally["on_path"] = on_path
    return tally


def drawable_respondents(layout: Layout, responses: np.ndarray) -> dict[str, np.ndarray]:
    """Return which respondents have each question on their path; bool, shape (n,), by question key.

    The result has only the questions that are in the question subset and have a condition. A
    missing report to such a question does not show whether it was on the path.
    """
    if not layout.conditional_draws:
        return {}
    # Only the questions on which conditions depend decide paths, so only for these must it be known
    # whose report is missing.
    missing = {}
    for item in layout.items:
        if not item.when:
            continue
        for leaf in iter_leaves(item.when):
            if leaf.of in layout.keys_with_missing:
                missing[leaf.of] = ~has_report(layout, responses, leaf.of)
    skipped = rows_left_out(layout.items, responses.__getitem__, missing)
    return {key: ~skipped[key] for key in layout.conditional_draws}


def wire_reports(layout: Layout, responses: np.ndarray, item: ReportItem) -> list[Any]:
    """Return the reports to a question as they are sent, with None for a response without one."""
    reports = item.report_format.reports(responses[item.key])
    return fill_missing(layout, responses, item.key, reports)


def fill_missing(
    layout: Layout,
    responses: np.ndarray,
    key: str,
    values: list[Any],
    nothing: object = None,
) -> list[Any]:
    """Replace, in place, the values of responses without a report to `key`; return the values.

    values: a value for each response.
    nothing: what replaces the value of a response without a report.
    """
    if key in layout.keys_with_missing:
        is_missing = ~has_report(layout, responses, key)
        for index in np.flatnonzero(is_missing).tolist():
            values[index] = nothing
    return values


def add_tallies(first: dict, second: dict) -> dict:
    """Return the sum of two tallies of one instrument. `first` may be empty, and adds nothing.

    first, second: as `count_responses` returns them. If `first` is empty, `second` itself is
        returned, not a copy.
    """
    if not first:
        return second
    counts = {}
    for key, first_counts in first["counts"].items():
        counts[key] = packed_counts.add(first_counts, second["counts"][key])
    total = {"n": first["n"] + second["n"], "counts": counts}
    for name in ("answered", "on_path"):
        if name in first:
            total[name] = {key: n + second[name][key] for key, n in first[name].items()}
    return total


def shuffle(layout: Layout, records: bytes) -> bytes:
    """Return the records in a random order, from the system's cryptographic generator."""
    record_size = record_dtype(layout).itemsize
    items = np.frombuffer(records, np.dtype(f"V{record_size}"))
    random_numbers = np.frombuffer(os.urandom(8 * len(items)), np.uint64)
    return items[np.argsort(random_numbers)].tobytes()
