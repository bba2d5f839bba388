"""Pages of a survey with tickets: who can answer, the list, links and letters, mails, and the end."""

import csv
import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from surveys.fieldwork.responses.release import release
from surveys.fieldwork.tickets import codes
from surveys.models import Invitee, Issuer, Mail, Response, Survey
from tests.factories.surveys import (
    REASON,
    add_background,
    add_choice,
    add_translations,
    add_yes_no,
    create_draft,
    create_researcher,
    post_response,
    publish_survey,
)
from tests.factories.ticket_surveys import (
    client_for,
    create_survey_with_tickets,
    open_now,
    take_ticket,
    take_tickets,
)
from tests.helpers.ticket_device import blinded_ticket_for, request_signature, ticket_response_body

pytestmark = pytest.mark.django_db


def at(survey: Survey, name: str = "invite", *more: object) -> str:
    return reverse(f"workspace:{name}", args=[survey.slug, *more])


def said(answer: object) -> str:
    """The text of a page, as people read it."""
    text = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(text.replace("&#x27;", "'").replace("&quot;", '"').split())


@pytest.fixture
def survey() -> Survey:
    return create_survey_with_tickets(25)


@pytest.fixture
def owner(survey: Survey) -> Client:
    return client_for(survey.owner)


def test_who_can_answer_is_chosen_and_told_of_before_publishing() -> None:
    survey = create_draft()
    add_yes_no(survey)
    client = client_for(survey.owner)
    assert "Anyone with the link can answer" in said(client.get(at(survey, "tickets")))
    answer = client.post(at(survey, "tickets"), {"tickets": "two", "edition": survey.edition})
    assert answer["Location"] == at(survey)
    page = said(client.get(at(survey, "publish")))
    assert "Set an opening time: people take their tickets until the survey opens" in page
    assert "0 invited" in page
    client.post(at(survey, "settings"), {"part": "dates", "opens": "2099-01-01T08:00"})
    page = said(client.get(at(survey, "publish")))
    assert "Only invited people can answer, once each (two steps)." in page
    assert client.post(at(survey, "tickets"), {"tickets": "three"}).status_code == 422
    assert "changed the draft: who can answer" in said(client.get(at(survey, "settings")))


def test_pasting_people_first_chooses_the_steps() -> None:
    survey = create_draft()
    client = client_for(survey.owner)
    assert (
        client.post(
            at(survey), {"people": "\n".join(f"p{n}@example.org" for n in range(20))}
        ).status_code
        == 302
    )
    page = said(client.get(at(survey)))
    assert "20 people are added" in page
    assert "Two steps." in page
    answer = client.post(at(survey, "tickets"), {"tickets": "", "edition": ""})
    assert (answer.status_code, "Take them off the list first" in said(answer)) == (422, True)
    client.post(at(survey, "clear-invitees"))
    assert survey.invitees.count() == 0


def test_a_pasted_line_of_recipients_adds_each_or_comes_back_with_the_part_that_is_wrong() -> None:
    survey = create_draft()
    client = client_for(survey.owner)
    line = "Carl <carl@example.org>; Dora; Eve <eve@example.org>"
    answer = client.post(at(survey), {"people": line})
    assert answer.status_code == 422
    assert "Row 1: “Dora” has no email address. No one was added." in said(answer)
    assert escape(line) in answer.content.decode()
    line = line.replace("Dora", "Dora <dora@example.org>")
    assert client.post(at(survey), {"people": line}).status_code == 302
    assert "3 people are added" in said(client.get(at(survey)))
    assert [*survey.invitees.order_by("email").values_list("label", flat=True)] == [
        "Carl",
        "Dora",
        "Eve",
    ]


def test_a_list_that_is_wrong_comes_back_as_it_was_pasted(owner: Client, survey: Survey) -> None:
    pasted = "Zoe, zoe@example.org\np03@example.org\nnobody@nowhere"
    answer = owner.post(at(survey), {"people": pasted})
    assert answer.status_code == 422
    assert "Row 3: “nobody@nowhere” is not an email address. No one was added." in said(answer)
    assert pasted in answer.content.decode()
    answer = owner.post(at(survey), {"people": "Zoe, zoe@example.org\np03@example.org"})
    assert "Row 2: p03@example.org is on the list already. No one was added." in said(answer)
    assert survey.invitees.count() == 25
    assert (
        owner.post(at(survey), {"people": pasted.rpartition("\n")[0], "skip": "yes"}).status_code
        == 302
    )
    assert survey.invitees.count() == 26
    for wrong in ("x", "-1", "10001", "1.5"):
        assert owner.post(at(survey), {"unnamed": wrong}).status_code == 422
    assert owner.post(at(survey), {}).status_code == 422
    assert owner.post(at(survey), {"unnamed": "3"}).status_code == 302
    file = SimpleUploadedFile("list.csv", b"Name;E-mail\nKim;kim@example.org\n")
    assert owner.post(at(survey), {"file": file}).status_code == 302
    assert (survey.invitees.count(), survey.invitees.filter(label="Kim").count()) == (30, 1)


def test_a_list_of_too_many_is_refused(owner: Client, survey: Survey) -> None:
    answer = owner.post(at(survey), {"people": "\n".join(f"n{n}" for n in range(10_001))})
    assert "Add at most 10,000 people at once" in said(answer)
    assert survey.invitees.count() == 25


def numbers(owner: Client, survey: Survey) -> list[str]:
    return re.findall(r"<dd>([^<]+)</dd>", owner.get(at(survey)).content.decode())[:3]


def test_three_numbers_stand_there_and_nobody_learns_who(owner: Client, survey: Survey) -> None:
    take_tickets(survey, 21)
    assert numbers(owner, survey) == ["25", "0", "0"]
    release(survey.instrument)
    page = owner.get(at(survey))
    assert numbers(owner, survey) == ["25", "20", "0"]
    assert "Person" not in said(page)
    found = said(owner.get(f"{at(survey)}?find=person+1"))
    assert found.count("Person 1") >= 10
    taken, other = (said(owner.get(f"{at(survey)}?find=Person+{n}")) for n in ("03", "24"))
    assert (
        re.sub(r"(Person |p)03", r"\g<1>24", taken) == other
    )  # who took a ticket looks like who did not
    assert "No one on the list has this name" in said(owner.get(f"{at(survey)}?find=nobody"))


def test_links_are_a_table_and_letters_are_for_print(owner: Client, survey: Survey) -> None:
    answer = owner.get(at(survey, "invite-links"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    invitee = survey.invitees.get(label="Person 07")
    code = codes.format_code(codes.code_of(invitee))
    assert rows[7] == {
        "label": "Person 07",
        "email": "p07@example.org",
        "code": code,
        "link": f"http://testserver/i/{survey.slug}/#{code}",
    }
    assert "no-store" in answer["Cache-Control"]
    page = owner.get(at(survey, "letters"))
    text = page.content.decode()
    assert text.count("<svg") == 25
    assert code in text
    sha256 = survey.instrument.sha256
    short = "-".join(sha256[at : at + 4] for at in range(0, 16, 4))
    assert (
        f"Compare with a colleague’s: these digits are the same on every letter. {short}"
        in said(page)
    )
    assert re.fullmatch(r"[a-z2-9]{4}(-[a-z2-9]{4}){3}", code)
    one = owner.get(at(survey, "letter", invitee.pk)).content.decode()
    assert (one.count("<svg"), code in one) == (1, True)


def test_letters_are_in_the_languages_of_the_survey() -> None:
    survey = create_draft(tickets="one", title="Work")
    add_yes_no(survey)
    client = client_for(survey.owner)
    client.post(at(add_translations(survey, "de", "ar")), {"unnamed": "2"})
    client.post(at(survey, "publish"))
    text = client.get(at(survey, "letters")).content.decode()
    assert text.count('lang="de"') == text.count('lang="ar"') == 4
    assert "Scannen Sie" in text


def test_what_a_spreadsheet_would_calculate_is_defused() -> None:
    survey = create_survey_with_tickets(1, steps="one")
    Invitee.objects.update(label="=1+1")
    assert "'=1+1" in client_for(survey.owner).get(at(survey, "invite-links")).content.decode()


def test_a_lost_one_is_replaced_and_told_of(owner: Client, survey: Survey) -> None:
    take_tickets(survey, 25)
    invitee = survey.invitees.get(label="Person 07")
    old = codes.format_code(codes.code_of(invitee))
    answer = owner.post(at(survey, "replace", invitee.pk), follow=True)
    assert "This is the new link. The old one no longer works." in said(answer)
    assert old not in answer.content.decode()
    assert "replaced a lost ticket" in said(owner.get(at(survey, "settings")))
    take_ticket(survey.invitees.get(pk=invitee.pk))
    release(survey.instrument)
    page = said(owner.get(at(survey)))
    assert "21 tickets for 25 invited people: up to 1 of the answers may be a second one." in page
    open_now(survey)
    assert owner.post(at(survey, "replace", invitee.pk)).status_code == 409
    page = said(owner.get(at(survey)))
    assert "Answers are open, so you can’t invite people any more" in page
    assert owner.post(at(survey), {"people": "Zoe"}).status_code == 409


def test_without_a_mail_server_the_page_says_what_to_do(owner: Client, survey: Survey) -> None:
    assert "This site sends no mail itself" in said(owner.get(at(survey)))
    assert owner.post(at(survey, "invite-mail")).status_code == 409
    assert owner.post(at(survey, "remind")).status_code == 409


def test_mails_wait_and_those_refused_are_named(
    owner: Client, survey: Survey, settings: object
) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    assert "Send 25 invitations by mail" in said(owner.get(at(survey)))
    assert "25 mails are waiting and will be sent" in said(
        owner.post(at(survey, "invite-mail"), follow=True)
    )
    assert "There is no one to write to" in said(owner.post(at(survey, "invite-mail"), follow=True))
    Mail.objects.filter(invitee__label="Person 03").update(refused=True)
    page = said(owner.get(at(survey)))
    assert "24 invitations wait to be sent" in page
    assert "The mail server refused: p03@example.org" in page
    owner.post(at(survey, "invite-mail"), {"again": "yes"})
    assert Mail.objects.filter(refused=False).count() == 25
    told = said(owner.post(at(survey, "remind"), follow=True))
    assert (
        "Everyone with an address who has no ticket yet gets a mail within a few minutes." in told
    )
    assert "25 invitations wait to be sent" in told  # reminders are not counted


def test_few_people_and_small_groups_are_warned_of() -> None:
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    client = client_for(survey.owner)
    client.post(at(survey), {"unnamed": "19"})
    assert "19 people are invited. Fewer than 20 hide no one well" in said(client.get(at(survey)))
    add_background(survey, "region", ("North", "South", "East", "West"))
    client.post(at(survey), {"unnamed": "41"})
    said_of_groups = (
        "They can be combined in 4 ways, so on average about 15 of 60 people share one combination. That is fewer than "
        "20. Someone who knows a person’s background answers may recognize their response. Ask fewer background "
        "questions"
    )
    assert said_of_groups in said(client.get(at(survey)))
    assert said_of_groups in said(client.get(at(survey, "publish")))
    client.post(at(survey), {"unnamed": "20"})
    assert "can be combined" not in said(client.get(at(survey)))


def test_more_combinations_than_people_are_said_without_a_fraction_and_advice_ends_with_publishing() -> (
    None
):
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    for number in range(5):
        add_background(survey, f"trait{number}", [f"Answer {place}" for place in range(12)])
    client = client_for(survey.owner)
    client.post(at(survey), {"unnamed": "30"})
    groups = "About 30 of the 30 people will probably be the only ones with their combination of background answers, if"

    assert f"{groups} all 248,832 combinations are equally common." in said(client.get(at(survey)))
    assert "Ask fewer background questions" in said(client.get(at(survey)))
    publish_survey(survey)
    assert groups in said(client.get(at(survey)))
    assert "Ask fewer background questions" not in said(client.get(at(survey)))


def test_one_invited_person_is_one_person() -> None:
    survey = create_draft(tickets="one")
    client = client_for(survey.owner)
    client.post(at(survey), {"unnamed": "1"})
    assert "1 person is invited. Fewer than 20 hide no one well" in said(client.get(at(survey)))


def test_finishing_says_what_goes_and_does_it(owner: Client, survey: Survey) -> None:
    take_tickets(survey, 21)
    assert owner.get(at(survey, "finish")).status_code == 409
    Survey.objects.update(status="closed")
    page = said(owner.get(at(survey, "finish")))
    assert "the list of 25 invited people" in page
    answer = owner.post(at(survey, "finish"), {"title": "Another"})
    assert (answer.status_code, "This is not the title" in said(answer)) == (422, True)
    assert Invitee.objects.count() == 25
    owner.post(at(survey, "finish"), {"title": "A survey"})
    assert (Invitee.objects.count(), Issuer.objects.get().private) == (0, None)
    page = owner.get(at(survey))
    assert re.findall(r"<dd>([^<]+)</dd>", page.content.decode())[:3] == ["25", "21", "0"]
    assert owner.get(at(survey, "invite-links")).status_code == 409
    assert owner.get(at(survey, "finish")).status_code == 409


def test_who_may_not_invite_sees_no_link(survey: Survey) -> None:
    survey.memberships.create(user=create_researcher("eve"), role="analyst")
    eve, stranger = (
        client_for(survey.memberships.get().user),
        client_for(create_researcher("mallory")),
    )
    for name in ("invite", "invite-links", "letters", "finish"):
        assert eve.get(at(survey, name)).status_code == 403
        assert stranger.get(at(survey, name)).status_code == 404
    other = create_survey_with_tickets(1, steps="one", owner=create_researcher("bob"))
    pk = other.invitees.get().pk
    for name in ("replace", "remove-invitee"):
        assert (
            client_for(survey.owner).post(at(survey, name, pk)).status_code == 404
        )  # somebody else's, under one's own survey


def test_the_whole_way_from_the_list_to_the_end(settings: object) -> None:
    """Invite 25, fetch, wait, open, answer, remind, close, report, finish."""
    survey = create_draft(title="Work")
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey)
    owner, settings.EMAIL_URL = client_for(survey.owner), "smtp://127.0.0.1:1"
    owner.post(
        at(survey), {"people": "\n".join(f"Person {n:02}, p{n}@example.org" for n in range(25))}
    )
    owner.post(at(survey, "settings"), {"part": "dates", "opens": "2099-01-01T08:00"})
    assert owner.post(at(survey, "publish"), {"reason": REASON})["Location"] == at(survey)
    survey.refresh_from_db()
    instrument = survey.instrument
    rows = list(csv.DictReader(io.StringIO(owner.get(at(survey, "invite-links")).content.decode())))
    tickets = []
    for row in rows[:22]:
        drawn = blinded_ticket_for(instrument)
        answer = request_signature(instrument, codes.normalize_code(row["code"]), drawn)
        tickets.append(drawn.ticket(answer.json()["signed"]))
    assert (
        post_response(instrument, ticket_response_body(instrument, tickets[0])).status_code == 403
    )  # not open yet
    open_now(survey)
    assert [
        post_response(instrument, ticket_response_body(instrument, each)).status_code
        for each in tickets
    ] == [201] * 22
    owner.post(at(survey, "invite-mail"))
    told = said(owner.post(at(survey, "remind"), {"kind": "general"}, follow=True))
    assert "Everyone with an address who has a ticket gets a mail" in told
    owner.post(at(survey, "close"))
    page = owner.get(at(survey))
    assert re.findall(r"<dd>([^<]+)</dd>", page.content.decode())[:3] == ["25", "22", "22"]
    assert "25 people were invited, and 22 took a ticket." in said(owner.get(at(survey, "report")))
    owner.post(at(survey, "finish"), {"title": "Work"})
    assert not Invitee.objects.exists()
    assert not Response.objects.exists()  # spent tickets too
    page = owner.get(at(survey))
    assert re.findall(r"<dd>([^<]+)</dd>", page.content.decode())[:3] == ["25", "22", "22"]
    bundle = said(owner.get(at(survey, "ethics")))
    assert "The bare ticket is kept until the tickets are finished" in bundle
    assert "Who has answered is not stored." in bundle


def test_page_with_the_links_says_what_they_reveal(survey: Survey, owner: Client) -> None:
    publish_survey(survey) if survey.is_draft else None
    page = said(owner.get(at(survey)))
    assert "Links as CSV" in page
    assert (
        "Anyone who has these links can find out who has taken a ticket, by trying the codes."
        in page
    )
