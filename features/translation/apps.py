from django.apps import AppConfig


class TranslationConfig(AppConfig):
    name = "features.translation"
