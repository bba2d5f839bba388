from features.weighting.row import WEIGHTED
from surveys.extensions import analyses

analyses.register(WEIGHTED)
