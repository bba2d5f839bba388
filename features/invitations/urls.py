from django.urls import path

from features.invitations import api as invitations_api, views
from surveys.web.api.tasks import INVITE, task

LIST = "<slug:slug>/invite/"
PERSON = f"{LIST}<uuid:pk>/"
SURVEY = "surveys/<slug:slug>/"

workspace = [
    path("<slug:slug>/tickets/", views.choose, name="tickets"),
    path(LIST, views.invite, name="invite"),
    path(f"{LIST}links.csv", views.table, name="invite-links"),
    path(f"{LIST}letters/", views.letters, name="letters"),
    path(f"{LIST}mail/", views.send, name="invite-mail"),
    path(f"{LIST}remind/", views.remind, name="remind"),
    path(f"{LIST}clear/", views.clear, name="clear-invitees"),
    path(f"{LIST}finish/", views.finish, name="finish"),
    path(PERSON, views.letter, name="letter"),
    path(f"{PERSON}replace/", views.replace, name="replace"),
    path(f"{PERSON}remove/", views.withdraw, name="remove-invitee"),
]
api = task(
    INVITE,
    path(f"{SURVEY}steps/", invitations_api.Steps.as_view(), name="steps"),
    path(f"{SURVEY}invitees/", invitations_api.Invitees.as_view(), name="invitees"),
    path(f"{SURVEY}invitees/links.csv", invitations_api.InviteLinks.as_view(), name="invite-links"),
    path(f"{SURVEY}invitees/mail/", invitations_api.InviteMail.as_view(), name="invite-mail"),
    path(f"{SURVEY}invitees/remind/", invitations_api.Remind.as_view(), name="remind"),
    path(f"{SURVEY}invitees/<uuid:pk>/", invitations_api.InviteeDetail.as_view(), name="invitee"),
    path(f"{SURVEY}invitees/<uuid:pk>/replace/", invitations_api.Replace.as_view(), name="replace"),
    path(f"{SURVEY}finish/", invitations_api.FinishTickets.as_view(), name="finish"),
)
