"""Planning of a survey: sample sizes and power, the choice of a design, and the cost of privacy.

The functions for sample sizes and power can be imported from here.
"""

from mechanisms.planning.channels import Channel, worst_share
from mechanisms.planning.groups import (
    exact_power_of_groups,
    exact_sample_size_of_groups,
    power_of_groups,
    sample_size_of_groups,
)
from mechanisms.planning.means import least_favourable, mean_half_width, sample_size_for_mean
from mechanisms.planning.sizes import (
    exact_power,
    exact_sample_size_for_power,
    half_width,
    interval_reach,
    power,
    sample_size,
    sample_size_for_power,
    sample_size_for_reach,
    side_by_side,
    smallest_detectable_share,
    standard_error,
)

__all__ = [
    "Channel",
    "exact_power",
    "exact_power_of_groups",
    "exact_sample_size_for_power",
    "exact_sample_size_of_groups",
    "half_width",
    "interval_reach",
    "least_favourable",
    "mean_half_width",
    "power",
    "power_of_groups",
    "sample_size",
    "sample_size_for_mean",
    "sample_size_for_power",
    "sample_size_for_reach",
    "sample_size_of_groups",
    "side_by_side",
    "smallest_detectable_share",
    "standard_error",
    "worst_share",
]
