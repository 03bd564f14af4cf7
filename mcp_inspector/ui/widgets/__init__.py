"""Reusable widgets. None of them knows a server; all of them show text as plain text, whatever it contains."""
