"""What is wrong: a passive observer over the records of a session, one rule a sentence of the specification."""
