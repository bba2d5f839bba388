"""The way from counts to shares: tallies, estimates, intervals and likelihoods.

The package knows no single design. `decoding` says what estimation needs of one.
"""
