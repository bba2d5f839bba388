from django.urls import path

from features.survey_templates import api as templates_api, views
from surveys.web.api.tasks import WRITE, task

ONE = "ready/<slug:key>/"

workspace = [
    path("ready/", views.start, name="ready"),
    path(ONE, views.look, name="ready-look"),
    path(f"{ONE}preview/", views.look_as_respondent, name="ready-preview"),
    path(f"{ONE}preview/help/", views.look_at_help, name="ready-preview-help"),
]
api = task(
    WRITE,
    path("ready/", templates_api.ReadyInstruments.as_view(), name="ready"),
    path(ONE, templates_api.ReadyInstrument.as_view(), name="ready-instrument"),
)
