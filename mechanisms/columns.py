"""Columns of other libraries as arrays: series, categoricals, lists of labels, and missing values.

Nothing is imported for it. A series of pandas or polars is recognized by what it offers.
"""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.checks import BoolArray, IntArray

# What happens to missing values: None, NaN, and NA of pandas.
Missing = Literal["refuse", "drop"]

# The names of the classes of categorical dtypes in polars. In pandas they have categories.
_CATEGORICAL_CLASSES = ("Categorical", "Enum")
# The names of the classes of missing values in pandas.
_MISSING_CLASSES = ("NAType", "NaTType")


class Column(NamedTuple):
    """
    The values of a column that are not missing.

    Attributes
    ----------
    values : array_like
        The values, without those that are missing.
    is_missing : ndarray of bool, shape (n,), or None
        True for each missing value of the whole column. None if no value is missing.
    """

    values: Any
    is_missing: BoolArray | None = None

    @property
    def missing(self) -> int:
        """The number of missing values."""
        if self.is_missing is None:
            return 0
        return int(self.is_missing.sum())


def checked_labels(labels: Sequence[str] | None, size: int) -> tuple[str, ...] | None:
    """
    Return the labels of answers, or raise ValueError.

    Parameters
    ----------
    labels : sequence of str, or None
        A label for each answer, in the order of the codes.
    size : int
        The number of answers.

    Returns
    -------
    tuple of str, or None
        The labels. None if there are none.

    Raises
    ------
    ValueError
        If there is not one label for each answer, or two labels are equal.
    """
    if labels is None:
        return None
    names = () if isinstance(labels, str) else tuple(labels)
    are_texts = all(isinstance(name, str) for name in names)
    if len(names) != size or not are_texts or len(set(names)) != size:
        raise ValueError(
            f"labels is {checks.show(labels)}; allowed is a different text for each of {size}"
            " answers"
        )
    return tuple(str(name) for name in names)


def code_column(
    name: str, values: Any, labels: Sequence[str] | None = None, missing: Missing = "refuse"
) -> Column:
    """
    Return a column of codes, in which labels become codes.

    Parameters
    ----------
    name : str
        The name of the argument, for errors.
    values : array_like, shape (n,)
        Codes, labels or a categorical. A number is always a code. The categories of a categorical
        are matched to the labels by name.
    labels : sequence of str, optional
        The label of each answer, in the order of the codes.
    missing : {"refuse", "drop"}, default "refuse"
        Whether missing values are an error or left out.

    Returns
    -------
    Column
        The codes. Whether they are from 0 to size - 1 is not checked.

    Raises
    ------
    ValueError
        If a text is none of the labels, if there are texts or categories and no labels, or if
        values are missing and are not left out.
    """
    checks.one_of("missing", missing, ("refuse", "drop"))
    if _is_plain(values):
        return Column(values)
    is_categorical = _is_categorical(values)
    if is_categorical and labels is None:
        raise ValueError(
            f"{name} is a categorical; allowed with labels=[...], which name the answers in their"
            " order"
        )
    array = _array_of(values, as_objects=is_categorical)
    if array.ndim != 1:
        return Column(values)
    column = _present(name, array, _mask_of(values, array), missing)
    codes = _whole_numbers(column)
    if is_categorical or _has_text(codes):
        codes = _codes_of_labels(name, codes, labels)
    return Column(codes, column.is_missing)


def row_column(
    name: str,
    values: Any,
    labels: Sequence[str] | None = None,
    missing: Missing = "refuse",
    *,
    blank: int | None = None,
) -> Column:
    """
    Return rows of numbers, or strings that each hold a row.

    A row is missing if one of its numbers is, or with `blank` if all of them are.

    Parameters
    ----------
    name : str
        The name of the argument, for errors.
    values : array_like of shape (n, size), or sequence of str
        The rows: an array, a data frame with a column for each answer, or n strings.
    labels : sequence of str, optional
        The label of each answer. The columns of a data frame that have these names are put into
        this order.
    missing : {"refuse", "drop"}, default "refuse"
        Whether missing rows are an error or left out.
    blank : int, optional
        The number of a cell that is empty in a row that is not missing.

    Returns
    -------
    Column
        The rows. Whether they have the right shape is not checked.

    Raises
    ------
    ValueError
        If the columns of a data frame have other names than the labels, or if rows are missing and
        are not left out.
    """
    checks.one_of("missing", missing, ("refuse", "drop"))
    if _is_plain(values):
        return Column(values)
    if not hasattr(values, "columns"):
        array = _array_of(values)
        if array.ndim == 1:
            column = _present(name, array, _mask_of(values, array), missing)
            if not _has_text(column.values):
                return Column(values)
            return Column(column.values.tolist(), column.is_missing)
    else:
        array = _rows_of_frame(name, values, labels)
    if array.ndim != 2:
        return Column(values)
    is_empty = _mask_of(values, array)
    if blank is None or not is_empty.any():
        has_gap = np.asarray(is_empty.any(axis=1))
        column = _present(name, array, has_gap, missing)
        return Column(_whole_numbers(column), column.is_missing)
    is_missing = np.asarray(is_empty.all(axis=1))
    column = _present(name, array, is_missing, missing)
    cells = Column(np.where(is_empty[~is_missing], blank, column.values), is_missing)
    return Column(_whole_numbers(cells), column.is_missing)


def text_column(name: str, values: Any, missing: Missing = "refuse") -> Column:
    """
    Return a column of texts as a list.

    Parameters
    ----------
    name : str
        The name of the argument, for errors.
    values : sequence of str
        The texts.
    missing : {"refuse", "drop"}, default "refuse"
        Whether missing values are an error or left out.

    Returns
    -------
    Column
        The texts.

    Raises
    ------
    ValueError
        If values are missing and are not left out.
    """
    array = _array_of(list(values), as_objects=True)
    column = _present(name, array, _mask_of(values, array), missing)
    return Column(column.values.tolist(), column.is_missing)


def count_column(name: str, values: Any, labels: Sequence[str] | None) -> IntArray:
    """
    Return counts by answer, in the order of the codes.

    Parameters
    ----------
    name : str
        The name of the argument, for errors.
    values : sequence of int, mapping, or series
        The counts, in the order of the codes. A mapping and a series of pandas have the codes or
        the labels as keys, in any order.
    labels : sequence of str, optional
        The label of each answer, in the order of the codes.

    Returns
    -------
    ndarray of int64
        The counts.

    Raises
    ------
    ValueError
        If a key is neither a code nor a label, or a count is not a whole number from 0.
    """
    counts = values
    if isinstance(values, Mapping):
        counts = _counts_by_code(name, list(values.keys()), list(values.values()), labels)
    elif hasattr(values, "index") and hasattr(values, "to_numpy"):
        counts = _counts_by_code(name, list(values.index), list(values.to_numpy()), labels)
    array = np.asarray(counts)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu" or array.min() < 0:
        raise ValueError(
            f"{name} is {checks.show(values)}; allowed is a Tally, or a count of at least 0 for"
            " each answer"
        )
    return array.astype(np.int64)


def column_names(design: Any, size: int) -> tuple[str, ...]:
    """
    Return the names of the columns of a data frame, or x0, x1, ... for an array.

    Parameters
    ----------
    design : array_like or data frame
        The design matrix.
    size : int
        The number of its columns.

    Returns
    -------
    tuple of str
        A name for each column.
    """
    if hasattr(design, "columns"):
        return tuple(str(column) for column in design.columns)
    return tuple(f"x{index}" for index in range(size))


def refuse_missing(name: str, count: int) -> ValueError:
    """
    Return the error for missing values.

    Parameters
    ----------
    name : str
        The name of the argument.
    count : int
        The number of missing values.

    Returns
    -------
    ValueError
        The error, to be raised.
    """
    noun = "missing value" if count == 1 else "missing values"
    return ValueError(
        f'{name} holds {count} {noun}; allowed are none, or missing="drop", which leaves them out'
    )


def _is_plain(values: Any) -> bool:
    """Return whether values are an array of whole numbers, in which nothing can be missing."""
    if not isinstance(values, np.ndarray) or isinstance(values, np.ma.MaskedArray):
        return False
    return values.dtype.kind in "iub"


def _is_categorical(values: Any) -> bool:
    """Return whether values are a categorical of pandas or polars."""
    dtype = getattr(values, "dtype", None)
    if dtype is None:
        return False
    return hasattr(dtype, "categories") or type(dtype).__name__ in _CATEGORICAL_CLASSES


def _array_of(values: Any, *, as_objects: bool = False) -> NDArray[Any]:
    """Return values as an array in which missing values are still missing."""
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(values.data)
    if as_objects:
        return _objects(list(values))
    try:
        array = np.asarray(values)
    except ValueError:
        # Rows of different lengths, which the checks of the caller name.
        return np.empty((), dtype=object)
    # NumPy turns a missing value beside texts into the text "nan".
    if array.ndim == 1 and array.dtype.kind == "U" and not isinstance(values, np.ndarray):
        return _objects(list(values))
    return array


def _objects(items: list[Any]) -> NDArray[Any]:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _mask_of(values: Any, array: NDArray[Any]) -> BoolArray:
    """Return which values are missing, of the shape of the array."""
    if isinstance(values, np.ma.MaskedArray):
        mask: BoolArray = np.ma.getmaskarray(values)
        return mask
    if array.dtype.kind == "f":
        is_nan: BoolArray = np.isnan(array)
        return is_nan
    if array.dtype.kind == "O":
        flat = [_is_missing(value) for value in array.ravel()]
        return np.array(flat, dtype=bool).reshape(array.shape)
    return np.zeros(array.shape, dtype=bool)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    return type(value).__name__ in _MISSING_CLASSES


def _present(name: str, array: NDArray[Any], is_missing: BoolArray, missing: Missing) -> Column:
    """Return the rows of an array that are not missing, or raise ValueError."""
    checks.one_of("missing", missing, ("refuse", "drop"))
    if not is_missing.any():
        return Column(array)
    count = int(is_missing.sum())
    if missing == "refuse":
        raise refuse_missing(name, count)
    return Column(array[~is_missing], is_missing)


def _whole_numbers(column: Column) -> NDArray[Any]:
    """Return values as whole numbers, if they are some that missing values had made others of.

    A column of whole numbers with a missing value is one of floats or objects in most libraries.
    """
    array: NDArray[Any] = column.values
    are_whole = False
    if array.dtype.kind == "f" and column.is_missing is not None:
        are_whole = bool((array == np.floor(array)).all())
    elif array.dtype.kind == "O":
        are_whole = all(isinstance(value, Integral | np.bool_) for value in array.ravel())
    return array.astype(np.int64) if are_whole else array


def _has_text(array: NDArray[Any]) -> bool:
    if array.dtype.kind in "UT":
        return True
    return array.dtype.kind == "O" and any(isinstance(value, str) for value in array)


def _codes_of_labels(name: str, values: NDArray[Any], labels: Sequence[str] | None) -> IntArray:
    """Return the codes of labels, or raise ValueError for a text that is none."""
    if labels is None:
        raise ValueError(
            f"{name} holds {checks.show(str(values[0]))}; allowed are whole numbers, or texts with"
            " labels=[...], which name the answers in their order"
        )
    code_by_label = {label: code for code, label in enumerate(labels)}
    codes = np.empty(len(values), dtype=np.int64)
    for index, value in enumerate(values):
        label = str(value)
        if label not in code_by_label:
            raise ValueError(
                f"{name} holds {checks.show(label)}; allowed is one of the labels"
                f" {checks.show(list(labels))}"
            )
        codes[index] = code_by_label[label]
    return codes


def _rows_of_frame(name: str, frame: Any, labels: Sequence[str] | None) -> NDArray[Any]:
    """Return the numbers of a data frame, with its columns in the order of the labels."""
    array = np.asarray(frame)
    columns = [str(column) for column in frame.columns]
    numbered = [str(index) for index in range(len(columns))]
    if labels is None or columns == numbered:
        return array
    if set(columns) != set(labels):
        raise ValueError(
            f"{name} has the columns {checks.show(columns)}; allowed are the labels"
            f" {checks.show(list(labels))}"
        )
    order = [columns.index(label) for label in labels]
    return array[:, order]


def _counts_by_code(
    name: str, keys: list[Any], counts: list[Any], labels: Sequence[str] | None
) -> list[Any]:
    """Return counts in the order of the codes. An answer without a key has the count 0."""
    codes = code_column(name, keys, labels).values
    size = len(labels) if labels is not None else int(max(codes, default=-1)) + 1
    positions = checks.indices(name, codes, size)
    if len(set(positions.tolist())) != len(keys):
        raise ValueError(f"{name} has the keys {checks.show(keys)}; allowed is each answer once")
    by_code: list[Any] = [0] * size
    for position, count in zip(positions.tolist(), counts, strict=True):
        by_code[position] = count
    return by_code
