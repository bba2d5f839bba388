from django.urls import path

from features.xlsform import api as xlsform_api, views
from surveys.web.api.tasks import WRITE, task

workspace = [path("<slug:slug>/survey.xlsx", views.download, name="xlsx")]
api = task(
    WRITE,
    path("xlsform/", xlsform_api.XLSForm.as_view(), name="xlsform"),
    path("surveys/<slug:slug>/xlsform/", xlsform_api.FormOfSurvey.as_view(), name="survey-xlsform"),
)
