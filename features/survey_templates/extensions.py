from surveys.extensions import Section, sections

sections.register(Section("new.ways", "template", "survey_templates/parts/new_link.html"))
sections.register(Section("starts", "template", "survey_templates/parts/start.html"))
