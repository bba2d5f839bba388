"""Versions of a survey: which came before, when, and which questions two of them ask alike."""

from datetime import date

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from surveys.accounts.access import readable_by
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.routing.conditions import condition_to_data, iter_leaves
from surveys.definition.words import fold
from surveys.models import Event, Instrument, Survey
from surveys.site.number_format import day_of

User = AbstractBaseUser | AnonymousUser
PUBLISHING = (Event.What.PUBLISHED, Event.What.PREPARED)


def earlier_versions(user: User, survey: Survey) -> list[Instrument]:
    """Return the earlier versions whose report a person may read, the last one first.

    Of all others nothing is said, not even that they exist.
    """
    ages: dict[int, int] = {}
    pk = survey.predecessor_id
    while pk is not None and pk not in ages:
        ages[pk] = len(ages)
        pk = Survey.objects.filter(pk=pk).values_list("predecessor_id", flat=True).first()
    readable = Instrument.objects.filter(survey__in=readable_by(user), survey__pk__in=ages)
    instruments = readable.select_related("survey")
    return sorted(instruments, key=lambda instrument: ages[instrument.survey_id])


def published_on(survey: Survey) -> date:
    """Return the day on which a survey was published, or made if it has no history."""
    events = survey.events.filter(what__in=PUBLISHING).order_by("when")
    published = events.values_list("when", flat=True).first()
    return (published or survey.created).date()


def day_names(earlier: date, now: date) -> tuple[str, str]:
    """Return the names of both days, as briefly as they differ.

    They are years ("2025", "2026"), months ("March 2026", "June 2026"), or the days themselves.
    """
    if earlier.year != now.year:
        return str(earlier.year), str(now.year)
    if earlier.month != now.month:
        return f"{earlier:%B %Y}", f"{now:%B %Y}"
    if earlier != now:
        return day_of(earlier), day_of(now)
    return day_of(earlier), "now"


def change_of_words(
    now: tuple[SurveyDefinition, QuestionDefinition],
    earlier: tuple[SurveyDefinition, QuestionDefinition],
) -> str:
    """Return why a question of both versions is not the same question, or "" if it is.

    Designs may differ.

    now, earlier: the definition of the version, and the question in it.
    """
    item_now, item_earlier = now[1], earlier[1]
    if not _is_same(item_now.full_text, item_earlier.full_text):
        return f"the wording changed (“{item_earlier.full_text}”)"
    if not has_same_answers(item_now, item_earlier):
        return "the answers changed"
    if not _is_same(item_now.unit, item_earlier.unit):
        return f"the unit changed (“{item_earlier.unit}”)"
    if _population(*now) != _population(*earlier):
        return "its condition changed"
    return ""


def has_same_answers(one: QuestionDefinition, other: QuestionDefinition) -> bool:
    """Return whether two questions have the same answers in the same order.

    A question that is scrambled in one version only has another kind there.
    """
    has_other_kind = one.kind != other.kind
    is_scrambled_in_both = (one.mechanism is None) == (other.mechanism is None)
    if has_other_kind and is_scrambled_in_both:
        return False
    return one.aside == other.aside and _folded_answers(one) == _folded_answers(other)


def _is_same(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


def _folded(text: str) -> str:
    """Return a text without differences of case and white space."""
    return " ".join(fold(text).split())


def _folded_answers(item: QuestionDefinition) -> list[str]:
    return [_folded(choice) for choice in item.choices]


def _population(frozen: SurveyDefinition, item: QuestionDefinition) -> object:
    """Return who is asked a question: its condition, and the questions that it depends on.

    Each of them has its words, its answers and its own condition. None means everyone.
    """
    if item.when is None:
        return None
    items = {other.key: other for other in frozen.items}
    conditions = []
    for leaf in iter_leaves(item.when):
        other = items[leaf.of]
        text = _folded(other.full_text)
        conditions.append((text, _folded_answers(other), _population(frozen, other)))
    return condition_to_data(item.when), conditions
