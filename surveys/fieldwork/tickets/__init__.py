"""Tickets: who was invited answers once, and nobody can tell who did. This room never looks into the inbox.

A ticket is a token of RFC 9578, type 2 (publicly verifiable, RSA of 2048 bits), signed blindly as RFC 9474 says: the
device draws it, the site signs it unseen for whoever has a code, and takes it with a response, not knowing whose it is.
"""
