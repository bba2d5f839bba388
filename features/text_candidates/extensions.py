from features.text_candidates.tasks import count_candidates
from surveys.extensions import PeriodicTask, periodic_tasks

periodic_tasks.register(PeriodicTask("seal", count_candidates))
