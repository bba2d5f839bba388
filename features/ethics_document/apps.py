from django.apps import AppConfig


class EthicsDocumentConfig(AppConfig):
    name = "features.ethics_document"
