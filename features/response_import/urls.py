from django.urls import path

from features.response_import import api as import_api, preparation, views
from surveys.web.api.tasks import IMPORT, task

ALL = "surveys/<slug:slug>/imports/"
ONE = f"{ALL}<uuid:pk>/"

workspace = [
    path("<slug:slug>/prepare/", preparation.prepare, name="prepare"),
    path("<slug:slug>/import/", views.bring, name="import-responses"),
]
api = task(
    IMPORT,
    path(ALL, import_api.Imports.as_view(), name="imports"),
    path(ONE, import_api.ImportDetail.as_view(), name="import"),
    path(f"{ONE}parts/<int:number>/", import_api.ImportPart.as_view(), name="import-part"),
    path(f"{ONE}finish/", import_api.FinishImport.as_view(), name="finish-import"),
)
