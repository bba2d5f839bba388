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
# The fewest characters at the end of a long name that are left for a number, as in “ (12)”.
LEAST_ROOM_FOR_NUMBER = 5
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
    # Words are named by their indexes, since a word can occur twice in a text.
    negations = negation_indexes(words)
    meaningful = []
    for index, word in enumerate(words):
        following = words[index + 1 :]
        if index in negations or _is_meaningful(word, following):
            meaningful.append(index)

    # The best name is a part of the text, and the second best consists of single words.
    name = _connected_name(text, meaningful)
    if not name:
        name = _name_of_words(words, negations, meaningful)
    if not name or len(name) > LONGEST_NAME:
        # No word is meaningful, or there are more negations than fit.
        name = _shortened_text(text)
    return _make_unique(name, used_names)


def _connected_name(text: str, meaningful: Sequence[int]) -> str:
    """Return the part of the text from the first meaningful word to the last one, as a name.

    Return "" if there is no meaningful word, or if the part is too long or has several clauses.

    meaningful: the indexes of the meaningful words among all words of the text.
    """
    if not meaningful:
        return ""
    matches = list(WORD.finditer(text))
    first_word = matches[meaningful[0]]
    last_word = matches[meaningful[-1]]
    part = text[first_word.start() : last_word.end()]
    if len(part) > LONGEST_NAME or CLAUSE.search(part):
        return ""
    return _capitalize(part)


def _name_of_words(
    words: Sequence[str], negations: Sequence[int], meaningful: Sequence[int]
) -> str:
    """Return a name that consists of words of a text, in their order.

    It has every negation with the next meaningful word, and as many other meaningful words as fit
    into LONGEST_NAME. If the negations and their words do not fit, the name is longer.

    words: all words of the text.
    negations: the indexes of the words that negate.
    meaningful: the indexes of the meaningful words, negations included.
    """
    name_indexes = set(negations)
    for negation in negations:
        later = [index for index in meaningful if index > negation]
        if later:
            name_indexes.add(later[0])

    for index in meaningful:
        candidate = _join_words(words, name_indexes | {index})
        if len(candidate) > LONGEST_NAME:
            break
        name_indexes.add(index)
    return _capitalize(_join_words(words, name_indexes))


def _join_words(words: Sequence[str], indexes: Set[int]) -> str:
    """Return the words with these indexes, in their order, with spaces between them."""
    return " ".join(words[index] for index in sorted(indexes))


def _shortened_text(text: str) -> str:
    """Return the text if it is short enough, else its last clause, else its beginning with “…”.

    An empty text gives “…”.
    """
    name = text
    if len(text) > LONGEST_NAME:
        clauses = [clause.strip() for clause in CLAUSE.split(text)]
        # Punctuation at the end of the text leaves an empty clause behind it.
        nonempty_clauses = [clause for clause in clauses if clause]
        name = _capitalize(nonempty_clauses[-1]) if nonempty_clauses else ""

    if 0 < len(name) <= LONGEST_NAME:
        return name
    return f"{text[: LONGEST_NAME - 1].rstrip()}…"


def _make_unique(start: str, used_names: Set[str]) -> str:
    """Return the name `start`, with a number behind it if it is one of `used_names`.

    A long name is cut, so that it has at most LONGEST_NAME characters with its number.
    """
    name = start
    number = 1
    while name in used_names:
        number += 1
        ending = f" ({number})"
        # Names of old surveys are not stored, but made whenever they are read, and must stay as they
        # are. So “ (2)” still leaves as much room as “ (12)”.
        room = max(len(ending), LEAST_ROOM_FOR_NUMBER)
        beginning = start[: LONGEST_NAME - room].rstrip()
        name = f"{beginning}{ending}"
    return name


def _is_meaningful(word: str, following: Sequence[str]) -> bool:
    """Return whether a word says what a question is about, unlike “the” and “have”.

    following: the words after it. A number is as meaningful as the word after it, since “12 months”
        says nothing and “12 drinks” does.
    """
    if word.isdigit():
        return bool(following) and fold(following[0]) not in STOP_WORDS

    # One meaningful part is enough, as in “l’alcool”.
    for part in re.split("[-’']", fold(word)):
        is_single_letter = len(part) <= 1 and not part.isdigit()
        if not is_single_letter and part not in STOP_WORDS:
            return True
    return False


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
        # All names of the author come first, so that no name that is made equals one of them.
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
    """Return the short names to store with an instrument, by question key and code of language.

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
