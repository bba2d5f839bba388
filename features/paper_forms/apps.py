from django.apps import AppConfig


class PaperFormsConfig(AppConfig):
    name = "features.paper_forms"
