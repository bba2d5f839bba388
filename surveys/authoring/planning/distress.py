"""Whether a survey asks about what may have hurt people, so that help lines belong to it: advice, from words alone."""

import re

# Beginnings of words, in the languages of the pages.
BEGINNINGS = (
    *(
        "harass",
        "violen",
        "abus",
        "assault",
        "raped",
        "rapist",
        "raping",
        "suicid",
        "self-harm",
        "bully",
        "bulli",
        "molest",
    ),
    *(
        "belästig",
        "gewalt",
        "missbrauch",
        "misshand",
        "vergewaltig",
        "mobb",
        "suizid",
        "selbstmord",
        "übergriff",
    ),
    *("harcel", "harcèl", "violer", "violé", "violac", "agress", "maltrait", "attouchement"),
    *("acoso", "acosa", "agresi", "maltrat", "suicidi"),
)
ARABIC = ("تحرش", "عنف", "اعتداء", "اغتصاب", "انتحار", "إساءة", "تنمر")
WHOLE = ("rape", "viol", "viols")
_WORDS = re.compile(rf"\b(?:(?:{'|'.join(BEGINNINGS)})\w*|(?:{'|'.join(WHOLE)})\b)", re.IGNORECASE)


def word_of_harm(text: str) -> str:
    """The first such word; empty where there is none."""
    found = _WORDS.search(text)
    return found[0] if found else next((word for word in ARABIC if word in text), "")
