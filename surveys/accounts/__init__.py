"""The researchers: who may do what, who did what, teams and tokens."""
