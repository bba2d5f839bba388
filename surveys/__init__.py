"""The one Django app of Candor, and its map: a line for each room, in the order in which rooms import each other.

A room imports only rooms above it, so the list reads as the life of an answer: someone writes a survey, people answer
it on their devices, what they send is kept and released, counted, shown and handed on. Behind the arrow stand the files
by which one enters a room. `tests/web/test_order.py` holds the tree to this order.

Ground:
    models/      the tables of the database
    site/        what any room needs: errors, problems, headers, number format
                 -> errors.py, number_format.py; files/untrusted.py reads files that anyone may have made
    accounts/    people, logins, teams, rights, tokens, history -> access.py, team.py, history.py, provider.py
    webhooks/    telling other programs -> announcements.py, deliveries.py

The life of an answer:
    definition/  what a survey is, as a draft and frozen; routing/ conditions and paths, designs/ the catalogue
                 -> kinds.py, freezing.py, instrument.py, parsing.py, odds.py, designs/catalogue.py
    authoring/   writing a draft: drafts/ changes it, planning/ says what it costs, files/ survey file, XLSForm
                 -> drafts/drafts.py, planning/overview.py, files/survey_file.py
    fieldwork/   in the field: lifecycle, schedule, page; tickets/, invitations/, responses/ from inbox to release
                 -> lifecycle.py, page.py, responses/inbox.py, responses/sealing.py, responses/release.py
    results/     what released answers say: disclosure/ who sees which group, estimates/, figures/, report/, analysis/,
                 simulation/ before the field -> estimates/report.py, report/headlines.py, disclosure/access.py
    exchange/    what leaves and what comes: export/, importing/, the ethics board's document, the sheet of paper
                 -> export/formats.py, importing/staging.py, ethics_board.py, sheet.py

Around:
    operation/   health, deployment, backups, probes, metrics -> health.py, backups.py
    demo/        the study that `make demo` shows
    web/         answers requests and decides nothing: respondent/, workspace/, account/, api/ -> the urls.py of each

models/, migrations/, management/, templatetags/, apps.py and admin.py stand where Django looks for them.
"""
