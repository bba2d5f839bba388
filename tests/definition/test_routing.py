"""Paths: whom a question is asked, from the draft to the instrument, the record, the report and epsilon."""

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth.models import User

from mechanisms import GeneralizedResponse
from surveys.authoring.drafts.conditions import validate_condition
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import MUST, points
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import (
    QuestionDefinition,
    body_length,
    largest_losses,
    total_loss,
)
from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing import paths
from surveys.definition.routing.conditions import condition_to_data, parse
from surveys.export.codebook import as_markdown
from surveys.fieldwork.responses.records import InvalidReports, decode, encode, has_report
from surveys.models import Instrument, Question, Survey
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report, summarize
from surveys.results.report.headlines import finding
from surveys.results.report.methods import methods
from surveys.site.errors import Invalid, Refused, Unreadable
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import release_reports
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "paths.json").read_text())
YOUNG = {"of": "age", "from": 18, "to": 25}
WOMEN = {"of": "sex", "in": ["Female"]}


def age(survey: Survey, **more: object) -> Question:
    numbers = {"kind": Question.Kind.NUMBER, "minimum": 16, "maximum": 99}
    position = survey.questions.count() + 1
    return Question.objects.create(
        survey=survey, key="age", text="Age?", position=position, **numbers, **more
    )


def sex(survey: Survey, **more: object) -> Question:
    return add_background(survey, "sex", ("Female", "Male", "Other"), **more)


def asked_of(survey: Survey, key: str, when: dict, **more: object) -> Question:
    return add_yes_no(survey, key, when=when, **more)


def some(owner: User | None = None, **texts: object) -> Survey:
    """tax of everybody, young of those from 18 to 25, care of women of that age."""
    survey = create_draft(owner, **texts)
    age(survey)
    sex(survey)
    add_yes_no(survey)
    asked_of(survey, "young", YOUNG)
    asked_of(survey, "care", {"all": [YOUNG, WOMEN]})
    return survey


def reports(**given: object) -> dict:
    return {"age": 2, "sex": 1, "tax": 0, "young": 1, "care": None} | given


# --- Who is asked.


def items(questions: list[dict]) -> list[QuestionDefinition]:
    lows = {each["key"]: int(each["choices"][0]) for each in questions if each["kind"] == "number"}
    return [
        QuestionDefinition(
            each["key"],
            each["kind"],
            "",
            "",
            tuple(each["choices"]),
            None,
            when="when" in each and parse(each["when"], lows),
        )
        for each in questions
    ]


@pytest.mark.parametrize("case", VECTORS["cases"], ids=str)
def test_a_path_is_what_the_page_makes_of_the_same_answers(case: dict) -> None:
    questions = items(VECTORS["questions"])
    out = paths.left_out(questions, case["answers"].get)
    assert [each.key for each in questions if each.key not in out] == case["asked"]


def test_many_are_told_apart_as_one_is() -> None:
    questions, rng = items(VECTORS["questions"]), np.random.default_rng(1)
    codes = {each.key: rng.integers(each.size, size=300) for each in questions}
    missing = {"age": rng.random(300) < 0.2}
    out = paths.rows_left_out(questions, lambda key: codes[key], missing)
    for place in range(300):
        answers = {
            key: int(found[place])
            for key, found in codes.items()
            if not (key in missing and missing[key][place])
        }
        assert {key for key, found in out.items() if found[place]} == paths.left_out(
            questions, answers.get
        )


def test_a_condition_is_written_as_it_is_read() -> None:
    for question in VECTORS["questions"]:
        if "when" in question:
            assert (
                condition_to_data(parse(question["when"], {"age": 16}), {"age": 16})
                == question["when"]
            )


# --- The instrument.


def test_conditions_stand_in_the_instrument_by_codes_and_numbers() -> None:
    frozen = build_definition(some())
    found = {each["key"]: each.get("when") for each in json.loads(frozen.content)["questions"]}
    assert found["young"] == {"of": "age", "from": 18, "to": 25}
    assert found["care"] == {"all": [{"of": "age", "from": 18, "to": 25}, {"of": "sex", "in": [0]}]}
    assert found["tax"] is None
    assert frozen.keys_with_condition == frozen.keys_with_missing == ("young", "care")
    assert [item.condition_text for item in frozen.items[3:]] == [
        "“Age?” is 18 to 25",
        "“Age?” is 18 to 25 and “About sex?” is “Female”",
    ]


def test_a_survey_without_conditions_has_no_key_more() -> None:
    survey = create_draft()
    add_yes_no(survey)
    content = build_definition(survey).content
    assert not [word for word in ("when", "section_pages") if f'"{word}"' in content]


def test_the_condition_of_a_section_is_that_of_its_questions_beside_their_own() -> None:
    survey = create_draft()
    age(survey)
    sex(survey)
    asked_of(survey, "first", YOUNG, section="The young", when_section=True)
    asked_of(survey, "second", WOMEN)
    add_yes_no(survey, "third", section="Everybody")
    found = [each.get("when") for each in json.loads(build_definition(survey).content)["questions"]]
    women = {"of": "sex", "in": [0]}
    assert found == [None, None, YOUNG, {"all": [YOUNG, women]}, None]


def test_a_body_has_room_for_none() -> None:
    frozen = build_definition(some())
    without = tuple(replace(item, when=None) for item in frozen.items)
    assert (
        frozen.length
        == body_length(frozen.items)
        == body_length(without) + 2 * (len("null") - len("0"))
    )


# --- What is wrong.


def broken(survey: Survey) -> list[str]:
    survey = Survey.objects.get(pk=survey.pk)
    with pytest.raises(Refused) as refused:
        build_definition(survey)
    told = [
        point.sentence
        for point in points(survey, survey_overview(survey))
        if point.severity == MUST
    ]
    assert any(str(refused.value).partition("asked: ")[2] in each for each in told)
    return told


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({"of": "gone", "in": ["x"]}, "“gone”, which is not a question of this survey"),
        (
            {"of": "tax", "in": ["Yes"]},
            "“About tax?”, which is sensitive: a condition on it would reveal",
        ),
        (
            {"of": "later", "in": ["North"]},
            "“About later?”, which is asked after it. Move that question before this one",
        ),
        ({"of": "young", "in": ["Yes"]}, "“About young?”, which is sensitive"),
        (
            {"of": "sex", "in": ["Female", "None"]},
            "“None” is not an answer to “About sex?”. It has “Female”, “Male”, “Other”.",
        ),
        (
            {"of": "age", "from": 5, "to": 10},
            "“Age?” takes numbers from 16 to 99; the condition says 5 to 10.",
        ),
        ({"of": "sex", "from": 1, "to": 2}, "“About sex?” doesn’t ask for a number"),
        ({"of": "age", "in": ["18"]}, "“Age?” asks for a number. Choose a range"),
        ({"all": [YOUNG, {"of": "age", "from": 40, "to": 50}]}, "No one would get this question"),
    ],
)
def test_a_broken_condition_is_named_by_its_place_and_kept(when: dict, said: str) -> None:
    survey = create_draft()
    age(survey)
    sex(survey)
    add_yes_no(survey)
    asked_of(survey, "young", when)
    add_background(survey, "later")
    (told,) = broken(survey)
    assert told.startswith("“About young?”: Condition: ")
    assert said in told
    assert survey.questions.get(key="young").when == when


def test_two_questions_that_wait_for_each_other_are_a_loop() -> None:
    survey = create_draft()
    first = add_background(survey, "first")
    second = add_background(survey, "second")
    for question, other in ((first, second), (second, first)):
        question.when = {"of": other.key, "in": ["North"]}
        question.save()
    (told,) = broken(survey)
    assert "depends on “About second?”, which itself depends on this question" in told


def test_a_question_nobody_reaches_by_way_of_another_is_named() -> None:
    survey = create_draft()
    sex(survey)
    add_background(survey, "child", when=WOMEN)
    asked_of(
        survey, "never", {"all": [{"of": "child", "in": ["North"]}, {"of": "sex", "in": ["Male"]}]}
    )
    (told,) = broken(survey)
    assert told.startswith("“About never?”")
    assert "No one would get this question" in told


# --- Records.


@pytest.mark.parametrize(
    "sent",
    [
        reports(),
        reports(age=0, young=None),
        reports(sex=0, care=1),
        reports(age=9, sex=0, young=1, care=0),
        reports(age=10, sex=0, young=None, care=None),
    ],
)
def test_none_stands_where_the_background_answers_do_not_ask(sent: dict) -> None:
    frozen = build_definition(some())
    rows = decode(frozen, encode(frozen, sent))
    assert [bool(has_report(frozen, rows, key)[0]) for key in ("young", "care")] == [
        sent[key] is not None for key in ("young", "care")
    ]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (reports(young=None), "young must not be null"),
        (reports(age=0, young=1), "young must be null"),
        (reports(sex=1, care=0), "care must be null"),
        (reports(sex=0), "care must not be null"),
        (reports(age=None), "young must be null"),
        (reports(tax=None), "report of tax"),
        (reports(age=[2], young=None), "report of age"),
    ],
)
def test_none_elsewhere_and_reports_there_are_refused(sent: dict, said: str) -> None:
    with pytest.raises(InvalidReports, match=said):
        encode(build_definition(some()), sent)


def test_a_question_after_one_that_was_not_asked_is_not_asked() -> None:
    survey = create_draft()
    sex(survey)
    add_background(survey, "child", when=WOMEN)
    asked_of(survey, "care", {"of": "child", "in": ["North"]})
    frozen = build_definition(survey)
    encode(frozen, {"sex": 1, "child": None, "care": None})
    with pytest.raises(InvalidReports, match="care must be null"):
        encode(frozen, {"sex": 1, "child": None, "care": 0})


# --- Epsilon.


def test_epsilon_is_that_of_the_costliest_path() -> None:
    survey = create_draft()
    sex(survey)
    for key, labels in (("a", ["Female"]), ("b", ["Female"]), ("c", ["Male"])):
        asked_of(survey, key, {"of": "sex", "in": labels})
    add_yes_no(survey, "d")
    frozen = build_definition(survey)
    assert frozen.epsilon == pytest.approx(3 * math.log(3))  # a, b and d
    assert frozen.max_questions_per_person == 4
    assert survey_overview(survey).epsilon == frozen.epsilon


def test_epsilon_is_the_largest_sum_over_all_answers_gone_through_one_by_one() -> None:
    questions = items(VECTORS["questions"])
    rng = np.random.default_rng(5)
    losses = [(each.key, float(rng.random())) for each in questions]
    sizes = [range(-1, each.size) for each in questions[:3]]  # -1: no answer
    every = [(a, b, c) for a in sizes[0] for b in sizes[1] for c in sizes[2]]
    sums = []
    for codes in every:
        answers = {
            key: code
            for key, code in zip(("age", "sex", "pregnant"), codes, strict=True)
            if code >= 0
        }
        out = paths.left_out(questions, answers.get)
        sums.append(sum(loss for key, loss in losses if key not in out))
    assert total_loss(losses, None, paths.skipped_by_path(questions)) == pytest.approx(max(sums))


def one_by_one(questions: list[QuestionDefinition]) -> set[frozenset[str]]:
    """All paths, by every combination of answers."""
    keys, sizes = [each.key for each in questions], [range(each.size) for each in questions]
    return {
        frozenset(paths.left_out(questions, dict(zip(keys, codes, strict=True)).get))
        for codes in itertools.product(*sizes)
    }


@pytest.mark.parametrize("seed", range(60))
def test_paths_are_those_of_all_combinations_of_answers(seed: int) -> None:
    """Also where an answer is named by several conditions, or before it is given, as a broken draft may."""
    rng = np.random.default_rng(seed)
    keys = [f"q{n}" for n in range(6)]

    def leaf(place: int) -> dict:
        of = keys[rng.integers(0, place if rng.random() < 0.8 and place else len(keys))]
        return {"of": of, "in": sorted(map(int, rng.choice(3, rng.integers(1, 3), replace=False)))}

    questions = []
    for place, key in enumerate(keys):
        parts = [leaf(place) for _ in range(rng.integers(0, 4))]
        when = (
            {["all", "any"][rng.integers(2)]: parts}
            if len(parts) > 1
            else parts[0]
            if parts
            else None
        )
        when = when and parse(when)
        questions.append(
            QuestionDefinition(key, "background", "", "", ("a", "b", "c"), None, when=when)
        )
    every = one_by_one(questions)
    assert paths.all_paths(questions) == every
    assert set(paths.skipped_by_path(questions)) == {
        path for path in every if not any(other < path for other in every)
    }


def test_conditions_one_after_the_other_add_up() -> None:
    """40 questions, each asked of those who said b before: 41 paths of 2^40 combinations."""
    questions = [QuestionDefinition("q0", "background", "", "", ("a", "b"), None)]
    for n in range(1, 41):
        when = parse({"of": f"q{n - 1}", "in": [1]})
        questions.append(
            QuestionDefinition(f"q{n}", "background", "", "", ("a", "b"), None, when=when)
        )
    assert {len(path) for path in paths.all_paths(questions)} == set(range(41))


def test_more_combinations_than_can_be_gone_through_count_everything() -> None:
    parents = [
        QuestionDefinition(f"p{n}", "background", "", "", ("a", "b"), None) for n in range(14)
    ]
    children = [
        QuestionDefinition(
            f"c{n}",
            "yes-no",
            "",
            "",
            ("No", "Yes"),
            None,
            when=parse({"of": f"p{n}", "in": [n % 2]}),
        )
        for n in range(14)
    ]
    assert paths.skipped_by_path([*parents, *children]) == paths.ALL_ASKED
    assert (
        len(paths.skipped_by_path([*parents[:13], *children[:13]])) == 1
    )  # 8,192: one path asks everything


def test_a_lot_and_paths_count_together() -> None:
    losses = [("a", 1.0), ("b", 2.0), ("c", 4.0), ("d", 3.0)]
    apart = (frozenset("c"), frozenset("d"))
    assert largest_losses(losses, QuestionSubset(1, ("a", "b")), apart) == [("b", 2.0), ("c", 4.0)]


# --- Estimates.


def answers_of(instrument: Instrument, n: int, part: float, share: float, seed: int = 1) -> None:
    """n people, of whom a part is asked; of these the share says Yes."""
    frozen, rng = parse_instrument(instrument), np.random.default_rng(seed)
    is_asked = np.arange(n) < round(n * part)
    truths = (np.arange(n) < round(n * part * share)).astype(int)
    found = frozen.items[-1].mechanism.randomize(truths, rng).tolist()
    release_reports(
        instrument,
        [
            {"sex": 0, "care": report} if asked else {"sex": 1, "care": None}
            for asked, report in zip(is_asked, found, strict=True)
        ],
    )


def of_women() -> Instrument:
    survey = create_draft()
    sex(survey)
    asked_of(survey, "care", WOMEN)
    return publish_survey(survey)


def test_the_estimate_is_of_those_who_were_asked() -> None:
    instrument = of_women()
    answers_of(instrument, 100_000, part=0.5, share=0.2)
    found = report(instrument, seen=ReaderView(instrument)).questions[1]
    assert found.n == 50_000
    assert found.choices[1].estimate == pytest.approx(0.2, abs=0.01)
    assert found.whom == "“About sex?” is “Female”"


def test_the_wrong_estimate_without_a_mask_reads_35_per_cent() -> None:
    """As the page of a plain survey would send it: whoever is not asked draws a coin."""
    mechanism, rng = GeneralizedResponse("3/4", "3/4"), np.random.default_rng(3)
    asked = mechanism.randomize((np.arange(100_000) < 20_000).astype(int), rng)
    filler = rng.integers(2, size=100_000)
    both = mechanism.estimate(mechanism.tally(np.concatenate([asked, filler]))).proportions[1]
    alone = mechanism.estimate(mechanism.tally(asked)).proportions[1]
    assert both == pytest.approx(0.35, abs=0.01)
    assert alone == pytest.approx(0.2, abs=0.01)


def test_nothing_is_estimated_from_fewer_than_thirty() -> None:
    for n, is_shown in ((29, False), (30, True)):
        survey = create_draft(create_researcher(f"ada{n}"))
        sex(survey)
        asked_of(survey, "care", WOMEN)
        instrument = publish_survey(survey)
        answers_of(instrument, 100, part=n / 100, share=0.2)
        found = report(instrument, seen=ReaderView(instrument)).questions[1]
        assert (found.basis is not None) == is_shown
        assert ("fewer than 30 people got this question" in found.told) != is_shown
        assert found.n == n


def test_methods_codebook_and_tally_say_of_whom() -> None:
    instrument = of_women()
    add_invented_responses(instrument, 400)
    frozen = parse_instrument(instrument)
    result = report(instrument, seen=ReaderView(instrument))
    n = result.questions[1].n
    assert 0 < n < 400
    assert f"care where “About sex?” is “Female” (n = {n})" in str(methods(frozen, result))
    assert "costliest path" in str(methods(frozen, result))
    assert "not asked; asked only if “About sex?” is “Female”" in as_markdown(
        frozen, instrument.tally
    )


# --- Files.


def test_a_survey_with_paths_comes_back_from_its_file() -> None:
    survey = some()
    survey.questions.filter(key="young").update(section="Young", when_section=True)
    data = survey_file.parse(survey_file.as_text(survey))
    again = survey_file.read(data, owner=create_researcher("bea"))
    assert survey_file.write(again) == data
    assert [each.get("when") for each in data["questions"]] == [
        None,
        None,
        None,
        YOUNG,
        {"all": [YOUNG, WOMEN]},
    ]


def test_a_broken_condition_is_not_lost_in_a_file_and_a_malformed_one_is_refused() -> None:
    survey = some()
    survey.questions.get(key="sex").delete()
    again = survey_file.read(survey_file.write(survey), owner=create_researcher("bea"))
    assert again.questions.get(key="care").when == {"all": [YOUNG, WOMEN]}
    data = survey_file.write(survey)
    data["questions"][2]["when"] = {"of": "age", "from": 30, "to": 18}
    with pytest.raises(Unreadable, match="Question 3, when: Write a condition as"):
        survey_file.read(data, owner=create_researcher("cyd"))


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        "age",
        {"of": "age"},
        {"of": "age", "from": 1},
        {"of": "age", "from": True, "to": 3},
        {"of": "age", "in": []},
        {"of": "age", "in": [1]},
        {"all": []},
        {"all": [YOUNG], "any": [YOUNG]},
        {"of": "a\0", "in": ["x"]},
        {
            "any": [
                {"all": [{"any": [{"all": [{"any": [YOUNG, WOMEN]}, WOMEN]}, WOMEN]}, WOMEN]},
                WOMEN,
            ]
        },
        {"all": [YOUNG] * 21},
    ],
    ids=str,
)
def test_what_is_no_condition_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="condition"):
        validate_condition(wrong)


def test_a_condition_on_a_sensitive_answer_is_refused_with_advice_when_it_is_written() -> None:
    survey = some()
    with pytest.raises(Invalid) as wrong:
        save_question(
            survey=survey,
            text="More?",
            kind="yes-no",
            design="balanced",
            when={"of": "tax", "in": ["Yes"]},
        )
    assert "Does not apply" in wrong.value.errors["when"]
    assert survey.questions.count() == 5


@pytest.mark.parametrize(
    ("when", "among"),
    [
        ({"of": "sex", "in": ["Female"]}, "answered “Female” to “Sex”"),
        ({"of": "sex", "in": ["Female", "Male"]}, "answered “Female” or “Male” to “Sex”"),
        ({"of": "age", "from": 18, "to": 25}, "answered 18 to 25 to “Age”"),
        (
            {"all": [{"of": "sex", "in": ["Male"]}, {"of": "age", "from": 30, "to": 30}]},
            "answered “Male” to “Sex” and answered 30 to “Age”",
        ),
    ],
)
def test_a_key_sentence_begins_with_the_people_it_is_about(when: dict, among: str) -> None:
    """Of a question with a condition; of one that everybody was asked it says nothing of them."""
    survey = create_draft()
    sex(survey)
    save_question(survey=survey, key="age", text="Age?", kind="number", minimum="18", maximum="99")
    add_yes_no(survey)
    asked_of(survey, "care", when)
    frozen = build_definition(survey)
    rows = 1_000
    counts = {
        item.key: [600, 400] if item.mechanism else [rows, *[0] * (item.size - 1)]
        for item in frozen.items
    }
    result = summarize(frozen, {"n": rows, "counts": counts})
    everyone, some = (finding(question) for question in result.questions if question.design)
    question_name = result.questions[-1].short
    assert everyone.sentence.startswith("Tax: about 3 in 10.")
    assert some.sentence.startswith(f"Among people who {among}, {question_name}: about 3 in 10.")
    assert some.stress in some.sentence
