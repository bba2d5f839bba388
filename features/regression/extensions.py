from features.regression.model.row import MODEL
from features.regression.table.row import TABLE
from surveys.extensions import analyses

analyses.register(MODEL)
analyses.register(TABLE)
