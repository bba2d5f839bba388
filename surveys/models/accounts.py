"""What an account has beside its name and password, or in place of one, and how long whoever guesses has to wait."""

from django.conf import settings
from django.db import models


class Preferences(models.Model):
    """What a person has chosen for the pages of the workspace. Whoever has chosen nothing has no row."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preferences"
    )
    time_zone = models.CharField(max_length=64, default="UTC")  # a name of the IANA database

    def __str__(self) -> str:
        return f"{self.user}: {self.time_zone}"


class DemoAccount(models.Model):
    """The mark of an account that “manage.py demo” made. Only its surveys can be sent invented answers."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="demo_account"
    )

    def __str__(self) -> str:
        return str(self.user)


class Delay(models.Model):
    """Wrong passwords in a row, and until when no further one is looked at; surveys.accounts.login_delays says whose.

    One table for all processes and nodes. It holds no name and no address: the key is a keyed hash.
    """

    key = models.CharField(max_length=64, primary_key=True, editable=False)
    failures = models.PositiveIntegerField(editable=False)
    until = models.DateTimeField(db_index=True, editable=False)

    def __str__(self) -> str:
        return f"{self.failures} until {self.until:%Y-%m-%d %H:%M}"


class Identity(models.Model):
    """What an OpenID provider calls the person of an account that logs in there. It counts only while the account has
    no usable password: an account has one way in.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="identity"
    )
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
