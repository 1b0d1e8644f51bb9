"""The compiled part of condyle.rollout."""

from condyle._condyle import _Pool

__all__ = ["_Pool"]
