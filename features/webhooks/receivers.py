"""What happens to a survey is written down for its webhooks, in the same transaction."""

from django.dispatch import receiver

from features.webhooks import announcements
from surveys.models import Occasion, Survey
from surveys.signals import responses_released, survey_closed, survey_published, survey_reopened


@receiver(survey_published)
def announce_published(survey: Survey, **_: object) -> None:
    announcements.announce(survey, Occasion.PUBLISHED)


@receiver(survey_reopened)
def announce_reopened(survey: Survey, **_: object) -> None:
    announcements.announce(survey, Occasion.REOPENED)


@receiver(survey_closed)
def announce_closed(survey: Survey, **_: object) -> None:
    announcements.announce_closed(survey)


@receiver(responses_released)
def announce_target(survey: Survey, total: int, added: int, **_: object) -> None:
    announcements.announce_target(survey, total, added)
