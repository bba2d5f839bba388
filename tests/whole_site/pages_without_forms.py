"""The pages of which no form is sent with a text that means harm, and why: tests of hostile texts have the others."""

from surveys.web.workspace.old_addresses import moved
from surveys.web.workspace.urls import urlpatterns

ASKS_NOTHING = "the page has no form that is posted"
ELSEWHERE = "the address only takes what a button of another page sends"
OLD_ADDRESSES = [f"surveys/{each.pattern}" for each in urlpatterns if each.callback is moved]
UNSET = "404 without a setting, or for a name that does not exist"
SURVEY = "surveys/<slug:slug>/"
REPORT = f"{SURVEY}report/"
HAS_NO_FORM = {
    **dict.fromkeys(
        ("", "sample/", "problems/", "leave/", "trust/", "learn/rappor/", "trusted-server/"),
        ASKS_NOTHING,
    ),
    **dict.fromkeys(("healthz", "readyz", "metrics"), ASKS_NOTHING),
    **dict.fromkeys(
        ("problems/<slug:name>", "trust/<slug:slug>/", "help/<slug:slug>/"), ASKS_NOTHING
    ),
    "help/misconduct/": ASKS_NOTHING,
    "s/misconduct/": "the device posts by script, to the API",
    **dict.fromkeys(("r/link/<str:secret>/", "r/<slug:slug>/"), ASKS_NOTHING),
    **dict.fromkeys(
        ("i/<slug:slug>/", "s/", "s/<slug:slug>/"), "the device posts by script, to the API"
    ),
    **dict.fromkeys(("login/provider/", "login/provider/back/", "account/provider/"), UNSET),
    "logout/": ELSEWHERE,
    "account/set-password/<str:uidb64>/<str:token>/": "its form is half of that of account/password/",
    "account/two-factor/codes/": "leads on without an app; its form asks for the password, as others of the account do",
    **dict.fromkeys(("surveys/", "surveys/ready/"), ASKS_NOTHING),
    **{f"surveys/ready/<slug:key>/{part}": ASKS_NOTHING for part in ("preview/", "preview/help/")},
    "surveys/join/<str:secret>/": "404 without an invitation; its form has a button only",
    **{
        f"{SURVEY}{part}": ASKS_NOTHING
        for part in ("simulation/", "ethics/", "preview/", "preview/help/", "files/")
    },
    **{
        f"{SURVEY}{part}": ASKS_NOTHING
        for part in ("questions/<slug:key>/choices/", "poster/", "sheet/")
    },
    **{
        f"{SURVEY}compare/{part}": ASKS_NOTHING
        for part in ("", "linked/", "weighting/", "earlier/")
    },
    **{f"{REPORT}{part}": ASKS_NOTHING for part in ("", "quality/", "<slug:key>/details/")},
    f"{REPORT}<slug:key>/candidates/": "the surveys here have no question with written answers",
    **{f"{SURVEY}invite/{part}": ASKS_NOTHING for part in ("letters/", "<uuid:pk>/")},
    **{
        f"{SURVEY}{part}/": ELSEWHERE
        for part in ("duplicate", "target", "protection", "version", "pause")
    },
    **{f"{SURVEY}{part}/": ELSEWHERE for part in ("archive", "unarchive", "invented-answers")},
    **{f"{SURVEY}invite/{part}/": ELSEWHERE for part in ("mail", "remind", "clear")},
    **{f"{SURVEY}invite/<uuid:pk>/{part}/": ELSEWHERE for part in ("replace", "remove")},
    f"{SURVEY}team/invitations/<uuid:pk>/withdraw/": ELSEWHERE,
    f"{SURVEY}team/<uuid:pk>/remove/": ELSEWHERE,
    **{f"{SURVEY}webhooks/<uuid:webhook>/{part}/": ELSEWHERE for part in ("ping", "remove")},
    f"{SURVEY}webhooks/<uuid:webhook>/deliveries/<uuid:delivery>/again/": ELSEWHERE,
    **{
        f"{SURVEY}questions/<slug:key>/{part}/": ELSEWHERE
        for part in ("move", "up", "down", "rows", "leave", "take-out")
    },
    **{f"{SURVEY}grids/<slug:key>/{part}/": ELSEWHERE for part in ("up", "down")},
    **dict.fromkeys(OLD_ADDRESSES, "an old address, where nothing is taken"),
}
