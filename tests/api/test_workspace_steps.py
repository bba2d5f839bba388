"""What people do with a survey in the workspace, done by program: steps, texts, files and figures are the same."""

import html
from dataclasses import asdict

import pytest
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.parsing import parse_instrument
from surveys.models import Event, Survey
from surveys.results.estimates import on_request
from surveys.results.estimates.report import report
from surveys.results.report.headlines import finding
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    REASON,
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
)
from tests.helpers.api_requests import send_json, survey_api_path


@pytest.fixture
def survey(db: None) -> Survey:
    """Ada's draft with two questions."""
    survey = create_draft(create_researcher(), project="Taxes")
    add_yes_no(survey)
    add_choice(survey, decline=True)
    return survey


@pytest.fixture
def ada(survey: Survey) -> Client:
    return client_of(survey.owner)


def test_what_the_preview_shows_is_what_publishing_freezes(ada: Client, survey: Survey) -> None:
    seen = ada.get(survey_api_path(survey, "preview/")).json()
    status, made = send_json(
        ada,
        "post",
        survey_api_path(survey, "publish/"),
        {"instrument": seen["sha256"], "reason": REASON},
    )
    assert (status, made["instrument"]) == (200, seen["sha256"])
    assert seen["instrument"] == Client().get(survey_api_path(survey, "instrument/")).json()
    assert seen["epsilon"] == pytest.approx(
        parse_instrument(Survey.objects.get().instrument).epsilon
    )
    assert ada.get(survey_api_path(survey, "preview/")).json() == seen


def test_a_draft_that_cannot_be_published_says_why(ada: Client, survey: Survey) -> None:
    survey.questions.all().delete()
    answer = ada.get(survey_api_path(survey, "preview/"))
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/refused")
    assert "at least one question" in answer.json()["detail"]


def test_the_loss_adds_up_over_questions_and_over_the_project(ada: Client, survey: Survey) -> None:
    survey.questions.filter(key="tax").update(text="Did you not and never pay?")
    alone = ada.get(survey_api_path(survey, "protection/")).json()
    assert alone["together"]["epsilon"] == pytest.approx(
        sum(line["epsilon"] for line in alone["questions"])
    )
    assert alone["one"]["epsilon"] == max(line["epsilon"] for line in alone["questions"])
    assert "Two negatives" in " ".join(alone["questions"][0]["advice"])
    other = create_published(survey.owner)
    Survey.objects.filter(pk=other.survey_id).update(project="Taxes")
    together = ada.get(survey_api_path(survey, "protection/")).json()["with_others"]
    assert (together["others"], together["versions"]) == (1, 0)
    assert together["epsilon"] == pytest.approx(
        alone["together"]["epsilon"] + parse_instrument(other).epsilon
    )


def test_a_question_that_cannot_be_published_has_its_problem_there(
    ada: Client, survey: Survey
) -> None:
    survey.questions.filter(key="tax").update(parameters={"p": "1/2"})
    line = ada.get(survey_api_path(survey, "protection/")).json()["questions"][0]
    assert line["problem"]
    assert line["epsilon"] is None


def test_what_to_know_before_publishing_is_that_of_the_page(ada: Client, survey: Survey) -> None:
    survey.questions.filter(key="tax").update(parameters={"p": "1/2"})
    found = ada.get(survey_api_path(survey, "protection/")).json()["points"]
    assert found == [asdict(point) for point in points(survey, survey_overview(survey))]
    assert (found[0]["severity"], found[0]["mend"], found[0]["question"]) == (
        "must",
        "question",
        "tax",
    )
    assert {point["severity"] for point in found[1:]} == {"think"}
    logged_in = Client()
    logged_in.force_login(survey.owner)
    page = html.unescape(logged_in.get(f"/surveys/{survey.slug}/publish/").content.decode())
    assert all(f">{point['sentence']}</p>" in page for point in found)


def test_what_is_published_or_takes_files_has_nothing_to_be_mended_before(
    ada: Client, survey: Survey
) -> None:
    assert ada.get(survey_api_path(survey, "protection/")).json()["points"]
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    assert ada.get(survey_api_path(survey, "protection/")).json()["points"] == []
    on_paper = create_draft(survey.owner, import_only=True)
    assert ada.get(survey_api_path(on_paper, "protection/")).json()["points"] == []


def test_a_schedule_is_set_read_and_taken_away(ada: Client, survey: Survey) -> None:
    wanted = {"opens": None, "closes": "2100-11-30T18:00:00Z", "target": 400}
    assert send_json(ada, "put", survey_api_path(survey, "schedule/"), wanted) == (200, wanted)
    assert ada.get(survey_api_path(survey, "schedule/")).json() == wanted
    assert send_json(ada, "put", survey_api_path(survey, "schedule/"), wanted)[0] == 200
    said = Event.objects.get()  # the second time nothing was changed
    assert (said.name, said.what, said.detail) == (
        "ada",
        "scheduled",
        "closes 2100-11-30 18:00 UTC, target 400",
    )
    offset = {"opens": "2100-01-01T02:30:00+02:00"}
    assert (
        send_json(ada, "put", survey_api_path(survey, "schedule/"), offset)[1]["opens"]
        == "2100-01-01T00:30:00Z"
    )
    assert Survey.objects.get().target is None


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"closes": "2001-01-01T00:00:00Z"}, "closes"),
        ({"opens": "2100-01-02T00:00:00Z", "closes": "2100-01-01T00:00:00Z"}, "closes"),
        ({"opens": "soon"}, "opens"),
        ({"target": 0}, "target"),
        ({"target": "many"}, "target"),
        ({"opened": None}, "opened"),
    ],
)
def test_a_wrong_schedule_gets_its_message_and_changes_nothing(
    ada: Client, survey: Survey, wrong: dict, place: str
) -> None:
    status, problem = send_json(ada, "put", survey_api_path(survey, "schedule/"), wrong)
    assert (status, list(problem["errors"])) == (422, [place])
    assert (Survey.objects.get().closes, Survey.objects.get().target) == (None, None)


def test_the_link_its_code_and_the_count_are_there_from_publishing_on(
    ada: Client, survey: Survey
) -> None:
    assert {
        ada.get(survey_api_path(survey, part)).status_code for part in ("link/", "qr.svg", "count/")
    } == {409}
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    shared = ada.get(survey_api_path(survey, "link/")).json()
    assert shared["link"] == f"http://testserver/s/{survey.slug}/"
    assert shared["link"] in shared["text"]
    code = ada.get(survey_api_path(survey, "qr.svg"))
    assert code["Content-Type"] == "image/svg+xml"
    logged_in = Client()
    logged_in.force_login(survey.owner)
    assert code.content == logged_in.get(f"/surveys/{survey.slug}/qr.svg").content
    add_invented_responses(Survey.objects.get().instrument, 7)
    assert ada.get(survey_api_path(survey, "count/")).json() == {
        "released": 7,
        "waiting": 0,
        "received": 7,
        "target": None,
    }


def test_a_colleague_is_invited_joins_and_becomes_the_owner(ada: Client, survey: Survey) -> None:
    status, made = send_json(
        ada, "post", survey_api_path(survey, "team/invitations/"), {"role": "analyst"}
    )
    assert (status, made["role"]) == (201, "analyst")
    assert made["link"] == f"http://testserver/surveys/join/{made['secret']}/"
    assert made["secret"] not in ada.get(survey_api_path(survey, "team/")).content.decode()
    grace, join = client_of(create_researcher("grace")), f"/api/v1/join/{made['secret']}/"
    assert grace.get(join).json()["survey"] == "A survey"
    assert send_json(grace, "post", join) == (200, {"survey": survey.slug, "role": "analyst"})
    assert send_json(grace, "post", join)[0] == grace.get(join).status_code == 404
    (member,) = ada.get(survey_api_path(survey, "team/")).json()["members"]
    assert (member["name"], member["role"]) == ("grace", "analyst")
    assert (
        send_json(ada, "post", survey_api_path(survey, f"team/{member['id']}/transfer/"))[0] == 204
    )
    assert Survey.objects.get().owner.username == "grace"
    said = list(reversed(survey.events.values_list("name", "what")))
    assert said == [("ada", "invited"), ("grace", "joined"), ("ada", "transferred")]


def test_a_member_is_removed_and_an_invitation_withdrawn(ada: Client, survey: Survey) -> None:
    _, first = send_json(
        ada, "post", survey_api_path(survey, "team/invitations/"), {"role": "editor"}
    )
    _, second = send_json(
        ada, "post", survey_api_path(survey, "team/invitations/"), {"role": "editor"}
    )
    eve = client_of(create_researcher("eve"))
    assert (
        send_json(ada, "delete", survey_api_path(survey, f"team/invitations/{first['id']}/"))[0]
        == 204
    )
    assert survey.events.first().what == "withdrawn"
    assert send_json(eve, "post", f"/api/v1/join/{first['secret']}/")[0] == 404
    send_json(eve, "post", f"/api/v1/join/{second['secret']}/")
    member = survey.memberships.get()
    assert send_json(ada, "delete", survey_api_path(survey, f"team/{member.pk}/"))[0] == 204
    assert eve.get(survey_api_path(survey, "")).status_code == 404
    assert send_json(ada, "delete", survey_api_path(survey, f"team/{member.pk}/"))[0] == 404


def test_the_owner_cannot_use_up_an_invitation(ada: Client, survey: Survey) -> None:
    _, made = send_json(
        ada, "post", survey_api_path(survey, "team/invitations/"), {"role": "editor"}
    )
    assert send_json(ada, "post", f"/api/v1/join/{made['secret']}/")[0] == 409
    assert survey.invitations.count() == 1


def test_a_role_must_be_one_there_is(ada: Client, survey: Survey) -> None:
    for body in ({}, {"role": "owner"}):
        status, problem = send_json(ada, "post", survey_api_path(survey, "team/invitations/"), body)
        assert (status, list(problem["errors"])) == (422, ["role"])
    assert not survey.invitations.exists()


def test_a_token_that_writes_surveys_cannot_choose_who_reads_them(survey: Survey) -> None:
    token = issue_token(survey.owner, "nightly", ["write", "reports", "rows"])
    writer = Client(headers={"authorization": f"Token {token}"})
    status, problem = send_json(
        writer, "post", survey_api_path(survey, "team/invitations/"), {"role": "exporter"}
    )
    assert (status, problem["detail"]) == (
        403,
        "This token may not be used to choose and join teams, and give surveys away.",
    )


def test_a_new_version_names_its_predecessor_and_its_maker(ada: Client, survey: Survey) -> None:
    assert send_json(ada, "post", survey_api_path(survey, "version/"))[0] == 409
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    editor = create_researcher("grace")
    survey.memberships.create(user=editor, role="editor")
    status, fresh = send_json(client_of(editor), "post", survey_api_path(survey, "version/"))
    made = Survey.objects.get(slug=fresh["slug"])
    assert (status, made.predecessor, made.owner) == (201, survey, survey.owner)
    assert set(made.events.values_list("name", flat=True)) == {"grace"}


def test_an_import_only_survey_is_prepared_and_never_published(survey: Survey, ada: Client) -> None:
    question = {
        "key": "tax",
        "kind": "yes-no",
        "text": "Did you?",
        "design": "mangat",
        "parameters": {"p": "2/3"},
    }
    asked = {"title": "By telephone", "import_only": True, "questions": [question]}
    made = Survey.objects.get(slug=send_json(ada, "post", "/api/v1/surveys/", asked)[1]["slug"])
    status, problem = send_json(ada, "patch", survey_api_path(made, ""), {"import_only": False})
    assert (status, list(problem["errors"])) == (422, ["import_only"])
    seen = ada.get(survey_api_path(made, "preview/")).json()
    assert (
        seen["epsilon"],
        ada.get(survey_api_path(made, "protection/")).json()["together"]["epsilon"],
    ) == (
        None,
        None,
    )
    assert (
        send_json(ada, "post", survey_api_path(made, "prepare/"), {"instrument": "0" * 64})[0]
        == 409
    )
    for _ in range(2):
        status, prepared = send_json(
            ada, "post", survey_api_path(made, "prepare/"), {"instrument": seen["sha256"]}
        )
        assert (status, prepared["status"], prepared["instrument"]) == (
            200,
            "filling",
            seen["sha256"],
        )
    assert made.events.filter(what="prepared", name="ada").count() == 1
    assert (
        send_json(ada, "post", survey_api_path(made, "publish/"))[0]
        == send_json(ada, "post", survey_api_path(survey, "prepare/"))[0]
        == 409
    )


def test_the_history_is_read_page_by_page_and_shows_no_number_of_the_sequence(
    ada: Client, survey: Survey
) -> None:
    for step in ("publish", "pause", "reopen", "close"):
        send_json(
            ada,
            "post",
            survey_api_path(survey, f"{step}/"),
            {"reason": REASON} if step == "publish" else {},
        )
    found, address = [], survey_api_path(survey, "history/?page_size=2")
    while address:
        page = ada.get(address).json()
        found += [(event["name"], event["what"], event["words"]) for event in page["results"]]
        address = page["next"]
    assert [what for _, what, _ in found] == [
        "closed",
        "reopened",
        "paused",
        "published",
        "changed",
    ]
    assert found[0] == ("ada", "closed", "closed it")
    assert page["results"][0].keys() == {"when", "name", "what", "words", "detail"}


def test_a_file_goes_out_and_comes_in_without_loss(ada: Client, survey: Survey) -> None:
    file = ada.get(survey_api_path(survey, "file/")).json()
    status, made = send_json(ada, "post", "/api/v1/files/", file)
    assert status == 201
    assert (
        survey_file.write(Survey.objects.get(slug=made["slug"]))
        == survey_file.write(survey)
        == file
    )


@pytest.mark.parametrize(
    "file",
    [{}, {"candor": 2}, {"candor": 1, "title": "x", "colour": "red"}, {"candor": 1}, [], "x"],
)
def test_a_file_that_is_none_is_refused_line_by_line(ada: Client, file: object) -> None:
    before = Survey.objects.count()
    status, problem = send_json(ada, "post", "/api/v1/files/", file)
    assert (status, problem["type"]) == (422, "/problems/unreadable")
    assert problem["errors"]["0"]
    assert Survey.objects.count() == before


def test_files_of_a_report_are_those_of_the_workspace(ada: Client, survey: Survey) -> None:
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    add_invented_responses(Survey.objects.get().instrument, 60)
    logged_in = Client()
    logged_in.force_login(survey.owner)
    for name in (
        "shares.csv",
        "methods.txt",
        "tax/shares.svg",
        "tax/shares.png",
        "tax/likelihood.svg",
    ):
        by_program, by_hand = (
            client.get(path) for client, path in both(ada, logged_in, survey, name)
        )
        assert by_program.status_code == by_hand.status_code == 200
        assert by_program.content == by_hand.content
        assert by_program["Content-Type"] == by_hand["Content-Type"]
        assert by_program["Content-Disposition"] == by_hand["Content-Disposition"]
    assert (
        "interval=exact"
        not in ada.get(survey_api_path(survey, "report/shares.csv?interval=exact")).content.decode()
    )
    assert (
        "exact"
        in ada.get(survey_api_path(survey, "report/shares.csv?interval=exact")).content.decode()
    )
    assert ada.get(survey_api_path(survey, "report/fruit/likelihood.svg")).status_code == 404
    assert ada.get(survey_api_path(survey, "report/none/shares.svg")).status_code == 404
    assert ada.get(survey_api_path(survey, "report/shares.csv?interval=none")).status_code == 400


def both(ada: Client, logged_in: Client, survey: Survey, name: str) -> list[tuple[Client, str]]:
    return [
        (ada, survey_api_path(survey, f"report/{name}")),
        (logged_in, f"/surveys/{survey.slug}/report/{name}"),
    ]


def test_a_test_and_a_sum_are_those_of_the_page(ada: Client, survey: Survey) -> None:
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    nothing = ada.get(survey_api_path(survey, "report/tax/readings/?share=0.1")).json()
    assert (nothing["n"], nothing["test"], nothing["fakes"]) == (0, None, None)
    add_invented_responses(Survey.objects.get().instrument, 2000)
    tax, fruit = report(Survey.objects.get().instrument).questions
    found = ada.get(survey_api_path(survey, "report/tax/readings/?share=0.1")).json()
    expected = on_request.test_share(tax, 0.1)
    assert found["test"]["p_value"] == pytest.approx(expected.result.p_value)
    assert found["test"]["is_contradicted"] is True
    assert found["headline"] == finding(tax).headline
    assert found["fakes"]["low"] < tax.choices[1].estimate < found["fakes"]["high"]
    assert found["central"]["ratio"] > 1
    total = ada.get(survey_api_path(survey, "report/fruit/readings/?choices=0,2")).json()["sum"]
    assert total["share"] == pytest.approx(on_request.add_up(fruit, [0, 2]).share)
    assert total["choices"] == ["Apple", "Plum"]


@pytest.mark.parametrize(
    "asked", ["share=2", "share=x", "share=nan", "choices=9", "choices=0,0", "choices=", "by=size"]
)
def test_a_wrong_reading_is_refused(ada: Client, survey: Survey, asked: str) -> None:
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    add_invented_responses(Survey.objects.get().instrument, 50)
    assert ada.get(survey_api_path(survey, f"report/tax/readings/?{asked}")).status_code == 400
    assert ada.get(survey_api_path(survey, "report/fruit/readings/?share=0.1")).status_code == 400
    assert ada.get(survey_api_path(survey, "report/none/readings/")).status_code == 404


def test_the_data_quality_is_a_verdict_with_its_checks(ada: Client, survey: Survey) -> None:
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    nothing = ada.get(survey_api_path(survey, "report/quality/")).json()
    assert (nothing["verdict"], nothing["checks"]) == ("too few responses", [])
    add_invented_responses(Survey.objects.get().instrument, 500)
    found = ada.get(survey_api_path(survey, "report/quality/")).json()
    assert {check["key"] for check in found["checks"]} == {"tax", "fruit"}
    assert found["verdict"] in {check["verdict"] for check in found["checks"]}
    assert all(0 <= check["p_value"] <= 1 for check in found["checks"])
