"""The core of Candor: one Django app, and the map of its packages.

A package imports only packages above it in this list, which tests/web/test_order.py holds. So the list reads as the
life of an answer: an author writes a survey, people answer it on their devices, what they send is kept and released,
counted, reported and exported. The files behind the arrow are those to read first.

Shared by all packages:
    models/      the tables of the database, also those that only features use
    site/        errors, headers, number format, and files from outside, which may mean harm
                 -> errors.py, number_format.py, files/untrusted.py
    accounts/    people, logins, teams, rights, API tokens, history -> access.py, team.py, history.py, provider.py

The life of an answer:
    definition/  what a survey is: question kinds, designs, conditions, the published instrument, its response format
                 -> kinds.py, freezing.py, instrument.py, parsing.py, designs/catalogue.py
    statements/  what is said about a number: its range, its digits, whether it is shown, and the sentence
                 -> statement.py, family.py, rounding.py, sentences.py
    authoring/   writing a draft: drafts/ changes it, planning/ says what it costs, files/ reads and writes survey files
                 -> drafts/drafts.py, planning/overview.py, files/survey_file.py
    fieldwork/   publishing, schedule, the respondents' page, tickets, and responses from the inbox to the release
                 -> lifecycle.py, page.py, responses/inbox.py, responses/sealing.py, responses/release.py
    results/     disclosure/ says who may see which group, then estimates/, figures/, report/ and analysis/
                 -> disclosure/access.py, estimates/report.py, report/headlines.py
    export/      the files of a published survey: CSV, Excel, JSON lines, codebook -> formats.py, format.py

Around it:
    operation/   health, deployment, backups, probes, metrics -> health.py, backups.py
    web/         HTTP, which decides nothing: respondent/, workspace/, account/, api/ -> the urls.py of each

Beside the packages, extensions.py has every point at which a feature can add something, signals.py what happens to a
survey, and checks.py what Django checks at the start. migrations/, management/, templatetags/, apps.py and admin.py
stand where Django looks for them. The features are in features/, a folder each, and the core never imports them.
"""
