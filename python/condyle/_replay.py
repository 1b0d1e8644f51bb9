"""The compiled part of condyle.replay."""

from condyle._condyle import _Recorder, _Replay, _replay_here

__all__ = ["_Recorder", "_Replay", "_replay_here"]
