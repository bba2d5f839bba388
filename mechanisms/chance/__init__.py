"""Chances as whole numbers, and how they are drawn: exactly, one at a time or many at once."""
