"""Short names of questions, for reports and figures.

The author can enter a short name. Otherwise it is made from the words of the question: the part
from its first meaningful word to its last one if this is short enough, else meaningful words
alone. A negation is never left out, nor the word after it: “Not declared” and “Declared” are not
the same question.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from surveys.definition.negations import negation_indexes
from surveys.definition.texts import Text, stored_text
from surveys.definition.words import STOP_WORDS, fold
from surveys.models import Question, Survey

# The names that are stored with an instrument: key of a question -> language -> name.
Names = Mapping[str, Mapping[str, str]]
# The longest short name in characters, as in the column of the database.
LONGEST_NAME = 40
# Regular expressions see no more of a text that is being typed than can be stored.
TEXT_LENGTH = Question._meta.get_field("text").max_length
# A word, with its hyphens and apostrophes, and what separates the clauses of a sentence.
WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
CLAUSE = re.compile(r"[,:;.?!()،؟]")


def suggest_short_name(text: str, used_names: Set[str] = frozenset()) -> str:
    """Return a short name made from the text of a question. It is none of `used_names`.

    A name that is used already gets a number behind it.
    """
    text = text[:TEXT_LENGTH]
    words = WORD.findall(text)
    negations = negation_indexes(words)
    meaningful = [
        index
        for index, word in enumerate(words)
        if index in negations or _is_meaningful(word, words[index + 1 :])
    ]

    name = _connected_name(text, meaningful)
    if not name:
        name = _name_of_words(words, negations, meaningful)
    if not name or len(name) > LONGEST_NAME:
        # No word is meaningful, or there are more negations than fit.
        name = _shortened_text(text)
    return _make_unique(name, used_names)


def _connected_name(text: str, meaningful: Sequence[int]) -> str:
    """Return the part of the text from the first meaningful word to the last one.

    Return "" if there is no meaningful word, or if the part is too long or has several clauses.

    meaningful: the indexes of the meaningful words.
    """
    if not meaningful:
        return ""
    spans = [match.span() for match in WORD.finditer(text)]
    start, _ = spans[meaningful[0]]
    _, end = spans[meaningful[-1]]
    part = text[start:end]
    if len(part) > LONGEST_NAME or CLAUSE.search(part):
        return ""
    return _capitalize(part)


def _name_of_words(
    words: Sequence[str], negations: Sequence[int], meaningful: Sequence[int]
) -> str:
    """Return a name of meaningful words, as many as fit after the negations.

    A negation is followed by the next meaningful word. If these words alone are too many, the name
    is longer than LONGEST_NAME.

    words: all words of the text. Those of the name keep their order.
    negations, meaningful: the indexes of such words.
    """
    name_indexes = set(negations)
    for negation in negations:
        later = [index for index in meaningful if index > negation]
        if later:
            name_indexes.add(later[0])

    for index in meaningful:
        candidates = name_indexes | {index}
        if len(" ".join(words[candidate] for candidate in candidates)) > LONGEST_NAME:
            break
        name_indexes.add(index)
    return _capitalize(" ".join(words[index] for index in sorted(name_indexes)))


def _shortened_text(text: str) -> str:
    """Return the text if it is short enough, else its last clause, else its beginning with “…”."""
    clauses = [clause.strip() for clause in CLAUSE.split(text)]
    clauses = [clause for clause in clauses if clause]
    if len(text) <= LONGEST_NAME:
        name = text
    elif clauses:
        name = _capitalize(clauses[-1])
    else:
        name = ""
    if 0 < len(name) <= LONGEST_NAME:
        return name
    return f"{text[: LONGEST_NAME - 1].rstrip()}…"


def _make_unique(start: str, used_names: Set[str]) -> str:
    """Return `start`, with a number behind it if it is one of `used_names`."""
    name = start
    number = 1
    while name in used_names:
        number += 1
        name = f"{start[: LONGEST_NAME - 5].rstrip()} ({number})"
    return name


def _is_meaningful(word: str, following: Sequence[str]) -> bool:
    """Return whether a word says something about a question.

    A number is as meaningful as the next of the `following` words, since “the past 12 months”
    says nothing.
    """
    if word.isdigit():
        return bool(following) and fold(following[0]) not in STOP_WORDS
    parts = re.split("[-’']", fold(word))
    return any(part.isdigit() or (len(part) > 1 and part not in STOP_WORDS) for part in parts)


def _capitalize(name: str) -> str:
    """Return a name with a capital first letter; the others stay as they are."""
    return name[:1].upper() + name[1:]


def short_names(
    questions: Mapping[str, tuple[Text, Text]], languages: Sequence[str]
) -> dict[str, Text]:
    """Return the short name of every question in these languages.

    questions: by key, the short name that the author entered, and the text of the question. If
        the author's name is empty in a language, one is made from the text.
    languages: the codes of languages, that of the survey's first language first.
    """
    names: dict[str, dict[str, str]] = {key: {} for key in questions}
    for code in languages:
        author_names = {}
        for key, (author_name, _) in questions.items():
            if code == languages[0]:
                author_names[key] = str(author_name)
            else:
                author_names[key] = author_name.others.get(code, "")

        used_names = set(author_names.values())
        for key, (_, text) in questions.items():
            name = author_names[key]
            if not name:
                name = suggest_short_name(text.in_language(code), used_names)
            names[key][code] = name
            used_names.add(name)

    result = {}
    for key, name_by_code in names.items():
        first = name_by_code.pop(languages[0])
        result[key] = Text(first, name_by_code)
    return result


def short_names_to_store(
    survey: Survey, questions: Iterable[Question] = ()
) -> dict[str, dict[str, str]]:
    """Return the short names to store with an instrument: question key -> language -> name.

    They are the names of all questions in all languages of the survey. Where the author entered
    none, the name is made from the text of the question.

    questions: the questions of the survey, if they are loaded already.
    """
    languages = survey.languages
    names_and_texts = {}
    for question in questions or survey.questions.all():
        author_name = stored_text(question, "short", languages)
        text = stored_text(question, "text", languages)
        names_and_texts[question.key] = (author_name, text)

    names = short_names(names_and_texts, languages)
    return {key: {languages[0]: str(name)} | name.others for key, name in names.items()}
