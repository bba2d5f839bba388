"""Whether mail can be sent to an address."""

import unicodedata

from django.core.exceptions import ValidationError
from django.core.mail.message import sanitize_address
from django.core.validators import validate_email

LONGEST_LOCAL_PART = 64  # characters before the @ (RFC 5321)
LONGEST_ADDRESS = 254  # characters, with the domain as it is sent


def address_problem(email: str) -> str:
    """Return why no mail can be sent to an address, or "" where it can."""
    shown, local_part = f"“{email[:60]}”", email.rpartition("@")[0]
    if not local_part.isascii():
        return f"{shown} has letters before the @ that many mail servers don’t accept. Use another address."
    try:
        validate_email(email)
        sent = sanitize_address(email, "utf-8")
    except (ValidationError, ValueError):  # a domain that has no spelling in ASCII is a ValueError
        return f"{shown} is not an email address."
    if len(local_part) > LONGEST_LOCAL_PART or len(sent) > LONGEST_ADDRESS:
        return f"{shown} is too long for an email address."
    if not _is_same_address(email, sent):
        return (
            f"Mail to {shown} would go to a different address. Write its domain in the form "
            "xn--…, or use another one."
        )
    return ""


def _is_same_address(written: str, sent: str) -> bool:
    """Return whether an address is the one that was written, but for capitals and the spelling of its domain in ASCII.

    Django leaves out control characters, and makes “ss” of “ß”, as an earlier standard for domains (IDNA 2003) does.
    """
    local_part, _, domain = written.rpartition("@")
    sent_local_part, _, sent_domain = sent.rpartition("@")
    if not domain.isascii():
        sent_domain = sent_domain.encode().decode("idna")
    return (
        local_part == sent_local_part
        and unicodedata.normalize("NFC", domain).lower() == sent_domain.lower()
    )
