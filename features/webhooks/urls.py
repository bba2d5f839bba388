from django.urls import path

from features.webhooks import api as webhooks_api, views
from surveys.web.api.tasks import WEBHOOKS, task
from surveys.web.workspace.old_addresses import old_address

ONE = "<slug:slug>/webhooks/<uuid:webhook>/"
ALL_BY_PROGRAM = "surveys/<slug:slug>/webhooks/"
ONE_BY_PROGRAM = f"{ALL_BY_PROGRAM}<uuid:webhook>/"

workspace = [
    path(ONE, views.show, name="webhook"),
    path(f"{ONE}ping/", views.ping, name="ping-webhook"),
    path(f"{ONE}remove/", views.remove, name="remove-webhook"),
    path(f"{ONE}deliveries/<uuid:delivery>/again/", views.again, name="send-again"),
    old_address("webhooks/", "settings", "webhooks"),
]
api = task(
    WEBHOOKS,
    path(ALL_BY_PROGRAM, webhooks_api.Webhooks.as_view(), name="webhooks"),
    path(ONE_BY_PROGRAM, webhooks_api.WebhookDetail.as_view(), name="webhook"),
    path(f"{ONE_BY_PROGRAM}ping/", webhooks_api.Ping.as_view(), name="ping"),
    path(f"{ONE_BY_PROGRAM}deliveries/", webhooks_api.Deliveries.as_view(), name="deliveries"),
    path(
        f"{ONE_BY_PROGRAM}deliveries/<uuid:delivery>/again/",
        webhooks_api.Again.as_view(),
        name="again",
    ),
)
