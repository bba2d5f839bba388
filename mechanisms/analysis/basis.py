"""A design in a basis of its own, in which its columns are of one size and apart; and which columns are not."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from mechanisms.checks import FloatArray

# The part of a column's length that is independent of the other columns. From this value on, Gram's
# matrix is exact enough.
_NEAR = 1e-6
_SINGULAR = 1e-10
_NONE = 1e-10  # and what rounding leaves where nothing is


@dataclass(frozen=True)
class Basis:
    """design = columns @ root, root upper triangular; columns' diag(mass) columns is the number of respondents."""

    columns: FloatArray
    root: FloatArray

    def back(self, coefficients: FloatArray) -> FloatArray:
        """Coefficients of the design from those of the basis, shape (p,) or (p, states)."""
        found: FloatArray = solve_triangular(self.root, coefficients)
        return found

    def forth(self, coefficients: FloatArray) -> FloatArray:
        found: FloatArray = self.root @ coefficients
        return found

    def covariance(self, of_basis: FloatArray, states: int) -> FloatArray:
        """The covariance of ravelled (p, states) coefficients of the design."""
        half = self._of_rows(of_basis, states)
        return self._of_rows(half.T, states)

    def _of_rows(self, table: FloatArray, states: int) -> FloatArray:
        p = len(self.root)
        solved: FloatArray = solve_triangular(self.root, table.reshape(p, -1)).reshape(
            p * states, -1
        )
        return solved


def basis(design: FloatArray, mass: FloatArray) -> Basis:
    """The basis of a design. ValueError naming the columns that the ones before them, or nothing, make up."""
    total = mass.sum()
    if p := design.shape[1]:
        lengths = _lengths(design, mass / total)
        scaled = design / np.where(lengths > 0, lengths, 1.0)
        root = _root(scaled, mass / total)
        left = np.abs(root.diagonal())
        if (left < _NONE).any():
            names = np.flatnonzero(left < _NONE).tolist()
            raise ValueError(
                f"design has columns {names} that add nothing to those before them; "
                "allowed are columns of which none is a sum of multiples of others"
            )
        columns: FloatArray = solve_triangular(root, scaled.T, trans="T").T
        return Basis(np.ascontiguousarray(columns), root * lengths)
    return Basis(design, np.zeros((p, p)))


def _lengths(design: FloatArray, mass: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        lengths: FloatArray = np.sqrt(np.einsum("ij,ij,i->j", design, design, mass))
    if ((lengths > 1e-100) & (lengths < 1e100)).all():
        return lengths
    largest: FloatArray = np.abs(design).max(
        axis=0
    )  # whose square is too small or large for a float
    return largest


def _root(scaled: FloatArray, mass: FloatArray) -> FloatArray:
    """R of the weighted design's QR decomposition: from Gram's matrix where that is exact enough."""
    try:
        root = np.linalg.cholesky((scaled * mass[:, np.newaxis]).T @ scaled).T.astype(np.float64)
        if root.diagonal().min() > _NEAR**0.5:
            return root
    except np.linalg.LinAlgError:
        pass
    found: FloatArray = np.asarray(
        np.linalg.qr(scaled * np.sqrt(mass)[:, np.newaxis], mode="r"), dtype=np.float64
    )
    if len(found) < scaled.shape[1]:  # fewer patterns than columns
        found = np.vstack([found, np.zeros((scaled.shape[1] - len(found), scaled.shape[1]))])
    return found


def generalized_inverse(covariance: FloatArray) -> tuple[FloatArray, int]:
    """The inverse of a covariance where it has one, and its rank: shares that sum to 1 leave one of them out."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > _SINGULAR * max(float(values.max(initial=0.0)), 0.0)
    found: FloatArray = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return found, int(np.count_nonzero(kept))
