"""Signing unseen: the RSA operation itself on whatever a device sent, as RFC 9474 has it.

No kept library offers it, so it is written here, small on purpose: docs/threat-model.md says that it wants a look from
outside. `pow` takes longer for some numbers than for others. So something random and secret that falls out again goes
into what is raised and into the exponents: how long it took says nothing of the key.
"""

import math
from secrets import randbelow, randbits

from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicKey,
)

SHIFT = 64  # bits of the random multiple that is added to an exponent


class Faulty(Exception):
    """The computer has made a mistake. A wrong root would give the key away, so it is not sent."""


def check(key: RSAPublicKey, blinded: bytes) -> int:
    """What was sent, as a number. Raises ValueError unless it is one below the modulus, and prime to it."""
    n, value = key.public_numbers().n, int.from_bytes(blinded)
    if len(blinded) * 8 != n.bit_length() or not 1 < value < n - 1 or math.gcd(value, n) != 1:
        raise ValueError("is not a number this key can sign")
    return value


def sign(key: RSAPrivateKey, blinded: bytes) -> bytes:
    """The root of what was sent, as many bytes as the key has. Raises ValueError as check() does, and Faulty."""
    value = check(key.public_key(), blinded)
    numbers = key.private_numbers()
    n, e = numbers.public_numbers.n, numbers.public_numbers.e
    factor = _factor(n)
    root = _root(numbers, value * pow(factor, e, n) % n) * pow(factor, -1, n) % n
    if pow(root, e, n) != value:
        raise Faulty
    return root.to_bytes(len(blinded))


def _root(numbers: RSAPrivateNumbers, value: int) -> int:
    """By the Chinese remainder theorem, from the roots modulo the two primes."""
    of_p = pow(value, numbers.dmp1 + randbits(SHIFT) * (numbers.p - 1), numbers.p)
    of_q = pow(value, numbers.dmq1 + randbits(SHIFT) * (numbers.q - 1), numbers.q)
    return of_q + (of_p - of_q) * numbers.iqmp % numbers.p * numbers.q


def _factor(n: int) -> int:
    """Random, and with an inverse."""
    while True:
        factor = 2 + randbelow(n - 3)
        if math.gcd(factor, n) == 1:
            return factor
