"""The part of a respondent's device in taking a ticket, for tests that need no browser.

The device sends a blinded text, gets a blind signature (RFC 9474), and makes a ticket of it. So the
site signs the ticket of each invited person without seeing it, and cannot recognize it later.
"""

import hashlib
import math
import secrets
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from surveys.definition.parsing import parse_instrument
from surveys.definition.ticket_key import PUBLIC_EXPONENT, to_base64url
from surveys.fieldwork.tickets.codes import code_of
from surveys.fieldwork.tickets.invitees import Row, invite
from surveys.fieldwork.tickets.protocol import (
    BLINDED_LETTERS,
    KEY_BYTES,
    NONCE_BYTES,
    challenge,
    decode_base64url,
    signed_text,
)
from surveys.models import Instrument, Survey
from tests.factories.surveys import (
    REPORTS,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

# The length of the salt in bytes: that of a SHA-384 hash.
SALT_BYTES = 48


def emsa_pss(message: bytes, length: int, salt: bytes) -> bytes:
    """Return the encoded message: EMSA-PSS-ENCODE of RFC 8017, 9.1.1, with SHA-384.

    RSA signs this in place of the message. It consists of a block with the salt, which is masked,
    of the hash of message and salt, and of the byte 0xbc.

    length: the length of the modulus in bytes.
    """
    # The hash is of eight zero bytes, the hash of the message, and the salt.
    salted = bytes(8) + hashlib.sha384(message).digest() + salt
    hashed = hashlib.sha384(salted).digest()
    # Zero bytes fill up the length; the other two bytes are the 1 before the salt and the 0xbc.
    padding = bytes(length - len(hashed) - len(salt) - 2)
    data_block = padding + b"\1" + salt

    # The mask is derived from the hash, so that whoever verifies can remove it: MGF1 of RFC 8017,
    # B.2.1, hashes the hash with a counter of four bytes.
    mask = b""
    for counter in range(length // len(hashed) + 1):
        mask += hashlib.sha384(hashed + counter.to_bytes(4)).digest()
    # The mask is longer than the block; its rest is not used.
    pairs = zip(data_block, mask, strict=False)
    masked = bytes(data_byte ^ mask_byte for data_byte, mask_byte in pairs)
    # The highest bit is set to 0, so that the number is below the modulus.
    first_byte = masked[0] & 0b0111_1111
    return bytes([first_byte]) + masked[1:] + hashed + b"\xbc"


def blind(message: bytes, n: bytes, salt: bytes = b"", factor: int = 0) -> tuple[bytes, int]:
    """Return the blinded message, and the number that unblind() takes as `back`.

    This is the blinding of RSA blind signatures, RFC 9474, 4.2. With the public exponent e and the
    private exponent d, x ** (e * d) is x for every x, modulo n. The device sends
    m * factor ** e, where m is the encoded message and `factor` is random. The site raises this to
    the power of d to sign it, and gets m ** d * factor. So the inverse of the factor takes the
    blinding back, and leaves m ** d, the signature of m.

    n: the modulus.
    salt, factor: random values for test vectors; b"" and 0 to draw them here.
    """
    modulus = int.from_bytes(n)
    encoded = int.from_bytes(emsa_pss(message, len(n), salt or secrets.token_bytes(SALT_BYTES)))
    # The factor is from 2 to n - 2: 0 has no inverse, and 1 and n - 1, which is -1, hide nothing.
    factor = factor or 2 + secrets.randbelow(modulus - 3)
    # Only a number without a common divisor with n has an inverse. All others are very rare.
    assert math.gcd(encoded, modulus) == math.gcd(factor, modulus) == 1
    blinded = encoded * pow(factor, PUBLIC_EXPONENT, modulus) % modulus
    inverse_of_factor = pow(factor, -1, modulus)
    return blinded.to_bytes(len(n)), inverse_of_factor


def unblind(signed: bytes, back: int, n: bytes) -> bytes:
    """Return the signature of a message from that of the blinded message, as blind() explains.

    signed: the signature of the blinded message.
    back: the inverse of the factor that blinded the message.
    n: the modulus.
    """
    signature = int.from_bytes(signed) * back % int.from_bytes(n)
    return signature.to_bytes(len(n))


class BlindedTicket(NamedTuple):
    """A ticket that is not signed yet.

    nonce: the random part of the ticket.
    blinded: the blinded text in base64url, as it is sent.
    back: the number that removes the blinding from the signature.
    n: the modulus of the key that signs, in bytes.
    """

    nonce: bytes
    blinded: str
    back: int
    n: bytes

    def ticket(self, signed: str) -> str:
        """Return the ticket, from the signature that the site sent for `blinded`.

        The ticket and the signature are in base64url.
        """
        signature = unblind(decode_base64url(signed, BLINDED_LETTERS), self.back, self.n)
        return to_base64url(self.nonce + signature)


def create_blinded_ticket(slug: str, modulus: str) -> BlindedTicket:
    """Create a ticket for the survey with this slug, to be signed with the key of `modulus`.

    modulus: in base64url.
    """
    n = decode_base64url(modulus, BLINDED_LETTERS)
    assert len(n) == KEY_BYTES
    nonce = secrets.token_bytes(NONCE_BYTES)
    blinded, back = blind(signed_text(nonce, challenge(slug), n), n)
    return BlindedTicket(nonce=nonce, blinded=to_base64url(blinded), back=back, n=n)


def survey_with_tickets(
    steps: str = "one", people: int = 1, owner: User | None = None
) -> tuple[Instrument, list[str]]:
    """Publish a survey for invited people, and return its instrument and their codes.

    steps: "one", or "two" for a survey that opens in an hour.
    people: the number of invited people.
    owner: None for a new user "ada".
    """
    opens = timezone.now() + timedelta(hours=1) if steps == "two" else None
    survey = create_draft(owner, tickets=steps, opens=opens)
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    instrument = publish_survey(survey)
    # A row without a name and an address is a code for a letter.
    invitees = invite(survey, [Row()] * people)
    return instrument, [code_of(invitee) for invitee in invitees]


def request_signature(
    instrument: Instrument,
    code: str,
    blinded_ticket: BlindedTicket,
    client: Client | None = None,
    **options: object,
) -> HttpResponse:
    """Send a code and a blinded text, as the page does on which people take tickets.

    client: None for a client without a session.
    options: further options of Client.post().
    """
    path = f"/api/v1/surveys/{parse_instrument(instrument).survey}/tickets/"
    content = {"code": code, "blinded": blinded_ticket.blinded}
    client = client or Client()
    options = {"content_type": "application/json"} | options
    return client.post(path, content, **options)


def blinded_ticket_for(instrument: Instrument) -> BlindedTicket:
    """Create a ticket for the survey of this instrument, to be signed with its key."""
    definition = parse_instrument(instrument)
    return create_blinded_ticket(definition.survey, definition.tickets.n)


def fetch_ticket(instrument: Instrument, code: str) -> str:
    """Take a ticket with this code, and return the ticket. Fails if the site refuses it."""
    blinded_ticket = blinded_ticket_for(instrument)
    answer = request_signature(instrument, code, blinded_ticket)
    assert answer.status_code == 200, answer.content
    return blinded_ticket.ticket(answer.json()["signed"])


def ticket_response_body(instrument: Instrument, ticket: str, **changes: object) -> dict:
    """Return what a respondents' page sends with a ticket.

    changes: values that replace or extend the usual ones.
    """
    return {"instrument": instrument.sha256, "reports": REPORTS, "ticket": ticket} | changes


def open_survey_now(instrument: Instrument) -> None:
    """Move the opening time of the survey into the past."""
    Survey.objects.filter(pk=instrument.survey_id).update(
        opens=timezone.now() - timedelta(seconds=1)
    )
