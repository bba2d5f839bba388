from surveys.extensions import Page, Section, pages, sections

pages.register(Page("ethics", tab="files"))
sections.register(Section("files.documents", "ethics", "ethics_document/row.html"))
