from django.urls import path

from surveys.web.respondent import pages as views

app_name = "answering"
urlpatterns = [
    path("", views.missing),
    path("<slug:slug>/", views.survey, name="survey"),
    # The site's own 404 page looks at who is logged in.
    path("<path:rest>/", views.missing),
]
