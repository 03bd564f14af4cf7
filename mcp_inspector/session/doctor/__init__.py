"""The connection doctor: what a connection needs, looked at in order, each with its result, its time and a remedy."""
