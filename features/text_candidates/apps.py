from django.apps import AppConfig


class TextCandidatesConfig(AppConfig):
    name = "features.text_candidates"
