from django.apps import AppConfig


class EthicsDocumentConfig(AppConfig):
    name = "features.ethics_document"
    verbose_name = "The document for an ethics board"
