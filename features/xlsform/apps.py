from django.apps import AppConfig


class XlsformConfig(AppConfig):
    name = "features.xlsform"
