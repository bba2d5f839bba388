from django.apps import AppConfig


class TranslationConfig(AppConfig):
    name = "features.translation"
    verbose_name = "The table of a survey's texts in several languages"
