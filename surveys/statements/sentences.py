"""The sentences of all statements. Each stands here once, for pages, files and the API."""

from dataclasses import dataclass, replace

LOOK_AT_CHECKS = "Look at Data checks first."


@dataclass(frozen=True)
class Text:
    """A sentence, what stands behind it in smaller print, and the words that carry it.

    stress: a part of the sentence, which pages print in bold; "" for none.
    """

    sentence: str
    detail: str = ""
    stress: str = ""


_SHARE_DETAIL = "{number} ({range_name} {range})."
_BOUND_DETAIL = "{range_name} {range}; unbiased estimate {unbiased}."
_IMPOSSIBLE_DETAIL = (
    "The whole range ({computed_range}) is {side} {end}. If the true share is {end}, chance does "
    f"this in about 1 in {{surveys}} surveys. {LOOK_AT_CHECKS}"
)

# The key is the kind of the quantity, the state, and whether the question has a short name.
SENTENCES: dict[str, Text] = {}
SENTENCES |= {
    "share shown named": Text("{name}: {words}.", _SHARE_DETAIL),
    "share shown unnamed": Text("{capitalized_words} answered “{answer}”.", _SHARE_DETAIL),
}
SENTENCES |= {
    "share at_most named": Text("{name}: {words}.", _BOUND_DETAIL),
    "share at_most unnamed": Text("{capitalized_words} answered “{answer}”.", _BOUND_DETAIL),
    "share at_least named": Text("{name}: {words}.", _BOUND_DETAIL),
    "share at_least unnamed": Text("{capitalized_words} answered “{answer}”.", _BOUND_DETAIL),
}
SENTENCES |= {
    "share withheld named": Text("{name}: too uncertain for one number ({range})."),
    "share withheld unnamed": Text("“{answer}”: too uncertain for one number ({range})."),
    "share anything named": Text("{name}: any share is possible."),
    "share anything unnamed": Text("“{answer}”: any share is possible."),
}
SENTENCES |= {
    "share impossible named": Text("{name}: the estimate is {side} {end}.", _IMPOSSIBLE_DETAIL),
    "share impossible unnamed": Text(
        "“{answer}”: the estimate is {side} {end}.", _IMPOSSIBLE_DETAIL
    ),
    "share too_few named": Text("Too few answers for a statement about “{name}”."),
    "share too_few unnamed": Text("Too few answers for a statement about “{answer}”."),
}


def after_condition(among: str, text: Text, name: str = "") -> Text:
    """Return a text about the people who were asked: "Among people who answered “A” to B, …".

    among: the clause behind “people who”; with "" the text stays as it is.
    name: the name of the question. It keeps its capital letter if the sentence opens with it.
    """
    if not among:
        return text
    sentence, stress = text.sentence, text.stress
    if not (name and sentence.startswith(name)):
        sentence = sentence[:1].lower() + sentence[1:]
    if stress and stress not in sentence:
        stress = stress[:1].lower() + stress[1:]
    return replace(text, sentence=f"Among people who {among}, {sentence}", stress=stress)
