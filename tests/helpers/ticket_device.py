"""What a respondent's device does about tickets, in Python: for tests, where no browser is needed."""

import hashlib
import math
import secrets
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.definition.parsing import parse_instrument
from surveys.definition.ticket_key import EXPONENT, text
from surveys.fieldwork.tickets.codes import code_of
from surveys.fieldwork.tickets.invitees import Row, invite
from surveys.fieldwork.tickets.protocol import BLINDED, KEY, NONCE, challenge, signed_text, unpacked
from surveys.models import Instrument, Survey
from tests.factories.surveys import (
    REPORTS,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

SALT = 48


def emsa_pss(message: bytes, length: int, salt: bytes) -> bytes:
    """EMSA-PSS-ENCODE of RFC 8017, 9.1.1, with SHA-384, for a modulus of so many whole bytes."""
    hashed = hashlib.sha384(bytes(8) + hashlib.sha384(message).digest() + salt).digest()
    data = bytes(length - len(hashed) - len(salt) - 2) + b"\1" + salt
    mask = b"".join(
        hashlib.sha384(hashed + count.to_bytes(4)).digest() for count in range(length // 48 + 1)
    )
    masked = bytes(one ^ other for one, other in zip(data, mask, strict=False))
    return bytes([masked[0] & 127]) + masked[1:] + hashed + b"\xbc"


def blind(message: bytes, n: bytes, salt: bytes = b"", factor: int = 0) -> tuple[bytes, int]:
    """What is sent, and what takes the factor away again. salt and factor: drawn unless given."""
    modulus = int.from_bytes(n)
    encoded = int.from_bytes(emsa_pss(message, len(n), salt or secrets.token_bytes(SALT)))
    factor = factor or 2 + secrets.randbelow(modulus - 3)
    assert math.gcd(encoded, modulus) == math.gcd(factor, modulus) == 1
    return (encoded * pow(factor, EXPONENT, modulus) % modulus).to_bytes(len(n)), pow(
        factor, -1, modulus
    )


def unblind(signed: bytes, back: int, n: bytes) -> bytes:
    return (int.from_bytes(signed) * back % int.from_bytes(n)).to_bytes(len(n))


class BlindedTicket(NamedTuple):
    """A ticket to be. blinded: as it is sent."""

    nonce: bytes
    blinded: str
    back: int
    n: bytes

    def ticket(self, signed: str) -> str:
        """Of what came back."""
        return text(self.nonce + unblind(unpacked(signed, BLINDED), self.back, self.n))


def create_blinded_ticket(slug: str, modulus: str) -> BlindedTicket:
    n, nonce = unpacked(modulus, BLINDED), secrets.token_bytes(NONCE)
    assert len(n) == KEY
    blinded, back = blind(signed_text(nonce, challenge(slug), n), n)
    return BlindedTicket(nonce, text(blinded), back, n)


def survey_with_tickets(
    steps: str = "one", people: int = 1, owner: User | None = None
) -> tuple[Instrument, list[str]]:
    """A published survey and the codes of so many invited people. In two steps it opens in an hour."""
    survey = create_draft(
        owner, tickets=steps, opens=timezone.now() + timedelta(hours=1) if steps == "two" else None
    )
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    instrument = publish_survey(survey)
    return instrument, [code_of(each) for each in invite(survey, [Row()] * people)]


def request_signature(
    instrument: Instrument,
    code: str,
    drawn: BlindedTicket,
    client: Client | None = None,
    **options: object,
):
    """POST, as the page does that gives out tickets."""
    path = f"/api/v1/surveys/{parse_instrument(instrument).survey}/tickets/"
    content = {"code": code, "blinded": drawn.blinded}
    return (client or Client()).post(
        path, content, **({"content_type": "application/json"} | options)
    )


def blinded_ticket_for(instrument: Instrument) -> BlindedTicket:
    frozen = parse_instrument(instrument)
    return create_blinded_ticket(frozen.survey, frozen.tickets.n)


def fetch_ticket(instrument: Instrument, code: str) -> str:
    """Fetched with this code."""
    drawn = blinded_ticket_for(instrument)
    answer = request_signature(instrument, code, drawn)
    assert answer.status_code == 200, answer.content
    return drawn.ticket(answer.json()["signed"])


def ticket_response_body(instrument: Instrument, ticket: str, **changes: object) -> dict:
    """What a respondent's page sends with a ticket."""
    return {"instrument": instrument.sha256, "reports": REPORTS, "ticket": ticket} | changes


def open_survey_now(instrument: Instrument) -> None:
    """The opening time of a survey in two steps has come."""
    Survey.objects.filter(pk=instrument.survey_id).update(
        opens=timezone.now() - timedelta(seconds=1)
    )
