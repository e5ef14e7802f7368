"""A workspace for AI agents, and eyes on the web pages they make."""
