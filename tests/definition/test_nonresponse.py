"""“Prefer not to say” at a background question: one more code at the end, which every later room knows."""

import csv
import io
import json

import numpy as np
import pytest
from django.test import Client

from features.regression.model.model import model
from features.regression.model.wording import sentences
from features.statistical_packages.scripts.spss import spss_syntax
from features.statistical_packages.scripts.stata import stata_do
from features.weighting.strata import strata
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files import survey_file
from surveys.authoring.planning.overview import overview
from surveys.definition.freezing import freeze
from surveys.definition.parsing import paper, parse
from surveys.export.codebook import as_markdown, codebook
from surveys.fieldwork.responses.background_groups import cut
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import InvalidReports, decode, encode
from surveys.models import Instrument, Question, Survey
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import sight
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import EVERYBODY, report
from surveys.results.figures.histogram import distribution
from surveys.results.report.headlines import finding
from tests.api.test_reading import client_of
from tests.factories import import_files, surveys
from tests.factories.analysis_surveys import on_paper
from tests.factories.import_files import send
from tests.factories.many_responses import fill
from tests.factories.responses import answered, store
from tests.factories.surveys import publish
from tests.helpers.exports import csv_of

pytestmark = pytest.mark.django_db
DECLINE = "Prefer not to say"


def about_age(survey: Survey, **more: object) -> Question:
    asked = {"kind": "number", "text": "How old?", "key": "age", "minimum": "18", "maximum": "97", "cut": True}
    return save_question(survey=survey, **(asked | more))


def about_region(survey: Survey, **more: object) -> Question:
    asked = {"kind": "background", "text": "Where?", "key": "region", "choices": ["North", "South"], "cut": True}
    return save_question(survey=survey, **(asked | more))


@pytest.fixture
def survey() -> Survey:
    """tax, and two background questions that may be declined."""
    survey = surveys.draft()
    surveys.yes_no(survey)
    about_region(survey)
    about_age(survey)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish(survey)


def test_a_new_background_question_offers_it_and_an_old_one_stays_as_it_is(survey: Survey) -> None:
    region = survey.questions.get(key="region")
    assert region.decline
    assert not about_region(survey, question=region, decline=False).decline
    assert not about_region(survey, question=region).decline
    asked = {"key": "region", "text": "Where?", "kind": "yes-no", "design": "two-coin"}
    assert not save_question(survey=survey, question=region, **asked).decline  # to be chosen at a sensitive one
    assert about_region(survey, question=region).decline


def test_it_is_the_last_code_and_named_in_the_instrument_only_where_it_is_used(survey: Survey) -> None:
    frozen = freeze(survey)
    region, age = frozen.items[1:]
    assert region.choices == ("North", "South", DECLINE)
    assert (age.choices[0], age.choices[-2:], age.size) == ("18", ("97", DECLINE), 81)
    assert [item.declined for item in frozen.items] == [None, 2, 80]
    assert age.numbers == range(18, 98)
    assert [question.get("aside") for question in json.loads(frozen.content)["questions"]] == [None, True, True]
    survey.questions.update(decline=False)
    without = freeze(survey)
    assert [item.declined for item in without.items] == [None, None, None]
    assert '"aside"' not in without.content
    assert parse(frozen.sha256, frozen.content) == frozen


def test_it_speaks_the_language_of_the_survey() -> None:
    survey = surveys.draft(language="de")
    assert freeze_one(survey, about_region(survey)).choices[-1] == "Keine Angabe"


def freeze_one(survey: Survey, question: Question):
    return next(item for item in freeze(survey).items if item.key == question.key)


def test_typing_it_as_well_is_told() -> None:
    with pytest.raises(ValueError, match="added automatically"):
        about_region(surveys.draft(), choices=["North", "South", "prefer not to say"])


def test_the_record_holds_the_code_and_nothing_beyond_it(instrument: Instrument) -> None:
    frozen = paper(instrument)
    record = encode(frozen, {"tax": 1, "region": 2, "age": 80})
    assert tuple(decode(frozen, record)[0]) == (1, 2, 80)
    for wrong in ({"tax": 1, "region": 3, "age": 80}, {"tax": 1, "region": 2, "age": 81}):
        with pytest.raises(InvalidReports):
            encode(frozen, wrong)


def given(instrument: Instrument, n: int = 300) -> None:
    """A third declines to say where; 60 decline to say how old, all others are 20, 40 or 60."""
    rng = np.random.default_rng(4)
    ages = np.resize([2, 22, 42, 2, 80], n)
    answered(
        instrument, n, tax=rng.integers(0, 2, n).tolist(), region=np.resize([0, 1, 2], n).tolist(), age=ages.tolist()
    )


def test_the_report_counts_who_declined_and_makes_no_number_of_them(instrument: Instrument) -> None:
    given(instrument)
    seen = sight(instrument, has_rows=True)
    _, region, age = report(instrument, seen=seen).questions
    assert [choice.label for choice in region.choices] == ["North", "South", DECLINE]
    assert [choice.observed for choice in region.choices] == pytest.approx([1 / 3] * 3)
    assert "100 of 300 preferred not to say (33%)." in finding(region).detail
    found = distribution(age)
    assert (found.n, found.mean, found.quartiles[1]) == (240, pytest.approx(35), 20)
    assert "60 of 300 preferred not to say" in finding(age).detail
    assert finding(age).sentence == "Old: 35.0 on average (95% range 32.9 to 37.1)."


def test_a_number_that_nobody_gave_is_said_so(client: Client, instrument: Instrument) -> None:
    answered(instrument, 100, tax=[0] * 100, region=[0] * 100, age=[80] * 100)
    age = report(instrument, seen=sight(instrument, has_rows=True)).questions[2]
    assert finding(age).sentence == "No one gave a number."
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/report/")
    assert page.status_code == 200
    assert "No one gave a number." in page.content.decode()
    assert client.get(f"/surveys/{instrument.survey.slug}/report/age/shares.svg").status_code == 200


def test_who_declined_can_be_picked_and_is_a_group_of_the_cut(instrument: Instrument) -> None:
    given(instrument)
    rows = sight(instrument, has_rows=True)
    assert report(instrument, group=Group((("region", (2,)),)), seen=rows).n == 100
    assert rows.words(Group((("age", (80,)),))).endswith(f"“{DECLINE}”")
    close_survey(instrument.survey)
    cut(instrument)
    groups = sight(instrument, has_rows=False)
    assert DECLINE in groups.groups["region"].names
    assert groups.groups["age"].names[-1].endswith(DECLINE)
    declined = groups.groups["age"].codes[-1]
    assert declined[-1] == 80


@pytest.mark.parametrize(
    ("asked", "n"),
    [
        ({"from-age": "22"}, 120),
        ({"to-age": "22"}, 180),
        ({"from-age": "80"}, 60),
        ({"from-age": "2", "to-age": "22"}, 180),
    ],
)
def test_a_range_of_numbers_picks_nobody_who_declined(
    client: Client, instrument: Instrument, asked: dict[str, str], n: int
) -> None:
    given(instrument)
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/report/", asked)
    assert page.context["report"].n == n


def test_the_bands_of_a_number_end_before_those_who_declined() -> None:
    """Enough people: the last group is of nobody else; an analysis without the right to rows knows it as such."""
    survey = surveys.draft()
    surveys.yes_no(survey)
    about_age(survey)
    instrument = publish(survey)
    answered(instrument, 300, tax=[0, 1] * 150, age=[2] * 100 + [42] * 100 + [80] * 100)
    close_survey(survey)
    cut(instrument)
    seen = sight(instrument, has_rows=False)
    assert seen.groups["age"].codes[-1] == (80,)
    item = next(item for item in seen.frozen.items if item.key == "age")
    assert (item.choices[-1], item.declined) == (DECLINE, len(item.choices) - 1)
    assert seen.unknown("age") == {item.declined}
    assert strata(seen, (item,), EVERYBODY).left_out == 100


def test_a_group_of_those_who_declined_and_those_without_an_answer_is_unknown() -> None:
    """Too few of either: they make one group, which no analysis counts as a place."""
    region = {"key": "region", "kind": "background", "choices": ["North", "South"], "cut": True}
    instrument = on_paper({"key": "tax", "kind": "yes-no", "design": "two-coin"}, region)
    store(
        instrument,
        [{"tax": n % 2, "region": at} for n, at in enumerate([0] * 100 + [1] * 100 + [2] * 20 + [None] * 20)],
    )
    close_survey(instrument.survey)
    cut(instrument)
    seen = sight(instrument, has_rows=False)
    assert seen.groups["region"].names == ("North", "South", f"{DECLINE} or no answer")
    assert seen.unknown("region") == {2}
    assert strata(seen, tuple(seen.filterable), EVERYBODY).left_out == 40


def test_a_model_leaves_out_who_gave_no_number_and_says_so(instrument: Instrument) -> None:
    given(instrument)
    seen = sight(instrument, has_rows=True)
    found = model(seen, "tax:1", ["age:number"])
    assert (found.n, found.left_out) == (240, 60)
    assert "People who preferred not to give a number for Old are left out." in sentences(found)
    in_groups = model(seen, "tax:1", ["age:groups"])
    assert (in_groups.n, in_groups.left_out) == (300, 0)
    assert DECLINE in [row.level.label for row in in_groups.comparisons]
    assert "left out" not in " ".join(sentences(in_groups))
    both = model(seen, "tax:1", ["age:number", "region"])
    assert both.n == 240
    assert DECLINE in [row.level.label for row in both.comparisons]


def test_a_model_of_those_who_declined_is_refused(instrument: Instrument) -> None:
    answered(instrument, 100, tax=[0] * 100, region=[0] * 100, age=[80] * 100)
    with pytest.raises(TooFew, match="0 people"):
        model(sight(instrument, has_rows=True), "tax:1", ["age:number"])


def test_the_mean_of_a_number_is_of_those_who_gave_one(instrument: Instrument) -> None:
    """As an outcome, in a model and in groups side by side."""
    given(instrument)
    seen = sight(instrument, has_rows=True)
    found = model(seen, "age", ["region"])
    assert found.outcome.is_mean
    by_region = {row.level.label: row.corrected for row in found.comparisons}
    ages, regions = np.resize([20, 40, 60, 20, np.nan], 300), np.resize(["North", "South", DECLINE], 300)
    for label, mean in by_region.items():
        assert mean == pytest.approx(np.nanmean(ages[regions == label]))
    address = f"/api/v1/surveys/{instrument.survey.slug}/report/groups/"
    side = client_of(instrument.survey.owner).get(address, {"outcome": "age", "by": "region"})
    assert side.status_code == 200, side.content
    assert "NaN" not in side.content.decode()


def test_who_declined_has_no_known_share(instrument: Instrument) -> None:
    given(instrument)
    ada = client_of(instrument.survey.owner)
    address = f"/api/v1/surveys/{instrument.survey.slug}/report/weighted/"
    found = ada.get(address, {"margins": "region:0.4,0.6"}).json()
    assert (found["n"], found["left_out"]) == (200, 100)
    refused = ada.get(address, {"margins": "region:0.4,0.5,0.1"})
    assert refused.status_code in (400, 422)
    assert "needs 2 shares" in refused.content.decode()


def test_files_name_it(instrument: Instrument) -> None:
    frozen = paper(instrument)
    answered(instrument, 40, tax=[0] * 40, region=[2] * 40, age=[80] * 40)
    variables = {each["name"]: each for each in codebook(frozen)["variables"]}
    assert variables["region"]["declined"] == 2
    assert variables["age"]["choices"][80]["label"] == DECLINE
    assert "declined" not in variables["tax"]
    assert f"Reported as: number from 18 to 97, or nothing and age_declined = 1 for “{DECLINE}”." in as_markdown(frozen)
    coded = next(csv.DictReader(io.StringIO(csv_of(instrument))))
    assert (coded["region"], coded["age"], coded["age_declined"]) == ("2", "", "1")
    labelled = next(csv.DictReader(io.StringIO(csv_of(instrument, "responses-excel.csv"))))
    assert (labelled["region"], labelled["age"]) == (DECLINE, DECLINE)
    spss = spss_syntax(frozen)
    assert f"VALUE LABELS age_declined\n  0 'Not declined'\n  1 '{DECLINE}'." in spss
    assert "VARIABLE LEVEL age (SCALE)." in spss
    assert f'1 `"{DECLINE}"\', add' in stata_do(frozen)


def test_a_file_of_a_survey_keeps_it(survey: Survey) -> None:
    about_region(survey, key="town", decline=False)
    copy = survey_file.duplicate(survey, survey.owner)
    assert [question.decline for question in copy.questions.all()] == [False, True, True, False]
    assert freeze(copy).items == freeze(survey).items


def test_programs_get_and_set_it(survey: Survey) -> None:
    ada = client_of(survey.owner)
    asked = {"kind": "background", "text": "Where?", "choices": ["A", "B"]}
    questions = [asked | {"key": "a"}, asked | {"key": "b", "decline": False}, asked | {"key": "c", "decline": None}]
    made = ada.post(
        "/api/v1/surveys/", {"title": "New", "questions": questions}, content_type="application/json"
    ).json()
    assert [each["decline"] for each in made["questions"]] == [True, False, True]


def test_a_form_of_odk_brings_it(survey: Survey) -> None:
    form = """| survey | | | | | |
| | type | name | label | constraint | rr::decline |
| | select_one place | region | Where? | | |
| | select_one sex | sex | Sex? | | |
| | select_one sex | again | Sex? | | yes |
| | integer | age | How old? | . >= 18 and . <= 99 | yes |
| | integer | years | Years? | . >= 1 and . <= 9 | perhaps |
| choices | | | | | |
| | list_name | name | label | | |
| | place | n | North | | |
| | place | s | South | | |
| | place | x | Prefer not to say | | |
| | sex | f | Female | | |
| | sex | m | Male | | |
"""
    ada = client_of(survey.owner)
    answer = ada.post("/api/v1/xlsform/", form.encode(), content_type="application/octet-stream")
    assert answer.status_code == 201, answer.content
    made = Survey.objects.exclude(pk=survey.pk).get()
    found = {question.key: (question.decline, question.choices.count()) for question in made.questions.all()}
    assert found == {"region": (True, 2), "sex": (False, 2), "again": (True, 2), "age": (True, 0), "years": (False, 0)}
    assert "“rr::decline” is “perhaps”" in answer.content.decode()


def test_files_of_answers_hold_it_as_words_or_as_a_code() -> None:
    asked = {"kind": "number", "key": "age", "text": "Age?", "minimum": "18", "maximum": "99"}
    survey = import_files.only(**asked)
    send(survey, b"age\n18\n99\nPrefer not to say\nprefer not to  say\n", {"questions": {"age": {"as": "labels"}}})
    counts = import_files.tally(survey)["counts"]["age"]
    assert (counts[0], counts[81], counts[82], sum(counts)) == (1, 1, 2, 4)
    said = "“17” is not a whole number from 18 to 99, or “Prefer not to say”."
    again = import_files.only(surveys.researcher("grace"), **asked)
    assert import_files.problems(again, b"age\n17\n", {"questions": {"age": {"as": "labels"}}}) == [(2, "age", said)]
    send(again, b"age\n0\n82\n", {"questions": {"age": {"as": "codes"}}})
    assert import_files.tally(again)["counts"]["age"][82] == 1


def test_invented_people_decline_too(instrument: Instrument) -> None:
    fill(instrument, 2000)
    region = report(instrument, seen=sight(instrument, has_rows=True)).questions[1]
    assert 0.05 < region.share_declined < 0.15


def test_the_editor_offers_it_ticked_and_takes_the_tick_away(client: Client, survey: Survey) -> None:
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/questions/new/")
    assert page.context["form"].initial["declinable"]
    typed = {"kind": "background", "text": "Town?", "key": "town", "choices": "A\nB"}
    client.post(f"/surveys/{survey.slug}/questions/new/", typed | {"declinable": "1"})
    assert survey.questions.get(key="town").decline
    client.post(f"/surveys/{survey.slug}/questions/town/", typed)
    assert not survey.questions.get(key="town").decline
    assert not client.get(f"/surveys/{survey.slug}/questions/town/").context["form"].initial["declinable"]
    lines = {line.key: line.kind_short for line in overview(survey).lines}
    assert lines == {
        "tax": "Yes/no",
        "region": "Single choice, 2",
        "age": "Number, 18 to 97",
        "town": "Single choice, 2",
    }
