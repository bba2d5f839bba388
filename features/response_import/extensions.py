from functools import partial

from features.response_import import labelled
from features.response_import.tasks import forget_old_imports
from surveys.accounts.access import Right
from surveys.extensions import (
    Action,
    Page,
    PeriodicTask,
    Section,
    TableFormat,
    actions,
    pages,
    periodic_tasks,
    sections,
    table_formats,
)

FAMILY = "An SPSS, Stata or SAS file"
FORMATS = (
    ("sav", "SPSS (.sav)", "an SPSS file"),
    ("dta", "Stata (.dta)", "a Stata file"),
    ("por", "SPSS (.por)", "an SPSS file"),
    ("xpt", "SAS (.xpt)", "a SAS file"),
)

pages.register(Page("import-responses", tab="files"))
actions.register(
    Action("Prepare for import", "prepare", ("draft",), Right.WRITE, is_main=True, files=True)
)
actions.register(
    Action("Import responses", "import-responses", ("filling",), Right.WRITE, is_main=True)
)
sections.register(Section("new.settings", "import", "response_import/parts/new_survey.html"))
sections.register(Section("starts.file", "import", "response_import/parts/start.html"))
sections.register(Section("files.survey", "import", "response_import/row.html"))
for key, title, name in FORMATS:
    table_formats.register(
        TableFormat(
            key=key,
            title=title,
            name=name,
            family=FAMILY,
            is_start=partial(labelled.is_format, key),
            read=labelled.as_text,
        )
    )
periodic_tasks.register(PeriodicTask("seal", forget_old_imports))
