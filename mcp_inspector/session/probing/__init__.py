"""Active probes: questions that are asked on purpose to see how a server behaves, on connections of their own.

They stand in this room and not in `checks`, since they hold conversations; what comes back is judged there, too.
"""
