"""Freezing: one text for one survey, its hash, and no way back."""

import dataclasses
import hashlib
import itertools
import json
from fractions import Fraction

import pytest

from mechanisms import GeneralizedResponse, from_spec, round_up
from surveys.authoring.files.survey_file import new_version
from surveys.definition.freezing import DECLINE, build_definition, canonical_json
from surveys.definition.instrument import body_length
from surveys.definition.parsing import parse, parse_instrument
from surveys.fieldwork.lifecycle import reopen
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Question
from surveys.site.errors import Refused
from tests.factories.surveys import (
    REPORTS,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db


def test_the_hash_is_of_the_canonical_text() -> None:
    instrument = create_published()
    assert hashlib.sha256(instrument.content.encode()).hexdigest() == instrument.sha256
    assert canonical_json(json.loads(instrument.content)) == instrument.content


def test_the_instrument_holds_questions_choices_and_specs() -> None:
    questions = json.loads(create_published().content)["questions"]
    assert [question["key"] for question in questions] == ["tax", "fruit", "region"]
    assert questions[0]["mechanism"]["rows"] == [[3, 1], [1, 3]]
    assert questions[1]["choices"][-1] == DECLINE
    assert questions[1]["mechanism"]["size"] == 5
    assert questions[2]["mechanism"] is None


def test_prefer_not_to_say_makes_a_yes_no_question_a_direct_one_of_three() -> None:
    survey = create_draft()
    add_yes_no(survey, design="direct", parameters={"epsilon": "1"}, decline=True)
    item = parse_instrument(publish_survey(survey)).items[0]
    assert item.choices == ("No", "Yes", DECLINE)
    assert item.mechanism.size == 3


def test_the_instrument_says_language_mode_and_whether_to_ask_back() -> None:
    survey = create_draft(language="de", comprehension=True)
    add_yes_no(survey, mode="spinner")
    content = json.loads(publish_survey(survey).content)
    assert (content["language"], content["comprehension"]) == ("de", True)
    assert content["questions"][0]["mode"] == "spinner"


def test_a_mode_that_does_not_fit_is_not_published() -> None:
    survey = create_draft()
    add_yes_no(survey, design="generalized", parameters={"p": "3/4", "q": "3/4"}, mode="spinner")
    with pytest.raises(Refused, match="“Spinner” works for yes/no questions"):
        publish_survey(survey)


def test_a_survey_published_before_there_were_modes_is_still_read() -> None:
    content = json.loads(create_published().content)
    del content["comprehension"]
    for question in content["questions"]:
        del question["mode"], question["harmless"]
    before = parse("0" * 64, canonical_json(content))
    assert [item.mode for item in before.items] == ["automatic"] * 3
    assert not before.comprehension


def test_the_instrument_holds_a_switch_only_where_it_is_on() -> None:
    off, on = (
        create_draft(),
        create_draft(
            create_researcher("bea"),
            neutral_title=True,
            shared_device=True,
            results_after_closing=True,
        ),
    )
    for survey in (off, on):
        add_yes_no(survey)
    without, with_them = (json.loads(publish_survey(survey).content) for survey in (off, on))
    new = {"neutral_title", "shared_device", "results_after_closing"}
    assert with_them.keys() - without.keys() == new
    assert all(with_them[name] is True for name in new)
    assert parse_instrument(on.instrument).shared_device
    assert not parse_instrument(off.instrument).shared_device


def test_all_versions_are_of_one_series() -> None:
    first = create_published().survey
    second = new_version(first, first.owner)
    publish_survey(second)
    third = new_version(second, first.owner)
    publish_survey(third)
    assert [parse_instrument(each.instrument).series for each in (first, second, third)] == [
        first.slug
    ] * 3
    assert "series" not in json.loads(first.instrument.content)
    assert json.loads(third.instrument.content)["series"] == first.slug


def test_texts_cannot_end_the_script_element_they_stand_in() -> None:
    survey = create_draft(title="</script><script>alert(1)</script> & <!--")
    add_yes_no(survey)
    content = publish_survey(survey).content
    assert not set("<>&") & set(content)
    assert json.loads(content)["title"] == survey.title


def test_every_body_fits_the_declared_length() -> None:
    instrument = create_published()
    frozen = parse_instrument(instrument)
    body = {"instrument": frozen.sha256, "key": "0" * 36, "reports": REPORTS}
    assert (
        len(json.dumps(body, separators=(",", ":"))) == frozen.length == body_length(frozen.items)
    )


def test_specs_in_the_instrument_round_trip() -> None:
    for question in json.loads(create_published().content)["questions"]:
        if question["mechanism"]:
            assert from_spec(question["mechanism"]).spec() == question["mechanism"]


def test_an_empty_survey_is_refused() -> None:
    with pytest.raises(Refused, match="Add at least one question"):
        publish_survey(create_draft())


def test_a_wrong_question_is_named() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, labels=["Only one"])
    with pytest.raises(Refused, match=r"Question 2 .*At least two choices"):
        publish_survey(survey)
    survey.refresh_from_db()
    assert survey.is_draft


def test_publishing_twice_is_refused() -> None:
    instrument = create_published()
    with pytest.raises(Refused, match="already published"):
        publish_survey(instrument.survey)


def test_what_is_published_does_not_change_with_the_draft() -> None:
    instrument = create_published()
    Question.objects.update(text="Changed behind the scenes")
    instrument.refresh_from_db()
    assert "Changed" not in instrument.content


def test_closing_and_reopening_only_where_it_makes_sense() -> None:
    instrument = create_published()
    with pytest.raises(Refused):
        reopen(instrument.survey)
    close_survey(instrument.survey)
    with pytest.raises(Refused):
        close_survey(instrument.survey)
    reopen(instrument.survey)


def test_a_survey_too_long_to_send_is_refused(settings) -> None:
    settings.SUBMISSION_LIMIT = 200
    survey = create_draft()
    add_choice(survey, labels=[str(number) for number in range(100)])
    with pytest.raises(Refused, match="bytes long"):
        build_definition(survey)


def test_the_total_epsilon_is_never_below_the_sum_of_its_questions() -> None:
    """Adding floats loses a last digit now and then, which promises more than there is; four digits stay the same."""
    frozen = parse_instrument(create_published())
    lost = 0
    for tenths in itertools.combinations(range(6, 16), 3):
        mechanisms = [GeneralizedResponse.from_epsilon(number / 10) for number in tenths]
        items = tuple(
            dataclasses.replace(frozen.items[0], mechanism=mechanism) for mechanism in mechanisms
        )
        total = dataclasses.replace(frozen, items=items).epsilon
        exact = sum(Fraction(mechanism.epsilon) for mechanism in mechanisms)
        added = sum(mechanism.epsilon for mechanism in mechanisms)
        assert Fraction(total) >= exact
        assert round_up(total) == round_up(added)
        lost += Fraction(added) < exact
    assert lost > 0
