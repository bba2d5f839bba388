"""Which answers have no rank among the others: the one that means none of them, and the rest together."""

from collections.abc import Iterable, Sequence

from surveys.definition.words import folded
from surveys.models import Question

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


def guessed(choices: Sequence[str]) -> int | None:
    """The code of the answer whose words say it; None where no answer does, or more than one."""
    codes = [code for code, label in enumerate(choices) if folded(label).strip(" .!") in WORDS]
    return codes[0] if len(codes) == 1 else None


def fixed(questions: Iterable[Question]) -> dict[str, int]:
    """As it stands beside an instrument from its publishing on: question key -> code, of those that name an answer."""
    named = {question.key: (question.none, question.choices.all()) for question in questions if question.none}
    return {
        key: code for key, (none, choices) in named.items() for code, each in enumerate(choices) if each.label == none
    }


def rest(choices: Sequence[str]) -> list[int]:
    """The codes of answers such as “Something else”, which stand for many answers and are none of them."""
    return [code for code, label in enumerate(choices) if folded(label).strip(" .!…") in REST]
