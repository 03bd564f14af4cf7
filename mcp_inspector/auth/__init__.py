"""Signing in at a server: what is asked of whom, in which order, decided by which rule, and what is kept of it.

The pure part (`discovery`, `identity`, `code_flow`, `grants`) is written as generators that yield what is to be asked
and get the answer sent back: no I/O, no clock, one exchange a step, so that a face can show and single-step it.
`runner` carries them out, `authorizer` is what one server's transport and face talk to.
"""
