"""Logging in, with a second factor once it is set up, and its recovery codes."""

import io
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.accounts import second_factor
from tests.factories.surveys import create_researcher
from tests.helpers.html_forms import errors

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"

CODE = re.compile(r">([a-z2-7]{4}-[a-z2-7]{4})<")


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/accounts/test_login_delays.py is about waiting."""
    monkeypatch.setattr("surveys.accounts.login_delays.MOST_SECONDS", 0)


def log_in(
    client: Client, name: str = "ada", password: str = PASSWORD, code: str = "", **more: str
):
    return client.post("/login/", {"username": name, "password": password, "code": code} | more)


def with_device(user: User) -> TOTPDevice:
    return TOTPDevice.objects.create(user=user, name="app", confirmed=True)


def code_of(device: TOTPDevice) -> str:
    return f"{totp(device.bin_key):06d}"


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_password_is_enough_until_a_second_factor_is_set_up(client: Client) -> None:
    create_researcher()
    assert log_in(client).status_code == 302
    assert is_in(client)


def test_a_wrong_password_keeps_the_name_and_says_nothing_about_accounts(client: Client) -> None:
    create_researcher()
    wrong, unknown = log_in(client, password="x"), log_in(client, name="nobody", password="x")
    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert 'value="ada"' in wrong.content.decode()
    message = "The username or the password is wrong"
    assert message in wrong.content.decode()
    assert message in unknown.content.decode()
    assert not is_in(client)


def test_with_a_second_factor_the_password_alone_does_not_let_in(client: Client) -> None:
    device = with_device(create_researcher())
    for code in ("", "000000", "abc", code_of(device)[::-1] + "1"):
        assert log_in(client, code=code).status_code == 422
    assert not is_in(client)
    code = code_of(device)
    assert log_in(client, code=f"{code[:3]} {code[3:]}").status_code == 302
    assert is_in(client)


def test_a_code_works_once(client: Client) -> None:
    device = with_device(create_researcher())
    code = code_of(device)
    assert log_in(client, code=code).status_code == 302
    client.logout()
    assert log_in(client, code=code).status_code == 422


def test_the_second_factor_is_set_up_with_a_code_and_removed_with_the_password(
    client: Client,
) -> None:
    user = create_researcher()
    client.force_login(user)
    page = client.get("/account/two-factor/")
    device = TOTPDevice.objects.get(user=user)
    assert not device.confirmed
    image = client.get("/account/two-factor/code.svg")
    assert (image.status_code, image["Content-Type"]) == (200, "image/svg+xml")
    assert "<svg" in image.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert (
        client.post("/account/two-factor/", {"code": "123", "password": PASSWORD}).status_code
        == 422
    )
    typed = {"code": code_of(device), "password": PASSWORD}
    assert client.post("/account/two-factor/", typed).status_code == 200
    assert client.get("/account/two-factor/code.svg").status_code == 404
    assert client.post("/account/two-factor/", {"password": "x"}).status_code == 422
    assert client.post("/account/two-factor/", {"password": PASSWORD}).status_code == 302
    assert not TOTPDevice.objects.filter(user=user).exists()
    assert second_factor.count_recovery_codes(user) == 0


@pytest.mark.parametrize("password", ["", "x"])
def test_a_browser_that_was_left_open_turns_on_no_second_factor(
    client: Client, password: str
) -> None:
    """It would lock the owner out. The code still works once the password is right."""
    user = create_researcher()
    client.force_login(user)
    client.get("/account/two-factor/")
    code = code_of(TOTPDevice.objects.get(user=user))
    page = client.post("/account/two-factor/", {"code": code, "password": password})
    assert page.status_code == 422
    assert errors(page).keys() == {"password"}
    assert second_factor.app_of(user) is None
    assert (
        client.post("/account/two-factor/", {"code": code, "password": PASSWORD}).status_code == 200
    )
    assert second_factor.app_of(user) is not None


def turned_on(client: Client) -> list[str]:
    """Turn the second factor on; the recovery codes that the page shows."""
    client.get("/account/two-factor/")
    typed = {"code": code_of(TOTPDevice.objects.get()), "password": PASSWORD}
    shown = client.post("/account/two-factor/", typed)
    assert "no-store" in shown["Cache-Control"]
    return CODE.findall(shown.content.decode())


def test_ten_recovery_codes_are_shown_once_and_each_lets_in_once(client: Client) -> None:
    user = create_researcher()
    client.force_login(user)
    codes = turned_on(client)
    assert len(set(codes)) == 10
    assert not CODE.search(client.get("/account/two-factor/").content.decode())
    typed = (codes[0], codes[1].upper(), codes[2].replace("-", " "), codes[3].replace("-", ""))
    for left, code in enumerate(typed, 1):
        assert log_in(Client(), code=code).status_code == 302
        assert log_in(Client(), code=code).status_code == 422
        assert f"{10 - left} unused recovery code" in client.get("/account/").content.decode()


def test_new_recovery_codes_take_the_password_and_end_the_old_ones(client: Client) -> None:
    user = create_researcher()
    client.force_login(user)
    assert client.get("/account/two-factor/codes/")["Location"] == "/account/two-factor/"
    old = turned_on(client)
    page = client.post("/account/two-factor/codes/", {"password": "x"})
    assert errors(page) == {"password": "This is not your password."}
    new = CODE.findall(
        client.post("/account/two-factor/codes/", {"password": PASSWORD}).content.decode()
    )
    assert len(new) == 10
    assert not set(old) & set(new)
    assert log_in(Client(), code=old[0]).status_code == 422
    assert log_in(Client(), code=new[0]).status_code == 302


def test_wrong_codes_do_not_lock_out_whoever_has_the_right_one(client: Client) -> None:
    device = with_device(create_researcher())
    for _ in range(12):
        assert log_in(client, code="000000").status_code == 422
    assert log_in(client, code=code_of(device)).status_code == 302


def test_a_second_factor_that_an_operator_removes_is_not_asked_for_any_more(client: Client) -> None:
    user = create_researcher()
    client.force_login(user)
    turned_on(client)
    TOTPDevice.objects.all().delete()  # as in the administration
    assert log_in(Client()).status_code == 302


def test_turning_the_second_factor_on_ends_other_sessions(client: Client) -> None:
    create_researcher()
    elsewhere = Client()
    for each in (client, elsewhere):
        assert log_in(each).status_code == 302
    turned_on(client)
    assert client.get("/surveys/").status_code == 200
    assert elsewhere.get("/surveys/").status_code == 302


def test_an_operator_reads_no_recovery_code(client: Client) -> None:
    user = create_researcher("ada")
    code = second_factor.replace_recovery_codes(user)[0]
    client.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    page = client.get(f"/admin/otp_static/staticdevice/{user.staticdevice_set.get().pk}/change/")
    assert page.status_code == 200
    assert code not in page.content.decode()


def test_visitors_are_sent_to_log_in(client: Client) -> None:
    for path in ("/account/two-factor/", "/account/two-factor/code.svg"):
        assert client.get(path)["Location"].startswith("/login/")


def test_the_administration_has_no_login_that_forgets_the_code(client: Client) -> None:
    create_researcher("root", is_staff=True, is_superuser=True)
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/login/?next=%2Fadmin%2F"
    assert (
        client.post("/admin/login/", {"username": "root", "password": PASSWORD}).status_code == 302
    )
    assert not is_in(client)
    client.force_login(create_researcher())
    assert client.get("/admin/login/").status_code == 403


def test_a_login_leads_nowhere_else(client: Client) -> None:
    create_researcher()
    assert log_in(client, next="https://evil.example/")["Location"] == "/surveys/"


def test_an_operator_cannot_read_the_key_of_somebodys_second_factor(client: Client) -> None:
    device = TOTPDevice.objects.create(user=create_researcher("ada"), confirmed=True)
    client.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    page = client.get(f"/admin/otp_totp/totpdevice/{device.pk}/change/")
    assert page.status_code == 200
    assert device.key not in page.content.decode()
    for way in ("qrcode", "config"):
        answer = client.get(f"/admin/otp_totp/totpdevice/{device.pk}/{way}/")
        assert answer.status_code in (403, 404), way


def test_logins_that_have_run_out_are_deleted_by_the_timer(client: Client) -> None:
    client.force_login(create_researcher())
    fresh = client.session.session_key
    Session.objects.create(
        session_key="old", session_data="x", expire_date=timezone.now() - timedelta(seconds=1)
    )
    call_command("seal", stdout=io.StringIO())
    assert list(Session.objects.values_list("session_key", flat=True)) == [fresh]
