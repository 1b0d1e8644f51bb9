"""Exceptions of the engine."""

from condyle._condyle import FatalError, UnexpectedError

__all__ = ["FatalError", "UnexpectedError"]
