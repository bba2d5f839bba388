"""Whether mail can be sent to an address."""

from django.core.exceptions import ValidationError
from django.core.mail.message import sanitize_address
from django.core.validators import validate_email

LONGEST_LOCAL_PART = 64  # characters before the @ (RFC 5321)
LONGEST_ADDRESS = 254  # characters, with the domain as it is sent


def address_problem(email: str) -> str:
    """Return why no mail can be sent to an address, or "" where it can."""
    shown, local_part = f"“{email[:60]}”", email.rpartition("@")[0]
    if not local_part.isascii():
        return f"{shown} has letters before the @ that many mail servers don’t know. Use another address."
    try:
        validate_email(email)
        sent = sanitize_address(email, "utf-8")
    except (ValidationError, ValueError):  # a domain that has no spelling in ASCII is a ValueError
        return f"{shown} is not an email address."
    if len(local_part) > LONGEST_LOCAL_PART or len(sent) > LONGEST_ADDRESS:
        return f"{shown} is too long for an email address."
    return ""
