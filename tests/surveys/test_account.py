"""Logging in: wrong passwords are slowed down, and a second factor is asked for once it is set up."""

import time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.account.forms import FAILURES, TOO_MANY
from surveys.limits import Limit
from tests.making import researcher

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _fresh_limit() -> None:
    FAILURES._begin()


def log_in(client: Client, name: str = "ada", password: str = PASSWORD, code: str = "", **more: str):
    return client.post("/login/", {"username": name, "password": password, "code": code} | more)


def with_device(user: User) -> TOTPDevice:
    return TOTPDevice.objects.create(user=user, name="app", confirmed=True)


def code_of(device: TOTPDevice) -> str:
    return f"{totp(device.bin_key):06d}"


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_password_is_enough_until_a_second_factor_is_set_up(client: Client) -> None:
    researcher()
    assert log_in(client).status_code == 302
    assert is_in(client)


def test_a_wrong_password_keeps_the_name_and_says_nothing_about_accounts(client: Client) -> None:
    researcher()
    wrong, unknown = log_in(client, password="x"), log_in(client, name="nobody", password="x")
    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert 'value="ada"' in wrong.content.decode()
    message = "The username or the password is wrong"
    assert message in wrong.content.decode()
    assert message in unknown.content.decode()
    assert not is_in(client)


def test_after_ten_wrong_passwords_the_right_one_has_to_wait(client: Client) -> None:
    researcher()
    researcher("bob")
    for _ in range(10):
        assert log_in(client, password="x").status_code == 422
    refused = log_in(client)
    assert refused.status_code == 429
    assert TOO_MANY in refused.content.decode()
    assert log_in(client, name="ADA").status_code == 429
    assert log_in(client, name="bob").status_code == 302


def test_logging_in_clears_the_count(client: Client) -> None:
    researcher()
    for _ in range(3):
        for _ in range(9):
            log_in(client, password="x")
        assert log_in(client).status_code == 302
        client.logout()


def test_the_limit_ends_with_its_window_and_keeps_no_name() -> None:
    limit = Limit(times=1, seconds=0.05)
    limit.count("ada")
    assert limit.reached("ada")
    assert b"ada" not in b"".join(limit._counts)
    time.sleep(0.06)
    assert not limit.reached("ada")


def test_with_a_second_factor_the_password_alone_does_not_let_in(client: Client) -> None:
    device = with_device(researcher())
    for code in ("", "000000", "abc", code_of(device)[::-1] + "1"):
        assert log_in(client, code=code).status_code == 422
        device.refresh_from_db()
        device.throttle_reset()
    assert not is_in(client)
    code = code_of(device)
    assert log_in(client, code=f"{code[:3]} {code[3:]}").status_code == 302
    assert is_in(client)


def test_a_code_works_once(client: Client) -> None:
    device = with_device(researcher())
    code = code_of(device)
    assert log_in(client, code=code).status_code == 302
    client.logout()
    assert log_in(client, code=code).status_code == 422


def test_the_second_factor_is_set_up_with_a_code_and_removed_with_the_password(client: Client) -> None:
    user = researcher()
    client.force_login(user)
    page = client.get("/account/two-factor/")
    device = TOTPDevice.objects.get(user=user)
    assert not device.confirmed
    image = client.get("/account/two-factor/code.svg")
    assert (image.status_code, image["Content-Type"]) == (200, "image/svg+xml")
    assert "<svg" in image.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert client.post("/account/two-factor/", {"code": "123"}).status_code == 422
    device.refresh_from_db()
    device.throttle_reset()
    assert client.post("/account/two-factor/", {"code": code_of(device)}).status_code == 302
    assert client.get("/account/two-factor/code.svg").status_code == 404
    assert client.post("/account/two-factor/", {"password": "x"}).status_code == 422
    assert client.post("/account/two-factor/", {"password": PASSWORD}).status_code == 302
    assert not TOTPDevice.objects.filter(user=user).exists()


def test_visitors_are_sent_to_log_in(client: Client) -> None:
    for path in ("/account/two-factor/", "/account/two-factor/code.svg"):
        assert client.get(path)["Location"].startswith("/login/")


def test_the_administration_has_no_login_that_forgets_the_code(client: Client) -> None:
    researcher("root", is_staff=True, is_superuser=True)
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/login/?next=%2Fadmin%2F"
    assert client.post("/admin/login/", {"username": "root", "password": PASSWORD}).status_code == 302
    assert not is_in(client)
    client.force_login(researcher())
    assert client.get("/admin/login/").status_code == 403


def test_a_login_leads_nowhere_else(client: Client) -> None:
    researcher()
    assert log_in(client, next="https://evil.example/")["Location"] == "/surveys/"


def test_an_operator_cannot_read_the_key_of_somebodys_second_factor(client: Client) -> None:
    device = TOTPDevice.objects.create(user=researcher("ada"), confirmed=True)
    client.force_login(researcher("olga", is_staff=True, is_superuser=True))
    page = client.get(f"/admin/otp_totp/totpdevice/{device.pk}/change/")
    assert page.status_code == 200
    assert device.key not in page.content.decode()
    for way in ("qrcode", "config"):
        answer = client.get(f"/admin/otp_totp/totpdevice/{device.pk}/{way}/")
        assert answer.status_code in (403, 404), way
