from django.apps import AppConfig


class TextCandidatesConfig(AppConfig):
    name = "features.text_candidates"
    verbose_name = "Counting candidate texts in written answers"
