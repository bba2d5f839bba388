"""The contract of a kind of question: every kind goes through every stage from the form to the files and back.

The subject is the product as it is: its pages, services and API on a real database. Nothing here names a kind but the
table below; where kinds differ, a stage has several ways, and the traits of a kind decide which of them it takes. One
that a kind cannot take has a way too, in which the product refuses it with a message.
"""

import pytest
from django.db import transaction

from surveys.definition.kinds import KINDS
from tests.whole_site.question_kinds.authoring import QUESTIONS
from tests.whole_site.question_kinds.cases import CASES, Case, World, way_of
from tests.whole_site.question_kinds.responses import ANSWERS

STAGES = QUESTIONS | ANSWERS
ON_BOTH = (
    "choice",
    "written",
    "number",
)  # databases: between them all columns; the others give the same statements
# The ways of each kind through the stages where kinds differ; through all others they go alike.
TABLE = """
                       XLSForm           grid      report        simulation  decline
yes-no                 same kind         rows      shares        assumed     offered
choice                 same kind         rows      shares        assumed     offered
choice, long list      same kind         too long  shares        assumed     offered
any                    same kind         refused   shares        assumed     offered
quantity               same kind         refused   mean          assumed     offered
scale                  becomes a choice  rows      mean          assumed     offered
written                same kind         refused   candidates    left out    refused
background             same kind         rows      shares        assumed     offered
background, long list  same kind         too long  shares        assumed     offered
number                 same kind         refused   mean, shares  assumed     offered
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=str(case), marks=() if str(case) in ON_BOTH else pytest.mark.once)
        for case in CASES
    ],
)
def test_a_kind_goes_through_every_stage(case: Case, subtests: pytest.Subtests) -> None:
    """One world for all stages. Each has it as it was made, and each that fails is told."""
    world = World(case)
    for name, ways in STAGES.items():
        with subtests.test(name), transaction.atomic():
            way_of(ways, case)[1](world)
            transaction.set_rollback(True)


def test_the_table_of_kinds_and_stages() -> None:
    """A kind that is new comes in by itself: it has one way through each stage, whatever its traits are."""
    assert {case.kind for case in CASES} == {*KINDS}
    table = {
        str(case): {name: way_of(ways, case)[0] for name, ways in STAGES.items()} for case in CASES
    }
    for case, ways in table.items():
        print(f"{case}:", ", ".join(f"{name} ({way})" for name, way in ways.items()))
    differing = [name for name, ways in STAGES.items() if len(ways) > 1]
    lines = {" ".join([case, *(ways[name] for name in differing)]) for case, ways in table.items()}
    assert {" ".join(line.split()) for line in TABLE.splitlines()[1:]} <= {
        " ".join(differing),
        *lines,
    }
