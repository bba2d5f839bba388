from features.xlsform import reader
from features.xlsform.sections import COLUMNS, DOWNLOAD
from surveys.extensions import SurveyFormat, sections, survey_formats

COPYING = (
    "copy the questions and their choices into the sheets “survey” and “choices” of an XLSForm workbook, and import "
    "that. The page “Import a survey” lists its columns, docs/xlsform.md has an example."
)

survey_formats.register(
    SurveyFormat(
        extensions=reader.EXTENSIONS,
        is_content=reader.is_form,
        read=reader.read_draft,
        largest=reader.LARGEST,
        title="an XLSForm from ODK or KoboToolbox",
        file_title="an XLSForm (.xlsx, .xls, .csv or .md) as ODK and KoboToolbox write them",
        text_title="an XLSForm in tables of Markdown",
        copying=COPYING,
    )
)
sections.register(COLUMNS)
sections.register(DOWNLOAD)
