"""No text that somebody types into a form freezes a worker: no regular expression sees a long one."""

import re._parser as parser
from re._constants import IN, LITERAL, MAX_REPEAT, NOT_LITERAL

import pytest
from django.db import transaction
from django.test import Client

from tests.hostile_texts import FormParser, WebForm, observe_expressions
from tests.routes import RULES
from tests.web.test_workspace_access import address, survey_for

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LONG = 40_000
TEXT = ("a<@" * LONG)[: LONG - 2] + ",x"
LONGEST = 400  # characters that an expression may see
FORMS = [route for route in RULES if not route.startswith(("api/", "admin/")) and "<path:" not in route]


def is_one_class(pattern: str) -> bool:
    """Return whether an expression is one class of characters, perhaps repeated: it sees each character once."""
    parts = list(parser.parse(pattern))
    if len(parts) == 1 and parts[0][0] is MAX_REPEAT:
        parts = list(parts[0][1][2])
    return len(parts) == 1 and parts[0][0] in (IN, LITERAL, NOT_LITERAL)


def posted_forms(client: Client, page: str) -> list[WebForm]:
    answer = client.get(page)
    if answer.streaming or answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
        return []
    return [form for form in FormParser(answer.content.decode(), page).forms if form.method == "post"]


@pytest.mark.parametrize("route", FORMS)
def test_no_expression_sees_a_long_text_of_a_form(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = survey_for(route)
    client = Client()
    client.force_login(survey.owner)
    forms = posted_forms(client, address(route, survey.slug))
    observed = observe_expressions(monkeypatch)

    for form in forms:
        for name in form.values:
            with transaction.atomic():
                answer = client.post(form.address, form.values | {name: TEXT})
                transaction.set_rollback(True)
            assert answer.status_code < 500, name

    too_long = {
        name: n for name, n in observed.longest.items() if n > LONGEST and not is_one_class(observed.patterns[name])
    }
    assert too_long == {}
