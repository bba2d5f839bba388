"""Which answers have no rank among the others: the one that means none of them, and the rest together."""

from collections.abc import Sequence

from surveys.definition.words import folded

WORDS = frozenset(
    folded(words)
    for words in (
        *("none of these", "none of them", "none of the above", "none", "nothing"),
        *("nichts davon", "keines davon", "keine davon", "keine dieser Antworten", "nichts"),
        *("aucune de ces réponses", "aucun de ces choix", "rien de tout cela", "aucun", "aucune", "rien"),
        *("ninguna de estas", "ninguno de estos", "nada de esto", "ninguna", "ninguno", "nada"),
        *("لا شيء مما سبق", "لا شيء من هذا", "لا شيء"),
    )
)


def guessed(choices: Sequence[str]) -> int | None:
    """The code of the answer whose words say it; None where no answer does, or more than one."""
    codes = [code for code, label in enumerate(choices) if folded(label).strip(" .!") in WORDS]
    return codes[0] if len(codes) == 1 else None


REST = frozenset(
    folded(words)
    for words in (
        *("other", "others", "something else", "another", "another answer", "other answer"),
        *("etwas anderes", "andere", "anderes", "sonstiges", "eine andere Antwort"),
        *("autre", "autres", "autre chose", "une autre réponse"),
        *("otro", "otra", "otros", "otras", "otra cosa", "otra respuesta"),
        *("شيء آخر", "أخرى", "غير ذلك", "إجابة أخرى"),
    )
)


def rest(choices: Sequence[str]) -> list[int]:
    """The codes of answers such as “Something else”, which stand for many answers and are none of them."""
    return [code for code, label in enumerate(choices) if folded(label).strip(" .!…") in REST]
