"""What happens to a survey, as Django's signals. They are sent inside the transaction, so a receiver that fails undoes
what happened, and a receiver that writes to the database is undone with it.

Every signal has `survey`. `responses_released` also has `total`, the number of released responses, and `added`, how
many of them are new. `survey_reopened` has `by`, the person who reopened it, or None.
"""

from django.dispatch import Signal

survey_published = Signal()
survey_prepared = Signal()  # its questions are fixed, and its responses come from files
survey_closed = Signal()  # closed by a person; nothing is sent when the closing time comes
survey_reopened = Signal()
responses_released = Signal()
