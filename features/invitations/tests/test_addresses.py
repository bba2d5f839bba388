"""Addresses to which mail can be sent, and those that Django would change on their way."""

import pytest

from features.invitations.addresses import address_problem


@pytest.mark.parametrize(
    "address",
    [
        "a@stra\N{LATIN SMALL LETTER SHARP S}e.org",  # would go to strasse.org
        "a@\N{GREEK SMALL LETTER FINAL SIGMA}a.org",
        "a@b\N{ZERO WIDTH JOINER}\u00e9.org",
        '"a\x01b"@example.org',  # would go to ab@example.org
    ],
)
def test_address_that_would_become_another_one_on_its_way_is_refused(address: str) -> None:
    assert "would go to a different address" in address_problem(address)


@pytest.mark.parametrize(
    "address",
    [
        "Ada.B+c@Example.ORG",
        "ada@münchen.example",
        "ada@MÜNCHEN.example",
        "ada@mu\N{COMBINING DIAERESIS}nchen.example",
        "ada@example.中国",
        "ada@xn--strae-oqa.org",
        "o'neil@example.org",
        "ada@[127.0.0.1]",
    ],
)
def test_address_that_stays_itself_on_its_way_is_no_problem(address: str) -> None:
    assert address_problem(address) == ""
