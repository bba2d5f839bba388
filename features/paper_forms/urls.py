from django.urls import path

from features.paper_forms import api as entry_api, views
from features.paper_forms.printed import ENTRY_TABLES
from surveys.web.api.tasks import IMPORT, task

SHEET = "<slug:slug>/sheet/"

workspace = [
    path(SHEET, views.show, name="sheet"),
    *(
        path(
            f"{SHEET}entry.{table.form}", views.entry, {"table": table}, name=f"entry-{table.form}"
        )
        for table in ENTRY_TABLES
    ),
]
api = task(
    IMPORT,
    *(
        path(
            f"surveys/{SHEET}entry.{table.form}",
            entry_api.EntryTableOfSurvey.as_view(table=table),
            name=f"entry-{table.form}",
        )
        for table in ENTRY_TABLES
    ),
)
