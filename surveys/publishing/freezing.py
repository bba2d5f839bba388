"""From draft to instrument: the same survey, frozen into canonical JSON with its hash."""

import hashlib

from django.conf import settings
from django.utils.translation import override, pgettext

from surveys.designs.building import build
from surveys.designs.modes import wrong_mode
from surveys.errors import Invalid, Refused
from surveys.models import SWITCHES, Question, Survey
from surveys.publishing import odds
from surveys.publishing.instruments import Item, Paper, body_length, canonical, parse

DECLINE = "Prefer not to say"
MAXIMUM_CHOICES = 100
# 1 had neither modes nor a comprehension question; 2 had no consent text and no sections; since 4 a key that a survey
# does not use is absent.
FORMAT = 4
HARDLY_PROTECTED = (
    f"Whoever gets the answer could guess right more than {odds.MOST} in 100 times, so it is hardly protected. "
    f"A question that people are asked here may reach {odds.MOST} in 100. Protect it more strongly, or ask it as a "
    "background question, which is marked “sent as it is”."
)


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
    """The question as the instrument holds it. Raises surveys.errors.Invalid."""
    choices = answers(question)
    if len(choices) < 2:
        raise Invalid({"choices": "At least two choices are needed."})
    sensitive = question.is_sensitive
    chosen = (question.design, len(choices), question.parameters, select(question.kind))
    mechanism = build(*chosen, import_only=question.survey.import_only) if sensitive else None
    how = {"mode": question.mode, "harmless": question.harmless}
    if errors := wrong_mode(kind=question.kind, design=question.design, mechanism=mechanism, **how):
        raise Invalid(errors)
    if sensitive and not question.survey.import_only and odds.is_beyond(mechanism.epsilon):
        raise Invalid({"design": HARDLY_PROTECTED})
    texts = (question.key, question.kind, question.text, question.help)
    pair = {"statement": question.statement, "opposite": question.opposite}
    return Item(*texts, choices, mechanism, section=question.section, anchor=question.anchor, **how, **pair)


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


def _only_where_used(survey: Survey) -> dict:
    switches = (name for name in ("import_only", *SWITCHES) if name != "comprehension" and getattr(survey, name))
    used = dict.fromkeys(switches, True) | ({"series": survey.series} if survey.predecessor else {})
    # Real files lack reports. Surveys prepared before this key have records without a place for that.
    return used | ({"nonresponse": True} if survey.import_only else {})


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
        **_only_where_used(survey),
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
                **({"statement": item.statement, "opposite": item.opposite} if item.statement else {}),
            }
            for item in items
        ],
    }
