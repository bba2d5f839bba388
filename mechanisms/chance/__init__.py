"""Probabilities as whole numbers, and exact random draws from them, singly or many at once."""
