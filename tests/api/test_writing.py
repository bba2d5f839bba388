"""Writing by program: the same services, rules and messages as in the workspace."""

import pytest
from django.test import Client

from surveys.models import Event, Question, Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    REASON,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db
LIST = "/api/v1/surveys/"
QUESTIONS = [
    {"key": "tax", "kind": "yes-no", "text": "Have you evaded taxes?", "design": "two-coin", "anchor": 0.1},
    {"kind": "choice", "text": "Which fruit?", "choices": ["Apple", "Pear"], "design": "balanced", "decline": True},
    {"kind": "any", "text": "Drugs?", "choices": ["A", "B"], "design": "automatic", "parameters": {"epsilon": "2"}},
    {"key": "region", "kind": "background", "text": "Where?", "choices": ["North", "South"], "section": "About you"},
    {"key": "age", "kind": "number", "text": "How old?", "minimum": 18, "maximum": 99},
]  # fmt: skip
WHOLE = {"title": "Taxes", "contact": "ada@example.org", "language": "de", "questions": QUESTIONS}


@pytest.fixture
def client() -> Client:
    return client_of(create_researcher())


def send(client: Client, method: str, path: str, data: object) -> tuple[int, dict]:
    answer = getattr(client, method)(path, data, content_type="application/json")
    return answer.status_code, answer.json() if answer.content else {}


def at(survey: object, part: str = "") -> str:
    return f"{LIST}{survey.slug}/{part}"


def test_a_survey_is_written_with_its_questions_and_read_back(client: Client) -> None:
    status, made = send(client, "post", LIST, WHOLE)
    assert status == 201
    assert [question["key"] for question in made["questions"]] == [
        "tax",
        "fruit",
        "drugs",
        "region",
        "age",
    ]
    assert made["questions"][0]["anchor"] == pytest.approx(0.1)
    assert (made["status"], made["language"], made["instrument"]) == ("draft", "de", None)
    assert client.get(f"{LIST}{made['slug']}/").json() == made


def test_what_is_read_can_be_sent_back_and_changes_nothing(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    written = {
        name: made[name] for name in made if name not in ("slug", "status", "created", "instrument")
    }
    status, again = send(client, "put", f"{LIST}{made['slug']}/", written)
    assert status == 200
    assert again["questions"] == made["questions"]
    assert again["edition"] == made["edition"] + 1


def test_a_change_of_one_text_keeps_the_rest(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    status, changed = send(client, "patch", f"{LIST}{made['slug']}/", {"title": "Fruit"})
    assert (status, changed["title"], changed["contact"]) == (200, "Fruit", "ada@example.org")
    assert changed["questions"] == made["questions"]


def test_two_editors_at_once_the_second_is_told(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    address = f"{LIST}{made['slug']}/"
    assert send(client, "patch", address, {"title": "First", "edition": made["edition"]})[0] == 200
    status, problem = send(
        client, "patch", address, {"title": "Second", "edition": made["edition"]}
    )
    assert (status, problem["type"]) == (409, "/problems/changed-meanwhile")
    assert Survey.objects.get().title == "First"


BAD = [
    ({}, "title"),
    ({"title": "x", "colour": "red"}, "colour"),
    ({"title": " "}, "title"),
    ({"title": "a\x00b"}, "title"),
    ({"title": "x", "language": "tlh"}, "language"),
    ({"title": "x", "protection": "much"}, "protection"),
    ({"title": "x", "protection": 2.5}, "protection"),
    ({"title": "x", "protection": "balanced", "import_only": True}, "protection"),
    ({"title": "x", "comprehension": "yes"}, "comprehension"),
    ({"title": 7}, "title"),
    ({"title": "x", "introduction": 1.5}, "introduction"),
    ({"title": "x", "questions": "none"}, "questions"),
    ({"title": "x", "questions": [{"kind": "yes-no"}]}, "questions.0.text"),
    ({"title": "x", "questions": [{"kind": "essay", "text": "?"}]}, "questions.0.kind"),
    (
        {"title": "x", "questions": [{"kind": "yes-no", "text": "?", "design": "magic"}]},
        "questions.0.design",
    ),
    (
        {"title": "x", "questions": [{"kind": "yes-no", "text": "?", "design": "warner"}]},
        "questions.0.p",
    ),
    (
        {"title": "x", "questions": [*QUESTIONS, {"key": "tax", **QUESTIONS[3]} | {"key": "tax"}]},
        "questions.5.key",
    ),
    (
        {"title": "x", "questions": [{"kind": "choice", "text": "?", "design": "direct"}]},
        "questions.0.choices",
    ),
    (
        {"title": "x", "questions": [{"kind": "number", "text": "?", "minimum": 5, "maximum": 1}]},
        "questions.0.minimum",
    ),
    ({"title": "x", "questions": [{"kind": "yes-no", "text": "?", "odd": 1}]}, "questions.0.odd"),
]


@pytest.mark.parametrize(("data", "place"), BAD)
def test_a_mistake_is_named_at_its_place_and_nothing_is_stored(
    client: Client, data: dict, place: str
) -> None:
    status, problem = send(client, "post", LIST, data)
    assert (status, problem["type"]) == (422, "/problems/invalid")
    assert any(found.startswith(place.rsplit(".", 1)[0]) for found in problem["errors"]), problem
    assert place in problem["errors"] or place.endswith(("minimum", ".p", "questions")), problem
    assert not Survey.objects.exists()
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 422),
        (b"\xff", "application/json", 400),
        (b'"x"', "application/json", 422),
        (b"title=x", "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_body_that_is_no_object_is_a_problem(
    client: Client, content: bytes, kind: str, status: int
) -> None:
    answer = client.post(LIST, content, content_type=kind)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_publishing_is_asked_twice_and_done_once(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    first = send(client, "post", f"{LIST}{made['slug']}/publish/", {"reason": REASON})
    second = send(client, "post", f"{LIST}{made['slug']}/publish/", {})
    assert first == second
    assert first[0] == 200
    assert len(first[1]["instrument"]) == 64
    assert Event.objects.filter(what="published").count() == 1


def test_publishing_what_one_did_not_read_is_refused(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    status, problem = send(
        client, "post", f"{LIST}{made['slug']}/publish/", {"instrument": "0" * 64}
    )
    assert (status, problem["type"]) == (409, "/problems/refused")
    assert Survey.objects.get().is_draft


def test_the_steps_of_a_survey_in_turn_and_out_of_turn() -> None:
    survey = create_draft()
    add_yes_no(survey)
    client = client_of(survey.owner)
    states = [
        (step, send(client, "post", at(survey, f"{step}/"), {})[0], Survey.objects.get().status)
        for step in (
            "close",
            "publish",
            "reopen",
            "pause",
            "reopen",
            "close",
            "close",
            "pause",
            "reopen",
        )
    ]
    assert states == [
        ("close", 409, "draft"),
        ("publish", 200, "open"),
        ("reopen", 200, "open"),  # as it is already: a program may ask again
        ("pause", 200, "paused"),
        ("reopen", 200, "open"),
        ("close", 200, "closed"),
        ("close", 200, "closed"),
        ("pause", 409, "closed"),
        ("reopen", 200, "open"),
    ]
    said = list(reversed(survey.events.values_list("name", "what")))
    assert said == [
        ("ada", f"{what}") for what in ("published", "paused", "reopened", "closed", "reopened")
    ]


def test_a_published_survey_can_be_neither_changed_nor_deleted() -> None:
    survey = create_published().survey
    client = client_of(survey.owner)
    assert send(client, "put", at(survey), {"title": "Other"})[0] == 409
    assert send(client, "patch", at(survey), {"title": "Other"})[0] == 409
    assert client.delete(at(survey)).status_code == 409
    assert Survey.objects.get().title == "A survey"


def test_a_draft_is_deleted(client: Client) -> None:
    _, made = send(client, "post", LIST, WHOLE)
    assert client.delete(f"{LIST}{made['slug']}/").status_code == 204
    assert not Survey.objects.exists()


def test_a_copy_has_the_same_questions_and_an_address_of_its_own() -> None:
    survey = create_draft(title="Work")
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    publish_survey(survey)
    client = client_of(survey.owner)
    status, copy = send(client, "post", at(survey, "duplicate/"), {})
    assert (status, copy["title"], copy["status"]) == (201, "Work (copy)", "draft")
    assert copy["slug"] != survey.slug
    assert copy["questions"] == client.get(at(survey)).json()["questions"]


def test_the_list_is_filtered_ordered_and_turned_page_by_page() -> None:
    owner = create_researcher()
    for number in range(5):
        create_draft(owner, title=f"Draft {number}", project="A" if number % 2 else "B")
    survey = create_draft(owner, title="Open one")
    add_yes_no(survey)
    publish_survey(survey)
    client = client_of(owner)

    def titles(query: str) -> list[str]:
        return [each["title"] for each in client.get(f"{LIST}?{query}").json()["results"]]

    assert titles("status=open") == ["Open one"]
    assert titles("project=A&ordering=title") == ["Draft 1", "Draft 3"]
    assert titles("search=raft+4") == ["Draft 4"]
    assert titles("ordering=created")[0] == "Draft 0"
    found, address = [], f"{LIST}?page_size=2&ordering=title"
    while address:
        page = client.get(address).json()
        found += [each["title"] for each in page["results"]]
        address = page["next"]
    assert found == [*(f"Draft {number}" for number in range(5)), "Open one"]


@pytest.mark.parametrize(
    "query",
    [
        "colour=red",
        "status=lost",
        "ordering=owner__password",
        "search=%00",
        "owner=1",
        "status__in=open",
    ],
)
def test_an_unknown_filter_is_refused_not_ignored(client: Client, query: str) -> None:
    answer = client.get(f"{LIST}?{query}")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.parametrize("cursor", ["x", "cD0xMjM=", "%00", "////"])
def test_a_wrong_cursor_is_a_problem_document(client: Client, cursor: str) -> None:
    answer = client.get(f"{LIST}?cursor={cursor}")
    assert (answer.status_code, answer["Content-Type"]) in [
        (code, "application/problem+json") for code in (400, 404)
    ]
