"""Rollouts and batches of worlds on the workers of Ray: many processes, or many machines.

::

    with condyle.ray.Rollouts(model, num_workers=8) as rollouts:
        states, sensors = rollouts.rollout(initial_states, controls)

    with condyle.ray.Batches(model, 1024, num_workers=8, fields=("qpos", "qvel")) as batches:
        seen = batches.reset()
        seen = batches.step(policy(seen["qpos"], seen["qvel"]), nstep=5)

The model is sent once. Worlds are dealt out in order, so results are those of one process, bit for
bit, for any number of workers. On one machine, threads (``condyle.rollout``, ``condyle.Batch``) do
the same without copies between processes.

Errors of a worker are raised here, with the same type.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import rollout
from condyle._errors import FatalError
from condyle.batch import BatchError

try:
    import ray
except ImportError as error:
    raise ImportError("condyle.ray needs the package ray: pip install ray") from error

__all__ = ["Batches", "Rollouts"]

Array: TypeAlias = NDArray[np.float64]

# dimensions of the array arguments of a rollout; the first one is the batch
_DIMENSIONS = {"initial_state": 2, "control": 3, "initial_warmstart": 2}


class _Workers:
    """Actors that hold one model, and how work is dealt out among them."""

    def __init__(
        self, worker: type, model: condyle.MjModel, num_workers: int, nthread: int, *rest: Any
    ) -> None:
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {type(model)}")
        self.num_workers = operator.index(num_workers)
        self.nthread = operator.index(nthread)
        if self.num_workers < 1:
            raise ValueError(f"num_workers must be at least 1, got {num_workers}")
        if self.nthread < 1:
            raise ValueError(f"nthread must be at least 1, got {nthread}")
        reference = ray.put(model)
        make: Any = ray.remote(num_cpus=self.nthread)(worker)
        self._actors: list[Any] = [
            make.remote(reference, self.nthread, *(part[i] for part in rest))
            for i in range(self.num_workers)
        ]

    def close(self) -> None:
        """End the workers; again does nothing."""
        actors, self._actors = self._actors, []
        for actor in actors:
            ray.kill(actor)

    def __enter__(self) -> Any:
        """Return the object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _call(self, method: str, arguments: Sequence[tuple[Any, ...] | None]) -> list[Any]:
        """Call a method of each worker that has arguments; wait for all results."""
        if not self._actors:
            raise RuntimeError("the workers are closed")
        calls = [
            getattr(actor, method).remote(*values)
            for actor, values in zip(self._actors, arguments, strict=True)
            if values is not None
        ]
        # await all calls even if one fails, so that the next call finds idle workers
        ray.wait(calls, num_returns=len(calls))
        try:
            results: list[Any] = ray.get(calls)
        except ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from error
        return results


class Rollouts(_Workers):
    """Rollouts of one model, dealt out among workers.

    Parameters
    ----------
    model
        The MjModel, as it is now.
    num_workers
        Number of workers (actors of Ray).
    nthread
        Threads, and processors that Ray reserves, for each.
    """

    def __init__(self, model: condyle.MjModel, num_workers: int, nthread: int = 1) -> None:
        super().__init__(_RolloutWorker, model, num_workers, nthread)

    def rollout(
        self, initial_state: Any, control: Any = None, **options: Any
    ) -> tuple[Array, Array]:
        """Simulate from initial states under given controls.

        Parameters
        ----------
        initial_state
            (nbatch, nstate), or fewer dimensions or 1 for the same in all rollouts.
        control
            (nbatch, nstep, ncontrol), likewise; None leaves all inputs at rest.
        options
            ``control_spec``, ``nstep``, ``initial_warmstart``, ``chunk_size`` of
            ``condyle.rollout.rollout``, and ``lanes``, which is False here: whether lanes pay
            depends on how many rollouts a worker gets, and with them the last bits.

        Returns
        -------
        state
            (nbatch, nstep, nstate): the states after each step.
        sensordata
            (nbatch, nstep, nsensordata).
        """
        unknown = set(options) - {
            "control_spec",
            "nstep",
            "initial_warmstart",
            "chunk_size",
            "lanes",
        }
        if unknown:
            raise TypeError(f"rollout has no argument {sorted(unknown)[0]!r}")
        options.update(initial_state=initial_state, control=control)
        lengths = {}
        for name, dimensions in _DIMENSIONS.items():
            if options.get(name) is not None:
                options[name] = np.asarray(options[name], dtype=np.float64)
                if options[name].ndim == dimensions and len(options[name]) != 1:
                    lengths[name] = len(options[name])
        if len(set(lengths.values())) > 1:
            raise ValueError(f"numbers of rollouts differ: {lengths}")
        nbatch = next(iter(lengths.values()), 1)
        parts = [
            ({k: v[rows] if k in lengths else v for k, v in options.items()}, rows.start)
            if rows.stop > rows.start
            else None
            for rows in _deal(nbatch, self.num_workers)
        ]
        results = self._call("rollout", parts)
        if not results:
            raise ValueError("there are no rollouts: initial_state or control has length 0")
        return np.concatenate([r[0] for r in results]), np.concatenate([r[1] for r in results])


class Batches(_Workers):
    """Worlds of one model that go on from call to call, dealt out among workers.

    Parameters
    ----------
    model
        The MjModel, as it is now.
    n
        Number of worlds, at least as many as workers.
    num_workers
        Number of workers (actors of Ray), with a ``condyle.Batch`` each.
    nthread
        Threads, and processors that Ray reserves, for each.
    fields
        Names of fields of MjData that ``step``, ``reset`` and ``forward`` return.
    """

    def __init__(
        self,
        model: condyle.MjModel,
        n: int,
        num_workers: int,
        nthread: int = 1,
        fields: Sequence[str] = ("qpos", "qvel"),
    ) -> None:
        self.n = operator.index(n)
        if self.n < num_workers:
            raise ValueError(f"n must be at least num_workers = {num_workers}, got {n}")
        self._rows = _deal(self.n, num_workers)
        super().__init__(
            _BatchWorker, model, num_workers, nthread, self._rows, [tuple(fields)] * num_workers
        )

    def step(self, ctrl: Any = None, nstep: int = 1, mask: Any = None) -> dict[str, NDArray[Any]]:
        """Step worlds and return their fields: see ``Batch.step``."""
        return self._run("step", self._split(ctrl, 2), nstep, self._split(mask, 1))

    def reset(self, mask: Any = None, keyframe: int | str | None = None) -> dict[str, NDArray[Any]]:
        """Reset worlds, to a keyframe if given, and return the fields of all: see ``Batch.reset``.

        Fields that are results, not state, are zero in a world after its reset.
        """
        return self._run("reset", self._split(mask, 1), keyframe)

    def forward(self, mask: Any = None) -> dict[str, NDArray[Any]]:
        """Compute the results of present states and return the fields: see ``Batch.forward``."""
        return self._run("forward", self._split(mask, 1))

    def get(self, *names: str) -> dict[str, NDArray[Any]]:
        """Return fields of MjData, or of MjModel after ``vary``, of all worlds."""
        return self._run("get", names)

    def set(self, **fields: Any) -> None:
        """Set parts of the state of all worlds: ``set(qpos=(n, nq) or (nq,))``."""
        self._assign("set", fields)

    def vary(self, **fields: Any) -> None:
        """Give worlds their own parameters: ``vary(body_mass=(n, nbody))``; see ``Batch.vary``."""
        self._assign("vary", fields)

    def set_const(self) -> None:
        """Recompute what follows from masses and the like: see ``Batch.set_const``."""
        self._call("set_const", [()] * self.num_workers)

    def busy(self) -> Array:
        """Return the processor time of each worker so far, s: (num_workers, 2).

        The first column is that of its steps, resets and ``forward``, the second that of the whole
        process; what is between them, from call to call, are messages.
        """
        return np.array(self._call("busy", [()] * self.num_workers))

    def _assign(self, method: str, fields: dict[str, Any]) -> None:
        parts = [
            ({name: _part(np.asarray(value), self.n, rows) for name, value in fields.items()},)
            for rows in self._rows
        ]
        self._call(method, parts)

    def _run(self, method: str, *arguments: Any) -> dict[str, NDArray[Any]]:
        parts = [
            tuple(a[i] if isinstance(a, list) else a for a in arguments)
            for i in range(self.num_workers)
        ]
        results = self._call(method, parts)
        return {name: np.concatenate([r[name] for r in results]) for name in results[0]}

    def _split(self, array: Any, dimensions: int) -> Any:
        """Parts for the workers of an array with a row for each world; others stay whole."""
        if array is None:
            return None
        array = np.asarray(array)
        if array.ndim < dimensions:
            return array
        if len(array) != self.n:
            raise ValueError(f"arrays must have {self.n} rows, got {len(array)}")
        return [array[rows] for rows in self._rows]


class _RolloutWorker:
    """What rolls out in another process."""

    def __init__(self, model: condyle.MjModel, nthread: int) -> None:
        self._model = model
        self._data = [condyle.MjData(model) for _ in range(nthread)]
        self._pool = rollout.Rollout(nthread=nthread if nthread > 1 else 0)

    def rollout(self, options: dict[str, Any], start: int) -> tuple[Array, Array]:
        try:
            return self._pool.rollout(self._model, self._data, **{"lanes": False, **options})
        except FatalError as error:
            raise FatalError(f"rollouts from {start} on: {error}") from None


class _BatchWorker:
    """What steps a part of the worlds in another process."""

    def __init__(
        self, model: condyle.MjModel, nthread: int, rows: slice, fields: tuple[str, ...]
    ) -> None:
        self._batch = condyle.Batch(model, rows.stop - rows.start, nthread, lanes=True)
        self._start = rows.start
        self._fields = fields
        self._busy = 0.0
        # one thread steps on this one, and Ray's own don't count
        self._clock = time.thread_time if nthread == 1 else time.process_time
        self.get(fields)

    def step(self, ctrl: Any, nstep: int, mask: Any) -> dict[str, NDArray[Any]]:
        return self._done(lambda: self._batch.step(ctrl, nstep, mask))

    def reset(self, mask: Any, keyframe: int | str | None) -> dict[str, NDArray[Any]]:
        return self._done(lambda: self._batch.reset(mask, keyframe))

    def forward(self, mask: Any) -> dict[str, NDArray[Any]]:
        return self._done(lambda: self._batch.forward(mask))

    def set_const(self) -> None:
        self._done(self._batch.set_const)

    def get(self, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
        known = vars(self._batch)["_arrays"]
        return {name: known[name] if name in known else self._batch.expose(name) for name in names}

    def busy(self) -> tuple[float, float]:
        return self._busy, time.process_time()

    def set(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            setattr(self._batch, name, value)

    def vary(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            self._batch.vary(name)[...] = value

    def _done(self, call: Any) -> dict[str, NDArray[Any]]:
        begin = self._clock()
        try:
            call()
        except BatchError as error:
            worlds = {self._start + world: text for world, text in error.worlds.items()}
            raise BatchError(f"worlds from {self._start} on: {error}", worlds) from None
        finally:
            self._busy += self._clock() - begin
        return self.get(self._fields)


def _deal(n: int, parts: int) -> list[slice]:
    """Split n rows into parts of nearly equal length."""
    ends = [n * i // parts for i in range(parts + 1)]
    return [slice(ends[i], ends[i + 1]) for i in range(parts)]


def _part(array: NDArray[Any], n: int, rows: slice) -> NDArray[Any]:
    """The rows of a worker, if the array has one for each world."""
    return array[rows] if array.ndim > 1 and len(array) == n else array
