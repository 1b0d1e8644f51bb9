"""Small structs of later releases that no part of the engine uses: plain classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class MjPreContact:
    """A contact before it has a frame: distance, place, normal and first tangent."""

    def __init__(self) -> None:
        self._dist = 0.0
        self._pos, self._normal, self._tangent = np.zeros((3, 3))

    @property
    def dist(self) -> float:
        """Its distance, m."""
        return self._dist

    @dist.setter
    def dist(self, value: float) -> None:
        self._dist = float(value)

    @property
    def pos(self) -> NDArray[np.float64]:
        """Its place, (3,)."""
        return self._pos

    @pos.setter
    def pos(self, value: Any) -> None:
        self._pos[:] = value

    @property
    def normal(self) -> NDArray[np.float64]:
        """Its normal, (3,)."""
        return self._normal

    @normal.setter
    def normal(self, value: Any) -> None:
        self._normal[:] = value

    @property
    def tangent(self) -> NDArray[np.float64]:
        """Its first tangent, (3,)."""
        return self._tangent

    @tangent.setter
    def tangent(self, value: Any) -> None:
        self._tangent[:] = value


class MjrVertexAttribute:
    """What a number of a vertex is for (mjrVertexAttributeUsage), and its type."""

    def __init__(self, usage: int = 0, type: int = 0) -> None:  # noqa: A002
        self._usage, self._type = int(usage), int(type)

    @property
    def usage(self) -> int:
        """What it is for."""
        return self._usage

    @usage.setter
    def usage(self, value: int) -> None:
        self._usage = int(value)

    @property
    def type(self) -> int:
        """Its type."""
        return self._type

    @type.setter
    def type(self, value: int) -> None:
        self._type = int(value)


class MjrRendererInfo:
    """What draws: filled by ``mjr_getRendererInfo``."""

    def __init__(self) -> None:
        self._backend = ""

    @property
    def backend(self) -> str:
        """What it draws with, "opengl"; "" if nothing was asked."""
        return self._backend

    @property
    def renderer(self) -> str:
        """How it draws: "classic"."""
        return "classic"


def mjr_defaultRendererInfo(info: MjrRendererInfo) -> None:
    """Set the defaults."""
    _checked(info)._backend = ""


def mjr_getRendererInfo(info: MjrRendererInfo) -> None:
    """Tell what draws."""
    _checked(info)._backend = "opengl"


def _checked(info: MjrRendererInfo) -> MjrRendererInfo:
    if not isinstance(info, MjrRendererInfo):
        raise TypeError(f"info should be an MjrRendererInfo, not {type(info).__name__}")
    return info
