from django.urls import path

from surveys.exchange.export import FILES, FORMS
from surveys.results.analysis.analyses import ANALYSES
from surveys.results.analysis.analysis import FORMS as FORMS_OF_ANALYSES
from surveys.web.api.problems import nothing
from surveys.web.api.views import (
    designs,
    docs,
    draft_review,
    ethics_board,
    export,
    history,
    importing,
    instrument,
    invitations,
    lifecycle,
    link,
    planning,
    protection,
    publication,
    question_simulation,
    responses,
    schema_view,
    sender,
    simulation,
    survey_files,
    surveys,
    team,
    tokens,
    translations,
    webhooks,
    xlsform,
)
from surveys.web.api.views.report import analyses, candidates, files, groups, on_request, report

SURVEY = "surveys/<slug:slug>/"
QUESTION = f"{SURVEY}report/<slug:key>/"
app_name = "api"
urlpatterns = [
    path("schema/", schema_view.Schema.as_view(), name="schema"),
    path("docs/", docs.show, name="docs"),
    path("surveys/", surveys.SurveyList.as_view(), name="surveys"),
    path(SURVEY, surveys.SurveyDetail.as_view(), name="survey"),
    path(f"{SURVEY}file/", survey_files.FileOfSurvey.as_view(), name="file"),
    path(f"{SURVEY}languages/", translations.Languages.as_view(), name="languages"),
    path(f"{SURVEY}texts.csv", translations.TextsTable.as_view(), name="texts-table"),
    path(f"{SURVEY}xlsform/", xlsform.FormOfSurvey.as_view(), name="survey-xlsform"),
    path(f"{SURVEY}preview/", draft_review.Preview.as_view(), name="preview"),
    path(f"{SURVEY}protection/", protection.Protection.as_view(), name="protection"),
    path(f"{SURVEY}rehearsal/", simulation.Rehearsal.as_view(), name="rehearsal"),
    path(f"{SURVEY}publish/", lifecycle.Publish.as_view(), name="publish"),
    path(f"{SURVEY}prepare/", lifecycle.Prepare.as_view(), name="prepare"),
    path(f"{SURVEY}pause/", lifecycle.Pause.as_view(), name="pause"),
    path(f"{SURVEY}close/", lifecycle.Close.as_view(), name="close"),
    path(f"{SURVEY}reopen/", lifecycle.Reopen.as_view(), name="reopen"),
    path(f"{SURVEY}archive/", lifecycle.Archive.as_view(), name="archive"),
    path(f"{SURVEY}unarchive/", lifecycle.Unarchive.as_view(), name="unarchive"),
    path(f"{SURVEY}destroy/", lifecycle.Destroy.as_view(), name="destroy"),
    path(f"{SURVEY}duplicate/", lifecycle.Duplicate.as_view(), name="duplicate"),
    path(f"{SURVEY}version/", lifecycle.NewVersion.as_view(), name="version"),
    path(f"{SURVEY}schedule/", link.Schedule.as_view(), name="schedule"),
    path(f"{SURVEY}ethics/", ethics_board.Ethics.as_view(), name="ethics"),
    path(f"{SURVEY}sender/", sender.Sender.as_view(), name="sender"),
    path(f"{SURVEY}logo/", sender.Logo.as_view(), name="logo"),
    path(f"{SURVEY}data-protection/", sender.DataProtection.as_view(), name="data-protection"),
    path(f"{SURVEY}public/", publication.Public.as_view(), name="public"),
    path(f"{SURVEY}link/", link.Link.as_view(), name="link"),
    path(f"{SURVEY}qr.svg", link.QRCode.as_view(), name="qr"),
    path(f"{SURVEY}qr.png", link.QRCodePicture.as_view(), name="qr-png"),
    path(f"{SURVEY}count/", link.Progress.as_view(), name="count"),
    path(f"{SURVEY}history/", history.History.as_view(), name="history"),
    path(f"{SURVEY}team/", team.Team.as_view(), name="team"),
    path(f"{SURVEY}team/invitations/", team.Invite.as_view(), name="invite"),
    path(f"{SURVEY}team/invitations/<uuid:pk>/", team.Withdraw.as_view(), name="withdraw"),
    path(f"{SURVEY}team/<uuid:pk>/", team.Member.as_view(), name="member"),
    path(f"{SURVEY}team/<uuid:pk>/transfer/", team.Transfer.as_view(), name="transfer"),
    path(f"{SURVEY}steps/", invitations.Steps.as_view(), name="steps"),
    path(f"{SURVEY}invitees/", invitations.Invitees.as_view(), name="invitees"),
    path(f"{SURVEY}invitees/links.csv", invitations.InviteLinks.as_view(), name="invite-links"),
    path(f"{SURVEY}invitees/mail/", invitations.InviteMail.as_view(), name="invite-mail"),
    path(f"{SURVEY}invitees/remind/", invitations.Remind.as_view(), name="remind"),
    path(f"{SURVEY}invitees/<uuid:pk>/", invitations.InviteeDetail.as_view(), name="invitee"),
    path(f"{SURVEY}invitees/<uuid:pk>/replace/", invitations.Replace.as_view(), name="replace"),
    path(f"{SURVEY}finish/", invitations.FinishTickets.as_view(), name="finish"),
    path(f"{SURVEY}webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/", webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/ping/", webhooks.Ping.as_view(), name="ping"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/deliveries/", webhooks.Deliveries.as_view(), name="deliveries"),
    path(f"{SURVEY}webhooks/<uuid:webhook>/deliveries/<uuid:delivery>/again/", webhooks.Again.as_view(), name="again"),
    path("join/<str:secret>/", team.Join.as_view(), name="join"),
    path(f"{SURVEY}imports/", importing.Imports.as_view(), name="imports"),
    path(f"{SURVEY}imports/<uuid:pk>/", importing.ImportDetail.as_view(), name="import"),
    path(f"{SURVEY}imports/<uuid:pk>/parts/<int:number>/", importing.ImportPart.as_view(), name="import-part"),
    path(f"{SURVEY}imports/<uuid:pk>/finish/", importing.FinishImport.as_view(), name="finish-import"),
    path(f"{SURVEY}instrument/", instrument.InstrumentOfSurvey.as_view(), name="instrument"),
    path(f"{SURVEY}report/", report.Report.as_view(), name="report"),
    path(f"{SURVEY}report/shares.csv", files.Shares.as_view(), name="shares"),
    path(f"{SURVEY}report/methods.txt", files.Methods.as_view(), name="methods"),
    *(
        path(f"{SURVEY}report/{each.name}/", analyses.AnalysisOfSurvey.as_view(analysis=each), name=each.name)
        for each in ANALYSES
    ),
    *(
        path(
            f"{SURVEY}report/{each.name}.{form}",
            analyses.FileOfAnalysis.as_view(analysis=each, form=form),
            name=f"{each.name}-{form}",
        )
        for each in ANALYSES
        for form in FORMS_OF_ANALYSES
    ),
    path(f"{SURVEY}report/groups/", groups.GroupsOfSurvey.as_view(), name="groups"),
    path(f"{SURVEY}report/groups.csv", groups.GroupsTable.as_view(), name="groups-table"),
    *(
        path(f"{QUESTION}groups.{form}", groups.GroupsFigure.as_view(form=form), name=f"groups-{form}")
        for form in ("svg", "png")
    ),
    path(f"{QUESTION}candidates/", candidates.Candidates.as_view(), name="candidates"),
    path(f"{QUESTION}candidates.csv", candidates.CandidatesTable.as_view(), name="candidates-table"),
    path(f"{QUESTION}readings/", on_request.ReadingsOfQuestion.as_view(), name="readings"),
    path(f"{SURVEY}report/quality/", files.QualityOfSurvey.as_view(), name="quality"),
    *(
        path(
            f"{QUESTION}{drawing}.{form}",
            files.Figure.as_view(drawing=drawing, form=form),
            name=f"{drawing}-{form}",
        )
        for drawing in files.FIGURES
        for form in ("svg", "png")
    ),
    path(f"{SURVEY}tallies/", report.Tallies.as_view(), name="tallies"),
    path(f"{SURVEY}export/", export.Exports.as_view(), name="exports"),
    *(path(f"{SURVEY}export/{file.name}", responses.Export.as_view(file=file), name=file.name) for file in FILES),
    *(
        path(f"{SURVEY}export/{each.name}", responses.Export.as_view(file=each, schema=None), name=each.name)
        for each in FORMS
    ),
    path("instruments/<slug:sha256>/", instrument.InstrumentByHash.as_view(), name="instrument-by-hash"),
    path("designs/", designs.Designs.as_view(), name="designs"),
    path("ready/", survey_files.ReadyInstruments.as_view(), name="ready"),
    path("ready/<slug:key>/", survey_files.ReadyInstrument.as_view(), name="ready-instrument"),
    path("files/", survey_files.Files.as_view(), name="files"),
    path("xlsform/", xlsform.XLSForm.as_view(), name="xlsform"),
    path("planning/", planning.Planning.as_view(), name="planning"),
    path("simulation/", question_simulation.Simulation.as_view(), name="simulation"),
    path("trusted-server/", simulation.TrustedServer.as_view(), name="trusted-server"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<uuid:pk>/", tokens.TokenDetail.as_view(), name="token"),
    path("<path:rest>", nothing),
]
