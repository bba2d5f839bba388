"""One choice of protection by the API, in files and in forms: what it makes, what it refuses, and what it tells."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question, update_settings
from surveys.authoring.files import survey_file
from surveys.definition.freezing import build_definition
from surveys.definition.protection import (
    FROM_FILES,
    HAS_CONDITION,
    NO_NUMBER_BY_HAND,
    ONE_CHOICE,
    definition_losses,
)
from surveys.models import Event, Survey
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.factories.surveys import REASON, add_yes_no, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LIST = "/api/v1/surveys/"
YES_NO = {"kind": "yes-no", "text": "Did you?"}
OWN = YES_NO | {"key": "own", "design": "warner", "parameters": {"p": "3/4"}}
MIXED = [
    YES_NO,
    {"kind": "choice", "text": "Which?", "choices": ["A", "B", "C", "D"]},
    {"kind": "any", "text": "Which of these?", "choices": ["A", "B", "C", "D", "E", "F"]},
    {"kind": "quantity", "text": "How many days?", "minimum": 0, "maximum": 30},
]


@pytest.fixture
def api(ada: User) -> Client:
    return client_of(ada)


def send(api: Client, method: str, path: str, data: object) -> tuple[int, dict]:
    answer = getattr(api, method)(path, json.dumps(data), content_type="application/json")
    return answer.status_code, answer.json()


def post(api: Client, *questions: dict, **settings: object) -> Survey:
    status, made = send(api, "post", LIST, {"title": "A", "questions": list(questions)} | settings)
    assert status == 201, made
    return Survey.objects.get(slug=made["slug"])


def at(survey: Survey, part: str = "") -> str:
    return f"{LIST}{survey.slug}/{part}"


def test_four_questions_of_a_newcomer_are_calm(api: Client) -> None:
    """75 and 90, each gets two of the four, and publishing asks for nothing."""
    survey = post(api, *MIXED)
    assert survey.protection == "balanced"
    assert [question.design for question in survey.questions.all()] == [""] * 4
    told = api.get(at(survey, "protection/")).json()
    assert (told["one"]["times"], told["together"]["times"], told["colour"]) == (75, 90, "calm")
    assert told["draw"] == {"count": 2, "of": [question.key for question in survey.questions.all()]}
    assert told["summary"] == [
        "One answer alone: guessed right at most 75 times in 100. All answers together: at most 90. Pure chance "
        "between two answers: 50.",
        "Each person gets 2 of the 4 sensitive questions, picked by their device.",
    ]
    widest = [
        (each["key"], each["one"], each["all"], round(100 * each["widest"]["margin"], 1))
        for each in told["levels"]
    ]
    assert widest == [("strong", 67, 80, 31.5), ("balanced", 75, 90, 21.0), ("light", 80, 95, 17.5)]
    assert [each["widest"]["people_for_number"] for each in told["levels"]] == [10326, 4564, 3156]
    assert {point["severity"] for point in told["points"]} == {"fine", "think"}
    assert (told["people"], told["reason"], told["versions"]) == (1000, "", None)
    preview = api.get(at(survey, "preview/")).json()
    assert preview["instrument"]["draw"] == told["draw"]
    assert "protection" not in preview["instrument"]
    status, made = send(api, "post", at(survey, "publish/"), {"instrument": preview["sha256"]})
    assert (status, made["instrument"], made["protection"]) == (200, preview["sha256"], "balanced")


def test_one_more_question_changes_no_other(api: Client) -> None:
    survey = post(api, *MIXED[:2])
    before = build_definition(survey)
    assert before.draw is None
    save_question(survey=survey, **MIXED[2])
    after = build_definition(survey)
    assert [item.mechanism.spec() for item in after.items[:2]] == [
        item.mechanism.spec() for item in before.items
    ]
    assert (after.draw.count, len(after.draw.of)) == (2, 3)
    assert after.epsilon <= 2 * 1.0986122886681098


@pytest.mark.parametrize(
    ("questions", "settings", "protection"),
    [
        ([YES_NO], {}, "balanced"),
        ([], {}, "balanced"),
        ([YES_NO | {"design": "two-coin"}], {}, ""),
        ([YES_NO | {"design": "strong"}], {}, ""),
        ([YES_NO | {"design": "two-coin"}], {"protection": "light"}, "light"),
        ([YES_NO], {"protection": "2.5"}, "2.5"),
        ([], {"protection": None}, ""),
        ([], {"import_only": True}, ""),
    ],
)
def test_what_is_not_sent_is_balanced_unless_questions_are_set(
    api: Client, questions: list, settings: dict, protection: str
) -> None:
    survey = post(api, *questions, **settings)
    assert survey.protection == protection
    assert api.get(at(survey)).json()["protection"] == (protection or None)


def test_no_program_from_before_makes_a_survey_weaker(api: Client) -> None:
    """PUT and PATCH without it leave it, also where they send questions."""
    survey = post(api, YES_NO, protection="strong")
    for method in ("put", "patch"):
        status, now = send(
            api, method, at(survey), {"title": "B", "questions": [YES_NO | {"design": "two-coin"}]}
        )
        assert (status, now["protection"], now["questions"][0]["design"]) == (
            200,
            "strong",
            "two-coin",
        )


WORDS = {"design": "balanced"}
DRAW = {"count": 1, "of": ["did", "did_2"]}


@pytest.mark.parametrize(
    ("data", "place", "said"),
    [
        ({"questions": [YES_NO | WORDS]}, "questions.0.design", ONE_CHOICE),
        (
            {"questions": [YES_NO | {"parameters": {"epsilon": "1"}}]},
            "questions.0.parameters",
            ONE_CHOICE,
        ),
        ({"questions": [YES_NO, YES_NO], "draw": DRAW}, "draw", ONE_CHOICE),
        (
            {"questions": [YES_NO | {"everyone": True}] * 2},
            "questions.1.everyone",
            "Only one question can be asked of",
        ),
        (
            {"questions": [YES_NO | {"mode": "by-hand"}], "protection": "2"},
            "questions.0.mode",
            NO_NUMBER_BY_HAND,
        ),
        ({"protection": "weak"}, "protection", "Choose strong, balanced or light"),
        ({"protection": "5"}, "protection", "Choose strong, balanced or light"),
        ({"import_only": True}, "protection", FROM_FILES),
    ],
)
def test_what_does_not_go_with_a_level_is_refused_and_nothing_is_stored(
    api: Client, data: dict, place: str, said: str
) -> None:
    status, problem = send(api, "post", LIST, {"title": "A", "protection": "light"} | data)
    assert (status, list(problem["errors"])) == (422, [place])
    assert problem["errors"][place].startswith(said)
    assert not Survey.objects.exists()


def test_a_question_with_a_condition_cannot_be_asked_of_everyone(api: Client) -> None:
    region = {
        "key": "region",
        "kind": "background",
        "text": "Where?",
        "choices": ["North", "South"],
    }
    asked = YES_NO | {"everyone": True, "when": {"of": "region", "in": ["North"]}}
    status, problem = send(api, "post", LIST, {"title": "A", "questions": [region, asked]})
    assert (status, problem["errors"]) == (422, {"questions.1.everyone": HAS_CONDITION})
    survey = post(api, region, YES_NO | {"key": "did", "everyone": True})
    question = survey.questions.get(key="did")
    with pytest.raises(Invalid, match=HAS_CONDITION):
        save_question(
            survey=survey,
            question=question,
            key="did",
            when={"of": "region", "in": ["North"]},
            **YES_NO,
        )


def test_everyone_gets_one_question_and_one_of_the_others(api: Client) -> None:
    survey = post(api, *MIXED[:3], YES_NO | {"key": "main", "everyone": True})
    frozen = build_definition(survey)
    assert (frozen.draw.count, "main" in frozen.draw.of, len(frozen.draw.of)) == (1, False, 3)
    assert definition_losses(frozen).max_guess_rates == (75, 90)
    told = api.get(at(survey, "protection/")).json()
    assert told["summary"][1].startswith(
        "Each person gets “Did you?” and 1 of the other 3 sensitive questions"
    )


def test_a_method_of_its_own_counts_and_weakens_no_other(api: Client) -> None:
    own = YES_NO | {"key": "own", "design": "warner", "parameters": {"p": "9/10"}}
    survey = post(api, own, *MIXED[:3], protection="balanced")
    told = api.get(at(survey, "protection/")).json()
    assert (told["one"]["times"], told["together"]["times"], told["colour"]) == (90, 97, "red")
    assert told["points"][0]["short"] == "Almost no protection"
    assert send(api, "post", at(survey, "publish/"), {})[0] == 422
    assert send(api, "post", at(survey, "publish/"), {"reason": REASON})[0] == 200
    assert api.get(at(survey, "protection/")).json()["reason"] == REASON


def test_by_hand_and_with_a_spinner_at_every_level(api: Client) -> None:
    """A die, two coins and ten slips; Warner’s wheel."""
    kept = {"strong": (2, 3), "balanced": (3, 4), "light": (4, 5)}
    for level, (times, of) in kept.items():
        modes = [
            YES_NO | {"key": mode.replace("-", "_"), "mode": mode}
            for mode in ("by-hand", "spinner", "automatic")
        ]
        frozen = build_definition(post(api, *modes, protection=level))
        rows = [item.mechanism.probabilities()[1][1] for item in frozen.items]
        assert {(row.numerator, row.denominator) for row in rows} == {(times, of)}
        assert [item.mechanism.name for item in frozen.items][1] == "warner"
        assert len(frozen.draw.of) == 3


def test_turning_to_a_level_clears_the_methods_and_back_writes_them_down(api: Client) -> None:
    survey = post(
        api,
        *(question | WORDS | {"key": f"q{n}"} for n, question in enumerate(MIXED)),
        protection=None,
        draw={"count": 1, "of": ["q0", "q1"]},
    )
    update_settings(survey, {"protection": "light"})
    survey.refresh_from_db()
    assert survey.draw is None
    assert [(q.design, q.parameters, q.drawn) for q in survey.questions.all()] == [
        ("", {}, False)
    ] * 4
    derived = build_definition(survey)
    update_settings(survey, {"protection": ""})
    survey.refresh_from_db()
    assert build_definition(survey).content == derived.content
    assert survey.draw == 2
    details = [event.detail for event in Event.objects.filter(what="changed").order_by("pk")]
    assert details[-2:] == [
        "protection: each question with its own method → light",
        "protection: light → each question with its own method",
    ]


def test_a_copy_a_file_and_a_new_version_keep_it(ada: User, api: Client) -> None:
    survey = post(api, *MIXED, protection="strong")
    content = json.loads(build_definition(survey).content)["questions"]
    publish_survey(survey)
    copies = (
        survey_file.duplicate(survey, ada),
        survey_file.read(survey_file.parse(survey_file.as_text(survey)), owner=ada),
        survey_file.new_version(survey, ada),
    )
    for copy in copies:
        assert copy.protection == "strong"
        assert json.loads(build_definition(copy).content)["questions"] == content


def test_a_new_version_says_what_both_cost(ada: User, api: Client) -> None:
    survey = post(api, *MIXED)
    publish_survey(survey)
    fresh = survey_file.new_version(survey, ada)
    assert api.get(at(fresh, "protection/")).json()["versions"] == {"one": 90.0, "all": 98.8}


def test_a_copy_for_paper_is_set_by_itself_by_hand(ada: User, api: Client) -> None:
    survey = post(
        api,
        *MIXED,
        YES_NO | {"key": "own", "design": "warner", "parameters": {"p": "3/4"}},
        protection="strong",
    )
    copy = survey_file.duplicate(survey, ada, import_only=True)
    assert (copy.protection, copy.draw, copy.import_only) == ("", None, True)
    thirds = {"truth": "1/3", "yes": "1/3", "no": "1/3"}
    first, *_, own = copy.questions.all()
    assert (first.design, first.parameters) == ("forced-response", thirds)
    assert (own.design, own.parameters) == ("warner", {"p": "3/4"})
    assert all(question.design for question in copy.questions.all())
    with pytest.raises(Invalid, match=FROM_FILES):
        update_settings(copy, {"protection": "light"})


def test_an_old_draft_stays_as_it_is(ada: User, api: Client) -> None:
    """A survey that sets every question itself, with the words of before and its own selection."""
    old = {
        "candor": 1,
        "title": "Old",
        "limit": "12",
        "limit_reason": "Approved.",
        "draw": {"count": 1, "of": ["a", "b"]},
    }
    old["questions"] = [YES_NO | {"key": key, "design": "light"} for key in "abc"]
    survey = survey_file.read(old, owner=ada)
    assert survey.protection == ""
    frozen = build_definition(survey)
    assert [item.mechanism.parameters for item in frozen.items] == [{"p": "9/10"}] * 3
    assert (frozen.draw.count, frozen.draw.of) == (1, ("a", "b"))
    assert (
        "“limit” and “limit_reason” are ignored"
        in Event.objects.get(detail__contains="limit").detail
    )
    assert {"limit", "limit_reason"}.isdisjoint(api.get(at(survey)).json())


def test_what_only_a_survey_of_its_own_has_is_refused_on_pages_too(ada: User) -> None:
    survey = create_survey(owner=ada, title="A", protection="balanced")
    for _ in range(3):
        save_question(survey=survey, **YES_NO)
    client = Client()
    client.force_login(ada)
    path = f"/surveys/{survey.slug}/"
    for step, data in (
        ("share/", {}),
        ("draw/take/", {"count": "1"}),
        ("questions/did/mend/", {"choice": "light"}),
    ):
        answer = client.post(f"{path}{step}", data, follow=True)
        assert ONE_CHOICE in answer.content.decode() or answer.status_code >= 400, step
    assert client.get(path).status_code == 200
    assert client.get(f"{path}publish/").status_code == 200
    assert [question.design for question in survey.questions.all()] == [""] * 3


def test_published_surveys_tell_their_numbers_from_the_instrument(ada: User, api: Client) -> None:
    survey = create_draft(ada)
    for key in "abc":
        add_yes_no(survey, key)
    sha256 = publish_survey(survey).sha256
    told = api.get(at(survey, "protection/")).json()
    assert (told["protection"], told["colour"], told["together"]["times"]) == (None, "red", 97)
    assert (told["levels"], told["points"]) == ([], [])
    assert Survey.objects.get().instrument.sha256 == sha256
    with pytest.raises(Refused):
        update_settings(survey, {"protection": "strong"})
