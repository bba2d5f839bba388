"""The trend over an earlier version: what is compared, what is said, and who learns of it."""

import csv
import io
from datetime import date
from math import ceil, floor

import numpy as np
import pytest
from django.test import Client

from features.trend.trend import NothingInCommon, Trend, trend
from features.trend.versions import day_names, earlier_versions
from mechanisms import Differences
from surveys.accounts.tokens import issue_token
from surveys.authoring.files.survey_file import new_version
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Choice, Membership, Survey
from surveys.results.disclosure.access import view_for_reader
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_text_question,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

N = 600


def first_version(**truths: object) -> Survey:
    """Yes/no, four answers, hours and a background question, with N responses."""
    survey = create_draft(create_researcher(), title="Survey then")
    add_yes_no(survey)
    add_choice(survey)
    add_quantity(survey)
    add_background(survey)
    publish_survey(survey)
    add_responses(survey.instrument, N, **({"tax": share(0.2), "hours": np.full(N, 10)} | truths))
    close_survey(survey)
    return survey


def share(part: float, n: int = N) -> np.ndarray:
    return (np.arange(n) < part * n).astype(int)


def next_version(survey: Survey, n: int = N, change: object = None, **truths: object) -> Survey:
    """change: takes the draft before it is published."""
    fresh = new_version(survey, survey.owner)
    if change:
        change(fresh)
    publish_survey(fresh)
    if n:
        add_responses(fresh.instrument, n, seed=2, **({"tax": share(0.5, n)} | truths))
    fresh.refresh_from_db()
    return fresh


def of(now: Survey, earlier: Survey, *, has_rows: bool = True) -> Trend:
    return trend(*(view_for_reader(each.instrument, has_rows=has_rows) for each in (now, earlier)))


def why(now: Survey, earlier: Survey) -> dict[str, str]:
    return {each.name.key: each.sentence for each in of(now, earlier).left_out}


def question(survey: Survey, **more: object) -> None:
    survey.questions.filter(key="tax").update(**more)


def test_all_questions_asked_alike_are_one_family() -> None:
    earlier = first_version()
    result = of(next_version(earlier), earlier)
    assert result.comparisons == 1 + 4 + 1 + 2
    assert result.questions[0].name.key == "tax"
    assert [len(each.changes) for each in result.questions if each.name.key == "tax"] == [1]
    assert not result.left_out
    change = result.clear[0].main
    assert change.change.verdict == "up"
    comparison = change.comparison
    low, high = comparison.interval
    low_alone, high_alone = comparison.interval_alone
    assert low < low_alone < comparison.estimate < high_alone < high
    assert comparison.family == result.family
    assert comparison.p_together == pytest.approx(min(1, 8 * comparison.p))


def test_a_mean_adds_the_squared_errors_of_both_versions() -> None:
    earlier = first_version()
    result = of(next_version(earlier, hours=np.full(N, 30)), earlier)
    change = next(each for each in result.questions if each.name.key == "hours").main
    factor = N / (N - 1)
    versions = (change.now, change.earlier)
    error = np.sqrt(sum(factor * version.mean.standard_error**2 for version in versions))
    low, high = change.comparison.interval_alone
    assert (high - low) / 2 == pytest.approx(1.959963984540054 * error)
    assert change.change.verdict == "up"
    assert "hours since" in change.sentence


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": "Did you ever pay?"}, "Not compared: the wording changed (“About tax?”)."),
        ({"key": "taxes"}, "Not compared: only the earlier version has this question."),
        ({"text": " ABOUT  tax? "}, None),
        ({"parameters": {"p": "4/5"}}, None),
    ],
)
def test_only_the_same_question_is_compared(changes: dict, reason: str | None) -> None:
    earlier = first_version()
    now = next_version(earlier, 0, lambda fresh: question(fresh, **changes))
    add_responses(now.instrument, N, seed=2)
    assert why(now, earlier).get("tax") == reason


def test_other_answers_and_other_units_are_named() -> None:
    def change(fresh: Survey) -> None:
        Choice.objects.filter(question__survey=fresh, label="Quince").update(label="Peach")
        fresh.questions.filter(key="hours").update(unit="days")

    earlier = first_version()
    reasons = why(next_version(earlier, change=change), earlier)
    assert reasons["fruit"] == "Not compared: the answers changed."
    assert reasons["hours"] == "Not compared: the unit changed (“hours”)."


def test_another_condition_is_another_question() -> None:
    earlier = first_version()
    when = {"of": "region", "in": ["North"]}

    def change(fresh: Survey) -> None:
        fresh.questions.filter(key="region").update(position=0)
        question(fresh, when=when)

    assert (
        why(next_version(earlier, change=change), earlier)["tax"]
        == "Not compared: its condition changed."
    )


@pytest.mark.parametrize(
    ("changes", "n", "compared"),
    [
        ({}, 29, False),
        ({}, 30, True),
        ({"parameters": {"p": "4/5"}}, 99, False),
        ({"parameters": {"p": "4/5"}}, 100, True),
    ],
)
def test_each_version_needs_enough_responses(changes: dict, n: int, compared: bool) -> None:
    earlier = first_version()
    now = next_version(earlier, n, lambda fresh: question(fresh, **changes))
    try:
        reason = why(now, earlier).get("tax")
    except NothingInCommon as refusal:
        reason = {each.name.key: each.sentence for each in refusal.left_out}["tax"]
    assert reason == (None if compared else "Not compared: too few responses.")


@pytest.mark.parametrize(("n", "compared"), [(299, False), (300, True)])
def test_scrambled_in_one_version_only_takes_300(n: int, compared: bool) -> None:
    def change(fresh: Survey) -> None:
        fresh.questions.filter(key="tax").delete()
        add_background(fresh, "tax", ("No", "Yes"))

    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_scale(survey)
    publish_survey(survey)
    add_responses(survey.instrument, N, tax=share(0.2))
    result = of(next_version(survey, n, change), survey)
    changes = [each.main for each in result.questions if each.name.key == "tax"]
    assert result.comparisons == 1 + compared
    assert [each.now.name for each in changes] == ["Yes"] * compared
    if compared:
        sides = (changes[0].now.side.reports, changes[0].earlier.side.reports)
        assert changes[0].comparison.interval == pytest.approx(
            Differences(*sides, comparisons=2).simultaneous_intervals[0]
        )


def test_texts_have_no_trend() -> None:
    survey = create_draft(create_researcher())
    add_text_question(survey)
    publish_survey(survey)
    with pytest.raises(NothingInCommon) as refusal:
        of(next_version(survey, 0), survey)
    assert [each.why for each in refusal.value.left_out] == ["short texts have no trend"]


def test_sentences_say_no_more_than_the_interval() -> None:
    earlier = first_version(tax=share(0.2))
    change = of(next_version(earlier, tax=share(0.5)), earlier).clear[0].main
    low, high = change.comparison.interval
    assert change.sentence.endswith(f"(95% range {floor(100 * low)} to {ceil(100 * high)}).")
    assert change.row().label == "Up"
    same = of(next_version(earlier, tax=share(0.2)), earlier)
    other = next(each for each in same.other if each.name.key == "tax")
    assert "no clear change since" in other.line
    assert " down and " in other.line


def test_days_are_as_short_as_they_differ() -> None:
    assert day_names(date(2025, 3, 1), date(2026, 3, 1)) == ("2025", "2026")
    assert day_names(date(2026, 3, 1), date(2026, 6, 1)) == ("March 2026", "June 2026")
    assert day_names(date(2026, 3, 1), date(2026, 3, 9)) == ("1 March 2026", "9 March 2026")


def token(survey: Survey) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Bearer {issue_token(survey.owner, 'test')}"}


def api(survey: Survey, ending: str = "/", **asked: str):
    return Client().get(
        f"/api/v1/surveys/{survey.slug}/report/trend{ending}", asked, **token(survey)
    )


def test_page_api_and_files_have_one_interval(client: Client) -> None:
    earlier = first_version()
    now = next_version(earlier)
    body = api(now).json()
    assert [each["slug"] for each in body["surveys"]] == [earlier.slug, now.slug]
    assert set(body["surveys"][0]) == {"slug", "title", "version", "published", "n"}
    assert set(body) == {"surveys", "confidence", "comparisons", "questions", "left_out"}
    first = body["questions"][0]
    assert set(first) == {"key", "text", "kind", "answers"}
    answer = first["answers"][0]
    assert set(answer) == {
        *(
            "label",
            "values",
            "difference",
            "interval",
            "simultaneous",
            "p",
            "p_together",
            "clear",
            "verdict",
        ),
        *("sentence", "state", "method", "family", "printed"),
    }
    assert [set(each) for each in answer["values"]] == [
        {"slug", "n", "estimate", "interval", "withheld", "state", "method", "family", "printed"}
    ] * 2
    assert answer["values"][0]["slug"] == earlier.slug
    client.force_login(now.owner)
    page = client.get(f"/surveys/{now.slug}/compare/earlier/").content.decode()
    assert answer["sentence"] in page
    low, high = answer["simultaneous"]
    printed = f"+{floor(100 * low)} to +{ceil(100 * high)}"
    assert printed in page
    assert answer["family"] == {"size": body["comparisons"], "confidence": body["confidence"]}
    table = api(now, ".csv").content.decode()
    assert client.get(f"/surveys/{now.slug}/compare/earlier/changes.csv").content.decode() == table
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == body["comparisons"]
    assert (float(rows[0]["low"]), float(rows[0]["high"])) == (low, high)
    drawing = api(now, ".svg").content.decode()
    assert printed in drawing


def test_the_last_readable_version_is_the_default(client: Client) -> None:
    earlier = first_version()
    middle = next_version(earlier)
    close_survey(middle)
    now = next_version(middle)
    assert [each.survey for each in earlier_versions(now.owner, now)] == [middle, earlier]
    assert api(now).json()["surveys"][0]["slug"] == middle.slug
    assert api(now, **{"with": earlier.slug}).json()["surveys"][0]["slug"] == earlier.slug


def test_what_one_may_not_read_does_not_exist(client: Client) -> None:
    """Neither named nor offered: the answers are those of a survey without an earlier version."""
    earlier = first_version()
    now = next_version(earlier)
    alone = create_draft(now.owner)
    add_yes_no(alone)
    publish_survey(alone)
    analyst = create_researcher("eve")
    for survey in (now, alone):
        Membership.objects.create(survey=survey, user=analyst, role="analyst")
    client.force_login(analyst)
    page = client.get(f"/surveys/{now.slug}/compare/earlier/").content.decode()
    assert "There is no earlier version that you can read." in page
    assert earlier.slug not in page
    assert "<select" not in page
    for ending in ("/", "/changes.csv", "/changes.svg"):
        answers = [
            client.get(f"/surveys/{now.slug}/compare/earlier{ending}", {"with": name})
            for name in (earlier.slug, "nosuchsurvey")
        ]
        assert [each.status_code for each in answers] == [404, 404]
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {issue_token(analyst, 'test')}"}
    bodies = [
        Client().get(f"/api/v1/surveys/{slug}/report/trend/", asked, **bearer)
        for slug, asked in (
            (now.slug, {"with": earlier.slug}),
            (now.slug, {"with": "nosuchsurvey"}),
            (now.slug, {}),
            (alone.slug, {}),
        )
    ]
    assert {each.status_code for each in bodies} == {404}
    assert len({each.content for each in bodies}) == 1


def test_a_reader_without_rows_sees_background_answers_only_where_both_reports_show_them() -> None:
    earlier = first_version()
    now = next_version(earlier)
    result = of(now, earlier, has_rows=False)
    assert {each.name.key: each.sentence for each in result.left_out} == {
        "region": "Not compared: you can’t see this question in both reports."
    }
    assert result.comparisons == 1 + 4 + 1


def test_groups_that_differ_between_two_reports_are_not_compared() -> None:
    """Without row access each report has the groups of its own closing."""
    three = np.arange(N) % 3
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_background(survey, labels=("North", "South", "West"), cut=True)
    publish_survey(survey)
    add_responses(survey.instrument, N, region=three)
    close_survey(survey)
    alike, merged = (
        next_version(survey, region=regions) for regions in (three, np.where(three == 2, 0, three))
    )
    for each in (alike, merged):
        close_survey(each)
    assert "region" not in {each.name.key for each in of(alike, survey, has_rows=False).left_out}
    result = of(merged, survey, has_rows=False)
    assert {each.name.key: each.why for each in result.left_out} == {
        "region": "the two reports show it in different groups"
    }
    assert result.comparisons == 1


def test_nothing_in_common_is_said(client: Client) -> None:
    earlier = first_version()
    now = next_version(earlier, 0)
    answer = api(now)
    assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (
        422,
        "nothing-in-common",
    )
    client.force_login(now.owner)
    assert (
        "Nothing in these two versions can be compared."
        in client.get(f"/surveys/{now.slug}/compare/earlier/").content.decode()
    )
