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

SPSS = TableFormat("sav", "SPSS (.sav)", "an SPSS file (.sav)", labelled.is_spss, labelled.as_text)
STATA = TableFormat(
    "dta", "Stata (.dta)", "a Stata file (.dta)", labelled.is_stata, labelled.as_text
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
table_formats.register(SPSS)
table_formats.register(STATA)
periodic_tasks.register(PeriodicTask("seal", forget_old_imports))
