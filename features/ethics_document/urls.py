from django.urls import path

from features.ethics_document import api as ethics_api, views
from surveys.web.api.tasks import CHECK, task

workspace = [path("<slug:slug>/ethics/", views.ethics, name="ethics")]
api = task(
    CHECK, path("surveys/<slug:slug>/ethics/", ethics_api.EthicsOfSurvey.as_view(), name="ethics")
)
