from django.urls import path

from features.regression import views
from surveys.web.workspace.old_addresses import old_address

workspace = [
    path("<slug:slug>/compare/linked/", views.linked, name="compare-linked"),
    old_address("report/analysis/", "compare-linked"),
]
