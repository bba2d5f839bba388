"""Files of other survey tools, known by their names and by what is in them, and what to do with them."""

import re
from dataclasses import dataclass

from surveys import extensions


@dataclass(frozen=True)
class OtherTool:
    """problem: says that its files cannot be imported. export: how people get its questions, before what they copy."""

    problem: str
    export: str

    @property
    def message(self) -> str:
        """The problem, and what to do where there is a format into which people can copy a survey."""
        formats = list(extensions.survey_formats)
        if not formats:
            return self.problem
        return f"{self.problem} {self.export} {formats[0].copying}"


LIMESURVEY = OtherTool(
    "This is a LimeSurvey file, which Candor can’t import.",
    "In LimeSurvey, export the survey as “Tab-separated-values format (*.txt)”, open that in a spreadsheet program,",
)
QUALTRICS = OtherTool(
    "This is a Qualtrics file (.qsf), which Candor can’t import.",
    "In Qualtrics, go to Tools, Import/Export, “Export Survey to Word”,",
)
SURVEYJS = OtherTool(
    "This is a SurveyJS file, which Candor can’t import.",
    "You find its titles and choices in the JSON editor of Survey Creator:",
)
NAMES = {
    **dict.fromkeys((".lss", ".lsa", ".lsg", ".lsq", ".lsr"), LIMESURVEY),
    ".qsf": QUALTRICS,
}
TABLE = re.compile(
    r'"?(id"?\t"?related_id"?\t"?)?class"?\t"?type/scale"?\t"?name\b'
)  # how LimeSurvey's .txt begins
PAGES = re.compile(r'"(pages|elements|questions)"\s{0,99}:\s{0,99}\[')
ELEMENT = re.compile(
    r'"type"\s{0,99}:\s{0,99}"(panel|text|comment|radiogroup|checkbox|dropdown|tagbox|rating|ranking|boolean|html|file|'
    r'imagepicker|image|expression|matrix|matrixdropdown|matrixdynamic|multipletext|paneldynamic|signaturepad)"'
)


def recognised(content: str | bytes, name: str = "") -> str:
    """Return what to say of a file of another tool, or "" for any other file."""
    tool = tool_of(content, name)
    return tool.message if tool else ""


def tool_of(content: str | bytes, name: str = "") -> OtherTool | None:
    """Return the tool that wrote a file, by its name and content, or None for any other file."""
    if isinstance(content, bytes):
        if content.startswith(b"PK"):
            return LIMESURVEY if b".lss" in content[-10_000:] else NAMES.get(_ending(name))
        content = content.decode("utf-8-sig", "replace")
    text = content.lstrip("\ufeff \r\n\t")
    if "<LimeSurveyDocType>" in text[:5000] or TABLE.match(text[:200]):
        return LIMESURVEY
    if text.startswith("{"):
        if '"SurveyEntry"' in text and '"SurveyElements"' in text:
            return QUALTRICS
        if '"candor"' not in text[:200] and PAGES.search(text) and ELEMENT.search(text):
            return SURVEYJS
    return NAMES.get(_ending(name))


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2].lower()}"
