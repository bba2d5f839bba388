from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from surveys.api import views
from surveys.export import FILES

app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(permission_classes=[], authentication_classes=[]), name="schema"),
    path("surveys/", views.SurveyList.as_view(), name="surveys"),
    path("surveys/<slug:slug>/", views.SurveyDetail.as_view(), name="survey"),
    path("surveys/<slug:slug>/instrument/", views.InstrumentDetail.as_view(), name="instrument"),
    path("surveys/<slug:slug>/report/", views.ReportDetail.as_view(), name="report"),
    *(
        path(f"surveys/<slug:slug>/export/{file.name}", views.Export.as_view(), {"name": file.name}, name=file.name)
        for file in FILES
    ),
]
