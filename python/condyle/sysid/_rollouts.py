"""Rollouts of many variants of one model, side by side.

Variants are models of one structure: compiled from one spec with other numbers. Where they differ
only in numbers that may vary between the worlds of a Batch, they are its worlds, go in lanes and
share threads that stay; else each is rolled out as a model of its own.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._support import state as state_bits
from condyle.batch import Batch
from condyle.rollout import rollout

Array: TypeAlias = NDArray[np.float64]
Fields: TypeAlias = dict[str, Array]

_BAD = state_bits.bad_numbers()
# what two ways to the same number may differ by, in parts of the largest number of an array
_ROUNDING = 1e-9

# what a batch derives from places of shapes and frames of bodies, world by world
_DERIVED = {"bvh_aabb", "body_sameframe", "geom_sameframe", "site_sameframe"}

# why a batch refuses to vary a field that motions don't depend on
_IDLE = ("only drawing depends on it", "no step depends on it", "mjModel has no field")

# batches kept, one for each number of worlds
_BATCHES = 4


class DifferentStructure(ValueError):
    """Models differ in more than numbers that may vary between worlds."""


class Numbers:
    """Arrays and options of models of one structure, by name (``opt.NAME``), to be compared.

    Parameters
    ----------
    model
        The model that others are compared with.
    """

    # names of arrays and of options, which are those of all models
    _arrays: tuple[str, ...] = ()
    _options: tuple[str, ...] = ()

    def __init__(self, model: condyle.MjModel) -> None:
        self.model = model
        if not Numbers._arrays:
            Numbers._arrays = tuple(n for n in _public(model) if _is_array(getattr(model, n)))
            Numbers._options = tuple(_public(model.opt))
        names = [name for name in Numbers._arrays if getattr(model, name).size]
        self.names = [*names, *(f"opt.{name}" for name in Numbers._options)]
        self._get_arrays = operator.attrgetter(*names)
        self._get_options = operator.attrgetter(*Numbers._options)
        self._own = self._bytes(model)

    def _bytes(self, model: condyle.MjModel) -> list[Any]:
        values = [array.tobytes() for array in self._get_arrays(model)]
        for value in self._get_options(model.opt):
            values.append(value.tobytes() if _is_array(value) else value)
        return values

    def differing(self, other: condyle.MjModel) -> list[str]:
        """Return which of them differ in another model."""
        values = self._bytes(other)
        return [
            name
            for name, a, b in zip(self.names, self._own, values, strict=True)
            if a is not b and a != b
        ]

    def same(self, other: condyle.MjModel) -> bool:
        """Tell whether another model has the same numbers, but for rounding."""
        for name in self.differing(other):
            a, b = np.asarray(field(self.model, name)), np.asarray(field(other, name))
            if a.shape != b.shape or not np.issubdtype(a.dtype, np.floating):
                return False
            size = max(np.abs(a).max(), np.abs(b).max())
            if not (np.abs(a - b) <= _ROUNDING * size).all():
                return False
        return True


def _public(of: object) -> list[str]:
    return [name for name in dir(of) if not name.startswith("_")]


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)


def field(model: condyle.MjModel, name: str) -> Any:
    """Return an array of a model, or an option."""
    return getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name)


@dataclasses.dataclass(frozen=True)
class Motion:
    """Where a motion begins, and its controls (steps, nu)."""

    initial: Array
    control: Array


@dataclasses.dataclass
class Count:
    """Work done: rollouts of one motion with one model, and the passes of Jacobians over them."""

    rollouts: int = 0
    passes: int = 0
    compiled: int = 0


class Roller:
    """Rolls out variants of a model.

    Parameters
    ----------
    base
        A model of the structure that the variants have.
    nthread
        Threads; None: one for each processor.
    count
        Where rollouts are counted.
    """

    def __init__(
        self, base: condyle.MjModel, nthread: int | None = None, count: Count | None = None
    ) -> None:
        self.base = base
        self.nthread = nthread
        self.count = Count() if count is None else count
        self.numbers = Numbers(base)
        self._batches: dict[int, tuple[Batch, set[str]]] = {}
        self._unused: set[str] = set()

    # variants

    def fields_of(self, models: Sequence[condyle.MjModel]) -> Fields:
        """Return the arrays in which models differ from the base, (models, ...) each.

        DifferentStructure if they can't be worlds of one batch.
        """
        names: dict[str, None] = {}
        for i, model in enumerate(models):
            if model is not self.base and not any(model is other for other in models[:i]):
                names.update(dict.fromkeys(self.numbers.differing(model)))
        kept = [name for name in names if self.may_vary(name)]
        return {name: np.stack([np.asarray(field(m, name)) for m in models]) for name in kept}

    def may_vary(self, name: str) -> bool:
        """Tell if a field matters to motions; DifferentStructure if worlds have to share it."""
        if name in self._unused or name in _DERIVED:
            return False
        batch, varied = self._batch(1)
        if name not in varied:
            shape = np.shape(field(self.base, name))
            try:
                if batch.vary(name).shape[1:] != shape:
                    raise DifferentStructure(f"{name} has another shape")
            except condyle.FatalError as error:
                if not any(reason in str(error) for reason in _IDLE):
                    raise DifferentStructure(str(error)) from None
                self._unused.add(name)
                return False
            varied.add(name)
        return True

    # rollouts

    def run(
        self,
        variants: int,
        fields: Mapping[str, Array],
        motions: Sequence[Motion],
        derives: bool = False,
    ) -> list[tuple[Array, Array]]:
        """Roll out all motions with all variants.

        Parameters
        ----------
        variants
            How many variants there are.
        fields
            Arrays (variants, ...) by name, in which they differ from the base.
        motions
            Motions; of any lengths.
        derives
            Recompute what ``mj_setConst`` derives from these arrays.

        Returns
        -------
        results
            States (variants, steps, nstate) and sensors (variants, steps, nsensordata) of each
            motion, as ``rollout`` returns them. Those of a variant that fails, or whose numbers
            become bad, are NaN.
        """
        results: list[tuple[Array, Array] | None] = [None] * len(motions)
        lengths = [len(motion.control) for motion in motions]
        for length in dict.fromkeys(lengths):
            rows = [i for i, other in enumerate(lengths) if other == length]
            state, sensor = self._run_alike(variants, fields, [motions[i] for i in rows], derives)
            for k, i in enumerate(rows):
                results[i] = (state[:, k], sensor[:, k])
        self.count.rollouts += variants * len(motions)
        return [result for result in results if result is not None]

    def _run_alike(
        self,
        variants: int,
        fields: Mapping[str, Array],
        motions: Sequence[Motion],
        derives: bool,
    ) -> tuple[Array, Array]:
        """Roll out motions of equal length: (variants, motions, steps, ...)."""
        c = len(motions)
        batch = self.worlds(
            {name: np.repeat(array, c, axis=0) for name, array in fields.items()},
            variants * c,
            derives,
        )
        batch.set_state(np.tile(np.stack([motion.initial for motion in motions]), (variants, 1)))
        control = np.stack([motion.control for motion in motions])
        steps = control.shape[1]
        state, sensor = batch.rollout(np.tile(control, (variants, 1, 1)), steps)
        bad = np.asarray(batch.failed) | (batch.warning[:, _BAD] > 0).any(axis=1)
        if bad.any():
            # a reset in between has set the time back
            h = np.resize(fields.get("opt.timestep", self.base.opt.timestep), variants)
            clock = np.repeat(h, c)[:, None] * np.arange(1, steps + 1)
            state[bad, :, 1:], sensor[bad] = np.nan, np.nan
            state[bad, :, 0] = (
                clock + np.tile([m.initial[0] for m in motions], variants)[:, None]
            )[bad]
        shape = (variants, c, steps)
        return state.reshape(*shape, -1), sensor.reshape(*shape, sensor.shape[-1])

    def worlds(
        self, fields: Mapping[str, Array], n: int, derives: bool = False, linear: bool = False
    ) -> Batch:
        """Return a batch of n worlds after a reset, with these arrays (n, ...).

        linear: for derivatives; errors are raised, and rows of constraints counted.
        """
        batch, varied = self._batch(-n if linear else n)
        varied.update(fields)
        batch.reset()
        for name in varied:
            batch.vary(name)[:] = fields.get(name, field(self.base, name))
        if derives:
            batch.set_const()
        return batch

    @property
    def lanes(self) -> int:
        """How many worlds go side by side; 0 if one by one."""
        return self._batch(1)[0].lanes

    def run_models(
        self, models: Sequence[condyle.MjModel], motions: Sequence[Motion]
    ) -> list[tuple[Array, Array]]:
        """Roll out motions with models: in one batch if they allow it, else each by itself."""
        try:
            return self.run(len(models), self.fields_of(models), motions)
        except DifferentStructure:
            pass
        self.count.rollouts += len(models) * len(motions)
        results = []
        for motion in motions:
            n, steps = len(models), len(motion.control)
            initial = np.tile(motion.initial, (n, 1))
            control = np.tile(motion.control, (n, 1, 1))
            threads = self.nthread or Batch(self.base, 1).nthread
            datas = [condyle.MjData(models[0]) for _ in range(min(threads, n))]
            state, sensor = rollout(
                list(models) if n > 1 else models[0], datas, initial, control, nstep=steps
            )
            # a rollout that ends early repeats its last state, and its time with it
            for k in range(n):
                stopped = steps > 1 and not (np.diff(state[k, :, 0]) > 0).all()
                if stopped:
                    state[k, :, 1:], sensor[k] = np.nan, np.nan
                    state[k, :, 0] = motion.initial[0] + models[k].opt.timestep * np.arange(
                        1, steps + 1
                    )
            results.append((state, sensor))
        return results

    def _batch(self, n: int) -> tuple[Batch, set[str]]:
        kept = self._batches.pop(n, None)
        if kept is None:
            # batches for derivatives have numbers below 0
            batch = Batch(self.base, abs(n), self.nthread, raise_errors=n < 0, lanes=True)
            if n < 0:
                batch.expose("nefc")
            kept = (batch, set())
            others = [size for size in self._batches if size > 1 or size < 0]
            if len(others) >= _BATCHES:
                self._batches.pop(others[0])[0].close()
        self._batches[n] = kept
        return kept
