"""The routes of XLSForm workbooks, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, SURVEY, ApiRequest

RULES = {
    f"{SURVEY}survey.xlsx": Right.SEE,
    f"{API}{SURVEY}xlsform/": Right.SEE,
    f"{API}xlsform/": BY_PROGRAM,
}
REQUESTS = [ApiRequest("get", "xlsform/", Right.SEE)]
TWINS = {"import": "xlsform", "xlsx": "survey-xlsform"}
