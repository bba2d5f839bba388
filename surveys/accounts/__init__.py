"""The researchers' accounts: logins, rights, teams, tokens, and the history of surveys."""
