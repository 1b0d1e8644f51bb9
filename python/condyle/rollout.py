"""Many simulations at once: ``rollout`` and pools of threads.

A rollout starts from a given state, applies given controls and records states and sensors. Nothing
of what its MjData held before has an influence, so results do not depend on the number of threads
or on how the work is split. This module finds out sizes and checks arguments; ``_Pool`` of the
compiled part simulates. It gets one model per rollout, C-contiguous float64 arrays of full size,
which may be read-only if they are inputs, and at least one MjData; it must still check that each
MjData fits the models.
"""

from __future__ import annotations

import atexit
import operator
import os
import threading
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._rollout import _Pool
from condyle._support import state as state_bits

Array: TypeAlias = NDArray[np.float64]


class Rollout:
    """A pool of threads for rollouts.

    Parameters
    ----------
    nthread
        Number of threads; each needs an MjData of its own. None or 0: the calling thread.

    Notes
    -----
    A pool is used by one thread at a time. ``with Rollout(nthread=4) as pool:`` closes it.
    """

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = 0 if nthread is None else _integer("nthread", nthread, TypeError)
        if self.nthread < 0:
            raise ValueError(f"nthread must not be negative, got {self.nthread}")
        self._busy = threading.Lock()
        self._pool: _Pool | None = _Pool(self.nthread)

    def __enter__(self) -> Rollout:  # noqa: PYI034
        """Return the pool itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the pool."""
        self.close()

    def close(self) -> None:
        """End the threads; closing again does nothing."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def rollout(
        self,
        model: condyle.MjModel | Iterable[condyle.MjModel],
        data: condyle.MjData | Sequence[condyle.MjData],
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: int | None = None,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: Any = None,
        state: Any = None,
        sensordata: Any = None,
        chunk_size: int | None = None,
        lanes: bool = True,
    ) -> tuple[Array, Array]:
        """Simulate from initial states under given controls.

        Sizes: nstate is that of mjSTATE_FULLPHYSICS, mjSTATE_HISTORY and mjSTATE_PLASTIC together,
        ncontrol that of control_spec. Arrays may lack leading dimensions and have 1 where others
        have nbatch (or control nstep); they are then repeated.

        Parameters
        ----------
        model
            One model, or a sequence of 1 or nbatch that differ in numbers only.
        data
            Working memory: one MjData, or as many as there are threads. Each ends up at the end of
            the last rollout that it worked on; with lanes one of them at the end of the last of
            all.
        initial_state
            (nbatch, nstate).
        control
            (nbatch, nstep, ncontrol); None leaves all inputs at rest.
        control_spec
            Which inputs the controls are: bits of mjSTATE_USER, mjSTATE_CTRL if None. Others are at
            rest: forces zero, mocap bodies where the model puts them, equality constraints as
            active as there.
        skip_checks
            Nothing is inferred, repeated or allocated: model is a list of nbatch, data a list,
            nstep given, all arrays have their full size; results not asked for are None.
        nstep
            Steps, 0 for none; inferred from control, state and sensordata if None, else 1.
        initial_warmstart
            (nbatch, nv): qacc_warmstart of the first step; zero if None.
        state, sensordata
            Results to be filled, (nbatch, nstep, nstate) and (nbatch, nstep, nsensordata).
        chunk_size
            Rollouts that a thread takes at a time; None: fewer and fewer, so that all threads end
            together.
        lanes
            Many rollouts of one model go side by side through vector registers where the model
            allows it (docs/batch.md, Lanes). They agree with steps one by one but for rounding;
            False: with the bits of ``mj_step``.

        Returns
        -------
        state
            (nbatch, nstep, nstate); entry t is the state after step t + 1. From the step on that
            raises a warning, a rollout repeats what it has, so its time stands still.
        sensordata
            (nbatch, nstep, nsensordata).

        Raises
        ------
        ValueError
            Sizes do not fit.
        FatalError
            The engine reports an error, in whichever thread.
        RuntimeError
            The pool is closed or in use.
        """
        if control_spec is None:
            control_spec = int(condyle.mjtState.mjSTATE_CTRL)
        pool = self._pool
        if pool is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        datas = _datas(data)
        self._check_threads(datas)
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("a rollout is already running in this thread pool")
        try:
            if skip_checks:
                batch = _Batch.as_given(
                    model, initial_state, control, control_spec, nstep, initial_warmstart
                )
            else:
                batch = _Batch.inferred(
                    model,
                    initial_state,
                    control,
                    control_spec,
                    nstep,
                    initial_warmstart,
                    state,
                    sensordata,
                )
            states = batch.result("state", state, batch.nstate, skip_checks)
            sensors = batch.result("sensordata", sensordata, batch.nsensordata, skip_checks)
            chunk = _chunk(chunk_size)
            if not batch.nstep:
                return states.given_back(), sensors.given_back()
            pool.rollout(
                batch.models,
                datas,
                batch.nstep,
                batch.control_spec,
                batch.initial_state,
                batch.warmstart,
                batch.control,
                states.array,
                sensors.array,
                chunk,
                bool(lanes),
            )
            return states.given_back(), sensors.given_back()
        finally:
            self._busy.release()

    def _check_threads(self, datas: list[condyle.MjData]) -> None:
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError(
                "More than one data instance passed but rollout is configured to run on main thread"
            )
        if self.nthread > 0 and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")


def _chunk(size: int | None) -> int:
    """Check a chunk size for the pool, where 0 is the default."""
    if size is None:
        return 0
    size = _integer("chunk_size", size)
    if size < 1:
        raise ValueError("chunk_size must be a positive integer")
    return size


# the pool that persistent_pool=True keeps
persistent_rollout: Rollout | None = None


def rollout(
    model: condyle.MjModel | Iterable[condyle.MjModel],
    data: condyle.MjData | Sequence[condyle.MjData],
    initial_state: Any,
    control: Any = None,
    *,
    control_spec: int | None = None,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: Any = None,
    state: Any = None,
    sensordata: Any = None,
    chunk_size: int | None = None,
    lanes: bool = True,
    persistent_pool: bool = False,
) -> tuple[Array, Array]:
    """Simulate from initial states under given controls, with one thread per MjData.

    ``persistent_pool`` keeps the threads for the next call with as many MjData; ``data`` of one
    MjData means the calling thread. The other parameters are those of ``Rollout.rollout``.
    """
    nthread = len(_datas(data))
    nthread = nthread if nthread > 1 else 0
    pool = _persistent(nthread) if persistent_pool else Rollout(nthread=nthread)
    try:
        return pool.rollout(
            model,
            data,
            initial_state,
            control,
            control_spec=control_spec,
            skip_checks=skip_checks,
            nstep=nstep,
            initial_warmstart=initial_warmstart,
            state=state,
            sensordata=sensordata,
            chunk_size=chunk_size,
            lanes=lanes,
        )
    finally:
        if not persistent_pool:
            pool.close()


def _persistent(nthread: int) -> Rollout:
    global persistent_rollout
    if persistent_rollout is None or persistent_rollout.nthread != nthread:
        shutdown_persistent_pool()
        persistent_rollout = Rollout(nthread=nthread)
    return persistent_rollout


def shutdown_persistent_pool() -> None:
    """End the threads that ``persistent_pool=True`` keeps."""
    global persistent_rollout
    pool, persistent_rollout = persistent_rollout, None
    if pool is not None:
        pool.close()


def _forget_persistent_pool() -> None:
    global persistent_rollout
    persistent_rollout = None


atexit.register(shutdown_persistent_pool)
# threads do not survive a fork: the child makes its own
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_persistent_pool)


class _Batch:
    """Arguments of the compiled part, all of full size."""

    models: list[condyle.MjModel]
    nbatch: int
    nstep: int
    nstate: int
    ncontrol: int
    nsensordata: int
    control_spec: int
    initial_state: Array
    warmstart: Array | None
    control: Array | None

    def __init__(self, models: list[condyle.MjModel], control_spec: int) -> None:
        self.models = models
        self.control_spec = int(control_spec)
        if self.control_spec & ~int(condyle.mjtState.mjSTATE_USER):
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        if not models:
            raise ValueError("The list of models is empty")
        sizes = {self._sizes(model) for model in {id(model): model for model in models}.values()}
        if len(sizes) > 1:
            raise ValueError("models are not compatible")
        self.nstate, self.ncontrol, self.nv, self.nsensordata = sizes.pop()

    def _sizes(self, model: condyle.MjModel) -> tuple[int, int, int, int]:
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel or a sequence of them, got {type(model)}")
        return (
            condyle.mj_stateSize(model, state_bits.full()),
            condyle.mj_stateSize(model, self.control_spec),
            model.nv,
            model.nsensordata,
        )

    @staticmethod
    def as_given(
        model: Any,
        initial_state: Any,
        control: Any,
        control_spec: int,
        nstep: int | None,
        warmstart: Any,
    ) -> _Batch:
        """Take arguments that are of full size already."""
        if not isinstance(model, list):
            raise TypeError(f"model must be a list if skip_checks is set, got {type(model)}")
        self = _Batch(model, control_spec)
        self.nbatch = len(model)
        self.nstep = _steps(nstep)
        self.initial_state = self._full("state0", initial_state, self.nstate)
        self.warmstart = self.control = None
        if warmstart is not None:
            self.warmstart = self._full("warmstart0", warmstart, self.nv)
        if control is not None:
            self.control = self._full("control", control, self.nstep * self.ncontrol)
        return self

    def _full(self, name: str, array: Any, width: int) -> Array:
        full = np.ascontiguousarray(array, dtype=np.float64)
        _check_size(name, full, self.nbatch * width)
        return full

    @staticmethod
    def inferred(
        model: Any,
        initial_state: Any,
        control: Any,
        control_spec: int,
        nstep: int | None,
        warmstart: Any,
        state: Any,
        sensordata: Any,
    ) -> _Batch:
        """Find out how many rollouts and steps are meant, and repeat what is there once."""
        steps = 1 if nstep is None else _steps(nstep)
        if initial_state is None:
            raise ValueError("initial_state must be a numpy array or float")
        start = _dimensions("initial_state", initial_state, 2)
        warm = _dimensions("initial_warmstart", warmstart, 2)
        inputs = _dimensions("control", control, 3)
        states = _dimensions("state", state, 3)
        sensors = _dimensions("sensordata", sensordata, 3)

        models = [model] if isinstance(model, condyle.MjModel) else list(model)
        self = _Batch(models, control_spec)
        _check_trailing("initial_state", start, self.nstate)
        _check_trailing("initial_warmstart", warm, self.nv)
        _check_trailing("control", inputs, self.ncontrol)
        _check_trailing("state", states, self.nstate)
        _check_trailing("sensordata", sensors, self.nsensordata)

        named = {
            "initial_state": start,
            "initial_warmstart": warm,
            "control": inputs,
            "state": states,
            "sensordata": sensors,
        }
        nbatch = _infer(0, 1, named)
        if len(models) > 1 and nbatch not in (1, len(models)):
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        self.nbatch = max(nbatch, len(models))
        deep = {name: named[name] for name in ("control", "state", "sensordata")}
        self.nstep = _infer(1, steps, deep)

        self.models = models * self.nbatch if len(models) == 1 else models
        assert start is not None
        self.initial_state = _repeated(start, (self.nbatch, self.nstate))
        self.warmstart = None if warm is None else _repeated(warm, (self.nbatch, self.nv))
        self.control = None
        if inputs is not None:
            self.control = _repeated(inputs, (self.nbatch, self.nstep, self.ncontrol))
        return self

    def result(self, name: str, given: Any, width: int, skip_checks: bool) -> _Result:
        """Return where a result goes."""
        shape = (self.nbatch, self.nstep, width)
        if given is None:
            return _Result(None, None if skip_checks else np.empty(shape))
        if not isinstance(given, np.ndarray):
            raise ValueError(f"{name} must be a numpy array or float")  # noqa: TRY004
        _check_size(name, given, self.nbatch * self.nstep * width)
        if not given.flags.writeable:
            raise ValueError(f"{name} is read-only")
        if given.dtype == np.float64 and given.flags.c_contiguous and given.flags.aligned:
            whole = given if given.shape == shape or skip_checks else given.reshape(shape)
            return _Result(None, whole)
        return _Result(given, np.empty(shape))


class _Result:
    """An array that the compiled part fills, and the one it is copied to, if it is another."""

    def __init__(self, target: NDArray[Any] | None, array: Array | None) -> None:
        self.target, self.array = target, array

    def given_back(self) -> Any:
        if self.target is None or self.array is None:
            return self.array
        self.target[...] = self.array.reshape(self.target.shape)
        return self.target if self.target.ndim == 3 else self.target.reshape(self.array.shape)


def _integer(name: str, value: Any, error: type[Exception] = ValueError) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise error(f"{name} must be an integer, got {value!r}") from None


def _steps(nstep: Any) -> int:
    if isinstance(nstep, bool):
        raise ValueError(f"nstep must be an integer, got {nstep!r}")  # noqa: TRY004
    steps = _integer("nstep", nstep)
    if steps < 0:
        raise ValueError("nstep must be non-negative")
    return steps


def _datas(data: Any) -> list[condyle.MjData]:
    datas = [data] if isinstance(data, condyle.MjData) else data
    if not isinstance(datas, list | tuple):
        raise TypeError(f"data must be an MjData or a list of them, got {type(data)}")
    if not datas:
        raise ValueError("The list of data instances is empty")
    for item in datas:
        if not isinstance(item, condyle.MjData):
            raise TypeError(f"data must be an MjData or a list of them, got {type(item)} in it")
    for i, item in enumerate(datas):
        if item.threadpool:
            raise ValueError(
                f"data[{i}] has a thread pool installed (mju_threadpool); rollout parallelizes"
                " across simulations and cannot use it"
            )
    if len({id(item) for item in datas}) < len(datas):
        raise ValueError("The list of data instances has the same instance twice")
    return list(datas)


def _dimensions(name: str, array: Any, most: int) -> NDArray[Any] | None:
    """Array with leading dimensions of 1 added; None stays."""
    if array is None:
        return None
    if isinstance(array, int | float | np.number) and not isinstance(array, bool):
        array = np.asarray(array, dtype=np.float64)
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name} must be a numpy array or float")  # noqa: TRY004
    if array.ndim > most:
        raise ValueError(f"{name} can have at most {most} dimensions")
    full: NDArray[Any] = array.reshape((1,) * (most - array.ndim) + array.shape)
    return full


def _check_trailing(name: str, array: NDArray[Any] | None, width: int) -> None:
    if array is not None and array.shape[-1] != width:
        raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")


def _check_size(name: str, array: NDArray[Any], size: int) -> None:
    if array.size != size:
        raise ValueError(f"{name}.size should be {size}, got {array.size}")


def _infer(dimension: int, value: int, arrays: dict[str, NDArray[Any] | None]) -> int:
    """Return the length on which all arrays agree; 1 agrees with any."""
    for name, array in arrays.items():
        if array is None or array.shape[dimension] == 1:
            continue
        if value not in (1, array.shape[dimension]):
            raise ValueError(
                f"dimension {dimension} inferred as {value} but {name} has {array.shape[dimension]}"
            )
        value = array.shape[dimension]
    return value


def _repeated(array: NDArray[Any], shape: tuple[int, ...]) -> Array:
    return np.ascontiguousarray(np.broadcast_to(array, shape), dtype=np.float64)
