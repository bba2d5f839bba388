"""Each number has one form: page, shared page, JSON, CSV, SVG and methods print it alike.

Generated surveys of all question types are published, answered and read through every door.
"""

import csv
import html
import io
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client

from surveys.models import Instrument
from tests.factories.surveys import create_researcher
from tests.factories.ticket_surveys import client_for
from tests.results.test_leaders import client_of, create_answered

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SEED = 57
SURVEYS = 12
# Some surveys have only questions without a printed number, such as texts.
FEWEST_NUMBERS = 40


@pytest.mark.parametrize(
    "surveys", [SURVEYS, pytest.param(100, marks=pytest.mark.long)], ids=["some", "many"]
)
def test_each_number_has_one_form_through_every_door(surveys: int) -> None:
    rng = np.random.default_rng(SEED)
    owner = create_researcher("mel")
    api, client = client_of(owner), client_for(owner)
    numbers = 0
    for number in range(surveys):
        instrument = create_answered(number, rng, owner)
        report = api.get(f"/api/v1/surveys/{instrument.survey.slug}/report/").json()
        for question in report["questions"]:
            if question["design"] is not None and question["choices"]:
                numbers += check_question(instrument, question, client)
    assert numbers >= FEWEST_NUMBERS * surveys / SURVEYS


def check_question(instrument: Instrument, question: dict[str, Any], client: Client) -> int:
    """Check the forms of the shares of a question, and return how many were checked."""
    path = f"/surveys/{instrument.survey.slug}/report/"
    key = question["key"]
    details = words(client.get(f"{path}{key}/details/").content.decode())
    drawing = words(client.get(f"{path}{key}/shares.svg").content.decode())
    rows = read_csv(client.get(f"{path}{key}/shares.csv"))
    checked = 0
    for choice in question["choices"]:
        if choice["state"] in (None, "too_few", "impossible"):
            continue
        number, shown_range = printed_form(choice)
        row = next(row for row in rows if row["answer"] == choice["label"])
        assert float(row["corrected"]) == pytest.approx(choice["estimate"], abs=1e-12)
        assert row["withheld"] == ("yes" if choice["withheld"] else "no")
        # A long list shows only what is clearly above 0, with a range for the whole list.
        if question["found"]:
            continue
        in_words = (
            shown_range if shown_range.startswith("0 ") else shown_range.replace(" to", "% to")
        )
        assert in_words in details, (choice, in_words)
        if number:
            assert number in details
        sentence = f"{question['finding']['sentence']} {question['finding']['detail']}"
        check_no_other_form(choice, sentence)
        # The figure of a yes/no question has a row for Yes alone.
        if choice["label"] != "No":
            assert shown_range in drawing, (choice, drawing)
        checked += 1
    return checked


def printed_form(choice: dict[str, Any]) -> tuple[str, str]:
    """Return the number and the range of a share as its printed digits say."""
    printed = choice["printed"]
    low, high = (end_text(printed[end], printed["decimals"]) for end in ("low", "high"))
    number = {
        "shown": f"{value_text(printed['number'], printed['decimals'])}%",
        "at_most": f"≤ {high}%",
        "at_least": f"≥ {low}%",
        "withheld": "",
    }[choice["state"]]
    return number, f"{low} to {high}%"


def check_no_other_form(choice: dict[str, Any], sentence: str) -> None:
    """Check that a sentence that names a label with a number names the printed one."""
    if choice["state"] != "shown":
        return
    named = re.search(rf"“{re.escape(choice['label'])}”,? ([\d.]+%)", sentence)
    if named:
        assert named[1] == printed_form(choice)[0], (choice, sentence)


def value_text(value: float | None, decimals: int) -> str:
    if value is None:
        return ""
    return "0" if value == 0 else f"{value:.{decimals}f}"


def end_text(value: float, decimals: int) -> str:
    return f"{value:g}" if value in (0, 100) else value_text(value, decimals)


def words(page: str) -> str:
    """Return the text of a page without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def read_csv(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(response.content.decode())))
