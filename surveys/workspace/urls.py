from django.urls import path

from surveys.workspace import exports, launch, questions, report_urls, reports, surveys

app_name = "workspace"
urlpatterns = [
    path("", surveys.index, name="surveys"),
    path("new/", surveys.create, name="create"),
    path("<slug:slug>/", surveys.show, name="survey"),
    path("<slug:slug>/edit/", surveys.edit, name="edit"),
    path("<slug:slug>/delete/", surveys.delete, name="delete"),
    path("<slug:slug>/questions/new/", questions.create, name="new-question"),
    path("<slug:slug>/questions/<slug:key>/", questions.edit, name="question"),
    path("<slug:slug>/questions/<slug:key>/delete/", questions.delete, name="delete-question"),
    path("<slug:slug>/questions/<slug:key>/duplicate/", questions.duplicate, name="duplicate-question"),
    path("<slug:slug>/questions/<slug:key>/move/", questions.move, name="move"),
    path("<slug:slug>/questions/<slug:key>/up/", questions.move, {"steps": -1}, name="move-up"),
    path("<slug:slug>/questions/<slug:key>/down/", questions.move, {"steps": 1}, name="move-down"),
    path("<slug:slug>/preview/", launch.preview, name="preview"),
    path("<slug:slug>/publish/", launch.publish, name="publish"),
    path("<slug:slug>/close/", launch.close, name="close"),
    path("<slug:slug>/reopen/", launch.reopen, name="reopen"),
    *report_urls.routes,
    *exports.routes,
    path("<slug:slug>/responses.csv", reports.csv, name="csv"),
]
