"""The researchers: how they log in, who may do what, who did what, teams and tokens."""
