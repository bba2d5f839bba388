from django.urls import path

from features.demo import home, misconduct, respondents, views

workspace = [path("<slug:slug>/invented-answers/", views.send, name="invented-answers")]
site = [
    path("", home.home, name="home"),
    path("sample/", home.sample, name="sample"),
    path(f"s/{misconduct.SLUG}/", respondents.survey),
    path(f"help/{misconduct.SLUG}/", respondents.help_lines),
    path("brand/<slug:sha256>.png", respondents.logo),
]
