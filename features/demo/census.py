"""A survey on real input: the occupations of 32,561 people in the UCI Adult data set (Becker and Kohavi 1996).

The truths are rebuilt from the data set's published counts and randomized as a respondent's page would, so anyone
can hold the report against them. It is closed, and everyone may read its results.
"""

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.demo.answers import records
from features.shared_reports.publication import set_public
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.definition.freezing import DECLINE
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import publish
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Survey

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
PEOPLE = 32_561


@transaction.atomic
def load(owner: AbstractBaseUser) -> Survey:
    """The survey with all its responses; the one already there if it was loaded before."""
    survey = (
        Survey.objects.filter(owner=owner, title=TITLE).exclude(status=Survey.Status.DRAFT).first()
    )
    if survey is None:
        survey = _write(owner)
        made = publish(survey, reason="The answers are rebuilt from published counts.")
        add_to_report(made, records(parse_instrument(made), truths(), SEED))
        close_survey(made.survey)
        survey = set_public(made.survey, public=True)
    return survey


def _write(owner: AbstractBaseUser) -> Survey:
    survey = create_survey(
        owner=owner,
        title=TITLE,
        introduction=(
            "Two questions about your work. The answers are rebuilt from published counts of a census. So you can "
            "compare the report with the true shares."
        ),
        contact="The Candor demo on this machine",
    )
    save_question(
        survey=survey,
        key="sales",
        kind="yes-no",
        text="Is your occupation Sales?",
        design="two-coin",
    )
    save_question(
        survey=survey,
        key="occupation",
        kind="choice",
        text="What is your occupation?",
        choices=list(OCCUPATIONS),
        decline=True,
        design="unary",
        parameters={"p": "0.75", "q": "0.25"},
    )
    return survey


def truths() -> dict[str, np.ndarray]:
    """Question key -> index of the true answer of each of the 32,561 people."""
    labels = [*OCCUPATIONS, DECLINE]
    occupation = np.repeat(np.arange(len(labels)), [*OCCUPATIONS.values(), UNKNOWN])
    return {"sales": (occupation == labels.index("Sales")).astype(int), "occupation": occupation}
