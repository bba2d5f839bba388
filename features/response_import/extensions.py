from features.response_import.tasks import forget_old_imports
from surveys.extensions import PeriodicTask, periodic_tasks

periodic_tasks.register(PeriodicTask("seal", forget_old_imports))
