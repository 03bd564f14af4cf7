"""What `bootstrap.py` does, on the standard library alone."""
