from django.apps import AppConfig


class PaperFormsConfig(AppConfig):
    name = "features.paper_forms"
    verbose_name = "The printed sheet and its data-entry table"
    docs = "paper.md"
