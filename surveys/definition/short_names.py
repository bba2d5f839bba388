"""Short names of questions, for reports and figures: given by the author, else made from the question’s words.

It is the part of the question from its first word that says something to its last, where that is short enough; else
such words alone. A negation is never left out, nor the word after it: “Not declared” and “Declared” are not the same
question.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from surveys.definition.negations import negation_indexes
from surveys.definition.texts import Text, stored_text
from surveys.definition.words import STOP, fold
from surveys.models import Question, Survey

Names = Mapping[
    str, Mapping[str, str]
]  # question key -> language -> name, as they stand beside an instrument
LONGEST = 40  # characters, as the column has it
TEXT_LENGTH = Question._meta.get_field(
    "text"
).max_length  # expressions see no more of a text that is being typed
WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
CLAUSE = re.compile(r"[,:;.?!()،؟]")


def suggest_short_name(text: str, taken: Set[str] = frozenset()) -> str:
    """Return a short name made from the text of a question, unique among `taken`."""
    text = text[:TEXT_LENGTH]
    words = WORD.findall(text)
    negations = negation_indexes(words)
    telling = [
        place
        for place, word in enumerate(words)
        if place in negations or _tells(word, words[place + 1 :])
    ]
    if whole := _whole(text, telling):
        return _apart(whole, taken)
    kept = {
        *negations,
        *(next((each for each in telling if each > place), place) for place in negations),
    }
    for place in telling:
        if len(" ".join(words[each] for each in kept | {place})) > LONGEST:
            break
        kept.add(place)
    name = _capital(" ".join(words[place] for place in sorted(kept)))
    if not name or len(name) > LONGEST:  # it says nothing, or no word of it can be spared
        last = [clause for each in CLAUSE.split(text) if (clause := each.strip())][-1:]
        short = text if len(text) <= LONGEST else _capital(last[0]) if last else ""
        name = short if 0 < len(short) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
    return _apart(name, taken)


def _whole(text: str, telling: Sequence[int]) -> str:
    """From the first telling word to the last, with what stands between; nothing where that is long or goes on behind
    a comma."""
    places = [match.span() for match in WORD.finditer(text)]
    part = text[places[telling[0]][0] : places[telling[-1]][1]] if telling else ""
    return _capital(part) if len(part) <= LONGEST and not CLAUSE.search(part) else ""


def _apart(start: str, taken: Set[str]) -> str:
    name, number = start, 1
    while name in taken:
        number += 1
        name = f"{start[: LONGEST - 5].rstrip()} ({number})"
    return name


def _tells(word: str, after: Sequence[str]) -> bool:
    """A number says as much as the word after it: “the past 12 months” says nothing."""
    parts = re.split("[-’']", fold(word))
    if word.isdigit():
        return bool(after) and fold(after[0]) not in STOP
    return any(part.isdigit() or (len(part) > 1 and part not in STOP) for part in parts)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def short_names(
    asked: Mapping[str, tuple[Text, Text]], languages: Sequence[str]
) -> dict[str, Text]:
    """Question key -> its short name in these languages, the first one first. asked: the name that its author gave, and
    the question, from which one is made where there is none."""
    said: dict[str, dict[str, str]] = {key: {} for key in asked}
    for code in languages:
        first = code == languages[0]
        own = {
            key: str(name) if first else name.others.get(code, "")
            for key, (name, _) in asked.items()
        }
        taken = {*own.values()}
        for key, (_, text) in asked.items():
            said[key][code] = own[key] or suggest_short_name(text.in_language(code), taken)
            taken.add(said[key][code])
    return {key: Text(each.pop(languages[0]), each) for key, each in said.items()}


def short_names_to_store(
    survey: Survey, questions: Iterable[Question] = ()
) -> dict[str, dict[str, str]]:
    """Return the short names to store with an instrument: question key -> language -> name."""
    languages = survey.languages
    asked = {
        question.key: (
            stored_text(question, "short", languages),
            stored_text(question, "text", languages),
        )
        for question in questions or survey.questions.all()
    }
    return {
        key: {languages[0]: str(name)} | name.others
        for key, name in short_names(asked, languages).items()
    }
