from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "surveys.web.account.administration.AdministrationSite"
