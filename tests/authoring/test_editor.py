"""The page of one question: what it shows before anything is saved, copies, and one question after another."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from mechanisms import Warner
from mechanisms.planning import Channel, sample_size_of_groups
from surveys.authoring.drafts.drafts import update_settings
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.external import ALL_DESIGNS
from surveys.definition.freezing import build_definition
from surveys.models import Survey
from surveys.web.workspace.precision_curve import plan
from surveys.web.workspace.question_form import QuestionForm
from surveys.web.workspace.question_initial import starting
from tests.factories.surveys import add_choice, add_yes_no, create_draft, create_researcher
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db
FIVE = "One\r\nTwo\r\nThree\r\nFour\r\nFive"


@pytest.fixture
def survey(client: Client) -> Survey:
    """An empty draft whose owner is logged in."""
    owner = create_researcher()
    client.force_login(owner)
    return create_draft(owner)


def at(survey: Survey, rest: str = "questions/new/") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def as_sent(client: Client, address: str) -> dict[str, str]:
    values = Form(client.get(address)).values
    del values["csrfmiddlewaretoken"]
    return {
        name: value for name, value in values.items() if not name.startswith("q-")
    }  # those of the picture


def keys(survey: Survey) -> list[str]:
    return list(survey.questions.values_list("key", flat=True))


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def seen(client: Client, survey: Survey, **typed: str) -> str:
    """The page that shows what a question means, its spaces as one."""
    sent = {
        "kind": "yes-no",
        "text": "Did you cheat?",
        "design": "balanced",
        "show": "panel",
    } | typed
    response = client.post(at(survey), sent)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


# Saving


def test_after_saving_the_overview_opens_at_the_question(client: Client, survey: Survey) -> None:
    response = client.post(at(survey), as_sent(client, at(survey)) | {"text": "Did you cheat?"})
    assert response["Location"] == f"/surveys/{survey.slug}/?at=cheat&did="
    response = client.post(
        at(survey, "questions/cheat/"), as_sent(client, at(survey, "questions/cheat/"))
    )
    assert response["Location"] == f"/surveys/{survey.slug}/?at=cheat&did="


def test_one_question_after_another_keeps_kind_and_protection(
    client: Client, survey: Survey
) -> None:
    own = {"design": "automatic", "automatic-epsilon": "2.5"}
    typed = {
        "kind": "any",
        "text": "Which drugs?",
        "choices": FIVE,
        "decline": "1",
        "another": "1",
    } | own
    response = client.post(at(survey), as_sent(client, at(survey)) | typed, follow=True)
    assert response.redirect_chain == [(at(survey, "questions/new/?another=drugs"), 302)]
    values = Form(response).values
    assert (values["kind"], values["decline"]) == ("any", "1")
    assert (values["design"], values["marks-epsilon"]) == ("marks", "2.5")
    assert values["text"] == values["choices"] == values["key"] == ""
    assert Form(response).ids["id_text"].keys() >= {"autofocus"}
    assert "autofocus" not in Form(client.get(at(survey))).ids["id_text"]


def test_a_copy_is_not_there_until_it_is_saved_and_then_stands_after_its_original(
    client: Client, survey: Survey
) -> None:
    add_choice(survey, section="Fruit", help="Any.")
    add_yes_no(survey)
    page = at(survey, "questions/new/?like=fruit")
    values = as_sent(client, page)
    assert (values["text"], values["help"], values["section"], values["key"]) == (
        "About fruit?",
        "Any.",
        "",
        "",
    )
    assert keys(survey) == ["fruit", "tax"]
    assert client.post(page, values).status_code == 302
    assert keys(survey) == ["fruit", "fruit_2", "tax"]
    first, copy, _ = build_definition(survey).items
    assert (copy.text, copy.choices, copy.mechanism) == (first.text, first.choices, first.mechanism)


def test_a_copy_whose_original_is_gone_meanwhile_is_not_lost(
    client: Client, survey: Survey
) -> None:
    add_yes_no(survey, "tax")
    add_yes_no(survey, "exam")
    page = at(survey, "questions/new/?like=tax")
    values = as_sent(client, page)
    survey.questions.get(key="tax").delete()
    assert client.post(page, values).status_code == 302
    assert keys(survey) == ["exam", "tax"]


@pytest.mark.parametrize("key", ["nothing", "fruit%00", "%22"])
def test_nothing_is_copied_of_a_question_that_is_not_in_the_survey(
    client: Client, survey: Survey, key: str
) -> None:
    add_choice(create_draft(User.objects.get()))
    for parameter in ("like", "another"):
        assert client.get(at(survey, f"questions/new/?{parameter}={key}")).status_code == 404


# What it shows


def test_the_panel_says_what_each_level_would_show_of_people_who_get_the_question(
    client: Client, survey: Survey
) -> None:
    """The fourth sensitive question: 2 of 4 get it. The published margins of yes/no at 1,000 people."""
    update_settings(survey, {"protection": "balanced", "target": "1000"})
    for key in "abc":
        add_yes_no(survey, key, design="")
    page = text_of(seen(client, survey, design=""))
    assert "Strong no number · Balanced (chosen) ±8.7 · Light ±7.3" in page
    assert "About 500 of them get this question." in page
    everyone = text_of(seen(client, survey, design="", everyone="1"))
    assert "Balanced (chosen) ±6.2" in everyone
    assert "Balanced (chosen)" not in text_of(
        seen(client, survey, design="warner", **{"warner-p": "4/5"})
    )


@pytest.mark.parametrize("import_only", [False, True])
@pytest.mark.parametrize(
    ("kind", "choices", "decline"),
    [
        ("yes-no", "", ""),
        ("yes-no", "", "1"),
        ("choice", "A\nB", ""),
        ("choice", "A\nB\nC", ""),
        ("any", "A\nB", ""),
    ],
)
def test_the_designs_before_the_fold_fit_the_question(
    survey: Survey, kind: str, choices: str, decline: str, import_only: bool
) -> None:
    survey.import_only = import_only
    typed = {"kind": kind, "choices": choices, "decline": decline}
    form = QuestionForm({"text": "?"} | typed, survey=survey, initial=starting(survey=survey))
    listed = form.designs()
    assert 1 <= len(listed["first"]) <= 3
    assert len(listed["first"]) + len(listed["rest"]) == len(form.offered)
    for design in listed["first"]:
        start = {
            f"{design['key']}-{letter}": value
            for letter, value in ALL_DESIGNS[design["key"]].start.items()
        }
        form = QuestionForm(
            typed | start | {"design": design["key"]},
            survey=survey,
            initial=starting(survey=survey),
        )
        assert form.plan(), form.errors


def test_no_sentence_on_a_design_promises_what_depends_on_the_question() -> None:
    """Which design is the most precise, the panel computes; how many it takes, the cards say for the kind."""
    sentences = [design.advice for design in DESIGNS.values()]
    assert not [
        text for text in sentences if "most precise" in text or "yes/no question needs" in text
    ]


def test_the_picture_is_the_respondents_own_question_and_cannot_be_used(
    client: Client, survey: Survey
) -> None:
    Survey.objects.update(language="de")
    add_yes_no(survey)
    page = seen(client, survey, kind="choice", text="Was <war> es?", choices="Eins\r\nZwei\r\nDrei")
    picture = page.partition('<div class="editor-phone" role="img"')[2].partition(
        "</fieldset> </div>"
    )[0]
    assert re.search(
        r'<fieldset class="editor-phone__screen" lang="de" dir="ltr" inert disabled aria-hidden',
        picture,
    )
    for text in ("Frage 2 von 2", "Was &lt;war&gt; es?", ">Drei</label>", "Weiter"):
        assert text in picture


@pytest.mark.parametrize(
    ("kind", "typed"),
    [("background", {"choices": FIVE}), ("number", {"minimum": "1", "maximum": "9"})],
)
def test_questions_that_are_sent_as_they_are_have_a_picture_and_no_cost(
    client: Client, survey: Survey, kind: str, typed: dict[str, str]
) -> None:
    page = seen(client, survey, kind=kind, **typed)
    assert "Not scrambled" in page
    assert "the margin of error is that of a direct question" in page


def test_a_question_that_would_show_nothing_says_so_and_what_helps(
    client: Client, survey: Survey
) -> None:
    page = seen(client, survey, kind="any", choices=FIVE)
    assert '<span class="chip chip--bad">no number</span>' in page
    assert "one yes/no question for each choice" in page


def test_the_name_that_is_made_is_shown_while_it_can_be_changed(
    client: Client, survey: Survey
) -> None:
    add_yes_no(survey, "cheat")
    response = client.post(
        at(survey),
        {"kind": "yes-no", "text": "Did you cheat?", "show": "1"},
        headers={"X-Panel": "1"},
    )
    assert '<div id="made-name"></div>' in response.content.decode()  # no design is chosen
    sent = {"kind": "yes-no", "text": "Did you cheat?", "design": "strong", "show": "1"}
    response = client.post(at(survey), sent, headers={"X-Panel": "1"})
    assert '<div id="made-name">cheat_2</div>' in response.content.decode()
    response = client.post(at(survey), sent | {"short": "Not honest"}, headers={"X-Panel": "1"})
    assert '<div id="made-name">not_honest</div>' in response.content.decode()


def test_a_design_of_many_answers_from_elsewhere_has_a_panel_too(
    client: Client, survey: Survey
) -> None:
    Survey.objects.update(import_only=True)
    rows = "1/2 1/4 1/4; 1/8 3/4 1/8; 1/4 1/4 1/2"
    page = seen(
        client,
        survey,
        kind="choice",
        choices="A\r\nB\r\nC",
        design="matrix",
        **{"matrix-rows": rows},
    )
    assert "What happened to an answer" in page
    assert "editor-phone" not in page


# The first page of a survey


def test_the_numbers_behind_a_design_say_how_many_tell_two_groups_apart() -> None:
    channel = Channel.of(Warner("3/4"))
    rows = plan(Warner("3/4")).groups
    assert [difference for difference, _, _ in rows] == [0.05, 0.1, 0.2]
    for difference, two_sided, one_sided in rows:
        shares = 0.5 - difference / 2, 0.5 + difference / 2
        assert two_sided == sample_size_of_groups(channel, *shares)
        assert one_sided == sample_size_of_groups(channel, *shares, sided=1) < two_sided
