from features.invitations.tasks import send_mails
from surveys.extensions import PeriodicTask, periodic_tasks

periodic_tasks.register(PeriodicTask("deliver", send_mails))
