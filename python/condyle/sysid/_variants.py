"""The models of one system as functions of its parameters.

Compiling a model takes longer than many rollouts, and most parameters end up as numbers in a few
arrays of the model, linearly: a mass, a damping, a gain. ``FieldMap`` finds that out by compiling
the model at a few points

    field(x) = field(x0) + sum_j (x_j - x0_j) slope_j        for arrays that parameters write
    mj_setConst                                              for those that follow from others

and compares at two more points inside the bounds, all arrays. Where both agree, further models are
written instead of compiled, and the caller checks the last of them.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Container, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.sysid._rollouts import (
    Count,
    DifferentStructure,
    Fields,
    Numbers,
    Roller,
    field,
)

Array: TypeAlias = NDArray[np.float64]
Build: TypeAlias = Callable[[Array], condyle.MjModel]

# parts of the way from the start to bounds at which models are compiled and compared
_PROBE = 0.25
_CHECKS = (0.6, -0.45)


@dataclasses.dataclass
class FieldMap:
    """Arrays of a model as linear functions of parameters.

    Attributes
    ----------
    x0, base
        Where the map was found, and the model there.
    slopes
        Derivatives (n, ...) of arrays that parameters write, by name.
    derived
        Names of arrays that ``mj_setConst`` computes from these, and by which parameters (n,).
    """

    x0: Array
    base: condyle.MjModel
    slopes: Fields
    derived: dict[str, NDArray[np.bool_]]

    def fields(self, x: Array) -> Fields:
        """Return the arrays (k, ...) at points x (n, k)."""
        moves = x.T - self.x0
        return {
            name: np.asarray(field(self.base, name)) + np.tensordot(moves, slope, 1)
            for name, slope in self.slopes.items()
        }

    def model(self, x: Array) -> condyle.MjModel:
        """Return the model at a point (n,)."""
        result = copy.copy(self.base)
        for name, values in self.fields(x[:, None]).items():
            _write(result, name, values[0])
        condyle.mj_setConst(result, condyle.MjData(result))
        return result

    def agrees(self, x: Array, compiled: condyle.MjModel) -> bool:
        """Tell whether a compiled model is what the map says of that point."""
        return Numbers(self.model(x)).same(compiled)


def find_map(
    build: Build, roller: Roller, x0: Array, bounds: tuple[Array, Array], writes: NDArray[np.bool_]
) -> tuple[FieldMap | None, list[str] | None]:
    """Find which arrays of a model depend on parameters, and how.

    Parameters
    ----------
    build
        Compiles the model at a point (n,).
    roller
        Knows the model at x0, and what may differ.
    x0, bounds
        A point within bounds (n,).
    writes
        Which parameters may change the model (n,).

    Returns
    -------
    map, names
        How, None if it is not linear; names of the arrays, None if worlds can't differ in them.
    """
    base = roller.base
    reach = [_reach(x0, bound) for bound in bounds]
    far = np.where(np.abs(reach[0]) > np.abs(reach[1]), reach[0], reach[1])
    slopes: Fields = {}
    try:
        for j in np.flatnonzero(writes & (far != 0)):
            move = np.zeros_like(x0)
            move[j] = _PROBE * far[j]
            probe = build(x0 + move)
            for name in roller.numbers.differing(probe):
                if roller.may_vary(name):
                    change = np.asarray(field(probe, name)) - np.asarray(field(base, name))
                    slope = slopes.setdefault(name, np.zeros((len(x0), *np.shape(change))))
                    slope[j] = change / move[j]
    except (DifferentStructure, ValueError, condyle.FatalError):
        # also where a modifier or the compiler refuses a point that the search may never visit
        return None, None
    derived = _derived(base, list(slopes))
    written = {name: slope for name, slope in slopes.items() if name not in derived}
    result = FieldMap(x0, base, written, {name: _moved(slopes[name]) for name in derived})
    near = np.where(far == reach[0], reach[1], reach[0])
    for part in _CHECKS if writes.any() else ():
        # every parameter elsewhere on its way
        way = np.abs(part) * (1 - 0.3 * np.arange(len(x0)) / max(len(x0), 1))
        x = x0 + way * (far if part > 0 else near)
        try:
            if not result.agrees(x, build(x)):
                return None, list(slopes)
        except (ValueError, condyle.FatalError):
            return None, list(slopes)
    return result, list(slopes)


def _moved(slope: Array) -> NDArray[np.bool_]:
    """Which parameters (n,) move an array with derivatives (n, ...)."""
    return np.asarray(slope.reshape(len(slope), -1).any(axis=1))


def _reach(x0: Array, bound: Array) -> Array:
    """How far a bound is, or a tenth of x0 if there is none."""
    tenth = 0.1 * np.maximum(1, np.abs(x0))
    return np.asarray(np.where(np.isfinite(bound), bound - x0, np.copysign(tenth, bound)))


def _derived(base: condyle.MjModel, names: list[str]) -> list[str]:
    """Return which of these arrays ``mj_setConst`` computes."""
    model = copy.copy(base)
    found = []
    for name in names:
        value = np.asarray(field(base, name))
        _write(model, name, value * 1.25 + 0.125)
        condyle.mj_setConst(model, condyle.MjData(model))
        if np.allclose(field(model, name), value, rtol=1e-9, atol=1e-12):
            found.append(name)
        model = copy.copy(base)
    return found


def _write(model: condyle.MjModel, name: str, value: Any) -> None:
    array = field(model, name)
    if isinstance(array, np.ndarray):
        array[...] = value
    else:
        setattr(model.opt, name[4:], float(value))


class Variants:
    """Models of one system at points x, as worlds of a Roller.

    Parameters
    ----------
    build
        Compiles the model at a point (n,).
    x0, bounds
        Where the search begins, and bounds (n,).
    nthread
        Threads of rollouts.
    count
        Where work is counted.
    writes
        Which parameters may change the model (n,).
    """

    def __init__(
        self,
        build: Build,
        x0: Array,
        bounds: tuple[Array, Array],
        nthread: int | None,
        count: Count,
        writes: NDArray[np.bool_],
    ) -> None:
        self._build = build
        self._writes = writes
        self.count = count
        self.roller = Roller(self.compiled(x0), nthread, count)
        self.map, self._names = find_map(self.compiled, self.roller, x0, bounds, writes)
        self.touched = writes.copy()
        if self.map is not None:
            self.touched[:] = False
            for slope in self.map.slopes.values():
                self.touched |= _moved(slope)

    @property
    def base(self) -> condyle.MjModel:
        """A model of the structure of all."""
        return self.roller.base

    def compiled(self, x: Array) -> condyle.MjModel:
        """Compile the model at a point (n,)."""
        self.count.compiled += 1
        return self._build(x)

    def settle(self, x: Array) -> bool:
        """Compile the model at a point (n,), and tell whether it is what was thought.

        If not, every model is compiled and compared from here on.
        """
        compiled = self.compiled(x)
        if self.map is not None:
            if self.map.agrees(x, compiled):
                return True
        elif self._names is None:
            return True
        else:
            try:
                found = [
                    n for n in self.roller.numbers.differing(compiled) if self.roller.may_vary(n)
                ]
            except DifferentStructure:
                found = [""]
            if set(found) <= set(self._names):
                return True
        self.map, self._names = None, None
        self.touched = self._writes.copy()
        return False

    def fields(self, x: Array) -> Fields:
        """Return arrays (k, ...) at points (n, k); DifferentStructure if worlds can't have them."""
        if self.map is not None:
            return self.map.fields(x)
        models = [self.compiled(column) for column in x.T]
        if self._names is None:
            return self.roller.fields_of(models)
        return {
            name: np.stack([np.asarray(field(m, name)) for m in models]) for name in self._names
        }

    def field_slopes(self, x: Array, fields: Mapping[str, Array]) -> Fields:
        """Return derivatives (n, ...) of arrays at a point (n,), where they are ``fields``."""
        if self.map is not None:
            return self.map.slopes
        step = 1e-6 * np.maximum(1, np.abs(x))
        moves = np.diag(step)
        moved = self.fields(np.concatenate([x[:, None] + moves, x[:, None] - moves], axis=1))
        n = len(x)
        slopes = {}
        for name, values in moved.items():
            change = values[:n] - values[n:]
            slopes[name] = change / (2 * step).reshape(n, *(1,) * (change.ndim - 1))
        return slopes

    def movers(self, names: Container[str], slopes: Fields) -> NDArray[np.bool_]:
        """Tell which parameters (n,) move any of these arrays; slopes: see ``field_slopes``."""
        result: NDArray[np.bool_] = np.zeros_like(self.touched)
        for name, slope in slopes.items():
            if name in names:
                result |= _moved(slope)
        for name, moved in ({} if self.map is None else self.map.derived).items():
            if name in names:
                result |= moved
        return result

    @property
    def worlds_alike(self) -> bool:
        """Whether models are worlds of one batch without being looked at."""
        names = self._names
        return names is not None and "opt.timestep" not in names

    @property
    def derives(self) -> bool:
        """Whether ``mj_setConst`` has to follow when arrays are written."""
        return self.map is not None and bool(self.map.derived)

    def model(self, x: Array) -> condyle.MjModel:
        """Return the model at a point (n,)."""
        return self.compiled(x) if self.map is None else self.map.model(x)
