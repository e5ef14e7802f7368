"""Checks of artifacts: opened, driven by a scenario, and compared with their baselines."""

__all__ = ()
