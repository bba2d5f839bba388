"""Probabilities as whole numbers, and exact random draws from them, one at a time or many at once."""
