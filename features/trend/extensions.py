from surveys.extensions import Page, pages
from surveys.web.workspace.head import GROUPS, PRINT

pages.register(Page("compare-earlier", tab=GROUPS, title="Earlier version", actions=(PRINT,)))
