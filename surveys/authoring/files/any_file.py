"""A draft from whatever file a person has: the JSON of a survey, or an XLSForm; other tools' files are told apart."""

from django.contrib.auth.models import AbstractBaseUser

from features.xlsform import reader
from surveys.authoring.files import other_tools, survey_file
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.site.files.sizes import too_large_message
from surveys.site.files.untrusted import OLE

FORMS = (".xlsx", ".xlsm", ".xls", ".csv", ".md")
LARGEST = max(reader.LARGEST, 4 * survey_file.LARGEST)  # bytes: a character takes four at most


def bring(content: bytes, owner: AbstractBaseUser, name: str = "") -> tuple[Survey, list[str]]:
    """The draft, and what could not be taken over. name: of the file, where it has one. Raises Unreadable."""
    if told := other_tools.recognised(content, name):
        raise Unreadable(told)
    if name.lower().endswith(FORMS) or content.startswith((b"PK\x03\x04", OLE)) or content.lstrip()[:1] == b"|":
        return reader.bring(content, owner, name=name)
    if len(content) > 4 * survey_file.LARGEST:
        raise Unreadable(too_large_message(4 * survey_file.LARGEST))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("The file is not text in UTF-8. Save it as UTF-8.") from None
    return survey_file.read(survey_file.parse(text), owner=owner), []
