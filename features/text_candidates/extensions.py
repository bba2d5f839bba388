from features.text_candidates import receivers  # noqa: F401 (connects it to the signals)
from features.text_candidates.tasks import count_candidates
from surveys.extensions import Page, PeriodicTask, pages, periodic_tasks

pages.register(Page("report-candidates", tab="report"))
periodic_tasks.register(PeriodicTask("seal", count_candidates))
