"""What comes in from where others work."""
