from django.apps import AppConfig


class ResponseImportConfig(AppConfig):
    name = "features.response_import"
