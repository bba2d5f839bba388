"""The routes of responses from files, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, SURVEY, ApiRequest

IMPORTS = f"{API}{SURVEY}imports/"
RULES = {
    f"{SURVEY}prepare/": Right.WRITE,
    f"{SURVEY}import/": Right.WRITE,
    IMPORTS: Right.WRITE,
    f"{IMPORTS}<uuid:pk>/": BY_PROGRAM,
    f"{IMPORTS}<uuid:pk>/parts/<int:number>/": BY_PROGRAM,
    f"{IMPORTS}<uuid:pk>/finish/": BY_PROGRAM,
}
REQUESTS = [
    ApiRequest("get", "imports/", Right.WRITE, "filling"),
    ApiRequest("post", "imports/", Right.WRITE, "filling"),
    ApiRequest("get", "imports/<import>/", Right.WRITE, "filling"),
    ApiRequest("put", "imports/<import>/parts/1/", Right.WRITE, "filling"),
    ApiRequest("post", "imports/<import>/finish/", Right.WRITE, "filling", body={"parts": 1}),
    ApiRequest("delete", "imports/<import>/", Right.WRITE, "filling"),
]
TWINS = {
    "prepare": "prepare",
    "import-responses": ("imports", "import", "import-part", "finish-import"),
}
