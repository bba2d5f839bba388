"""Preferences and identities of accounts, and the delays after wrong passwords."""

from django.conf import settings
from django.db import models


class Preferences(models.Model):
    """A person's choices for the pages of the workspace. A person without choices has no row."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preferences"
    )
    # A name of the IANA time zone database.
    time_zone = models.CharField(max_length=64, default="UTC")

    def __str__(self) -> str:
        return f"{self.user}: {self.time_zone}"


class DemoAccount(models.Model):
    """A mark of an account: “manage.py demo” created it.

    Only a survey whose owner has this mark can be sent invented answers.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="demo_account"
    )

    def __str__(self) -> str:
        return str(self.user)


class Delay(models.Model):
    """The number of wrong passwords in a row, and the time until which no further one is checked.

    Strangers who try the same user name share a row, and so slow each other down. A browser that
    has logged in before has its own row. All processes and nodes use this table.
    """

    # A keyed hash, so that no user name is stored: see surveys.accounts.login_delays.
    key = models.CharField(max_length=64, primary_key=True, editable=False)
    # The number of wrong passwords since the last successful login.
    failures = models.PositiveIntegerField(editable=False)
    # Until this time passwords are refused without being checked.
    until = models.DateTimeField(db_index=True, editable=False)

    def __str__(self) -> str:
        return f"{self.failures} until {self.until:%Y-%m-%d %H:%M}"


class Identity(models.Model):
    """The identity of an account at an OpenID provider, through which its owner logs in.

    It counts only while the account has no usable password, so that there is only one way to log in
    to an account.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="identity"
    )
    # The claims “iss” and “sub” of the provider: its address, and the person’s id there.
    issuer = models.CharField(max_length=200, editable=False)
    subject = models.CharField(max_length=255, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "subject"], name="one_account_for_each_identity"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"
