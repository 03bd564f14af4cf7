"""Saved calls, chains and collections that test a server; without Qt.

`collection` says what a file holds, `reading` reads it with a sentence for each oddity, `editing` changes one place of
it and leaves the rest as it is, `values` fills in variables, `judging` holds a result against assertions, `runner` runs
many, `reports` tells of it; `probing` makes a collection of a tool's boundary cases, `load` calls one thing again and
again, `making` makes actions, assertions and tests from an exchange that happened.
"""
