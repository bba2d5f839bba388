"""The bare floor for submissions: a view that parses JSON and inserts the same bytes, and nothing else."""

import json
import os
import uuid

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpResponse, JsonResponse
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
RECORD = bytes(3)


def insert(request):
    body = json.loads(request.body)
    key = uuid.UUID(body["key"])
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO surveys_response (key, instrument_id, record) VALUES (%s, %s, %s)",
            [key if connection.features.has_native_uuid_field else key.hex, INSTRUMENT, RECORD],
        )
    return JsonResponse({"status": "recorded"}, status=201)


urlpatterns = [path("floor/", insert), path("nowhere", lambda request: HttpResponse(status=404))]
INSTRUMENT = os.environ["FLOOR_INSTRUMENT"]
settings.ROOT_URLCONF = __name__
settings.MIDDLEWARE = []
application = get_wsgi_application()
