from django.urls import path

from surveys.answering import views

app_name = "answering"
urlpatterns = [path("<slug:slug>/", views.survey, name="survey")]
