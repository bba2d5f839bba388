from django.apps import AppConfig


class SurveyTemplatesConfig(AppConfig):
    name = "features.survey_templates"
    verbose_name = "Ready-made surveys to start from"
