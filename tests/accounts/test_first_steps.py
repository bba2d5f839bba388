"""A new account is greeted with three things to do. What was done is ticked; done or hidden, the list goes for good."""

import re
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys import demo
from surveys.accounts.first_steps import greeting
from surveys.accounts.time_zones import choose_zone
from surveys.models import Preferences
from tests.making import draft, publish, researcher, yes_no

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return researcher()


@pytest.fixture
def client(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def page(client: Client) -> str:
    return client.get("/surveys/").content.decode()


def ticks(client: Client) -> list[str]:
    """The things that are ticked; None of a page without the list."""
    shown = page(client)
    assert "Three things to do first" in shown
    return re.findall(r"Done:</span>.*?<h3>(.*?)</h3>", shown, flags=re.DOTALL)


def test_each_thing_is_ticked_once_it_is_done_and_then_the_list_is_gone(client: Client, ada: User) -> None:
    assert ticks(client) == []
    assert client.post("/surveys/greeting/", {"look": ""})["Location"] == "/sample/"
    assert ticks(client) == ["See what you will get"]
    survey = draft(ada, title="My first")
    yes_no(survey)
    assert ticks(client) == ["See what you will get", "Start a survey"]
    assert f'Go on with <a href="/surveys/{survey.slug}/"><bdi>My first</bdi></a>' in page(client)
    publish(survey, ada)
    assert "Three things to do first" not in page(client)


def test_it_can_be_hidden_and_stays_so_for_this_account_alone(client: Client, ada: User) -> None:
    choose_zone(ada, "Europe/Berlin")
    client.post("/surveys/greeting/", {"hide": ""})
    shown = page(client)
    assert "Three things to do first" not in shown
    assert "Three ways to begin" in shown
    assert Preferences.objects.get(user=ada).time_zone == "Europe/Berlin"
    assert greeting(researcher("bob")).done == 0


def test_a_visit_by_address_changes_nothing(client: Client) -> None:
    assert client.get("/surveys/greeting/")["Location"] == "/surveys/"
    assert ticks(client) == []


def test_an_empty_list_shows_one_of_the_two_ways_to_begin(client: Client) -> None:
    shown = page(client)
    assert "Three ways to begin" not in shown
    assert [shown.count(f'href="/surveys/{way}/"') for way in ("ready", "import")] == [1, 1]


def test_what_others_did_and_what_the_demo_brought_counts_for_nobody(client: Client, ada: User) -> None:
    for title in demo.TITLES:
        draft(ada, title=title)
    other = draft(researcher("bob"))
    yes_no(other)
    publish(other, other.owner)
    assert ticks(client) == []


def test_an_update_greets_nobody_who_has_logged_in_before(ada: User) -> None:
    update = import_module("surveys.migrations.0027_greeting").spare_who_knows_it
    known = researcher("bob", last_login=timezone.now())
    zoned = researcher("eve", last_login=timezone.now())
    choose_zone(zoned, "Europe/Berlin")
    update(apps, None)
    assert [greeting(person) for person in (known, zoned)] == [None, None]
    assert Preferences.objects.get(user=zoned).time_zone == "Europe/Berlin"
    assert greeting(ada) is not None
