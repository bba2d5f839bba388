from django.urls import path

from features.simulation import api as simulation_api, planning_api, question_api, views
from surveys.web.api.tasks import CHECK, task
from surveys.web.workspace.old_addresses import old_address

workspace = [
    path("<slug:slug>/simulation/", views.simulate, name="simulation"),
    old_address("rehearsal/", "simulation"),
]
site = [path("trusted-server/", views.teach, name="trusted-server")]
api = task(
    CHECK,
    path("surveys/<slug:slug>/rehearsal/", simulation_api.Rehearsal.as_view(), name="rehearsal"),
    path("planning/", planning_api.Planning.as_view(), name="planning"),
    path("simulation/", question_api.Simulation.as_view(), name="simulation"),
    path("trusted-server/", simulation_api.TrustedServer.as_view(), name="trusted-server"),
)
