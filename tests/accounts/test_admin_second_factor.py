"""The administration asks for the second factor of accounts that have one."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from surveys.accounts import identities, second_factor
from tests.accounts.test_account import PASSWORD, code_of, log_in, turned_on, with_device
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
LOG_IN_AGAIN = (
    "The administration needs a code, and you logged in without one. Log in again with a code."
)


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/accounts/test_login_delays.py is about waiting."""
    monkeypatch.setattr("surveys.accounts.login_delays.MOST_SECONDS", 0)


@pytest.fixture
def operator(client: Client) -> User:
    """An operator who is logged in with a password alone."""
    user = create_researcher(is_staff=True, is_superuser=True)
    assert log_in(client).status_code == 302
    assert client.get("/admin/").status_code == 200
    return user


def test_a_login_without_a_code_is_led_to_the_login_page(client: Client, operator: User) -> None:
    device = with_device(operator)
    page = client.get("/admin/auth/user/", follow=True)
    assert page.redirect_chain[-1] == ("/login/?next=%2Fadmin%2Fauth%2Fuser%2F", 302)
    assert (page.status_code, LOG_IN_AGAIN in page.content.decode()) == (200, True)
    assert log_in(client, code="000000", next="/admin/auth/user/").status_code == 422
    assert client.get("/admin/").status_code == 302
    typed = log_in(client, code=code_of(device), next="/admin/auth/user/")
    assert typed["Location"] == "/admin/auth/user/"
    assert client.get("/admin/auth/user/").status_code == 200


@pytest.mark.parametrize(
    "path", ["/admin/", "/admin/auth/user/add/", "/admin/jsi18n/", "/admin/surveys/survey/"]
)
def test_no_page_of_the_administration_is_left_open(
    client: Client, operator: User, path: str
) -> None:
    with_device(operator)
    assert client.get(path)["Location"].startswith("/admin/login/")


def test_a_login_without_a_code_changes_nothing_in_the_administration(
    client: Client, operator: User
) -> None:
    device = with_device(operator)
    delete = f"/admin/otp_totp/totpdevice/{device.pk}/delete/"
    assert client.post(delete, {"post": "yes"})["Location"].startswith("/admin/login/")
    assert TOTPDevice.objects.filter(pk=device.pk).exists()


def test_all_other_pages_go_on_without_a_code(client: Client, operator: User) -> None:
    with_device(operator)
    assert client.get("/surveys/").status_code == 200
    assert client.get("/account/").status_code == 200


def test_a_recovery_code_opens_the_administration(client: Client, operator: User) -> None:
    with_device(operator)
    code = second_factor.replace_recovery_codes(operator)[0]
    assert client.get("/admin/").status_code == 302
    assert log_in(client, code=code).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_the_code_that_turns_the_second_factor_on_counts(client: Client, operator: User) -> None:
    assert turned_on(client)
    assert client.get("/admin/").status_code == 200


def test_a_code_of_an_app_that_was_replaced_counts_no_more(client: Client, operator: User) -> None:
    first = with_device(operator)
    assert log_in(client, code=code_of(first)).status_code == 302
    assert client.get("/admin/").status_code == 200
    first.delete()
    second = with_device(operator)
    assert client.get("/admin/").status_code == 302
    assert log_in(client, code=code_of(second)).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_an_app_that_is_not_set_up_yet_asks_for_nothing(client: Client, operator: User) -> None:
    second_factor.unconfirmed_app(operator)
    assert client.get("/admin/").status_code == 200


def test_accounts_of_an_organization_give_their_second_factor_there(client: Client) -> None:
    """Nobody could type a code of Candor's for them, should an operator add a device to such an account."""
    user = create_researcher(is_staff=True, is_superuser=True)
    identities.connect(user, {"iss": "https://login.example.edu", "sub": "person-1"})
    with_device(user)
    client.force_login(user)
    assert client.get("/admin/").status_code == 200


def test_people_who_are_no_operators_are_still_refused(client: Client) -> None:
    user = create_researcher()
    assert client.post("/login/", {"username": "ada", "password": PASSWORD}).status_code == 302
    with_device(user)
    assert client.get("/admin/login/").status_code == 403
