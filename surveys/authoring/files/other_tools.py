"""Files of other survey tools, known by their names and by what is in them, and what to do with them."""

import re

HERE = (
    "copy the questions and their choices into the sheets “survey” and “choices” of an XLSForm workbook, and import "
    "that. The page “Import a survey” lists its columns, docs/xlsform.md has an example."
)
LIMESURVEY = (
    "This is a LimeSurvey file, which Candor can’t import. In LimeSurvey, export the survey as “Tab-separated-values "
    f"format (*.txt)”, open that in a spreadsheet program, {HERE}"
)
QUALTRICS = (
    "This is a Qualtrics file (.qsf), which Candor can’t import. In Qualtrics, go to Tools, Import/Export, “Export "
    f"Survey to Word”, {HERE}"
)
SURVEYJS = (
    "This is a SurveyJS file, which Candor can’t import. You find its titles and choices in the JSON editor of Survey "
    f"Creator: {HERE}"
)
NAMES = {
    **dict.fromkeys((".lss", ".lsa", ".lsg", ".lsq", ".lsr"), LIMESURVEY),
    ".qsf": QUALTRICS,
}
TABLE = re.compile(r'"?(id"?\t"?related_id"?\t"?)?class"?\t"?type/scale"?\t"?name\b')  # how LimeSurvey's .txt begins
PAGES = re.compile(r'"(pages|elements|questions)"\s{0,99}:\s{0,99}\[')
ELEMENT = re.compile(
    r'"type"\s{0,99}:\s{0,99}"(panel|text|comment|radiogroup|checkbox|dropdown|tagbox|rating|ranking|boolean|html|file|'
    r'imagepicker|image|expression|matrix|matrixdropdown|matrixdynamic|multipletext|paneldynamic|signaturepad)"'
)


def recognised(content: str | bytes, name: str = "") -> str:
    """What to say of the file of another tool; nothing where it is none."""
    if isinstance(content, bytes):
        if content.startswith(b"PK"):
            return LIMESURVEY if b".lss" in content[-10_000:] else NAMES.get(_ending(name), "")
        content = content.decode("utf-8-sig", "replace")
    text = content.lstrip("\ufeff \r\n\t")
    if "<LimeSurveyDocType>" in text[:5000] or TABLE.match(text[:200]):
        return LIMESURVEY
    if text.startswith("{"):
        if '"SurveyEntry"' in text and '"SurveyElements"' in text:
            return QUALTRICS
        if '"candor"' not in text[:200] and PAGES.search(text) and ELEMENT.search(text):
            return SURVEYJS
    return NAMES.get(_ending(name), "")


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2].lower()}"
