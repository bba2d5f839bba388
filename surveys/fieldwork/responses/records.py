"""The record codec: the conversion between the reports of one respondent and a record.

A record is a few bytes of fixed width: one element of a structured NumPy dtype. It has a field for
each question, in the order of the instrument, in the report format of the question
(mechanisms.designs.wire).

Some questions may have no report: all questions if the instrument allows missing reports,
otherwise those of the question subset, from which each device picks a few, and those with a
condition on background answers. If an instrument has any, its records have one more field, the
mask. The mask has one bit for each of these questions, in their order. The bit is 1 if the record
has no report to the question, whose field is then zero. A question is on the path of a respondent
if it has no condition, or if the respondent's background answers meet its condition.

In this module `layout` is the format of a response (surveys.definition.response_format): its
questions, and which of them may have no report. `responses` is always a structured array with one
element for each response, whose dtype is that of `record_dtype`.
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

    The message has the keys of questions, and never contains what was sent.
    """


@cache_on_instance
def record_dtype(layout: Layout) -> np.dtype:
    """Return the dtype of a record: a field for each question, and the mask if there is one.

    Its `itemsize` is the number of bytes of a record.
    """
    fields: list[tuple] = [(item.key, item.report_format.field) for item in layout.items]
    optional_keys = layout.keys_with_missing
    if optional_keys:
        # Eight bits in a byte, rounded up.
        mask_bytes = (len(optional_keys) + 7) // 8
        fields.append((MASK, "u1", (mask_bytes,)))
    return np.dtype(fields)


def mark_missing(layout: Layout, responses: np.ndarray, missing: dict[str, np.ndarray]) -> None:
    """Note in the masks of decoded responses which reports are missing, in place.

    Questions that must have a report are ignored. A report that is noted as missing stays so.

    missing: question key -> which responses have no report to the question; bool, shape (n,).
    """
    for index, key in enumerate(layout.keys_with_missing):
        if key not in missing:
            continue
        byte, bit_from_left = divmod(index, 8)
        # The first question has the highest bit of a byte, as np.packbits writes it.
        new_bits = missing[key].astype(np.uint8) << (7 - bit_from_left)
        responses[MASK][:, byte] |= new_bits


def has_report(layout: Layout, responses: np.ndarray, key: str) -> np.ndarray:
    """Return which responses have a report to the question `key`; bool, shape (n,)."""
    if key not in layout.keys_with_missing:
        return np.ones(len(responses), bool)
    # The bit of the question is the lowest one after this shift: see `mark_missing`.
    byte, bit_from_left = divmod(layout.keys_with_missing.index(key), 8)
    mask_bits = (responses[MASK][:, byte] >> (7 - bit_from_left)) & 1
    return mask_bits == 0


def present_reports(layout: Layout, responses: np.ndarray, key: str) -> np.ndarray:
    """Return the stored reports to the question `key`, of the responses that have one.

    The result has one element, in stored form, for each of these responses, in their order.
    """
    reports = responses[key]
    is_present = has_report(layout, responses, key)
    # Selecting elements copies them, so it is left out where it can be.
    if is_present.all():
        return reports
    return reports[is_present]


def encode(layout: Layout, reports: dict[str, int | str | None]) -> bytes:
    """Return the record of one respondent's reports. Raise InvalidReports if they are not allowed.

    Every question must have an entry, with a report in the format of the question or with None.
    `_check_path` and `_check_question_subset` say where None is required or allowed.

    reports: question key -> report, or None for no report; as the device sent it.
    """
    keys = {item.key for item in layout.items}
    if not isinstance(reports, dict) or reports.keys() != keys:
        raise InvalidReports("Send exactly one report for each question of the instrument.")

    # Background answers are not randomized. So their reports are codes, which decide the path.
    skipped_keys: set[str] = set()
    if layout.keys_with_condition:
        skipped_keys = left_out(layout.items, reports.get)
    _check_path(layout, reports, skipped_keys)
    _check_question_subset(layout, reports, skipped_keys)

    # The fields come in the order of the questions, and the mask comes last.
    optional_keys = layout.keys_with_missing
    record = b""
    for item in layout.items:
        record += _encode_report(item, reports[item.key], is_optional=item.key in optional_keys)
    missing = np.array([reports[key] is None for key in optional_keys], bool)
    return record + np.packbits(missing).tobytes()


def _check_path(layout: Layout, reports: dict[str, Any], skipped_keys: set[str]) -> None:
    """Raise InvalidReports unless the reports to questions with a condition fit the path.

    A question that is not on the path must have no report. One on the path must have a report,
    unless the instrument allows missing reports, or the device picks whether the question is asked
    (then see `_check_question_subset`).

    reports: question key -> report, or None for no report.
    skipped_keys: the questions that are not on the path of the respondent.
    """
    for key in layout.keys_with_condition:
        is_on_path = key not in skipped_keys
        is_missing = reports[key] is None
        if not is_on_path and not is_missing:
            raise InvalidReports(
                f"The report of {key} must be null: the background answers do not ask for it."
            )
        may_be_missing = layout.nonresponse or layout.is_drawn(key)
        if is_on_path and is_missing and not may_be_missing:
            raise InvalidReports(
                f"The report of {key} must not be null: the background answers ask for it."
            )


def _check_question_subset(layout: Layout, reports: dict[str, Any], skipped_keys: set[str]) -> None:
    """Raise InvalidReports unless the question subset has a possible number of reports.

    Do nothing if there is no question subset.

    reports: question key -> report, or None for no report.
    skipped_keys: the questions that are not on the path of the respondent.
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

    The device picks `subset.count` questions at random, and sends no report to those of them that
    are not on the path. The server does not know which questions were picked, so only the limits
    are known.

    n_skipped: how many questions of the subset are not on the path; a number, or an array with a
        number for each respondent. The limits are numbers or arrays too.
    """
    # There are the fewest reports if all skipped questions were picked, or as many as possible.
    least = np.maximum(subset.count - n_skipped, 0)
    # There are the most if no skipped question was picked, or as few as possible.
    n_on_path = len(subset.of) - n_skipped
    most = np.minimum(subset.count, n_on_path)
    return least, most


def _encode_report(item: ReportItem, report: int | str | None, *, is_optional: bool) -> bytes:
    """Return the bytes of a report in a record. Raise InvalidReports if the report is impossible.

    is_optional: whether the report may be None, which gives zeros.
    """
    if report is None and is_optional:
        # Python makes a bytes object of so many zeros.
        return bytes(item.report_format.field.itemsize)
    try:
        return item.report_format.encode(report)
    except ValueError as problem:
        # The message of this error completes “must”.
        raise InvalidReports(f"The report of {item.key} must {problem}.") from None


def decode(layout: Layout, records: bytes) -> np.ndarray:
    """Return the responses in joined records as a structured array, shape (n,).

    The array reads the bytes of `records` in place, so it is read-only.
    """
    return np.frombuffer(records, record_dtype(layout))


def count_reports(layout: Layout, responses: np.ndarray) -> dict[str, packed_counts.Counts]:
    """Return how often each answer, or each bit of a report, was sent: packed, by question key.

    Responses without a report to a question are not counted for it.
    """
    counts = {}
    for item in layout.items:
        reports = present_reports(layout, responses, item.key)
        counts[item.key] = packed_counts.pack(item.report_format.counts(reports))
    return counts


def count_responses(layout: Layout, responses: np.ndarray) -> dict[str, Any]:
    """Return the tally of decoded responses, from which all results are estimated.

    A tally has these keys:

    "n": the number of responses.
    "counts": the result of `count_reports`.
    "answered": the number of reports by question key, for questions that may have none.
    "on_path": the number of respondents by question key whose path has the question, for questions
        of the question subset with a condition.

    The last two are left out if there are no such questions.
    """
    tally: dict[str, Any] = {"n": len(responses), "counts": count_reports(layout, responses)}
    answered = {}
    for key in layout.keys_with_missing:
        answered[key] = int(has_report(layout, responses, key).sum())
    if answered:
        tally["answered"] = answered

    on_path = {}
    for key, is_on_path in drawable_respondents(layout, responses).items():
        on_path[key] = int(is_on_path.sum())
    if on_path:
        tally["on_path"] = on_path
    return tally


def drawable_respondents(layout: Layout, responses: np.ndarray) -> dict[str, np.ndarray]:
    """Return which respondents have each question on their path; bool, shape (n,), by question key.

    The result has only the questions that are in the question subset and have a condition. A
    missing report to such a question does not show whether it was on the path, so the background
    answers decide this here.
    """
    if not layout.conditional_draws:
        return {}
    # The paths depend only on the background questions to which conditions refer (`leaf.of`). So
    # only for these must it be known whose report is missing.
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
    """Return the reports to a question as devices send them, with None for a response without one.

    The result has an element for each response, in their order.
    """
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

    Without a report, the stored field is zero and its value means nothing.

    values: a value for each response, made of the report to `key`.
    nothing: what replaces the value of a response without a report.
    """
    if key in layout.keys_with_missing:
        is_missing = ~has_report(layout, responses, key)
        for index in np.flatnonzero(is_missing).tolist():
            values[index] = nothing
    return values


def add_tallies(first: dict, second: dict) -> dict:
    """Return the sum of two tallies of one instrument.

    first, second: as `count_responses` returns them. If `first` is {}, as in an instrument without
        responses, `second` itself is returned, not a copy.
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
    """Return joined records in a random order, from the system's cryptographic generator.

    Without this, the order of stored records would be the order in which the responses arrived.
    """
    # A void type makes one opaque element of each record.
    record_size = record_dtype(layout).itemsize
    items = np.frombuffer(records, np.dtype(f"V{record_size}"))

    # Each record gets a random number of 8 bytes. The order of these numbers is the new order.
    random_numbers = np.frombuffer(os.urandom(8 * len(items)), np.uint64)
    new_order = np.argsort(random_numbers)
    return items[new_order].tobytes()
