"""A basis of a design in which its columns have one length and are independent of each other.

Models are fitted in the basis, where rounding does no harm, and their coefficients are then those
of the design. Columns that others make up are found on the way.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from mechanisms.checks import FloatArray

# The part of a column's length that is independent of the other columns. From this value on, Gram's
# matrix is exact enough.
_NEAR = 1e-6
# An eigenvalue that is a smaller part of the largest one is 0 but for rounding.
_SINGULAR = 1e-10
# What rounding leaves of a column that the others make up.
_NONE = 1e-10
# The square of a length outside of this range may be too small or too large for a float.
_SAFE_LENGTHS = (1e-100, 1e100)


@dataclass(frozen=True)
class Basis:
    """The basis of a design: design = columns @ root.

    Attributes
    ----------
    columns : ndarray of shape (rows, p)
        The columns of the basis. columns' diag(mass) columns is the identity matrix times the
        number of respondents.
    root : ndarray of shape (p, p)
        An upper triangular matrix.
    """

    columns: FloatArray
    root: FloatArray

    def back(self, coefficients: FloatArray) -> FloatArray:
        """Return the coefficients of the design that belong to coefficients of the basis.

        Parameters
        ----------
        coefficients : ndarray of shape (p,) or (p, states)
            Coefficients of the columns of the basis.

        Returns
        -------
        ndarray of the same shape
        """
        design_coefficients: FloatArray = solve_triangular(self.root, coefficients)
        return design_coefficients

    def forth(self, coefficients: FloatArray) -> FloatArray:
        """Return the coefficients of the basis that belong to coefficients of the design.

        It is the inverse of `back`.

        Parameters
        ----------
        coefficients : ndarray of shape (p,) or (p, states)
            Coefficients of the columns of the design.

        Returns
        -------
        ndarray of the same shape
        """
        basis_coefficients: FloatArray = self.root @ coefficients
        return basis_coefficients

    def covariance(self, basis_covariance: FloatArray, states: int) -> FloatArray:
        """Return the covariance of the coefficients of the design.

        Parameters
        ----------
        basis_covariance : ndarray of shape (p * states, p * states)
            The covariance of the ravelled coefficients of the basis, of shape (p, states).
        states : int
            The number of coefficients of each column.

        Returns
        -------
        ndarray of shape (p * states, p * states)
            The covariance of the ravelled coefficients of the design, in the same order.
        """
        half = self._solve_rows(basis_covariance, states)
        return self._solve_rows(half.T, states)

    def _solve_rows(self, table: FloatArray, states: int) -> FloatArray:
        """Return the table with its rows led from the basis back to the design."""
        p = len(self.root)
        solved: FloatArray = solve_triangular(self.root, table.reshape(p, -1))
        return solved.reshape(p * states, -1)


def basis(design: FloatArray, mass: FloatArray) -> Basis:
    """Return the basis of a design.

    Parameters
    ----------
    design : ndarray of shape (rows, p)
        The rows of the design.
    mass : ndarray of shape (rows,)
        The number of respondents in each row, or the sum of their weights.

    Returns
    -------
    Basis

    Raises
    ------
    ValueError
        If columns are 0, or sums of multiples of the columns before them. The message names them.

    References
    ----------
    Golub, G. H. and Van Loan, C. F. (2013). Matrix computations, 4th ed. Johns Hopkins University
    Press, section 5.2: the QR decomposition, and its R from the Cholesky factor of Gram's matrix.
    """
    p = design.shape[1]
    if p == 0:
        return Basis(columns=design, root=np.zeros((0, 0)))

    part_of_mass = mass / mass.sum()
    lengths = _column_lengths(design, part_of_mass)
    scaled = design / np.where(lengths > 0, lengths, 1.0)
    scaled_root = _upper_root(scaled, part_of_mass)

    independent_part = np.abs(scaled_root.diagonal())
    if (independent_part < _NONE).any():
        names = np.flatnonzero(independent_part < _NONE).tolist()
        raise ValueError(
            f"design has columns {names} that add nothing to those before them; "
            "allowed are columns of which none is a sum of multiples of others"
        )
    columns: FloatArray = solve_triangular(scaled_root, scaled.T, trans="T").T
    return Basis(columns=np.ascontiguousarray(columns), root=scaled_root * lengths)


def _column_lengths(design: FloatArray, part_of_mass: FloatArray) -> FloatArray:
    """Return the root mean square of each column, or its largest value if a square is unsafe."""
    with np.errstate(over="ignore"):
        squares = np.einsum("ij,ij,i->j", design, design, part_of_mass)
        lengths: FloatArray = np.sqrt(squares)
    smallest, largest = _SAFE_LENGTHS
    if ((lengths > smallest) & (lengths < largest)).all():
        return lengths
    largest_values: FloatArray = np.abs(design).max(axis=0)
    return largest_values


def _upper_root(scaled: FloatArray, part_of_mass: FloatArray) -> FloatArray:
    """Return R of the QR decomposition of the weighted design, shape (p, p)."""
    # Gram's matrix is faster where it is exact enough, which the smallest diagonal value says.
    gram = (scaled * part_of_mass[:, np.newaxis]).T @ scaled
    try:
        root = np.linalg.cholesky(gram).T.astype(np.float64)
    except np.linalg.LinAlgError:
        root = None
    if root is not None and root.diagonal().min() > _NEAR**0.5:
        return root

    weighted = scaled * np.sqrt(part_of_mass)[:, np.newaxis]
    upper: FloatArray = np.asarray(np.linalg.qr(weighted, mode="r"), dtype=np.float64)
    missing_rows = scaled.shape[1] - len(upper)
    if missing_rows > 0:
        # There are fewer patterns than columns, so some columns add nothing.
        upper = np.vstack([upper, np.zeros((missing_rows, scaled.shape[1]))])
    return upper


def generalized_inverse(covariance: FloatArray) -> tuple[FloatArray, int]:
    """Return the Moore-Penrose inverse of a covariance, and its rank.

    A covariance of shares that sum to 1 has no inverse, because one of them says nothing new.

    Parameters
    ----------
    covariance : ndarray of shape (k, k)
        A symmetric matrix without negative eigenvalues, but for rounding.

    Returns
    -------
    inverse : ndarray of shape (k, k)
        Eigenvalues that are 0 but for rounding are left out.
    rank : int
        The number of eigenvalues that are not left out.

    References
    ----------
    Penrose, R. (1955). A generalized inverse for matrices. Mathematical Proceedings of the
    Cambridge Philosophical Society 51, 406-413.
    """
    values, vectors = np.linalg.eigh(covariance)
    largest = max(float(values.max(initial=0.0)), 0.0)
    is_positive = values > _SINGULAR * largest
    axes = vectors[:, is_positive]
    inverse: FloatArray = (axes / values[is_positive]) @ axes.T
    return inverse, int(np.count_nonzero(is_positive))
