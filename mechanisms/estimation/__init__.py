"""From counts to shares: tallies, estimates, intervals, likelihoods. Knows no single design (see `decoding`)."""
