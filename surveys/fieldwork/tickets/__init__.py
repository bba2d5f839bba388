"""Tickets: each invited person answers once, and nobody can tell who answered what.

A ticket is a token of RFC 9578, type 2 (publicly verifiable, RSA of 2048 bits), with a blind
signature as in RFC 9474. The device draws the ticket. The site signs it unseen for everyone who has
a code, and later accepts it with a response, without knowing whose ticket it is. What the device
sends to be signed is the “blinded text”: a number that hides the text of the ticket. This package
never reads the inbox.
"""
