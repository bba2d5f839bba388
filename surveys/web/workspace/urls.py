from django.urls import path

from surveys.web.workspace import choice_lists as lists
from surveys.web.workspace import ethics_board as ethics
from surveys.web.workspace import export as exports
from surveys.web.workspace import grids, importing, link, lots, questions, surveys, team, tokens, webhooks
from surveys.web.workspace import invitations as tickets
from surveys.web.workspace import lifecycle as launch
from surveys.web.workspace import preparation as preparing
from surveys.web.workspace import publication as publicity
from surveys.web.workspace import sender as telling
from surveys.web.workspace import simulation as rehearsing
from surveys.web.workspace import survey_files as files
from surveys.web.workspace import survey_list as shelves
from surveys.web.workspace import translations as languages
from surveys.web.workspace.report import urls as report_urls

app_name = "workspace"
urlpatterns = [
    path("", shelves.index, name="surveys"),
    path("greeting/", shelves.greet, name="greeting"),
    path("new/", surveys.create, name="create"),
    *tokens.routes,
    path("import/", files.bring, name="import"),
    path("ready/", files.start, name="ready"),
    path("ready/<slug:key>/", files.look, name="ready-look"),
    path("ready/<slug:key>/preview/", files.look_as_respondent, name="ready-preview"),
    path("ready/<slug:key>/preview/help/", files.look_at_help, name="ready-preview-help"),
    path("join/<str:secret>/", team.join, name="join"),
    path("<slug:slug>/", surveys.show, name="survey"),
    path("<slug:slug>/survey.json", files.as_json, name="json"),
    path("<slug:slug>/survey.xlsx", files.as_xlsform, name="xlsx"),
    path("<slug:slug>/duplicate/", launch.duplicate, name="duplicate"),
    path("<slug:slug>/version/", launch.new_version, name="new-version"),
    path("<slug:slug>/rehearsal/", rehearsing.rehearse, name="rehearsal"),
    path("<slug:slug>/schedule/", link.schedule, name="schedule"),
    path("<slug:slug>/poster/", link.poster, name="poster"),
    path("<slug:slug>/qr.svg", link.qr, {"kind": "svg"}, name="qr"),
    path("<slug:slug>/qr.png", link.qr, {"kind": "png"}, name="qr-png"),
    path("<slug:slug>/history/", team.history, name="history"),
    path("<slug:slug>/team/", team.show, name="team"),
    path("<slug:slug>/team/invitations/<uuid:pk>/withdraw/", team.withdraw, name="withdraw"),
    path("<slug:slug>/team/<uuid:pk>/remove/", team.remove, name="remove"),
    path("<slug:slug>/team/<uuid:pk>/transfer/", team.transfer, name="transfer"),
    path("<slug:slug>/pause/", launch.pause, name="pause"),
    path("<slug:slug>/edit/", surveys.edit, name="edit"),
    path("<slug:slug>/ethics/", ethics.ethics, name="ethics"),
    path("<slug:slug>/sender/", telling.sender, name="sender"),
    path("<slug:slug>/data-protection/", telling.data_protection, name="data-protection"),
    path("<slug:slug>/delete/", surveys.delete, name="delete"),
    path("<slug:slug>/languages/", languages.show, name="languages"),
    path("<slug:slug>/texts.csv", languages.table, name="texts-table"),
    path("<slug:slug>/questions/new/", questions.create, name="new-question"),
    path("<slug:slug>/questions/<slug:key>/", questions.edit, name="question"),
    path("<slug:slug>/questions/<slug:key>/choices/", lists.show, name="choices"),
    path("<slug:slug>/questions/<slug:key>/choices.txt", lists.text, name="choices-text"),
    path("<slug:slug>/questions/<slug:key>/delete/", questions.delete, name="delete-question"),
    path("<slug:slug>/questions/<slug:key>/move/", questions.move, name="move"),
    path("<slug:slug>/questions/<slug:key>/up/", questions.move, {"steps": -1}, name="move-up"),
    path("<slug:slug>/questions/<slug:key>/down/", questions.move, {"steps": 1}, name="move-down"),
    path("<slug:slug>/questions/<slug:key>/mend/", questions.mend, name="mend"),
    path("<slug:slug>/questions/<slug:key>/take-out/", grids.take_out, name="take-out"),
    path("<slug:slug>/grids/new/", grids.create, name="new-grid"),
    path("<slug:slug>/grids/<slug:key>/", grids.edit, name="grid"),
    path("<slug:slug>/grids/<slug:key>/delete/", grids.delete, name="delete-grid"),
    path("<slug:slug>/grids/<slug:key>/up/", grids.move, {"steps": -1}, name="grid-up"),
    path("<slug:slug>/grids/<slug:key>/down/", grids.move, {"steps": 1}, name="grid-down"),
    path("<slug:slug>/grids/<slug:key>/draw/", grids.draw, name="draw-rows"),
    path("<slug:slug>/share/", questions.share, name="share"),
    path("<slug:slug>/draw/", lots.choose, name="draw"),
    path("<slug:slug>/draw/take/", lots.take_best, name="take-draw"),
    path("<slug:slug>/preview/", launch.preview, name="preview"),
    path("<slug:slug>/preview/help/", launch.preview_help, name="preview-help"),
    path("<slug:slug>/prepare/", preparing.prepare, name="prepare"),
    path("<slug:slug>/publish/", launch.publish, name="publish"),
    path("<slug:slug>/close/", launch.close, name="close"),
    path("<slug:slug>/reopen/", launch.reopen, name="reopen"),
    path("<slug:slug>/public/", publicity.public, name="public"),
    path("<slug:slug>/archive/", shelves.archive, name="archive"),
    path("<slug:slug>/unarchive/", shelves.unarchive, name="unarchive"),
    path("<slug:slug>/destroy/", launch.destroy, name="destroy"),
    *tickets.routes,
    *webhooks.routes,
    *report_urls.routes,
    *exports.routes,
    *importing.routes,
    path("<slug:slug>/responses.csv", exports.get, {"name": "responses.csv"}, name="csv"),
]
