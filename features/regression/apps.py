from django.apps import AppConfig


class RegressionConfig(AppConfig):
    name = "features.regression"
    verbose_name = "Regression models and cross tables"
