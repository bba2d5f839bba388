"""Compare: groups of one survey."""
