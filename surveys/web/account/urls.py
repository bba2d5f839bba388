from django.urls import path

from surveys.web.account import account as views
from surveys.web.account import login as logging_in
from surveys.web.account import second_factor

urlpatterns = [
    path("", views.show, name="account"),
    path("name/", views.name, name="account-name"),
    path("password/", views.password, name="password"),
    path("set-password/<str:uidb64>/<str:token>/", logging_in.SetPassword.as_view(), name="set-password"),
    path("time-zone/", views.time_zone, name="time-zone"),
    path("sessions/", views.sessions, name="sessions"),
    path("two-factor/", second_factor.two_factor, name="two-factor"),
    path("two-factor/code.svg", second_factor.qr_code, name="two-factor-code"),
    path("two-factor/codes/", second_factor.recovery_codes, name="recovery-codes"),
]
