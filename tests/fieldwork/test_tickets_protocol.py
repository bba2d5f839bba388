"""Blind signatures by the vectors of their RFCs, and what a ticket is made of."""

import hashlib
import json
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicNumbers,
    rsa_crt_dmp1,
    rsa_crt_dmq1,
    rsa_crt_iqmp,
)
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from surveys.definition import ticket_key
from surveys.fieldwork.tickets import blind_signature, protocol
from tests.helpers.ticket_device import blind, emsa_pss, unblind

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


def read(name: str) -> list[dict[str, str]]:
    return json.loads((VECTORS / name).read_text())


def number(text: str) -> int:
    return int(text, 16)


def key_of(vector: dict[str, str]) -> RSAPrivateKey:
    p, q, e, d = (number(vector[name]) for name in "pqed")
    public = RSAPublicNumbers(e, number(vector["n"]))
    crt = rsa_crt_dmp1(d, p), rsa_crt_dmq1(d, q), rsa_crt_iqmp(p, q)
    return RSAPrivateNumbers(p, q, d, *crt, public).private_key()


@pytest.mark.parametrize("vector", read("rfc9474.json"), ids=lambda vector: vector["name"])
def test_the_vectors_of_rfc_9474(vector: dict[str, str]) -> None:
    """Appendix A, its four variants. Their key has 4096 bits."""
    n, length = number(vector["n"]), len(vector["sig"]) // 2
    message, salt = bytes.fromhex(vector["input_msg"]), bytes.fromhex(vector["salt"])
    encoded = emsa_pss(message, length, salt)
    if "encoded_msg" in vector:
        assert encoded.hex() == vector["encoded_msg"]
    back = number(vector["inv"])
    blinded = int.from_bytes(encoded) * pow(pow(back, -1, n), 65_537, n) % n
    assert blinded.to_bytes(length).hex() == vector["blinded_msg"]
    signed = blind_signature.sign(key_of(vector), bytes.fromhex(vector["blinded_msg"]))
    assert signed.hex() == vector["blind_sig"]
    assert (int.from_bytes(signed) * back % n).to_bytes(length).hex() == vector["sig"]


@pytest.mark.parametrize("vector", read("rfc9578.json"), ids=lambda vector: vector["nonce"][:4])
def test_the_vectors_of_rfc_9578(vector: dict[str, str]) -> None:
    """Type 2, as the tests of github.com/cloudflare/pat-go have it."""
    token, spki = bytes.fromhex(vector["token"]), bytes.fromhex(vector["pkS"])
    n = spki[len(protocol.KEY_PREFIX) :][: protocol.KEY_BYTES]
    assert spki == protocol.KEY_PREFIX + n + protocol.KEY_SUFFIX
    text = protocol.signed_text(
        bytes.fromhex(vector["nonce"]), bytes.fromhex(vector["token_challenge"]), n
    )
    assert text == token[:98]
    blinded, back = blind(text, n, bytes.fromhex(vector["salt"]), number(vector["blind"]))
    assert blinded.hex() == vector["token_request"][-512:]
    key = load_pem_private_key(bytes.fromhex(vector["skS"]), None)
    assert isinstance(key, RSAPrivateKey)
    signed = blind_signature.sign(key, blinded)
    assert signed.hex() == vector["token_response"]
    assert unblind(signed, back, n) == token[98:]


def test_the_challenge_names_issuer_and_survey() -> None:
    found = protocol.challenge("abcdefghjkmn")
    assert (
        found
        == bytes.fromhex("00020006")
        + b"candor\x20"
        + hashlib.sha256(b"abcdefghjkmn").digest()
        + b"\0\0"
    )
    assert len(found) == 45
    assert len(protocol.KEY_PREFIX) == 81


def test_the_key_of_a_spent_ticket_is_a_random_uuid_from_its_nonce_alone() -> None:
    nonce = bytes(range(32))
    key = protocol.spent_key(nonce + bytes(256))
    assert key == protocol.spent_key(nonce + b"\1" * 256)
    assert (key.version, str(UUID(str(key)))) == (4, str(key))
    assert key.bytes[:6] == hashlib.sha256(b"candor spent" + nonce).digest()[:6]


@pytest.mark.parametrize(
    "wrong",
    ["", "A", "A" * 341, "A" * 343, "A" * 341 + "=", "A" * 341 + "+", "A" * 341 + "B", "ä" * 342],
)
def test_only_our_own_writing_is_read(wrong: str) -> None:
    """342 letters are 256 bytes and four bits, which have to be zero."""
    with pytest.raises(ValueError, match="342"):
        protocol.decode_base64url(wrong, protocol.BLINDED_LETTERS)
    assert protocol.decode_base64url("A" * 342, protocol.BLINDED_LETTERS) == bytes(256)


@pytest.mark.parametrize("padded", ["AA==", "AAA="])
def test_padding_is_no_letter_where_whole_groups_are_read(padded: str) -> None:
    with pytest.raises(ValueError, match="must be 4 letters"):
        protocol.decode_base64url(padded, 4)
    assert protocol.decode_base64url("AAAA", 4) == bytes(3)


@pytest.fixture(scope="module")
def key() -> RSAPrivateKey:
    return ticket_key.load_private_key(ticket_key.create_issuer())


def test_key_that_is_drawn_has_the_size_and_the_exponent_of_the_protocol(
    key: RSAPrivateKey,
) -> None:
    numbers = key.public_key().public_numbers()

    assert numbers.n.bit_length() == protocol.KEY_BITS
    assert numbers.e == protocol.EXPONENT


def test_a_faulty_root_is_not_sent(key: RSAPrivateKey, monkeypatch: pytest.MonkeyPatch) -> None:
    """36. One wrong bit in one of the two halves would give the key away (Boneh, DeMillo and Lipton)."""
    right = blind_signature._root
    monkeypatch.setattr(blind_signature, "_root", lambda numbers, value: right(numbers, value) ^ 1)
    with pytest.raises(blind_signature.Faulty):
        blind_signature.sign(key, b"\x01" * 256)


def test_signing_twice_is_the_same(key: RSAPrivateKey) -> None:
    """Whatever is drawn meanwhile falls out."""
    assert blind_signature.sign(key, b"\x01" * 256) == blind_signature.sign(key, b"\x01" * 256)


@pytest.mark.parametrize("value", [0, 1, -1, -2, "n", "p", "short"])
def test_what_is_no_number_of_the_key_is_not_signed(key: RSAPrivateKey, value: object) -> None:
    numbers = key.private_numbers()
    n = numbers.public_numbers.n
    wrong = {0: 0, 1: 1, -1: n - 1, -2: 2**2048 - 1, "n": n, "p": numbers.p, "short": 5}[value]
    with pytest.raises(ValueError, match="not a number"):
        blind_signature.sign(key, wrong.to_bytes(255 if value == "short" else 256))
