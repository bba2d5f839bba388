"""Which versions came before a survey, when each was published, and which questions two versions ask alike."""

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
    """Those whose report this person may read, the last first. Of all others nothing is told, not that they exist."""
    places, pk = {}, survey.predecessor_id
    while pk is not None and pk not in places:
        places[pk] = len(places)
        pk = Survey.objects.filter(pk=pk).values_list("predecessor_id", flat=True).first()
    readable = Instrument.objects.filter(survey__in=readable_by(user), survey__pk__in=places)
    return sorted(readable.select_related("survey"), key=lambda each: places[each.survey_id])


def published_on(survey: Survey) -> date:
    """The day; of a survey without a history that on which it was made."""
    at = (
        survey.events.filter(what__in=PUBLISHING)
        .order_by("when")
        .values_list("when", flat=True)
        .first()
    )
    return (at or survey.created).date()


def day_names(earlier: date, now: date) -> tuple[str, str]:
    """Both days, as briefly as they differ: "2025", "2026"; "March 2026", "June 2026"; or the days themselves."""
    if earlier.year != now.year:
        return str(earlier.year), str(now.year)
    if earlier.month != now.month:
        return f"{earlier:%B %Y}", f"{now:%B %Y}"
    return (day_of(earlier), day_of(now)) if earlier != now else (day_of(earlier), "now")


def change_of_words(
    now: tuple[SurveyDefinition, QuestionDefinition],
    earlier: tuple[SurveyDefinition, QuestionDefinition],
) -> str:
    """Why a question of both versions is not the same question; empty where it is. Designs may differ."""
    item, before = now[1], earlier[1]
    if not _is_same(item.full_text, before.full_text):
        return f"the wording changed (“{before.full_text}”)"
    if not has_same_answers(item, before):
        return "the answers changed"
    if not _is_same(item.unit, before.unit):
        return f"the unit changed (“{before.unit}”)"
    if _population(*now) != _population(*earlier):
        return "its condition changed"
    return ""


def has_same_answers(one: QuestionDefinition, other: QuestionDefinition) -> bool:
    """In the same order. A question that is scrambled in one version only has another kind there."""
    is_alike = one.kind == other.kind or (one.mechanism is None) != (other.mechanism is None)
    return is_alike and (one.aside, _answers(one)) == (other.aside, _answers(other))


def _is_same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


def _answers(item: QuestionDefinition) -> list[str]:
    return list(map(_plain, item.choices))


def _population(frozen: SurveyDefinition, item: QuestionDefinition) -> object:
    """Whom a question is asked: its condition, and the words and conditions of all questions that this names."""
    if item.when is None:
        return None
    keys = [leaf.of for leaf in iter_leaves(item.when)]
    items = {each.key: each for each in frozen.items}
    parts = [
        (_plain(items[key].full_text), _answers(items[key]), _population(frozen, items[key]))
        for key in keys
    ]
    return condition_to_data(item.when), parts
