from django.apps import AppConfig


class SurveyTemplatesConfig(AppConfig):
    name = "features.survey_templates"
