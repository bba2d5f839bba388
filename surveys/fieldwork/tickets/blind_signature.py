"""Blind signatures: the RSA operation on whatever a device sent, as in RFC 9474.

No maintained library offers it, so it is written here, and small on purpose: docs/threat-model.md
says that it needs a review from outside. The running time of `pow` depends on its numbers. So the
number that is raised and the exponents are combined with random secrets that cancel out, and the
time says nothing about the key.

The key has a modulus, which is the product of two secret primes, a public exponent `e` and a
private exponent `d`. The signature of a number is that number raised to `d`, modulo the modulus. It
is right if raising it to `e` gives the number again.
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
    """The error for a signature that is wrong because the computer made a mistake.

    A wrong signature would reveal the key, so it is not sent.
    """


def check(key: RSAPublicKey, blinded: bytes) -> int:
    """Return a blinded text as a number. Raise ValueError if the key cannot sign this number.

    The text must have as many bytes as the modulus. The number must be greater than 1, be less
    than the modulus less 1, and have no factor in common with the modulus.

    blinded: the bytes that a device sent.
    """
    modulus = key.public_numbers().n
    value = int.from_bytes(blinded)
    has_length = len(blinded) * 8 == modulus.bit_length()
    # The numbers 0, 1 and the modulus less 1 would be their own signatures.
    is_in_range = 1 < value < modulus - 1
    if not has_length or not is_in_range or math.gcd(value, modulus) != 1:
        raise ValueError("is not a number this key can sign")
    return value


def sign(key: RSAPrivateKey, blinded: bytes) -> bytes:
    """Return the signature of a blinded text, with as many bytes as the text.

    Raise ValueError if the key cannot sign `blinded`, and Faulty if the computer made a mistake.

    blinded: the bytes that a device sent.
    """
    value = check(key.public_key(), blinded)
    numbers = key.private_numbers()
    modulus = numbers.public_numbers.n
    e = numbers.public_numbers.e

    # The signature is the value raised to the private exponent d, which `_root` computes. Whoever
    # measures the time must not know the number that is raised. So the value is first multiplied by
    # factor ** e. Raising this to d gives back the factor, which is divided out.
    factor = _random_factor(modulus)
    hidden_value = value * pow(factor, e, modulus) % modulus
    hidden_signature = _root(numbers, hidden_value)
    signature = hidden_signature * pow(factor, -1, modulus) % modulus

    if pow(signature, e, modulus) != value:
        raise Faulty
    return signature.to_bytes(len(blinded))


def _root(numbers: RSAPrivateNumbers, value: int) -> int:
    """Return `value` ** d modulo the modulus, as RFC 8017 (5.1.2) computes it from the primes.

    It is computed modulo each of the primes p and q, which is faster, and the two results are
    combined by the Chinese remainder theorem.

    numbers: the numbers of the private key, with d modulo p - 1 (`dmp1`), d modulo q - 1 (`dmq1`)
        and the inverse of q modulo p (`iqmp`).
    value: a number below the modulus.
    """
    # A multiple of p - 1 in the exponent does not change the result modulo p. A random one makes
    # the exponent, and so the running time, a different one each time.
    exponent_p = numbers.dmp1 + randbits(RANDOM_BITS) * (numbers.p - 1)
    root_p = pow(value, exponent_p, numbers.p)
    exponent_q = numbers.dmq1 + randbits(RANDOM_BITS) * (numbers.q - 1)
    root_q = pow(value, exponent_q, numbers.q)

    # Adding a multiple of q keeps root_q modulo q. This multiple gives root_p modulo p.
    factor_of_q = (root_p - root_q) * numbers.iqmp % numbers.p
    return root_q + factor_of_q * numbers.q


def _random_factor(modulus: int) -> int:
    """Return a random number that has an inverse modulo `modulus`, to hide another number with it.

    The numbers 0, 1 and the modulus less 1 are left out, since they would hide nothing.
    """
    while True:
        factor = 2 + randbelow(modulus - 3)
        # Only the multiples of the two primes have no inverse, so this hardly ever fails.
        if math.gcd(factor, modulus) == 1:
            return factor
