"""Short names of questions, for reports and figures: given by the author, else made from the question’s words.

It is the part of the question from its first word that says something to its last, where that is short enough; else
such words alone. A negation is never left out, nor the word after it: “Not declared” and “Declared” are not the same
question.
"""

import re
from collections.abc import Iterable, Sequence, Set

from surveys.definition.texts import Text, stored
from surveys.definition.words import STOP, folded
from surveys.models import Instrument, Question, Survey

LONGEST = 40  # characters, as the column has it
WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
CLAUSE = re.compile(r"[,:;.?!()،؟]")
NEGATIONS = frozenset(
    word
    for language in (
        *("not never no without none nothing nor neither cannot", "nobody"),
        "nicht nie niemals kein keine keinen keinem keiner keines ohne nichts niemand weder",
        "pas jamais sans aucun aucune rien ni",
        "nunca jamas sin ningun ninguna ninguno nada nadie tampoco",
        "لا ليس ليست لم لن بدون دون أبدا",
    )
    for word in language.split()
)


def made(text: str, taken: Set[str] = frozenset()) -> str:
    """At most LONGEST characters. taken: names of other questions, from which a number tells it."""
    words = WORD.findall(text)
    negations = [place for place, word in enumerate(words) if _negates(word)]
    telling = [place for place, word in enumerate(words) if place in negations or _tells(word, words[place + 1 :])]
    if whole := _whole(text, telling):
        return _apart(whole, taken)
    kept = {*negations, *(next((each for each in telling if each > place), place) for place in negations)}
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


def _negates(word: str) -> bool:
    plain = folded(word).replace("’", "'")
    return plain in NEGATIONS or plain.endswith("n't")


def _tells(word: str, after: Sequence[str]) -> bool:
    """A number says as much as the word after it: “the past 12 months” says nothing."""
    parts = re.split("[-’']", folded(word))
    if word.isdigit():
        return bool(after) and folded(after[0]) not in STOP
    return any(part.isdigit() or (len(part) > 1 and part not in STOP) for part in parts)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def named(questions: Iterable[Question], languages: Sequence[str]) -> dict[str, Text]:
    """Question key -> its short name in these languages, the first one first; made where an author gave none."""
    questions = list(questions)
    given = {question.key: stored(question, "short", languages) for question in questions}
    said: dict[str, dict[str, str]] = {question.key: {} for question in questions}
    for code in languages:
        own = {key: str(text) if code == languages[0] else text.others.get(code, "") for key, text in given.items()}
        taken = {*own.values()}
        for question in questions:
            words = stored(question, "text", languages).in_language(code)
            said[question.key][code] = own[question.key] or made(words, taken)
            taken.add(said[question.key][code])
    return {key: Text(each.pop(languages[0]), each) for key, each in said.items()}


def fixed(survey: Survey) -> dict[str, dict[str, str]]:
    """As they stand beside an instrument from its publishing on: question key -> language -> name."""
    languages = survey.languages
    return {
        key: {languages[0]: str(name)} | name.others for key, name in named(survey.questions.all(), languages).items()
    }


def of(instrument: Instrument) -> dict[str, Text]:
    """Question key -> its short name, as fixed; of an instrument from before there were any, made now."""
    languages = instrument.survey.languages
    if not instrument.short_names:
        return named(instrument.survey.questions.all(), languages)
    return {
        key: Text(said[languages[0]], {code: said[code] for code in languages[1:]})
        for key, said in instrument.short_names.items()
    }
