"""Random numbers of many worlds at once, which no world's neighbours change.

A number is a hash of the world's key, of how many actions and resets it has seen, of what it is
for, and of its place in the row. So all worlds draw in one NumPy expression, the same call gives
the same numbers until the world goes on, and a world's fate depends on its seed alone: not on how
many others there are.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

Array = NDArray[Any]

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


def mix(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return words whose every bit depends on every bit of the given ones (splitmix64)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(word ^ (word >> np.uint64(31)))


class Chance:
    """Random numbers of n worlds.

    Attributes
    ----------
    seeds
        Seed of each world; None: none was given, or its generator made none yet.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.seeds: list[int | None] = [None] * n
        self._generators: list[np.random.Generator | None] = [None] * n
        self._keys = self._key(np.arange(n, dtype=np.uint64) + np.uint64(secrets.randbits(48)))
        self._ticks = np.zeros(n, dtype=np.uint64)

    @staticmethod
    def _key(seeds: Array) -> NDArray[np.uint64]:
        return mix(np.asarray(seeds, dtype=np.uint64) * np.uint64(_GOLDEN) + np.uint64(1))

    def seed(self, mask: Array, seeds: Sequence[int | None]) -> None:
        """Begin anew where a seed is given, of the worlds of a mask."""
        for seed in seeds:
            if seed is not None and not (isinstance(seed, int) and seed >= 0):
                seeding.np_random(seed)  # which says what is wrong with it
        known = np.array([seed is not None for seed in seeds]) & mask
        if not known.any():
            return
        words = np.array([0 if seed is None else seed & _WORD for seed in seeds], dtype=np.uint64)
        self._keys[known] = self._key(words[known])
        self._ticks[known] = 0
        for i in map(int, np.flatnonzero(known)):
            self.seeds[i], self._generators[i] = seeds[i], None

    def generator(self, world: int) -> np.random.Generator:
        """Return the generator that a single environment of that seed would have."""
        generator = self._generators[world]
        if generator is None:
            generator, self.seeds[world] = seeding.np_random(self.seeds[world])
            self._generators[world] = generator
        return generator

    def advance(self, mask: Array | None = None) -> None:
        """Give the worlds of a mask (None: all) new numbers."""
        self._ticks[... if mask is None else mask] += np.uint64(1)

    def uniform(
        self, purpose: str, size: int, low: Any = 0.0, high: Any = 1.0, mask: Array | None = None
    ) -> NDArray[np.float64]:
        """Return numbers between low and high, a row of that size for each world of a mask.

        The same purpose gives the same numbers until the world's next action or reset.
        """
        rows = ... if mask is None else mask
        keys, ticks = self._keys[rows], self._ticks[rows]
        own = mix(keys + ticks * np.uint64(_GOLDEN)) ^ np.uint64(zlib.crc32(purpose.encode()))
        places = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
        words = mix(mix(own)[:, None] + places)
        unit = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return np.asarray(low + (np.asarray(high) - low) * unit)
