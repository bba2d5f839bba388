"""A survey that is open again shows its results to no one but its team, from the same transaction on."""

from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import receiver

from features.shared_reports.links import end_report_link
from features.shared_reports.publication import hide_results
from surveys.models import Survey
from surveys.signals import survey_reopened


@receiver(survey_reopened)
def withdraw_results(survey: Survey, by: AbstractBaseUser | None, **_: object) -> None:
    hide_results(survey, by)
    for link in survey.report_links.all():
        end_report_link(link, by)
