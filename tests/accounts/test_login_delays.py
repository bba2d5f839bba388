"""Whoever guesses passwords waits longer each time, in all processes together; whose account it is gets in."""

import re
from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from surveys.accounts import login_delays, second_factor
from surveys.accounts.account import link_to_set_password
from surveys.models import Delay
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


class Clock:
    def __init__(self) -> None:
        self.now = timezone.now()

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(login_delays, "_now", clock)
    return clock


def log_in(client: Client, name: str = "ada", password: str = PASSWORD, code: str = ""):
    return client.post("/login/", {"username": name, "password": password, "code": code})


def attack(clock: Clock, times: int = 8) -> None:
    """A stranger guesses as fast as it helps."""
    for _ in range(times):
        answer = log_in(Client(), password="x")
        assert answer.status_code == 422
        clock.wait(int(log_in(Client(), password="x")["Retry-After"]))
    assert log_in(Client(), password="x").status_code == 422


def test_each_wrong_password_doubles_the_wait_up_to_a_minute(clock: Clock) -> None:
    create_researcher()
    waits = []
    for _ in range(9):
        assert log_in(Client(), password="x").status_code == 422
        refused = log_in(Client())  # the right one too: it is not looked at
        assert refused.status_code == 429
        waits.append(int(refused["Retry-After"]))
        assert f"Wait {login_delays.in_words(waits[-1])}, then" in refused.content.decode()
        assert 'value="ada"' in refused.content.decode()
        clock.wait(waits[-1])
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert log_in(Client()).status_code == 302


def test_guesses_of_an_hour(clock: Clock) -> None:
    end, guesses = clock.now + timedelta(hours=1), [0, 0]
    for hour in range(2):
        while clock.now < end + timedelta(hours=hour):
            if seconds := login_delays.reserve_attempt("name ada"):
                clock.wait(seconds)
            else:
                guesses[hour] += 1
    assert guesses == [65, 60]


def test_waiting_does_not_grow_by_asking(clock: Clock) -> None:
    login_delays.reserve_attempt("name ada")
    assert [login_delays.reserve_attempt("name ada") for _ in range(20)] == [1] * 20


def test_after_an_hour_of_peace_the_wait_is_short_again(clock: Clock) -> None:
    for _ in range(8):
        clock.wait(login_delays.reserve_attempt("name ada"))
    clock.wait(3_700)
    assert login_delays.reserve_attempt("name ada") == 0
    assert login_delays.reserve_attempt("name ada") == 1


def test_the_right_password_clears_the_count(clock: Clock) -> None:
    create_researcher()
    attack(clock, 3)
    clock.wait(60)
    assert log_in(Client()).status_code == 302
    assert not Delay.objects.exists()


def test_capitals_do_not_help_and_other_names_do_not_wait(clock: Clock) -> None:
    create_researcher()
    create_researcher("bob")
    attack(clock)
    assert log_in(Client(), name="ADA").status_code == 429
    assert log_in(Client(), name="bob").status_code == 302
    assert log_in(Client(), name="nobody", password="x").status_code == 422
    assert (
        log_in(Client(), name="nobody", password="x").status_code == 429
    )  # as if it were an account


def test_on_a_browser_of_before_the_owner_does_not_wait_for_strangers(
    client: Client, clock: Clock
) -> None:
    create_researcher()
    log_in(client)
    client.post("/logout/")
    attack(clock)
    assert log_in(Client()).status_code == 429
    assert log_in(client).status_code == 302


def test_a_known_browser_waits_for_its_own_wrong_passwords(client: Client, clock: Clock) -> None:
    create_researcher()
    log_in(client)
    client.post("/logout/")
    assert log_in(client, password="x").status_code == 422
    assert log_in(client).status_code == 429
    assert log_in(Client()).status_code == 302  # which are not those of strangers
    clock.wait(1)
    assert log_in(client).status_code == 302


def test_the_cookie_of_a_known_browser(client: Client, clock: Clock) -> None:
    """It goes to the login page alone, lets nobody in, is good for one account, and ends with the password."""
    user = create_researcher()
    create_researcher("bob")
    cookie = log_in(client).cookies["known-device"]
    assert (cookie["path"], bool(cookie["httponly"]), cookie["samesite"]) == (
        "/login/",
        True,
        "Lax",
    )
    assert "ada" not in cookie.value
    stranger = Client()
    stranger.cookies["known-device"] = cookie.value
    assert stranger.get("/surveys/").status_code == 302
    login_delays.reserve_attempt("name bob")
    assert log_in(stranger, name="bob").status_code == 429
    login_delays.reserve_attempt("name ada")
    for changed in (cookie.value[:-1] + ("a" if cookie.value[-1] != "a" else "b"), "x", ""):
        other = Client()
        other.cookies["known-device"] = changed
        assert log_in(other).status_code == 429
    user.set_password("another horse")
    user.save()
    assert log_in(stranger, password="another horse").status_code == 429


def test_a_recovery_code_leads_past_strangers(clock: Clock) -> None:
    user = create_researcher()
    second_factor.turn_on(second_factor.unconfirmed_app(user))
    codes = second_factor.replace_recovery_codes(user)
    attack(clock)
    assert log_in(Client(), code="zzzzzzzz").status_code == 429
    assert (
        log_in(Client(), password="x", code=codes[0]).status_code == 422
    )  # which does not use it up
    clock.wait(1)
    assert log_in(Client(), code=codes[0]).status_code == 302


def test_a_link_leads_past_strangers(client: Client, clock: Clock) -> None:
    user = create_researcher()
    attack(clock)
    page = client.get(link_to_set_password(user))["Location"]
    client.post(page, {"new_password1": "battery staple 7", "new_password2": "battery staple 7"})
    assert log_in(Client(), password="battery staple 7").status_code == 429
    assert log_in(client, password="battery staple 7").status_code == 302


def test_the_administration_asks_at_the_same_door(clock: Clock) -> None:
    create_researcher("ada", is_staff=True, is_superuser=True)
    attack(clock)
    client = Client()
    door = client.post("/admin/login/?next=/admin/", {"username": "ada", "password": PASSWORD})[
        "Location"
    ]
    assert client.post(door, {"username": "ada", "password": PASSWORD}).status_code == 429
    assert client.get("/admin/").status_code == 302


def test_a_session_that_was_left_open_is_no_place_to_guess_the_password(
    client: Client, clock: Clock
) -> None:
    client.force_login(create_researcher())
    assert client.post("/account/name/", {"username": "ada", "password": "x"}).status_code == 422
    page = client.post("/account/name/", {"username": "eve", "password": PASSWORD})
    assert page.status_code == 422
    assert "Wait 1 second" in page.content.decode()
    clock.wait(1)
    assert (
        client.post("/account/name/", {"username": "eve", "password": PASSWORD}).status_code == 302
    )


def test_no_name_is_kept_and_old_rows_go_with_the_next_sealing(
    clock: Clock, capsys: object
) -> None:
    log_in(Client(), name="Somebody", password="x")
    row = Delay.objects.get()
    assert re.fullmatch(r"[0-9a-f]{64}", row.key)
    call_command("seal")
    assert Delay.objects.exists()
    clock.wait(3_700)
    call_command("seal")
    assert not Delay.objects.exists()
