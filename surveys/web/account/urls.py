from django.urls import path

from surveys.web.account import account, login, provider, second_factor

urlpatterns = [
    path("", account.show, name="account"),
    path("name/", account.name, name="account-name"),
    path("password/", account.password, name="password"),
    path(
        "set-password/<str:uidb64>/<str:token>/", login.SetPassword.as_view(), name="set-password"
    ),
    path("time-zone/", account.time_zone, name="time-zone"),
    path("sessions/", account.sessions, name="sessions"),
    path("provider/", provider.connect, name="connect"),
    path("two-factor/", second_factor.two_factor, name="two-factor"),
    path("two-factor/code.svg", second_factor.qr_code, name="two-factor-code"),
    path("two-factor/codes/", second_factor.recovery_codes, name="recovery-codes"),
]
