"""Teams: invitations by link, roles, giving a survey away, and a history that nobody rewrites."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.accounts import team
from surveys.accounts.access import Right, rights
from surveys.accounts.team import invite
from surveys.models import Event, Invitation, Membership, Survey, Unchangeable
from surveys.site.errors import Refused
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client: Client) -> Survey:
    """Ada's draft with one question; Ada is logged in."""
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    client.force_login(survey.owner)
    return survey


def link_for(client: Client, survey: Survey, role: str) -> str:
    page = client.post(f"/surveys/{survey.slug}/people/", {"role": role}).content.decode()
    return re.search(r"http://testserver(/surveys/join/[\w-]+/)", page)[1]


def member(survey: Survey, role: str, name: str = "grace") -> User:
    user = create_researcher(name)
    Membership.objects.create(survey=survey, user=user, role=role)
    return user


def test_a_link_brings_one_colleague_into_the_team(client: Client, survey: Survey) -> None:
    link = link_for(client, survey, "analyst")
    grace = Client()
    grace.force_login(create_researcher("grace"))
    assert "Your role: analyst" in grace.get(link).content.decode()
    assert not survey.memberships.exists()  # reading it is not accepting it
    assert grace.post(link)["Location"] == f"/surveys/{survey.slug}/"
    assert survey.memberships.get().role == "analyst"
    eve = Client()
    eve.force_login(create_researcher("eve"))
    assert eve.get(link).status_code == eve.post(link).status_code == 404
    assert grace.get("/surveys/").content.decode().count("A survey") == 1


def test_the_link_is_shown_once_and_only_its_hash_is_kept(client: Client, survey: Survey) -> None:
    link = link_for(client, survey, "editor")
    secret = link.split("/")[-2]
    assert secret not in client.get(f"/surveys/{survey.slug}/people/").content.decode()
    assert secret not in str(list(Invitation.objects.values()))


def test_an_invitation_expires_and_can_be_withdrawn(client: Client, survey: Survey) -> None:
    grace = Client()
    grace.force_login(create_researcher("grace"))
    link = link_for(client, survey, "editor")
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert grace.post(link).status_code == 404
    link = link_for(client, survey, "editor")
    waiting = Invitation.objects.order_by("-expires").first()
    client.post(f"/surveys/{survey.slug}/team/invitations/{waiting.pk}/withdraw/")
    assert grace.post(link).status_code == 404
    assert not survey.memberships.exists()
    page = client.get(f"/surveys/{survey.slug}/settings/").content.decode()
    assert 'withdrew an invitation: <bdi class="workspace-detail">Editor</bdi>' in page
    client.post(f"/surveys/{survey.slug}/team/invitations/{waiting.pk}/withdraw/")
    assert survey.events.filter(what="withdrawn").count() == 1


def test_a_role_must_be_chosen(client: Client, survey: Survey) -> None:
    for role in ("", "owner", "root"):
        response = client.post(f"/surveys/{survey.slug}/people/", {"role": role})
        assert errors(response) == {"role": "Choose what your colleague can do."}
    assert not survey.invitations.exists()


def test_the_owner_cannot_use_up_an_invitation(client: Client, survey: Survey) -> None:
    link = link_for(client, survey, "analyst")
    assert client.post(link).status_code == 409
    assert survey.invitations.count() == 1


def test_removing_ends_every_right_at_once(client: Client, survey: Survey) -> None:
    grace = member(survey, "exporter")
    client.post(f"/surveys/{survey.slug}/team/{survey.memberships.get().pk}/remove/")
    assert rights(grace, survey) == set()
    client.force_login(grace)
    assert client.get(f"/surveys/{survey.slug}/").status_code == 404


def test_giving_a_survey_away_leaves_an_editor(client: Client, survey: Survey) -> None:
    ada, grace = survey.owner, member(survey, "analyst")
    address = f"/surveys/{survey.slug}/team/{survey.memberships.get().pk}/transfer/"
    assert "Make grace the owner?" in client.get(address).content.decode()
    client.post(address)
    survey.refresh_from_db()
    assert survey.owner == grace
    assert Right.MANAGE in rights(grace, survey)
    assert Right.MANAGE not in rights(ada, survey)
    assert Right.WRITE in rights(ada, survey)
    assert client.post(address).status_code in (403, 404)


def test_a_member_of_one_survey_is_a_stranger_to_another(client: Client, survey: Survey) -> None:
    grace = member(survey, "editor")
    other = create_draft(survey.owner, title="Another")
    client.force_login(grace)
    assert client.get(f"/surveys/{other.slug}/").status_code == 404
    pk = survey.memberships.get().pk
    client.force_login(survey.owner)
    assert client.post(f"/surveys/{other.slug}/team/{pk}/remove/").status_code == 404
    assert survey.memberships.exists()


def test_a_locked_account_may_do_nothing(survey: Survey) -> None:
    grace = member(survey, "editor")
    grace.is_active = False
    assert rights(grace, survey) == set()


def test_pages_offer_only_what_the_role_allows(client: Client, survey: Survey) -> None:
    publish_survey(survey)
    shown = {}
    for role in ("editor", "analyst", "exporter"):
        client.force_login(member(survey, role, role))
        at = f"/surveys/{survey.slug}/"
        shown[role] = "".join(
            client.get(f"{at}{page}").content.decode() for page in ("", "people/", "settings/")
        )
    assert [role for role, page in shown.items() if ">Pause survey<" in page] == ["editor"]
    assert [role for role, page in shown.items() if 'value="dates"' in page] == ["editor"]
    assert all("/report/" in page and "/remove/" not in page for page in shown.values())
    assert all(
        ">Archive<" not in page and "Invite a colleague" not in page for page in shown.values()
    )


def test_the_history_says_who_did_what(client: Client, survey: Survey) -> None:
    client.post(f"/surveys/{survey.slug}/publish/")
    client.get(f"/surveys/{survey.slug}/responses.csv")
    client.post(f"/surveys/{survey.slug}/pause/")
    client.post(f"/surveys/{survey.slug}/close/")
    invite(survey=survey, by=survey.owner, role="analyst")
    said = list(survey.events.values_list("name", "what"))
    assert said == [
        ("ada", what) for what in ("invited", "closed", "paused", "exported", "published")
    ]
    page = client.get(f"/surveys/{survey.slug}/settings/").content.decode()
    assert "downloaded responses" in page


def test_the_history_can_only_grow(client: Client, survey: Survey) -> None:
    publish_survey(survey, survey.owner)
    event = Event.objects.get()
    event.name = "nobody"
    with pytest.raises(Unchangeable):
        event.save()
    with pytest.raises(Unchangeable):
        event.delete()
    with pytest.raises(Unchangeable):
        Event.objects.all().delete()
    with pytest.raises(Unchangeable):
        Event.objects.update(name="nobody")
    assert Event.objects.get().name == "ada"


def test_a_draft_goes_with_its_history_and_an_account_leaves_its_name(
    client: Client, survey: Survey
) -> None:
    grace = create_researcher("grace")
    publish_survey(survey, grace)
    grace.delete()
    assert (Event.objects.get().user, Event.objects.get().name) == (None, "grace")
    other = create_draft(survey.owner)
    invite(survey=other, by=survey.owner, role="editor")
    assert client.post(f"/surveys/{other.slug}/delete/").status_code == 302
    assert not Survey.objects.filter(pk=other.pk).exists()


def test_a_form_of_the_team_reads_as_it_was_sent(client: Client, survey: Survey) -> None:
    assert Form(client.get(f"/surveys/{survey.slug}/people/")).values.keys() == {
        "csrfmiddlewaretoken"
    }


def test_a_full_team_counts_members_and_open_invitations(
    survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "MOST_MEMBERS", 3)
    member(survey, "analyst")
    for _ in range(2):
        invite(survey=survey, by=survey.owner, role="analyst")
    with pytest.raises(Refused, match="at most 3 members and open invitations"):
        invite(survey=survey, by=survey.owner, role="analyst")
    assert survey.invitations.count() == 2


def test_expired_invitation_leaves_its_place_in_the_team(
    survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "MOST_MEMBERS", 1)
    invite(survey=survey, by=survey.owner, role="analyst")
    survey.invitations.update(expires=timezone.now())

    invite(survey=survey, by=survey.owner, role="analyst")

    assert survey.invitations.count() == 2
