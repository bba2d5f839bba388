"""Blind signatures: the RSA operation on whatever a device sent, as in RFC 9474.

No maintained library offers it, so it is written here, and small on purpose: docs/threat-model.md
says that it needs a review from outside. The running time of `pow` depends on its numbers. So the
number that is raised and the exponents are combined with random secrets that cancel out, and the
time says nothing about the key.
"""

import math
from secrets import randbelow, randbits

from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicKey,
)

# Bits of the random multiple that is added to an exponent.
RANDOM_BITS = 64


class Faulty(Exception):
    """The error for a mistake of the computer.

    A wrong signature would reveal the key, so it is not sent.
    """


def check(key: RSAPublicKey, blinded: bytes) -> int:
    """Return what a device sent as a number. Raise ValueError if the key cannot sign this number.

    The number must have as many bytes as the modulus, be greater than 1 and less than the modulus
    less 1, and be prime to the modulus.
    """
    n = key.public_numbers().n
    value = int.from_bytes(blinded)
    has_length = len(blinded) * 8 == n.bit_length()
    if not has_length or not 1 < value < n - 1 or math.gcd(value, n) != 1:
        raise ValueError("is not a number this key can sign")
    return value


def sign(key: RSAPrivateKey, blinded: bytes) -> bytes:
    """Return the blind signature of what a device sent, with as many bytes as the key has.

    Raise ValueError if the key cannot sign `blinded`, and Faulty if the computer made a mistake.
    """
    value = check(key.public_key(), blinded)
    numbers = key.private_numbers()
    n = numbers.public_numbers.n
    e = numbers.public_numbers.e
    # The number is multiplied by factor ** e. The secret exponent turns this into the factor, which
    # is then divided out.
    factor = _random_factor(n)
    root = _root(numbers, value * pow(factor, e, n) % n)
    signature = root * pow(factor, -1, n) % n
    if pow(signature, e, n) != value:
        raise Faulty
    return signature.to_bytes(len(blinded))


def _root(numbers: RSAPrivateNumbers, value: int) -> int:
    """Compute value ** d modulo the key, by the Chinese remainder theorem.

    The results modulo the two primes are combined. A random multiple of the order of each prime is
    added to its exponent, which does not change the result.

    numbers: the numbers of the private key; d is its exponent.
    value: a number below the modulus.
    """
    exponent_p = numbers.dmp1 + randbits(RANDOM_BITS) * (numbers.p - 1)
    root_p = pow(value, exponent_p, numbers.p)
    exponent_q = numbers.dmq1 + randbits(RANDOM_BITS) * (numbers.q - 1)
    root_q = pow(value, exponent_q, numbers.q)
    return root_q + (root_p - root_q) * numbers.iqmp % numbers.p * numbers.q


def _random_factor(n: int) -> int:
    """Return a random number below `n` that has an inverse modulo `n`."""
    while True:
        factor = 2 + randbelow(n - 3)
        if math.gcd(factor, n) == 1:
            return factor
