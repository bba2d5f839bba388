from django.apps import AppConfig


class ResponseImportConfig(AppConfig):
    name = "features.response_import"
    verbose_name = "Responses from files"
    docs = "importing.md"
