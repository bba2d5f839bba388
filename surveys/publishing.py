"""From draft to instrument: freeze, hash, open, close."""

import hashlib

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import override, pgettext

from mechanisms import round_up
from surveys import history
from surveys.designs import Invalid, build
from surveys.instruments import Item, Paper, body_length, canonical, parse
from surveys.models import Instrument, Question, Survey
from surveys.modes import wrong_mode

DECLINE = "Prefer not to say"
MAXIMUM_CHOICES = 100
What = history.What
FORMAT = 3  # 1 had neither modes nor a comprehension question; 2 had no consent text and no sections


class Refused(Exception):
    """A step that the survey's state does not allow; the message says why and what would."""


def yes_no(language: str) -> tuple[str, str]:
    """No and Yes, index 0 and 1, as every yes/no matrix has them."""
    with override(language):
        return pgettext("answer", "No"), pgettext("answer", "Yes")


def decline(language: str) -> str:
    with override(language):
        return pgettext("answer", "Prefer not to say")


def answers(question: Question, labels: list[str] | None = None, language: str = "") -> tuple[str, ...]:
    """Everything a respondent can choose, in the order of the matrix and the language of the survey."""
    language = language or question.survey.language
    if question.kind == Question.Kind.YES_NO:
        own = yes_no(language)
    elif question.kind == Question.Kind.NUMBER:
        own = () if question.minimum is None else tuple(map(str, range(question.minimum, question.maximum + 1)))
    else:
        own = tuple(labels if labels is not None else (choice.label for choice in question.choices.all()))
    return (*own, decline(language)) if question.decline and question.is_sensitive else own


def select(kind: str) -> str:
    """How many answers a respondent may give: "one" or "any"."""
    return "any" if kind == Question.Kind.ANY else "one"


def freeze_question(question: Question) -> Item:
    """The question as the instrument holds it. Raises surveys.designs.Invalid."""
    choices = answers(question)
    if len(choices) < 2:
        raise Invalid({"choices": "At least two choices are needed."})
    sensitive = question.is_sensitive
    mechanism = build(question.design, len(choices), question.parameters, select(question.kind)) if sensitive else None
    how = {"mode": question.mode, "harmless": question.harmless}
    if errors := wrong_mode(kind=question.kind, design=question.design, mechanism=mechanism, **how):
        raise Invalid(errors)
    texts = (question.key, question.kind, question.text, question.help)
    return Item(*texts, choices, mechanism, section=question.section, anchor=question.anchor, **how)


def freeze(survey: Survey) -> Paper:
    """The survey as it would be published now. Raises Refused where something is missing or wrong."""
    items = []
    for number, question in enumerate(survey.questions.prefetch_related("choices"), 1):
        try:
            items.append(freeze_question(question))
        except Invalid as error:
            raise Refused(f"Question {number} (“{question.text}”): {error}") from error
    if not items:
        raise Refused("The survey has no question yet. Add at least one, then publish.")
    length = body_length(tuple(items))
    if length > settings.SUBMISSION_LIMIT:
        raise Refused(f"An answer would be {length:,} bytes long, more than {settings.SUBMISSION_LIMIT:,}.")
    text = canonical(_content(survey, items, length))
    return parse(hashlib.sha256(text.encode()).hexdigest(), text)


def _content(survey: Survey, items: list[Item], length: int) -> dict:
    return {
        "format": FORMAT,
        "survey": survey.slug,
        "title": survey.title,
        "introduction": survey.introduction,
        "contact": survey.contact,
        "consent": survey.consent,
        "language": survey.language,
        "comprehension": survey.comprehension,
        "length": length,
        "questions": [
            {
                "key": item.key,
                "kind": item.kind,
                "text": item.text,
                "help": item.help,
                "choices": list(item.choices),
                "mechanism": item.mechanism.spec() if item.mechanism else None,
                "mode": item.mode,
                "harmless": item.harmless,
                "section": item.section,
                "anchor": item.anchor,
            }
            for item in items
        ],
    }


def paper(instrument: Instrument) -> Paper:
    return parse(instrument.sha256, instrument.content)


def locked(survey: Survey) -> Survey:
    """The survey read again, its row held until the transaction ends, so that two people cannot both act on it."""
    return Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)


def within_budget(survey: Survey, frozen: Paper) -> None:
    """Raises Refused where the survey would cost a respondent more than its author allowed."""
    if frozen.epsilon > survey.limit:
        raise Refused(
            f"The survey would cost each respondent epsilon {round_up(frozen.epsilon)}, more than its privacy budget "
            f"of {survey.limit.normalize():f}. Protect some questions more strongly, take some out, or raise it."
        )


@transaction.atomic
def publish(survey: Survey, by: AbstractBaseUser | None = None) -> Instrument:
    """Freeze the survey into its one instrument and open it. `by`: who does it, for the history."""
    survey = locked(survey)
    if not survey.is_draft:
        raise Refused("This survey is published already.")
    if survey.closes and survey.closes <= timezone.now():
        raise Refused("The closing time of this survey is in the past. Change it or take it out, then publish.")
    frozen = freeze(survey)
    within_budget(survey, frozen)
    instrument = Instrument.objects.create(survey=survey, sha256=frozen.sha256, content=frozen.content)
    _set_status(survey, Survey.Status.OPEN)
    history.record(survey, by, What.PUBLISHED, frozen.sha256)
    return instrument


@transaction.atomic
def pause(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Take no responses for a while; what waits goes on waiting."""
    survey = locked(survey)
    if survey.status != Survey.Status.OPEN:
        raise Refused("Only an open survey can be paused.")
    _set_status(survey, Survey.Status.PAUSED)
    history.record(survey, by, What.PAUSED)


@transaction.atomic
def close(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    """Take no more responses."""
    survey = locked(survey)
    if survey.status not in (Survey.Status.OPEN, Survey.Status.PAUSED):
        raise Refused("Only an open survey can be closed.")
    _set_status(survey, Survey.Status.CLOSED)
    history.record(survey, by, What.CLOSED)


@transaction.atomic
def reopen(survey: Survey, by: AbstractBaseUser | None = None) -> None:
    survey = locked(survey)
    if survey.status not in (Survey.Status.CLOSED, Survey.Status.PAUSED):
        raise Refused("Only a paused or closed survey can be opened again.")
    if survey.closes and survey.closes <= timezone.now():
        raise Refused("The closing time of this survey is past. Change it or take it out, then open the survey again.")
    _set_status(survey, Survey.Status.OPEN)
    history.record(survey, by, What.REOPENED)


def require_draft(survey: Survey) -> None:
    if not survey.is_draft:
        raise Refused("A published survey cannot be changed: people have answered what they read.")


def _set_status(survey: Survey, status: Survey.Status) -> None:
    survey.status = status
    survey.save(update_fields=["status"])
