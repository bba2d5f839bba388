from django.urls import path

from features.text_candidates import lesson

site = [path("learn/rappor/", lesson.rappor, name="learn-rappor")]
