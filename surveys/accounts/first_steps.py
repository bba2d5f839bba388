"""What a new account is greeted with: three things to do, ticked as they are done, until all are or it is hidden."""

from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser

from surveys.models import Event, Preferences, Survey


@dataclass(frozen=True)
class Greeting:
    """Whether the person has looked at the sample report, started a survey, and published one.

    draft: the one that was begun last, to go on with.
    """

    looked: bool
    started: bool
    published: bool
    draft: Survey | None = None

    @property
    def done(self) -> int:
        return sum((self.looked, self.started, self.published))


def greeting(user: AbstractBaseUser, *, but: Collection[str] = ()) -> Greeting | None:
    """None where everything is done, or the person has hidden it. but: titles of surveys that nobody here wrote."""
    chosen = Preferences.objects.filter(user=user.pk).first() or Preferences()
    if chosen.greeted:
        return None
    own = Survey.objects.filter(owner=user.pk).exclude(title__in=but)
    published = Event.objects.filter(user=user.pk, what__in=(Event.What.PUBLISHED, Event.What.PREPARED)).exists()
    draft = None if published else own.filter(status=Survey.Status.DRAFT).order_by("-created").first()
    found = Greeting(chosen.saw_sample, published or draft is not None or own.exists(), published, draft)
    return None if found.done == 3 else found


def look(user: AbstractBaseUser) -> None:
    """The person has opened the sample report."""
    Preferences.objects.update_or_create(user=user, defaults={"saw_sample": True})


def hide(user: AbstractBaseUser) -> None:
    Preferences.objects.update_or_create(user=user, defaults={"greeted": True})
