"""What goes with an answer: the numbers of the library at every door, what is refused, and who sees what."""

import csv
import html
import io
import re

import numpy as np
import pytest
from django.test import Client
from scipy.special import expit

from features.regression.model.model import model
from features.regression.model.wording import sentences
from mechanisms import (
    CellContrasts,
    ContrastCells,
    GeneralizedResponse,
    Predictor,
    Variable,
    Warner,
    holm,
    least_squares,
    regress,
    regress_on,
)
from surveys.authoring.drafts import question_subset
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import has_report, mark_missing, record_dtype
from surveys.fieldwork.responses.release import add_to_report
from surveys.fieldwork.responses.released import iter_batches
from surveys.models import Instrument, Membership, Question, Survey
from surveys.results.analysis.cells import cells
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView, view_for_reader
from tests.factories.analysis_surveys import get_analysis_page
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NIGERIA = {"design": "forced-response", "parameters": {"truth": "2/3", "yes": "1/6", "no": "1/6"}}


def released(instrument: Instrument, **columns: np.ndarray) -> Instrument:
    """Responses with these reports, as they are stored, in the report at once."""
    rows = np.zeros(len(next(iter(columns.values()))), record_dtype(parse_instrument(instrument)))
    for key, reports in columns.items():
        rows[key] = reports
    add_to_report(instrument, rows.tobytes())
    return instrument


def nigeria(women: int = 1123, **design: object) -> Instrument:
    """Blair, Imai and Zhou (2015): 1,312 men, of whom 497 reported Yes, and 1,123 women, of whom 334 did."""
    survey = create_draft()
    add_yes_no(survey, "contact", **(design or NIGERIA))
    add_background(survey, "sex", ("Men", "Women"))
    sex = np.repeat([0, 1], [1312, women])
    said = np.concatenate([np.arange(1312) < 497, np.arange(women) < 334])
    return released(publish_survey(survey), contact=said, sex=sex)


def number(survey: Survey) -> None:
    found = add_background(survey, "age", ())
    Question.objects.filter(pk=found.pk).update(kind="number", minimum=18, maximum=79)


def owner(instrument: Instrument) -> Client:
    client = Client()
    client.force_login(instrument.survey.owner)
    return client


def api(client: Client, instrument: Instrument, rest: str):
    return client.get(f"/api/v1/surveys/{instrument.survey.slug}/report/{rest}")


def page(client: Client, instrument: Instrument, rest: str):
    return client.get(f"/surveys/{instrument.survey.slug}/report/{rest}")


def test_the_counts_of_a_published_survey_give_the_published_numbers_at_every_door() -> None:
    made = nigeria()
    client = owner(made)
    asked = "outcome=contact:1&explain=sex"
    told = api(client, made, f"model/?{asked}")
    assert told.status_code == 200, told.content
    found = told.json()
    men, women = found["terms"]
    assert (men["label"], men["n"], men["difference"]) == ("Men", 1312, None)
    assert women["coefficient"] == pytest.approx(-0.648702036683, abs=1e-10)
    assert women["standard_error"] == pytest.approx(0.159425376584, abs=1e-10)
    assert women["difference"] == pytest.approx(-0.1220900164, abs=1e-10)
    assert found["log_likelihood"] == pytest.approx(-1554.010088098, abs=1e-8)
    assert found["tests"][0]["statistic"] == pytest.approx(17.9174484492, abs=1e-8)
    assert (found["verdict"], found["model"], found["n"]) == ("fine", "logit", 2435)
    (row,) = [
        row
        for row in csv.DictReader(
            io.StringIO(page(client, made, f"model.csv?{asked}").content.decode())
        )
        if row["group"] == "Women"
    ]
    assert float(row["difference"]) == women["difference"]
    compared = get_analysis_page(client, made, f"linked/?{asked}")
    assert compared.status_code == 302  # one question of groups alone is a comparison of groups
    assert compared["Location"].endswith("?by=sex")
    assert client.get(compared["Location"]).status_code == 200


def asked_of_all(n: int = 3000, *cut: str, seed: int = 1) -> Instrument:
    """tax goes with region and, less, with age; fruit goes with region; region tells the coast, and colour nothing."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(
        survey, labels=("Apple", "Pear", "Plum"), design="direct", parameters={"epsilon": "1.6"}
    )
    add_choice(
        survey,
        "pets",
        ("Cat", "Dog", "Fish"),
        kind="any",
        design="unary-any",
        parameters={"epsilon": "1.6"},
    )
    add_background(survey, "region", ("North", "East", "South"))
    add_background(survey, "coast", ("Yes", "No"))
    add_background(survey, "colour", ("Red", "Blue"))
    number(survey)
    survey.questions.filter(key__in=cut).update(cut=True)
    made, rng = publish_survey(survey), np.random.default_rng(seed)
    items = {item.key: item.mechanism for item in parse_instrument(made).items}
    region, age = rng.choice(3, n, p=(0.5, 0.3, 0.2)), rng.integers(0, 62, n)
    tax = rng.random(n) < 0.25 + 0.25 * (region == 2) + age / 400
    fruit = (
        rng.random((n, 1)) > np.cumsum([[0.5, 0.3], [0.3, 0.3], [0.2, 0.3]], axis=1)[region]
    ).sum(axis=1)
    pets = np.stack(
        [np.where(rng.random(n) < 0.85, tax, ~tax), rng.random(n) < 0.5, rng.random(n) < 0.1],
        axis=1,
    ).astype(int)
    return released(
        made,
        tax=items["tax"].randomize(tax.astype(int), rng),
        fruit=items["fruit"].randomize(fruit, rng),
        pets=items["pets"].randomize_packed(pets, rng),
        region=region,
        coast=region == 0,
        colour=rng.integers(0, 2, n),
        age=age,
    )


def columns(made: Instrument) -> np.ndarray:
    """All rows as they are stored."""
    return np.concatenate(list(iter_batches(made)))


def test_a_model_is_that_of_the_library_row_by_row(settings) -> None:
    made = asked_of_all()
    rows, tax = columns(made), parse_instrument(made).items[0].mechanism
    design = np.column_stack(
        [np.ones(3000), rows["region"] == 1, rows["region"] == 2, (rows["age"] + 18) / 10]
    )
    expected = regress(tax, rows["tax"], design)
    found = model(ReaderView(made), "tax:1", ["region", "age:number"])
    _, east, south, age = found.comparisons
    assert [each.level.key for each in found.comparisons] == [
        "region:0",
        "region:1",
        "region:2",
        "age",
    ]
    assert [each.coefficient for each in (east, south, age)] == pytest.approx(
        expected.coefficients[1:].tolist()
    )
    assert [each.standard_error for each in (east, south, age)] == pytest.approx(
        expected.standard_errors[1:].tolist()
    )
    shares = least_squares(tax, rows["tax"], design)
    assert [each.difference for each in (east, south, age)] == pytest.approx(
        shares.coefficients[1:].tolist()
    )
    patterns, place = np.unique(design, axis=0, return_inverse=True)
    line = tax.line()
    cells = ContrastCells(
        np.bincount(place),
        np.bincount(place, rows["tax"] == 1),
        patterns,
        line.slope[1],
        line.offset[1],
    )
    members = np.stack([patterns[:, 1] == 1, patterns[:, 2] == 1, np.zeros(len(patterns), bool)])
    rule = CellContrasts(cells, np.eye(4)[1:], members, comparisons=3)
    assert [each.together for each in (east, south, age)] == list(
        map(pytest.approx, rule.intervals)
    )
    assert [each.p for each in (east, south, age)] == pytest.approx(rule.p_values.tolist())
    assert [test.statistic for test in found.tests] == pytest.approx(
        [expected.test([1, 2]).statistic, expected.test(3).statistic]
    )
    assert south.n == (rows["region"] == 2).sum()
    assert holm([each.p for each in (east, south, age)]).tolist() == [
        each.p_holm for each in (east, south, age)
    ]


def test_least_squares_and_all_answers_at_once_are_those_of_the_library() -> None:
    made = asked_of_all()
    rows, items = columns(made), parse_instrument(made).items
    design = np.column_stack([np.ones(3000), rows["region"] == 1, rows["region"] == 2])
    shares = model(ReaderView(made), "tax:1", ["region"], kind="shares")
    expected = least_squares(items[0].mechanism, rows["tax"], design)
    assert [row.difference for row in shares.comparisons[1:]] == pytest.approx(
        expected.coefficients[1:].tolist()
    )
    assert (shares.errors, shares.log_likelihood, shares.verdict) == ("HC1", None, None)
    every = model(ReaderView(made), "fruit", ["region"])
    several = regress(items[1].mechanism, rows["fruit"], design, choice=None)
    assert every.kind == "all"
    got = [
        [row.coefficient for row in every.comparisons if row.answer == answer][1:]
        for answer in (1, 2)
    ]
    assert np.array(got) == pytest.approx(several.coefficients[1:].T)
    differences = np.array(
        [row.difference for row in every.comparisons if row.difference is not None]
    ).reshape(3, 2)
    assert differences.sum(axis=0) == pytest.approx(0)
    marks = np.unpackbits(rows["pets"], axis=1, count=3)[:, 0]
    cat = model(ReaderView(made), "pets:0", ["region"])
    (stays_no, _), (_, stays_yes) = items[2].mechanism.probabilities()
    one = regress(GeneralizedResponse(stays_yes, stays_no), marks, design)
    assert [row.coefficient for row in cat.comparisons[1:]] == pytest.approx(
        one.coefficients[1:].tolist()
    )


def truth_effect(expected: Predictor, colour: np.ndarray) -> float:
    """The mean difference between whoever the truth is true of and everybody else."""
    odds = expected.coefficients[0] + expected.coefficients[1] * colour
    return float(np.mean(expit(odds + expected.coefficients[2]) - expit(odds)))


def test_a_scrambled_question_explains_as_the_library_says() -> None:
    made = asked_of_all(20_000)
    rows, tax = columns(made), parse_instrument(made).items[0].mechanism
    marks = np.unpackbits(rows["pets"], axis=1, count=3)[:, 0]
    (stays_no, _), (_, stays_yes) = parse_instrument(made).items[2].mechanism.probabilities()
    cat = GeneralizedResponse(stays_yes, stays_no)
    expected = regress_on(
        Variable(marks, cat), tax, rows["tax"], np.column_stack([np.ones(20_000), rows["colour"]])
    )
    found = model(ReaderView(made), "pets:0", ["colour", "tax:1"])
    assert (truth_effect(expected, rows["colour"])) == pytest.approx(
        found.comparisons[2].difference, abs=1e-4
    )
    (colour,) = (
        row
        for row in found.comparisons
        if row.level.term.key == "colour" and row.coefficient is not None
    )
    truth = found.comparisons[2]
    largest = np.bincount(rows["colour"]).argmax()
    assert truth.coefficient == pytest.approx(expected.coefficients[2], rel=1e-4)
    assert abs(colour.coefficient) == pytest.approx(abs(expected.coefficients[1]), rel=1e-3)
    assert colour.level.kinds == (1 - largest,)
    assert 0.5 < truth.difference < 0.9
    assert truth.level.key == "tax:1"
    assert "(estimated; no one’s own answer is known)" in " ".join(sentences(found))


def test_what_would_be_certain_given_a_truth_is_refused() -> None:
    """The same answer twice: whoever said Yes to the one would have said Yes to the other."""
    survey = create_draft()
    add_yes_no(survey)
    add_yes_no(survey, "again")
    truths, rng = np.arange(4000) % 3 == 0, np.random.default_rng(4)
    warner = Warner("3/4")
    reports = {key: warner.randomize(truths.astype(int), rng) for key in ("tax", "again")}
    made = released(publish_survey(survey), **reports)
    answer = api(owner(made), made, "model/?outcome=tax:1&explain=again:1")
    assert answer.json()["type"] == "/problems/too-few"
    assert "too close to certain for so few responses" in answer.json()["detail"]


REFUSED = [
    ("outcome=tax:1", "explain", "at least one possible factor"),
    ("explain=region", "outcome", "no question"),
    ("outcome=tax:7&explain=region", "outcome", "not an answer"),
    ("outcome=nothing:1&explain=age", "outcome", "tax, fruit, pets, region"),
    ("outcome=region:1&explain=region,age:number", "explain", "explain itself"),
    ("outcome=tax:1&explain=region&model=mean", "model", "no mean"),
    ("outcome=tax:1&explain=nothing", "explain", "region, coast, colour, age"),
    ("outcome=tax:1&explain=tax:1", "explain", "explain itself"),
    ("outcome=tax:1&explain=region,region", "", ""),
    ("outcome=tax:1&explain=age:number,age:groups", "explain", "twice"),
    (
        "outcome=tax:1&explain=region,coast",
        "explain",
        "“Yes” of “About coast?” follows from the answers to “About region?”",
    ),
    ("outcome=fruit:0&explain=tax:1,pets:0", "explain", "At most one scrambled"),
    ("outcome=fruit:0&explain=tax:1&model=shares", "model", "the logit of one answer"),
    ("outcome=pets&explain=region", "outcome", "Several answers"),
    ("outcome=tax:1&explain=region&model=all", "outcome", "send only tax"),
    ("outcome=fruit&explain=region&model=logit", "outcome", "Choose one answer"),
    ("outcome=tax:1&explain=region&model=none", "model", "Choose one of logit"),
    ("outcome=tax:1&explain=age:none", "explain", "age:number"),
]


@pytest.mark.parametrize(("asked", "place", "words"), REFUSED)
def test_what_is_wrong_is_said_at_its_place(asked: str, place: str, words: str) -> None:
    made = asked_of_all(400)
    client = owner(made)
    answer = api(client, made, f"model/?{asked}")
    shown = get_analysis_page(client, made, "linked/?" + asked.replace(",", "&explain="))
    if not place:
        assert (answer.status_code, shown.status_code) == (200, 302)  # one question of groups alone
        return
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid")
    assert words in answer.json()["errors"][place]
    assert shown.status_code == 422
    field = place if place in shown.context["form"].fields else "__all__"
    assert words in " ".join(shown.context["form"].errors[field])
    assert words in html.unescape(shown.content.decode())
    assert page(client, made, f"model.svg?{asked.replace(',', '&explain=')}").status_code == 422


def test_too_few_people_are_refused_with_their_number() -> None:
    made = asked_of_all(99)
    answer = api(owner(made), made, "model/?outcome=tax:1&explain=region")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/too-few")
    assert "99 people have answered" in answer.json()["detail"]
    assert (
        "A model needs 100 or more"
        in get_analysis_page(
            owner(made), made, "linked/?outcome=tax:1&explain=region&explain=age:number"
        ).text
    )


def test_a_group_of_few_people_is_in_the_model_and_its_size_is_nowhere() -> None:
    made = nigeria(women=29)
    found = model(ReaderView(made), "contact:1", ["sex"])
    assert found.comparisons == ()  # nor of the others: all less them are 29
    assert sentences(found)[0] == "No groups are large enough to compare."
    wanted = "outcome=contact:1&explain=sex"
    shown = get_analysis_page(owner(made), made, f"linked/?{wanted}&model=logit").content.decode()
    terms = api(owner(made), made, f"model/?{wanted}").json()["terms"]
    assert not re.search(
        r"\b29\b", shown.partition('aria-label="Result"')[2].partition("for experts")[0]
    )
    assert terms == []


def test_where_odds_cannot_be_believed_experts_read_why() -> None:
    made = nigeria(design="warner", parameters={"p": "2/3"})
    found = api(owner(made), made, "model/?outcome=contact:1&explain=sex").json()
    assert (found["verdict"], found["asked"], found["model"]) == ("boundary", "logit", "shares")
    assert found["effective_events"] < 3
    assert [term["odds_ratio"] for term in found["terms"]] == [None, None]
    assert "odds" not in found["sentence"]


def test_ranges_of_groups_have_the_confidence_of_the_page() -> None:
    view = ReaderView(asked_of_all(2000))
    widths = []
    for confidence in (0.8, 0.95):
        result = model(view, "tax:1", ["region"], confidence=confidence)
        low, high = result.comparisons[0].corrected_interval
        widths.append(high - low)
    assert widths[0] == pytest.approx(widths[1] * 1.2816 / 1.96, rel=0.02)


def test_no_sentence_names_a_cause_or_says_significant() -> None:
    made = asked_of_all(8000)
    said = " ".join(sentences(model(ReaderView(made), "tax:1", ["region", "age:groups", "colour"])))
    assert re.search(
        r"Tax: [\d.]+ points higher in “South” than in “North”, adjusted for Age and Colour "
        r"\(95% range [\d.]+ to [\d.]+\)\.",
        said,
    )
    assert "These are associations. They don’t show cause and effect." in said
    assert said.endswith("up to about 5 in 100 surveys would show one somewhere on this page.")
    assert not re.search("significan|because|leads to", said)


def colleague(instrument: Instrument, role: str = "analyst") -> Client:
    client, person = Client(), create_researcher(role)
    Membership.objects.create(survey=instrument.survey, user=person, role=role)
    client.force_login(person)
    return client


def test_without_the_right_to_rows_a_model_is_made_of_the_cut_and_nothing_finer() -> None:
    made = asked_of_all(3000, "region", "age")
    analyst = colleague(made)
    asked = "model/?outcome=tax:1&explain=region,age"
    assert api(analyst, made, asked).json()["type"] == "/problems/not-of-the-cut"
    close_survey(made.survey)
    found = api(analyst, made, asked)
    assert found.status_code == 200, found.content
    found = found.json()
    assert "They never become finer." in found["note"]
    bands = [term["label"] for term in found["terms"] if term["key"].startswith("age")]
    seen = view_for_reader(Instrument.objects.get(pk=made.pk), has_rows=False)
    assert bands == list(seen.answer_groups["age"].names)
    rows = columns(made)
    groups = np.searchsorted(seen.answer_groups["age"].starts, rows["age"], side="right") - 1
    reference = np.bincount(groups).argmax()
    dummies = [groups == place for place in range(len(bands)) if place != reference]
    design = np.column_stack([np.ones(3000), rows["region"] == 1, rows["region"] == 2, *dummies])
    expected = regress(parse_instrument(made).items[0].mechanism, rows["tax"], design)
    got = [term["coefficient"] for term in found["terms"] if term["coefficient"] is not None]
    assert got == pytest.approx(expected.coefficients[1:].tolist())
    for wrong in ("explain=colour", "explain=region,fruit:0", "explain=age:number"):
        assert api(analyst, made, f"model/?outcome=tax:1&{wrong}").status_code == 422
    assert "colour" not in get_analysis_page(analyst, made, "linked/").content.decode()
    assert api(analyst, made, "model/?outcome=fruit&explain=region").status_code == 200
    assert api(analyst, made, "model/?outcome=pets:0&explain=region").status_code == 200


def test_whoever_was_not_asked_one_of_the_questions_is_left_out() -> None:
    survey = create_draft(import_only=True)
    add_yes_no(survey)
    add_background(survey)
    lock_questions(survey)
    made = Instrument.objects.get(survey=survey)
    add_invented_responses(made, 2000, missing=0.2)
    found = model(ReaderView(made), "tax:1", ["region"])
    there = [has_report(parse_instrument(made), columns(made), key) for key in ("tax", "region")]
    assert found.n == int((there[0] & there[1]).sum())
    assert found.n + found.left_out == 2000


def test_a_program_that_has_the_answer_already_is_told_so() -> None:
    made = nigeria()
    client = owner(made)
    first = api(client, made, "model/?outcome=contact:1&explain=sex")
    again = client.get(first.wsgi_request.get_full_path(), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert api(client, made, "model/?outcome=contact:0&explain=sex")["ETag"] != first["ETag"]


def test_marks_that_were_picked_by_chance_count_whom_they_were_asked_of() -> None:
    survey = create_draft()
    add_choice(
        survey,
        "pets",
        [f"Pet {v}" for v in range(8)],
        kind="any",
        design="marks",
        parameters={"epsilon": "1.6"},
    )
    add_background(survey, cut=True)
    made = publish_survey(survey)
    region = np.arange(6000) % 2
    pets = np.random.default_rng(5).random((6000, 8)) < 0.2 + 0.5 * region[:, np.newaxis]
    add_responses(made, 6000, region=region, pets=pets.astype(int))
    close_survey(survey)
    stored = Instrument.objects.get(pk=made.pk)
    asked = stored.tally["counts"]["pets"][8 + 3]
    found, seen = (
        model(view_for_reader(stored, has_rows=rows), "pets:3", ["region"])
        for rows in (True, False)
    )
    assert (found.n, found.left_out) == (asked, 6000 - asked)
    assert found.comparisons[1].n + found.comparisons[0].n == asked
    assert abs(found.comparisons[1].difference or found.comparisons[0].difference) == pytest.approx(
        0.5, abs=0.2
    )
    assert [row.difference for row in found.comparisons] == [
        row.difference for row in seen.comparisons
    ]


def test_of_questions_drawn_by_lot_n_is_whoever_was_asked_all_of_the_model() -> None:
    survey = create_draft()
    for key in ("q1", "q2", "q3"):
        add_yes_no(survey, key)
    add_background(survey)
    question_subset.set_draw(survey=survey, count=2, of=["q1", "q2", "q3"], by=survey.owner)
    survey.refresh_from_db()
    made, rng = publish_survey(survey), np.random.default_rng(6)
    stored, without = np.zeros(3000, record_dtype(parse_instrument(made))), rng.integers(0, 3, 3000)
    stored["region"] = rng.integers(0, 2, 3000)
    for place, key in enumerate(("q1", "q2", "q3")):
        stored[key] = np.where(without == place, 0, rng.integers(0, 2, 3000))
    mark_missing(
        parse_instrument(made),
        stored,
        {key: without == place for place, key in enumerate(("q1", "q2", "q3"))},
    )
    add_to_report(made, stored.tobytes())
    found = model(ReaderView(made), "q1:1", ["region"])
    there = [has_report(parse_instrument(made), columns(made), key) for key in ("q1", "q2")]
    assert (found.n, found.left_out) == (there[0].sum(), 3000 - there[0].sum())
    both = cells(
        ReaderView(made),
        [
            SurveyVariable(parse_instrument(made).items[0]),
            SurveyVariable(parse_instrument(made).items[1]),
        ],
    )
    assert (both.n, both.left_out) == (
        (there[0] & there[1]).sum(),
        3000 - (there[0] & there[1]).sum(),
    )


def test_two_questions_that_say_nearly_the_same_are_refused() -> None:
    """Of 4,000 people one answers them differently: the difference was that person's, with a range of 60 points."""
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "here", ("No", "Yes"))
    add_background(survey, "there", ("No", "Yes"))
    made = publish_survey(survey)
    here = np.arange(4000) % 2
    there = np.where(np.arange(4000) == 7, 1 - here, here)
    add_responses(made, 4000, tax=here, here=here, there=there)
    answer = api(owner(made), made, "model/?outcome=tax:1&explain=here,there")
    assert answer.status_code == 422
    assert "are nearly the same. Leave one out." in answer.json()["errors"]["explain"]
