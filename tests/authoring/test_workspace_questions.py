"""Pages to write, move and delete the questions of a draft."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.external import designs_for
from surveys.definition.freezing import build_definition
from surveys.models import Question, Survey
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
)
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db

SEVERAL = {
    "kind": "choice",
    "text": "Which?",
    "choices": "Red\r\nBlue\r\nGreen",
    "design": "balanced",
}


@pytest.fixture
def survey(client: Client) -> Survey:
    """An empty draft whose owner is logged in."""
    owner = create_researcher()
    client.force_login(owner)
    return create_draft(owner)


def at(survey: Survey, rest: str = "questions/new/") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def as_sent(client: Client, address: str) -> dict[str, str]:
    """What a browser would send if the author changed nothing."""
    values = Form(client.get(address)).values
    del values["csrfmiddlewaretoken"]
    return values


def test_a_newcomer_who_only_writes_the_question_gets_two_coins(
    client: Client, survey: Survey
) -> None:
    response = client.post(
        at(survey), as_sent(client, at(survey)) | {"text": "Did you?"}, follow=True
    )
    question = survey.questions.get()
    assert response.redirect_chain == [(at(survey, f"?at={question.key}&did="), 302)]
    assert (question.kind, question.key, question.design) == ("yes-no", "q1", "two-coin")
    assert '<span class="chip chip--teal">Scrambled</span>' in response.content.decode()


@pytest.mark.parametrize(
    ("choices", "decline", "design"),
    [
        (2, "", "two-coin"),
        (2, "1", "direct"),
        (5, "", "direct"),
        (20, "", "subset"),
        (60, "1", "subset"),
    ],
)
def test_the_recommended_design_fits_the_number_of_answers(
    client: Client, survey: Survey, choices: int, decline: str, design: str
) -> None:
    lines = "\r\n".join(f"Choice {number}" for number in range(choices))
    client.post(at(survey), SEVERAL | {"choices": lines, "decline": decline})
    question = survey.questions.get()
    assert question.design == design
    assert build_definition(survey).epsilon <= 2


@pytest.mark.parametrize("import_only", [False, True])
def test_every_design_starts_with_numbers_that_work(
    client: Client, survey: Survey, import_only: bool
) -> None:
    Survey.objects.update(import_only=import_only)
    designs = designs_for(import_only)
    for design in designs:
        sent = as_sent(client, at(survey)) | {"text": f"By {design}?", "design": design}
        if designs[design].select == "any":
            sent |= {"kind": "any", "choices": "Red\r\nBlue"}
        if designs[design].select == "ordered":
            sent |= {"kind": "quantity"}
        if designs[design].select == "text":
            sent |= {"kind": "written"}
        assert client.post(at(survey), sent).status_code == 302
    survey.refresh_from_db()
    assert len(build_definition(survey).items) == len(designs)
    assert all(design.start.keys() == design.parameters.keys() for design in designs.values())


def test_a_question_comes_back_for_editing_as_it_was_saved(client: Client, survey: Survey) -> None:
    add_choice(
        survey,
        labels=["One & only", "Two"],
        decline=True,
        help="Any.",
        parameters={"p": "0.8", "q": "1/5"},
    )
    values = as_sent(client, at(survey, "questions/fruit/"))
    assert values["kind"] == "choice"
    assert values["choices"] == "One & only\nTwo"
    assert (values["help"], values["decline"], values["key"]) == ("Any.", "1", "fruit")
    assert (values["design"], values["unary-p"], values["unary-q"]) == ("unary", "0.8", "1/5")
    before = build_definition(survey)
    assert client.post(at(survey, "questions/fruit/"), values).status_code == 302
    assert build_definition(survey).content == before.content


def test_a_mode_and_its_harmless_question_come_back_too(client: Client, survey: Survey) -> None:
    sent = as_sent(client, at(survey)) | {
        "text": "Did you?",
        "design": "unrelated-question",
        "mode": "by-hand",
    }
    assert client.post(at(survey), sent | {"harmless": "Born in May?"}).status_code == 302
    values = as_sent(client, at(survey, "questions/q1/"))
    assert (values["mode"], values["harmless"]) == ("by-hand", "Born in May?")
    item = build_definition(survey).items[0]
    assert (item.mode, item.harmless) == ("by-hand", "Born in May?")


def test_a_background_question_is_marked_as_unprotected(client: Client, survey: Survey) -> None:
    response = client.post(
        at(survey), SEVERAL | {"kind": "background", "decline": "1"}, follow=True
    )
    assert survey.questions.get().design == ""
    assert '<span class="chip">Not scrambled</span>' in response.content.decode()
    assert Form(client.get(at(survey, "questions/q1/"))).values["design"] == "automatic"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"kind": "yes-no"},
            "Two coins.</strong> No design with this epsilon is more precise for two answers.",
        ),
        ({"kind": "yes-no"}, "<strong>4,265 respondents</strong>"),
        ({"kind": "any"}, "fewer people than scrambling every mark"),
        ({"design": "automatic", "automatic-epsilon": "0.7"}, "would need 137% more respondents"),
        ({"design": "direct", "direct-epsilon": "1"}, "right at most 74 times in 100"),
        (
            {"design": "unary", "unary-p": "0.75", "unary-q": "1/4"},
            "<strong>Privacy loss ε = 2.20</strong>",
        ),
        ({"kind": "background"}, "that of a direct question"),
        ({"text": "", "key": "??"}, "The question is not saved yet"),
    ],
)
def test_show_epsilon_computes_and_stores_nothing(
    client: Client, survey: Survey, changes: dict[str, str], message: str
) -> None:
    response = client.post(at(survey), SEVERAL | changes | {"show": "panel"})
    assert response.status_code == 200
    assert message in response.content.decode()
    assert Form(response).values["choices"] == SEVERAL["choices"]
    assert not survey.questions.exists()


def test_show_epsilon_says_what_is_wrong_with_the_numbers(client: Client, survey: Survey) -> None:
    found = errors(
        client.post(at(survey), SEVERAL | {"design": "direct", "direct-epsilon": "0", "show": "1"})
    )
    assert found == {"direct-epsilon": "Privacy loss ε: Enter an epsilon from 0.01 to 20, not 0."}


WRONG = [
    ({"text": ""}, "text", "The question is empty"),
    ({"text": " \u200b"}, "text", "The question is empty"),
    ({"text": "x" * 501}, "text", "The question has 501 characters. At most 500"),
    ({"text": "a\x00b"}, "text", "character 2 is an invisible control character"),
    ({"help": "x" * 501}, "help", "The help text has 501 characters"),
    ({"key": "Tax evasion"}, "key", "with a letter, and use only a to z"),
    ({"key": "taken"}, "key", "Another question has “taken”"),
    ({"kind": "essay"}, "kind", "Choose a question type."),
    ({"kind": ""}, "kind", "Choose a question type."),
    ({"choices": ""}, "choices", "at least two choices"),
    ({"choices": "Red"}, "choices", "at least two choices"),
    ({"choices": "Red\r\n\r\nBlue\r\nred"}, "choices", "“red” appears twice, on lines 1 and 4"),
    (
        {"kind": "any", "choices": "\r\n".join(map(str, range(101)))},
        "choices",
        "These are 101 choices. At most 100",
    ),
    ({"choices": "Red\r\n" + "x" * 201}, "choices", "Choice on line 2 has 201 characters"),
    ({"choices": "Red\r\nBl\x00ue"}, "choices", "invisible control character"),
    ({"choices": "Red\r\nPrefer not to say", "decline": "1"}, "choices", "added automatically"),
    ({"design": "one-sided"}, "design", "only for import-only surveys"),
    ({"design": ""}, "design", "Choose a design."),
    ({"design": "two-coin"}, "design", "Choose “Direct”"),
    ({"kind": "yes-no", "decline": "1", "design": "two-coin"}, "design", "This question has 3"),
    ({"design": "direct", "direct-epsilon": ""}, "direct-epsilon", "Enter a number"),
    ({"design": "direct", "direct-epsilon": "0"}, "direct-epsilon", "from 0.01 to 20"),
    ({"design": "direct", "direct-epsilon": "-1"}, "direct-epsilon", "from 0.01 to 20"),
    ({"design": "direct", "direct-epsilon": "9999"}, "direct-epsilon", "from 0.01 to 20"),
    ({"design": "direct", "direct-epsilon": "nan"}, "direct-epsilon", "is not a number"),
    ({"design": "direct", "direct-epsilon": "inf"}, "direct-epsilon", "is not a number"),
    ({"design": "direct", "direct-epsilon": "abc"}, "direct-epsilon", "“abc” is not a number"),
    ({"design": "direct", "direct-epsilon": "1e999999999"}, "direct-epsilon", "is not a number"),
    ({"design": "direct", "direct-epsilon": "7" * 9000}, "direct-epsilon", "is not a number"),
    ({"design": "direct", "direct-epsilon": "1\x00"}, "direct-epsilon", "is not a number"),
    (
        {"kind": "yes-no", "design": "warner", "warner-p": "1"},
        "warner-p",
        "could prove the true one",
    ),
    (
        {"kind": "yes-no", "design": "warner", "warner-p": "1/2"},
        "warner-p",
        "nothing can be estimated",
    ),
    (
        {"kind": "yes-no", "design": "warner", "warner-p": "0,75"},
        "warner-p",
        "p: Write 0.75, with a point",
    ),
    (
        {"kind": "yes-no", "design": "gamma", "gamma-gamma": "1/2"},
        "gamma-gamma",
        "Enter a gamma above 0 and below 1/2",
    ),
    (
        {"kind": "yes-no", "design": "gamma", "gamma-gamma": ""},
        "gamma-gamma",
        "Gamma: Enter a number",
    ),
    (
        {"kind": "yes-no", "design": "generalized", "generalized-p": "0.7", "generalized-q": "0.3"},
        "generalized-q",
        "nothing can be estimated",
    ),
    (
        {"kind": "yes-no", "design": "generalized", "generalized-p": "0.7", "generalized-q": "1"},
        "generalized-q",
        "could prove the true one",
    ),
    (
        {
            "kind": "yes-no",
            "design": "forced-response",
            "forced-response-truth": "1/2",
            "forced-response-yes": "1/4",
            "forced-response-no": "1/3",
        },
        "forced-response-no",
        "must sum to 1, not 13/12",
    ),
    (
        {
            "kind": "yes-no",
            "design": "forced-response",
            "forced-response-truth": "3/4",
            "forced-response-yes": "1/4",
            "forced-response-no": "0",
        },
        "forced-response-no",
        "could prove the true one",
    ),
    (
        {"design": "unary", "unary-p": "1/2", "unary-q": "0.5"},
        "unary-q",
        "nothing can be estimated",
    ),
    (
        {"mode": "spinner", "design": "direct", "direct-epsilon": "1"},
        "mode",
        "“Spinner” works for yes/no questions",
    ),
    (
        {"kind": "yes-no", "mode": "by-hand", "design": "warner", "warner-p": "3/7"},
        "mode",
        "coins and dice can’t make",
    ),
    (
        {"kind": "yes-no", "mode": "by-hand", "design": "unrelated-question"},
        "harmless",
        "Write the harmless question",
    ),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_gets_its_message_and_nothing_is_lost_or_stored(
    client: Client, survey: Survey, wrong: tuple[dict[str, str], str, str]
) -> None:
    changes, field, message = wrong
    add_yes_no(survey, "taken")
    sent = (
        as_sent(client, at(survey))
        | SEVERAL
        | {"help": "Help <i>", "key": "typed", "text": " Which & why? "}
    )
    sent |= changes
    response = client.post(at(survey), sent)
    found = errors(response)
    assert list(found) == [field]
    assert message in found[field]
    offered = {
        "kind": Question.Kind.values,
        "design": ["recommended", *DESIGNS],
        "mode": Question.Mode.values,
    }
    kept = {name: typed for name, typed in sent.items() if typed in offered.get(name, [typed])}
    values = Form(response).values
    assert {name: values[name] for name in kept} == kept
    assert list(survey.questions.values_list("key", flat=True)) == ["taken"]


def test_wrong_input_leaves_a_saved_question_as_it_was(client: Client, survey: Survey) -> None:
    add_choice(survey)
    before = build_definition(survey)
    found = errors(
        client.post(at(survey, "questions/fruit/"), SEVERAL | {"text": "", "choices": "Only"})
    )
    assert list(found) == ["text", "choices"]
    assert build_definition(survey).content == before.content


def test_an_empty_post_is_refused_too(client: Client, survey: Survey) -> None:
    assert list(errors(client.post(at(survey), {}))) == ["kind", "text"]


def test_texts_are_shown_as_text(client: Client, survey: Survey) -> None:
    client.post(
        at(survey), SEVERAL | {"text": "<script>alert(1)</script>", "choices": "<u>\r\n</textarea>"}
    )
    own = f"questions/{survey.questions.get().key}/"
    for rest in ("", own, f"{own}delete/", "publish/"):
        page = client.get(at(survey, rest)).content.decode()
        assert "<script>alert" not in page
        assert "<u>" not in page
    assert Form(client.get(at(survey, own))).values["choices"] == "<u>\n</textarea>"


def test_questions_are_moved(client: Client, survey: Survey) -> None:
    for key in ("a", "b", "c"):
        add_yes_no(survey, key)
    response = client.post(at(survey, "questions/c/up/"), follow=True)
    assert "“About c?” is moved up." in response.content.decode()
    client.post(at(survey, "questions/a/down/"))
    assert list(survey.questions.values_list("key", flat=True)) == ["c", "a", "b"]
    client.get(at(survey, "questions/b/up/"))
    assert list(survey.questions.values_list("key", flat=True)) == ["c", "a", "b"]


def test_the_first_question_cannot_go_up_nor_the_last_down(client: Client, survey: Survey) -> None:
    add_yes_no(survey, "a")
    add_yes_no(survey, "b")
    page = client.get(at(survey, "")).content.decode()
    assert page.count(">Move up<") == page.count(">Move down<") == 1
    assert client.post(at(survey, "questions/a/up/")).status_code == 302
    assert list(survey.questions.values_list("key", flat=True)) == ["a", "b"]


def test_a_question_is_deleted_after_a_question(client: Client, survey: Survey) -> None:
    add_background(survey)
    assert "About region?" in client.get(at(survey, "questions/region/delete/")).content.decode()
    assert survey.questions.exists()
    client.post(at(survey, "questions/region/delete/"))
    assert not survey.questions.exists()


def test_the_author_of_another_survey_may_use_the_same_variable_name(
    client: Client, survey: Survey
) -> None:
    add_yes_no(create_draft(User.objects.get()), "tax")
    assert client.post(at(survey), SEVERAL | {"key": "tax"}).status_code == 302
