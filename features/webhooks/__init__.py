"""Telling other programs that a survey was published, closed, or has reached its target; never what was answered."""
