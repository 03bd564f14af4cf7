"""From what a person or a model wants to the tools that fit: by words, by meaning, or by both."""
