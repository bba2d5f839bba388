"""What an author should know before publishing: what must be mended, what deserves a thought, and what is fine."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from django.conf import settings

from surveys.authoring.planning.distress import word_of_harm
from surveys.authoring.planning.overview import Overview
from surveys.authoring.planning.tickets import warnings
from surveys.authoring.planning.uniqueness import uniqueness_of
from surveys.definition import (
    data_protection,
    placeholders,
    protection_wording,
    question_subset,
    text_places,
    ticket_phases,
)
from surveys.definition.freezing import LEAST_IN_A_CELL
from surveys.definition.routing.filters import build_branching
from surveys.models import Survey
from surveys.site import clock

MUST, THINK, FINE = "must", "think", "fine"
Worth = Literal["must", "think", "fine"]
WORTH: tuple[Worth, ...] = (MUST, THINK, FINE)  # the worst first
Mend = Literal[
    "",
    "question",
    "new-question",
    "protection",
    "edit",
    "after",
    "schedule",
    "languages",
    "data-protection",
    "tickets",
]
# Words that stand in almost every text of a language and hardly in another's.
COMMON = {
    "en": "the of and to you your did have was with this what which ever",
    "de": "der die das und ist nicht sie ihre haben welche wie mit für ein eine",
    "fr": "le les des vous votre vos est avez une dans pour avec quel quelle",
    "es": "el los las usted su sus una para con qué cuál ha cómo alguna",
}
ARABIC = re.compile(r"[\u0600-\u06ff]")
COUNTED = re.compile(r"q([0-9]{1,6})")
SMALL = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
CLEAR = 3  # such words, at least, and twice as many as of the language that was chosen


@dataclass(frozen=True)
class Point:
    """mend: what mends it, or nothing; question: the key of one it is about."""

    severity: Worth
    short: str  # for a chip
    sentence: str
    mend: Mend = ""
    question: str = ""


def points(survey: Survey, seen: Overview) -> list[Point]:
    """Everything that is known of a draft's readiness, the worst first; nothing of what is not to be published."""
    if not survey.is_draft or survey.import_only:
        return []
    listed = [
        *_questions(seen),
        *_subset(survey, seen),
        *_paths(survey, seen),
        *_protection(survey, seen),
        *_texts(survey, seen),
        *_languages(survey),
        *_blanks(survey),
        *_launch(survey),
    ]
    listed += [
        *_shown(survey, seen),
        *_names(seen),
        *_groups(seen),
        *_ends(survey, seen),
        *_tickets(survey, seen),
    ]
    listed += _uniqueness(survey, seen)
    return sorted(listed, key=lambda point: WORTH.index(point.severity))


def verdict(points: Iterable[Point]) -> str:
    """Return how many points ask for something, of the worst kind only: "Two things to look at"."""
    severities = [point.severity for point in points]
    n_must = severities.count(MUST)
    n_think = severities.count(THINK)
    if n_must:
        verb = "stands" if n_must == 1 else "stand"
        return f"{_things(n_must)} {verb} in the way"
    if n_think:
        return f"{_things(n_think)} to look at"
    return "Nothing in the way"


def _things(n: int) -> str:
    """Return "One thing", "Two things", or from 7 on "7 things"."""
    number = SMALL.get(n, str(n))
    return f"{number} thing" if n == 1 else f"{number} things"


def _questions(seen: Overview) -> Iterable[Point]:
    if not seen.lines:
        yield Point(MUST, "No questions yet", "Add at least one question.", "new-question")
    for number, line in enumerate(seen.lines, 1):
        if line.problem:
            yield Point(
                MUST,
                f"Question {number} is not ready",
                f"“{line.text}”: {line.problem}",
                "question",
                line.key,
            )


def _groups(seen: Overview) -> Iterable[Point]:
    """By what people without the right to rows will see groups."""
    background = [line for line in seen.lines if line.protection is None and not line.problem]
    chosen = [f"“{line.text}”" for line in background if line.cut]
    if chosen:
        said = (
            f"After closing, everyone with access to the report can compare groups by {', '.join(chosen)}. Small "
            f"groups are merged until each combination has at least {LEAST_IN_A_CELL} people. Team members with row "
            "access can filter freely."
        )
        yield Point(FINE, "Groups", said, "question", background[0].key)
    elif background:
        said = (
            "No group comparisons. Only team members with row access will see background answers. Choose up to three "
            "questions for groups."
        )
        yield Point(THINK, "No groups", said, "question", background[0].key)


def _subset(survey: Survey, seen: Overview) -> Iterable[Point]:
    """The questions of which each person gets only some."""
    if wrong := question_subset.publishing_problem(survey):
        yield Point(
            MUST,
            "Questions of each person",
            f"{wrong} Choose a level, or ask everyone all.",
            "protection",
        )
    elif seen.draw:
        yield Point(FINE, "Questions of each person", seen.who_gets[0])


def _paths(survey: Survey, seen: Overview) -> Iterable[Point]:
    """Of questions with a condition: who sees their results, beside those with the right to rows."""
    if not seen.has_paths:
        return
    whom = build_branching(seen.questions)
    shown = {line.key for line in seen.lines if line.cut}
    for line in seen.lines:
        lacking = [
            f"“{each.text}”" for each in whom.questions_above(line.key) if each.key not in shown
        ]
        if line.when and line.is_sensitive and not line.problem and lacking:
            said = (
                f"“{line.text}” depends on background answers, so its result counts as a group. Team members with row "
                f"access see it at once. Others see it only if {', '.join(lacking)} is used for report groups too."
            )
            yield Point(THINK, "Seen by few", said, "question", line.key)
    said = (
        "Only some people get some of the questions. The privacy loss counts the combination that costs most. Results "
        f"of these questions need {LEAST_IN_A_CELL} people who got them, and appear with the report groups."
    )
    yield Point(FINE, "Paths", said)


def _names(seen: Overview) -> Iterable[Point]:
    """Names that count, as q1 and q2, and stand in another order than they count."""
    counted = [
        (int(match[1]), line) for line in seen.lines if (match := COUNTED.fullmatch(line.key))
    ]
    for (before, _), (after, line) in pairwise(counted):
        if after < before:
            said = f"Rename {line.key} or q{before}. Their order is misleading in tables and files."
            yield Point(THINK, "Names out of order", said, "question", line.key)
            return


def _protection(survey: Survey, seen: Overview) -> Iterable[Point]:
    """The colour of all answers, and whether any number can come of them."""
    loss = seen.protection
    if not loss.one:
        return
    said = protection_wording.guess_rates_text(loss)
    if loss.max_guess_rates[1] > protection_wording.HINT_LIMIT:
        said = f"{said} Respondents will read “strong evidence”."
    if loss.grade_colour == "red":
        yield Point(
            MUST,
            "Almost no protection",
            f"{said} You need to give a reason to publish.",
            "protection",
        )
    elif loss.grade_colour == "amber":
        yield Point(THINK, "Weak overall protection", said, "protection")
    else:
        yield Point(FINE, "Protection", said)
    shown = [line.verdict for line in seen.sensitive if line.verdict]
    people = survey.expected_people
    if people and shown and all(verdict.is_withheld for verdict in shown):
        said = f"With {_people(people)}, probably no sensitive question will have a number."
        yield Point(MUST, "No number", said, "schedule")


def _texts(survey: Survey, seen: Overview) -> Iterable[Point]:
    if survey.contact and not placeholders.has_blank(survey.contact):
        yield Point(FINE, "Contact", "Respondents know who to contact.")
    elif not survey.contact:
        yield Point(
            THINK,
            "No contact",
            "Add a name and an email address so people can ask questions.",
            "edit",
        )
    if survey.consent:
        yield Point(FINE, "Consent", "Respondents read what they agree to before the questions.")
    else:
        yield Point(THINK, "No consent text", "Most ethics boards ask for one.", "edit")
    written = " ".join([survey.introduction, survey.consent, *(line.text for line in seen.lines)])
    guess = language_of(written, survey.language)
    if guess != survey.language:
        name, own = (Survey.Language(code).label for code in (guess, survey.language))
        yield Point(
            THINK,
            f"Texts in {name}?",
            f"Everything around your texts is in {own}, and your texts look like {name}.",
            "edit",
        )


def _languages(survey: Survey) -> Iterable[Point]:
    """What is missing in the further languages, and what looks as if it was still to be translated."""
    all_places = text_places.iter_texts(survey) if survey.further_languages else []
    for sentence in text_places.translation_problems(survey):
        yield Point(MUST, "Languages are not ready", sentence, "languages")
    for code in survey.further_languages:
        name = Survey.Language(code).label
        if same := text_places.untranslated_copies(all_places, code):
            said = f"In {name} as in the first language: {text_places.list_some(same)}. Is it just a copy?"
            yield Point(THINK, f"Copied into {name}?", said, "languages")
        if not text_places.missing_translations(all_places, code):
            yield Point(FINE, name, f"All {len(all_places)} texts are in {name}.")


def _blanks(survey: Survey) -> Iterable[Point]:
    """Where something is still to be filled in; it is mended where the first of it stands."""
    if blanks := placeholders.find_placeholders(survey):
        key = blanks[0].place.key
        mend = "languages" if blanks[0].is_translation else "question" if key else "edit"
        yield Point(MUST, f"{len(blanks)} to fill in", placeholders.sentence(blanks), mend, key)


def _ends(survey: Survey, seen: Overview) -> Iterable[Point]:
    """What people read who have sent their answers, or do not take part."""
    written = " ".join([survey.title, survey.introduction, *(line.text for line in seen.lines)])
    if survey.help_lines and not placeholders.has_blank(survey.help_lines):
        yield Point(
            FINE,
            "Help lines",
            "Respondents can copy them, and reach them as links at the end.",
            "after",
        )
    elif not survey.help_lines and (word := word_of_harm(written)):
        said = f"“{word}”: these questions could distress people. Add help lines."
        yield Point(THINK, "No help lines", said, "after")
    if survey.after_declining and not survey.asks_consent:
        said = "Ask people to agree before they start, or delete the text for people who do not take part."
        yield Point(THINK, "A text no one reads", said, "after")


def _launch(survey: Survey) -> Iterable[Point]:
    if survey.closes and survey.closes <= clock.clock_now():
        yield Point(
            MUST, "Closing time is past", "Change the closing time, or remove it.", "schedule"
        )
    if wrong := data_protection.deletion_problem(survey):
        yield Point(MUST, "Day of deletion", wrong, "data-protection")


def _tickets(survey: Survey, seen: Overview) -> Iterable[Point]:
    """Who can answer, where that is only whoever is invited."""
    if wrong := ticket_phases.ticket_problem(survey):
        mend = (
            "schedule"
            if survey.tickets == Survey.Tickets.TWO and settings.TICKET_KEY
            else "tickets"
        )
        yield Point(MUST, "Tickets", wrong, mend)
    elif survey.tickets:
        said = "one step" if survey.tickets == Survey.Tickets.ONE else "two steps"
        yield Point(
            FINE, "Tickets", f"Only invited people can answer, once each ({said}).", "tickets"
        )
    for short, sentence in warnings(survey, seen):
        yield Point(THINK, short, sentence, "tickets")


def _uniqueness(survey: Survey, seen: Overview) -> Iterable[Point]:
    """Say how many people their background answers single out, if the number of people is known."""
    background = [line for line in seen.lines if not line.is_sensitive]
    unique = uniqueness_of(survey, seen.background_sizes)
    if unique is not None:
        severity = THINK if unique.is_expected else FINE
        yield Point(severity, unique.in_short, unique.sentence, "question", background[0].key)


def _shown(survey: Survey, seen: Overview) -> Iterable[Point]:
    """What the numbers will be worth; nothing where nobody has said how many people are expected."""
    people = survey.expected_people
    if people is None:
        return
    judged = [line for line in seen.lines if line.verdict]
    poor = [line for line in judged if line.protection and not line.verdict.is_useful]
    if nothing := [line for line in poor if line.verdict.is_withheld]:
        said = f"With {_people(people)}, {_counted(len(nothing))} will probably have no number."
        yield Point(THINK, f"{len(nothing)} without a number", said, "question", nothing[0].key)
    elif poor:
        rough = _counted(len(poor)).capitalize()
        said = f"With {_people(people)}, every question will have a number. {rough} will be rough."
        yield Point(FINE, "Precision", said)
    elif judged:
        yield Point(
            FINE, "Precision", f"With {_people(people)}, every question will show something useful."
        )


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _counted(n: int) -> str:
    return "one question" if n == 1 else f"{n} questions"


def language_of(text: str, chosen: str) -> str:
    """The language that a text is in, as far as its commonest words tell; the chosen one where they do not."""
    if len(ARABIC.findall(text)) > len(text) / 4:
        return "ar"
    words = re.findall(r"\w+", text.lower())
    hits = {
        language: sum(word in common.split() for word in words)
        for language, common in COMMON.items()
    }
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] >= CLEAR and hits[best] > 2 * hits.get(chosen, 0) else chosen
