from django.urls import path

from features.translation import api as translation_api, views
from surveys.web.api.tasks import WRITE, task

SURVEY = "surveys/<slug:slug>/"

workspace = [
    path("<slug:slug>/languages/", views.show, name="languages"),
    path("<slug:slug>/texts.csv", views.table, name="texts-table"),
]
api = task(
    WRITE,
    path(f"{SURVEY}languages/", translation_api.Languages.as_view(), name="languages"),
    path(f"{SURVEY}texts.csv", translation_api.TextsTable.as_view(), name="texts-table"),
)
