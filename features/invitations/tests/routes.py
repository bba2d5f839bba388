"""The routes of lists of invited people, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, SURVEY, ApiRequest

LIST = f"{SURVEY}invite/"
BY_API = f"{API}{SURVEY}"
RULES = {
    f"{SURVEY}tickets/": Right.WRITE,
    LIST: Right.INVITE,
    f"{LIST}links.csv": Right.INVITE,
    f"{LIST}letters/": Right.INVITE,
    f"{LIST}mail/": Right.INVITE,
    f"{LIST}remind/": Right.INVITE,
    f"{LIST}clear/": Right.INVITE,
    f"{LIST}finish/": Right.INVITE,
    f"{LIST}<uuid:pk>/": Right.INVITE,
    f"{LIST}<uuid:pk>/replace/": Right.INVITE,
    f"{LIST}<uuid:pk>/remove/": Right.INVITE,
    f"{BY_API}steps/": Right.SEE,  # to PUT takes Right.WRITE
    f"{BY_API}invitees/": Right.INVITE,
    f"{BY_API}invitees/links.csv": Right.INVITE,
    f"{BY_API}invitees/mail/": BY_PROGRAM,
    f"{BY_API}invitees/remind/": BY_PROGRAM,
    f"{BY_API}invitees/<uuid:pk>/": BY_PROGRAM,
    f"{BY_API}invitees/<uuid:pk>/replace/": BY_PROGRAM,
    f"{BY_API}finish/": BY_PROGRAM,
}
REQUESTS = [
    ApiRequest("get", "steps/", Right.SEE),
    ApiRequest("put", "steps/", Right.WRITE, body={"tickets": "one"}),
    ApiRequest("get", "invitees/", Right.INVITE, "invited"),
    ApiRequest("post", "invitees/", Right.INVITE, "invited", body={"people": [{"label": "Zoe"}]}),
    ApiRequest("delete", "invitees/", Right.INVITE),
    ApiRequest("delete", "invitees/<invitee>/", Right.INVITE, "invited"),
    ApiRequest("get", "invitees/links.csv", Right.INVITE, "invited"),
    ApiRequest("post", "invitees/mail/", Right.INVITE, "invited"),
    ApiRequest("post", "invitees/remind/", Right.INVITE, "invited"),
    ApiRequest("post", "invitees/<invitee>/replace/", Right.INVITE, "invited"),
    ApiRequest("post", "finish/", Right.INVITE, "invited and closed", body={"confirm": "A survey"}),
]
TWINS = {
    "tickets": "steps",
    "invite": "invitees",
    "invite-links": "invite-links",
    "invite-mail": "invite-mail",
    "remind": "remind",
    "clear-invitees": "invitees",
    "finish": "finish",
    "replace": "replace",
    "remove-invitee": "invitee",
}
PRINTED = "pages to print; a program makes its own from invitees/links.csv"
NO_TWIN = {"letters": PRINTED, "letter": PRINTED}
