"""How a host of a certain kind would fare with a server: run its habits against the real one, and read the evidence."""
