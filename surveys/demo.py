"""The demo survey on real input: the occupations of 32,561 people in the UCI Adult data set (Becker and Kohavi 1996).

The truths are rebuilt from the data set's published counts and randomized as a respondent's page would.
"""

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.ballots.records import encode
from surveys.ballots.release import join
from surveys.models import Choice, Instrument, Question, Survey
from surveys.publishing.freezing import DECLINE
from surveys.publishing.instruments import Item, paper
from surveys.publishing.lifecycle import publish

TITLE = "Occupations (demo)"
SEED = 1994  # the year of the census behind the data set
OCCUPATIONS = {
    "Adm-clerical": 3770,
    "Exec-managerial": 4066,
    "Handlers-cleaners": 1370,
    "Prof-specialty": 4140,
    "Other-service": 3295,
    "Sales": 3650,
    "Craft-repair": 4099,
    "Transport-moving": 1597,
    "Farming-fishing": 994,
    "Machine-op-inspct": 2002,
    "Tech-support": 928,
    "Protective-serv": 649,
    "Armed-Forces": 9,
    "Priv-house-serv": 149,
}
UNKNOWN = 1843


@transaction.atomic
def load(owner: AbstractBaseUser) -> Survey:
    """The demo survey with all its responses, open for more; the one already there if it was loaded before."""
    survey = Survey.objects.filter(owner=owner, title=TITLE).exclude(status=Survey.Status.DRAFT).first()
    if survey is None:
        survey = _write(owner)
        _answer(publish(survey))
    return survey


def _write(owner: AbstractBaseUser) -> Survey:
    survey = Survey.objects.create(
        owner=owner,
        title=TITLE,
        introduction=(
            "Two questions about your work, asked to show how Candor works. "
            "The report holds 32,561 answers rebuilt from published counts of a census, and any you add."
        ),
        contact="The Candor demo on this machine",
    )
    Question.objects.create(
        survey=survey,
        key="sales",
        position=1,
        kind=Question.Kind.YES_NO,
        text="Is your occupation Sales?",
        design="two-coin",
    )
    occupation = Question.objects.create(
        survey=survey,
        key="occupation",
        position=2,
        kind=Question.Kind.CHOICE,
        text="What is your occupation?",
        decline=True,
        design="unary",
        parameters={"p": "0.75", "q": "0.25"},
    )
    Choice.objects.bulk_create(
        Choice(question=occupation, position=position, label=label) for position, label in enumerate(OCCUPATIONS, 1)
    )
    return survey


def truths() -> dict[str, np.ndarray]:
    """Question key -> index of the true answer of each of the 32,561 people."""
    labels = [*OCCUPATIONS, DECLINE]
    occupation = np.repeat(np.arange(len(labels)), [*OCCUPATIONS.values(), UNKNOWN])
    return {"sales": (occupation == labels.index("Sales")).astype(int), "occupation": occupation}


def _answer(instrument: Instrument) -> None:
    frozen = paper(instrument)
    rng = np.random.default_rng(SEED)
    columns = {item.key: _reports(item, truths()[item.key], rng) for item in frozen.items}
    people = zip(*columns.values(), strict=True)
    join(instrument, b"".join(encode(frozen, dict(zip(columns, person, strict=True))) for person in people))


def _reports(item: Item, truth: np.ndarray, rng: np.random.Generator) -> list[int] | list[str]:
    """Reports as they would travel."""
    return item.wire.reports(item.mechanism.randomize_stored(truth, rng))
