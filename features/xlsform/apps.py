from django.apps import AppConfig


class XlsformConfig(AppConfig):
    name = "features.xlsform"
    verbose_name = "Surveys from and to XLSForm workbooks"
    docs = "xlsform.md"
