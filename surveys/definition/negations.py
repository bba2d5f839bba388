"""Words that negate a question, such as “not” and “without”, in the languages of surveys."""

import re
from collections.abc import Sequence

from surveys.definition.words import fold

_NEGATIONS_OF_ALL_LANGUAGES = " ".join(
    (
        "not never no non none nothing nor neither nobody nowhere without cannot",
        "nicht nie niemals kein keine keinem keinen keiner keines keinerlei niemand niemandem "
        "niemanden nichts nirgends nirgendwo weder ohne",
        "pas jamais sans aucun aucune rien ni guère",
        "nunca jamás sin ningún ninguna ningunas ninguno ningunos nada nadie tampoco",
        "لا ولا ليس وليس ليست ليسوا لست لم ولم لن ولن بدون وبدون دون بلا غير عدم أبدا",
    )
)
NEGATIONS = frozenset(map(fold, _NEGATIONS_OF_ALL_LANGUAGES.split()))
# Contractions such as “didn’t”, also if they are typed without the apostrophe: “didnt”.
CONTRACTION = re.compile(
    r"\b(?:are|ca|could|did|do|does|had|has|have|is|might|must|need|should|was|were|wo|would)"
    r"n\W?t\b"
)
# French words that negate only together with “ne”: “plus payé” is “paid more”, and “n’a plus payé”
# is “paid no longer”.
WITH_NE = frozenset(["plus", "personne", "point", "nul", "nulle"])
NE = frozenset(["ne", "n"])


def negation_indexes(words: Sequence[str]) -> list[int]:
    """Return the indexes of the words that are negations, in any of the languages of surveys.

    words: the words of one text, in its order.
    """
    folded_words = [fold(word) for word in words]
    # The French “ne” can be the first part of a word, as in “n’a”.
    first_parts = [re.split("[-’']", word)[0] for word in folded_words]
    has_ne = any(part in NE for part in first_parts)

    indexes = []
    for index, word in enumerate(folded_words):
        is_negation = word in NEGATIONS or CONTRACTION.fullmatch(word)
        if is_negation or (has_ne and word in WITH_NE):
            indexes.append(index)
    return indexes
