"""Many worlds of one model, stepped together on all processors.

::

    with condyle.Batch(model, 1024) as batch:
        xpos = batch.expose("xpos")  # (1024, nbody, 3), filled by each call
        batch.vary("body_mass")[:] *= scales  # each world its own masses
        batch.set_const()
        while training:
            batch.step(policy(batch.qpos, batch.qvel), nstep=5)
            batch.reset(mask=batch.time > 10)

A world is one row of every array; arrays are views of the batch's own memory, made once, and hold
after each call what a loop over an MjData for each world would hold: but for rounding and the
solver's tolerance if worlds are stepped side by side in vector lanes, bit for bit if not. Results
don't depend on the number of threads or on the other worlds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._condyle import _Batch
from condyle._support import check
from condyle._support import state as state_bits

Array: TypeAlias = NDArray[np.float64]

_STATE = (
    "time",
    "qpos",
    "qvel",
    "act",
    "qacc_warmstart",
    "cnd_memory",
    "ctrl",
    "qfrc_applied",
    "xfrc_applied",
    "eq_active",
    "mocap_pos",
    "mocap_quat",
    "userdata",
    "plugin_state",
    "warning",
    "cnd_warning",
)
_MOST_THREADS = 128


class BatchStats(NamedTuple):
    """What a step or rollout made of its lanes; shares are 1 where there was nothing to share."""

    lanes: int  # worlds that were stepped in lanes
    left: int  # that began in lanes and were made anew by mj_step
    unsolved: int  # of them those in which the solver ended short of the minimum
    alone: int  # that went one by one, though others had lanes
    filled: float  # share of lanes that held a world
    solving: float  # share of lanes with something to gain, of all iterations of the solver
    touching: float  # share of lanes that had a contact, of all slots that contacts took
    iterations: float  # of the solver in a step: the mean of all blocks
    colliders: float  # calls of a collider that is not in lanes, in a step of a world


class Transition(NamedTuple):
    """Derivatives of a step of n worlds; nx = 2 nv + na, positions in the tangent space."""

    A: Array  # (n, nx, nx): next state by state
    B: Array  # (n, nx, nu): next state by controls
    C: Array  # (n, nsensordata, nx): sensors by state
    D: Array  # (n, nsensordata, nu): sensors by controls


class BatchError(condyle.FatalError):
    """Worlds of a batch that ended in errors of the engine.

    Attributes
    ----------
    worlds
        Why each of them failed, by its number. Texts of the first 64 are kept.
    """

    worlds: dict[int, str]

    def __init__(self, text: str, worlds: Mapping[int, str]) -> None:
        super().__init__(text)
        self.worlds = dict(worlds)

    def __reduce__(self) -> tuple[type[BatchError], tuple[str, dict[int, str]]]:
        """Pickle it with its worlds, as processes that work for others do."""
        return type(self), (str(self), self.worlds)


class Batch:
    """Worlds of one model.

    Parameters
    ----------
    model
        The MjModel that all worlds share; nobody writes to it.
    n
        Number of worlds; each begins as after ``mj_resetData``.
    nthread
        Threads that step them, the calling one included; None: one for each processor.
    raise_errors
        What happens if worlds end in an error of the engine. They keep the state they had and the
        others are finished in any case; then True raises BatchError, a FatalError, with the text of
        the first and those of all in its ``worlds``; False leaves it to ``failed`` and ``errors``.
    lanes
        Whether steps and rollouts take several worlds side by side in vector lanes, at several
        times the speed. None: where the model allows it and they pay, so a handful of worlds goes
        one by one, and a world that lanes had to leave to ``mj_step`` does for some calls, by what
        worlds have done, never by clocks. "measured": the same, but a batch times a call in lanes
        and one without, and goes on with what was quicker; bits then depend on the clock. True:
        wherever the model allows it. False: world by world, with the bits of ``mj_step``.
    precision
        "double", or "single": lanes compute in float, twice as many of them. Arrays are double in
        any case, and what is not stepped in lanes is computed in double.
    minimum
        What lanes do with models that allow fewer than 20 iterations of the solver, or of its line
        search: False: end where ``mj_step`` ends, at the same points on the way; True: go on to the
        minimum that more iterations would find.

    Attributes
    ----------
    model, n, nthread, closed
        As given; whether ``close`` was called.
    lanes, why
        How many worlds go side by side, and None; or 0, and why not. If a result is kept that lanes
        don't compute, ``why`` says so and the last step of a call goes world by world. Options of
        the model, what is kept and what varies may change it from call to call.
    left
        How many worlds of the last step or rollout lanes began and ``mj_step`` made anew:
        bad numbers, warnings, errors, too many contacts, or a solver short of the minimum.
    stats
        A BatchStats: how the last step or rollout used its lanes.
    time, qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, eq_active, mocap_pos, mocap_quat, ...
        The state: arrays with n in front of their shape in MjData, which may be written between
        calls (``batch.qpos[3] = x``, ``batch.qpos = x``). Units are those of the model.
    warning
        (n, mjNWARNING) int32: how often each warning was raised. Bad numbers reset a world, as
        ``mj_step`` does.
    failed
        (n,) bool: which worlds the last call could not finish; a copy.
    error, errors
        Text of the first error of the last call, with its world, "" if there was none; and texts by
        world, of the first 64 that failed.
    kinks
        (n,) int32: where the last derivatives met a kink (contact, limit) exactly; None before.
    NAME
        Fields after ``expose("NAME")`` or ``vary("NAME")``.

    Notes
    -----
    A batch is used by one thread at a time. Ctrl-C ends a call: each world is then either as it was
    or done. Its memory lives as long as the batch or any array of it.
    """

    model: condyle.MjModel
    n: int
    nthread: int
    raise_errors: bool
    kinks: NDArray[np.int32] | None
    _batch: _Batch
    _choice: tuple[bool | str | None, bool]
    _arrays: dict[str, NDArray[Any]]
    _under_way: bool

    def __init__(
        self,
        model: condyle.MjModel,
        n: int,
        nthread: int | None = None,
        *,
        raise_errors: bool = True,
        lanes: bool | Literal["measured"] | None = None,
        precision: Literal["double", "single"] = "double",
        minimum: bool = False,
    ) -> None:
        n = check.integer("n", n)
        nthread = _processors(n) if nthread is None else check.integer("nthread", nthread)
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {type(model)}")
        if n < 1:
            raise ValueError(f"n must be at least 1, got {n}")
        if not 0 <= nthread <= _MOST_THREADS:
            raise ValueError(f"nthread must be 0 to {_MOST_THREADS}, got {nthread}")
        if precision not in ("double", "single"):
            raise ValueError(f'precision must be "double" or "single", got {precision!r}')
        if isinstance(lanes, str) and lanes != "measured":
            raise ValueError(f'lanes must be True, False, None or "measured", got {lanes!r}')
        if lanes == "measured" and precision == "single":
            raise ValueError('lanes="measured" needs precision="double"')
        batch = _Batch(model, n, nthread)
        on = lanes if lanes is None or isinstance(lanes, str) else bool(lanes)
        choice = (on, precision == "single")
        batch.minimum(bool(minimum))
        batch.lanes(*choice)
        self.__dict__.update(
            model=model,
            n=n,
            nthread=nthread,
            raise_errors=raise_errors,
            kinks=None,
            _batch=batch,
            _choice=choice,
            _arrays={},
            _under_way=False,
        )

    # life

    def close(self) -> None:
        """Let go of threads and memory, after the end of a step under way; again does nothing.

        Arrays made before stay valid, and keep the memory until they are gone, too.
        """
        if not self._batch.closed:
            if self._under_way:
                self.__dict__["_under_way"] = False
                self._batch.wait()
            self._arrays.clear()
            self._batch.close()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return bool(self._batch.closed)

    def __enter__(self) -> Batch:  # noqa: PYI034
        """Return the batch itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the batch."""
        self.close()

    def __len__(self) -> int:
        """Return the number of worlds."""
        return self.n

    def __repr__(self) -> str:
        """Tell sizes."""
        closed = ", closed" if self.closed else ""
        return f"<condyle.Batch of {self.n} worlds, {self.nthread} threads{closed}>"

    # arrays

    def __getattr__(self, name: str) -> Any:
        """Return the array of the field of that name."""
        if name.startswith("_"):
            raise AttributeError(name)
        self._ready()
        array = self._arrays.get(name)
        if array is not None:
            return array
        if name in _STATE:
            return self.expose(name)
        why = "has no attribute"
        if name in dir(condyle.MjData):
            why = f'does not keep results unless asked to: call expose("{name}") before stepping;'
        elif name in dir(condyle.MjModel):
            why = f'shares the model\'s parameters unless asked not to: call vary("{name}");'
        raise AttributeError(f"Batch {why} {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign to all elements of an array."""
        if name in self.__dict__ or isinstance(getattr(type(self), name, None), property):
            if name != "raise_errors":
                raise AttributeError(f"{name} can't be set")
            self.__dict__[name] = bool(value)
            return
        getattr(self, name)[...] = value

    def __dir__(self) -> list[str]:
        """Names of all arrays, too."""
        return sorted({*super().__dir__(), *_STATE, *self._arrays})

    def expose(self, *names: str) -> Any:
        """Keep fields of MjData for all worlds from here on, as attributes.

        Results (``xpos``, ``sensordata``, ``qfrc_constraint`` ...) are zero until the next call and
        belong, as in MjData, to the state before the last integration, or after ``forward`` to the
        present one. Fields whose number of rows changes (contacts, constraints) can't be kept.

        Returns the array of one name, with n in front of its shape in MjData, or a tuple of arrays.
        """
        arrays = [self._array(name, self._ready().expose) for name in names]
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def vary(self, *names: str) -> Any:
        """Give each world its own values of fields of MjModel, as attributes.

        All real numbers that a step reads can differ: ``body_mass``, ``geom_friction``,
        ``actuator_gainprm`` ..., and options as ``"opt.timestep"``. Arrays begin with the model's
        values and may be written between calls; values are checked before a world uses them. After
        a change of masses, inertias, frames, armatures or qpos0, call ``set_const``. What can't
        differ is refused with the reason.

        Returns the array of one name, with n in front of its shape in MjModel, or a tuple of
        arrays.
        """
        arrays = [self._array(name, self._ready().vary) for name in names]
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def set_const(self, mask: Any = None) -> None:
        """Recompute what ``mj_setConst`` does, in each world from its own parameters.

        These are inverse weights, subtree masses, rest lengths and the like, which vary from then
        on.
        """
        batch = self._ready()
        self._done(batch.set_const(self._mask(mask)))

    def body_forces(self, on: bool = True) -> None:
        """Choose whether steps, rollouts and ``forward`` end in ``mj_rnePostConstraint``.

        It computes ``cacc``, ``cfrc_int`` and ``cfrc_ext``; without it, as at first, they are known
        only if a sensor needs them.
        """
        self._ready().body_forces(bool(on))

    @property
    def lanes(self) -> int:
        """How many worlds go side by side; 0 if they are stepped one by one."""
        return int(self._ready().lanes(*self._choice))

    @property
    def why(self) -> str | None:
        """Why worlds are stepped one by one, all steps or the last; None if they are not."""
        return self._ready().why

    @property
    def left(self) -> int:
        """How many worlds of the last step or rollout lanes left to ``mj_step``."""
        return int(self._ready().left)

    @property
    def stats(self) -> BatchStats:
        """How the last step or rollout used its lanes."""
        return BatchStats(**self._ready().stats)

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which worlds the last call could not finish, (n,)."""
        return np.array(self._ready().failed, dtype=np.bool_)

    @property
    def error(self) -> str:
        """Text of the first error of the last call; "" if there was none."""
        return str(self._ready().error)

    @property
    def errors(self) -> dict[int, str]:
        """Why worlds failed in the last call, by their numbers; texts of the first 64 are kept."""
        return dict(self._ready().errors)

    # state

    def get_state(self, spec: int | None = None, out: Array | None = None) -> Array:
        """Copy parts of the state, chosen by bits of mjtState: (n, mj_stateSize(model, spec)).

        None means mjSTATE_FULLPHYSICS.
        """
        batch = self._ready()
        bits = state_bits.full() if spec is None else int(spec)
        if out is None:
            out = np.empty((self.n, condyle.mj_stateSize(self.model, bits)))
        batch.get_state(None, out, bits)
        return out

    def set_state(self, state: Any, spec: int | None = None, mask: Any = None) -> None:
        """Set parts of the state, chosen by bits of mjtState (None: mjSTATE_FULLPHYSICS).

        ``state`` is (n, mj_stateSize(model, spec)), or one row for all worlds; ``mask`` (n,) tells
        which worlds.
        """
        batch = self._ready()
        bits = state_bits.full() if spec is None else int(spec)
        size = condyle.mj_stateSize(self.model, bits)
        batch.set_state(self._mask(mask), self._full("state", state, size), bits)

    def get_data(self, world: int, data: condyle.MjData | None = None) -> condyle.MjData:
        """Copy the state of a world to an MjData of the model, a new one if None."""
        batch = self._ready()
        data = condyle.MjData(self.model) if data is None else data
        batch.get_data(check.integer("world", world), data)
        return data

    def set_data(self, world: int, data: condyle.MjData) -> None:
        """Copy the state of an MjData of the model to a world."""
        self._ready().set_data(check.integer("world", world), data)

    def copy_model(self, world: int) -> condyle.MjModel:
        """Return a copy of the model with the parameters of a world."""
        return self._ready().copy_model(check.integer("world", world))

    # simulation

    def reset(self, mask: Any = None, keyframe: int | str | None = None) -> None:
        """Reset worlds, to a keyframe (number or name) if given.

        ``mask`` (n,) of bool tells which; None: all.
        """
        batch = self._ready()
        self._done(batch.reset(self._mask(mask), self._key(keyframe)))

    def step(self, ctrl: Any = None, nstep: int = 1, mask: Any = None) -> None:
        """Step worlds ``nstep`` times.

        ``ctrl`` (n, nu), or (nu,) for all worlds, become the controls before; None keeps them.
        ``mask`` (n,) of bool tells which worlds; None: all.
        """
        batch = self._ready()
        self._done(batch.step(self._mask(mask), self._ctrl(ctrl), _steps(nstep)))

    def step_async(self, ctrl: Any = None, nstep: int = 1, mask: Any = None) -> None:
        """Begin what ``step`` does and return at once; ``wait`` awaits the end.

        Nothing else may be done with the batch or its arrays meanwhile.
        """
        batch = self._ready()
        batch.step_async(self._mask(mask), self._ctrl(ctrl), _steps(nstep))
        self.__dict__["_under_way"] = True

    def wait(self) -> None:
        """Await the end of ``step_async``."""
        if not self._under_way:
            self._ready()
            raise RuntimeError("no step is under way: see step_async")
        self.__dict__["_under_way"] = False
        self._done(self._batch.wait())

    def forward(self, mask: Any = None) -> None:
        """Compute the results of the present states (``mj_forward``), without a step."""
        batch = self._ready()
        self._done(batch.forward(self._mask(mask)))

    def rollout(
        self,
        control: Any = None,
        nstep: int | None = None,
        *,
        state: Array | None = None,
        sensordata: Array | None = None,
    ) -> tuple[Array, Array]:
        """Step all worlds and record every step; they stay where they end.

        Parameters
        ----------
        control
            (n, nstep, nu), or (nstep, nu) for all worlds: the controls of each step; None keeps
            those of the batch.
        nstep
            Steps; None: those of control, else 1.
        state, sensordata
            Results to be filled; made if None.

        Returns
        -------
        state
            (n, nstep, nstate): full physics state (mjSTATE_FULLPHYSICS) after each step.
        sensordata
            (n, nstep, nsensordata): sensors of each step.
        """
        batch = self._ready()
        nu, nsensor = self.model.nu, self.model.nsensordata
        if control is not None:
            control = np.asarray(control, dtype=np.float64)
            if control.ndim not in (2, 3):
                raise ValueError(f"control must be (n, nstep, nu), got shape {control.shape}")
            nstep = control.shape[-2] if nstep is None else nstep
        nstep = _steps(1 if nstep is None else nstep)
        if control is not None:
            control = self._full("control", control, nstep, nu)
        if state is None:
            state = np.empty((self.n, nstep, condyle.mj_stateSize(self.model, state_bits.full())))
        if sensordata is None:
            sensordata = np.empty((self.n, nstep, nsensor))
        self._done(batch.rollout(nstep, control, state, sensordata))
        return state, sensordata

    # derivatives

    def transition(self) -> Transition:
        """Linearise a step at the present states, exactly.

        Returns A (n, nx, nx), B (n, nx, nu), C (n, nsensordata, nx), D (n, nsensordata, nu) with nx
        = 2 nv + na: the next state and the present sensors by state and controls. Positions are
        those of the tangent space, as in ``mjd_transitionFD``. ``kinks`` counts kinks.
        """
        batch = self._ready()
        nx, nu, ns = self._width(), self.model.nu, self.model.nsensordata
        shapes = ((nx, nx), (nx, nu), (ns, nx), (ns, nu))
        result = Transition(*(np.zeros((self.n, *shape)) for shape in shapes))
        kinks = np.zeros(self.n, dtype=np.int32)
        self._done(batch.transition(*result, kinks))
        self.__dict__["kinks"] = kinks
        return result

    def vjp(
        self,
        dnext: Any,
        dsensor: Any = None,
        *,
        parameters: Mapping[str, Array] | None = None,
    ) -> tuple[Array, Array]:
        """Gradient of losses by the inputs of a step at the present states (reverse mode).

        Parameters
        ----------
        dnext
            (n, nx): gradient of each world's loss by its next state, nx = 2 nv + na, with positions
            in the tangent space.
        dsensor
            (n, nsensordata): by its present sensors; None: zero.
        parameters
            Arrays by name, to which the gradients by each world's parameters are added: body_mass
            (n, nbody), body_inertia, dof_damping, dof_armature, actuator_gainprm, actuator_biasprm,
            geom_friction, geom_pos, geom_turn (small turns of geom_quat), geom_size,
            dof_frictionloss, ..., with n in front of their shape in MjModel.

        Returns
        -------
        dstate
            (n, nx): A' dnext + C' dsensor.
        dctrl
            (n, nu): B' dnext + D' dsensor.
        """
        batch = self._ready()
        nx, nu = self._width(), self.model.nu
        dnext = self._full("dnext", dnext, nx)
        if dsensor is not None:
            dsensor = self._full("dsensor", dsensor, self.model.nsensordata)
        parameters = self._known(parameters or {})
        dstate, dctrl = np.zeros((self.n, nx)), np.zeros((self.n, nu))
        kinks = np.zeros(self.n, dtype=np.int32)
        self._done(batch.adjoints(1, dnext, dsensor, dstate, dctrl, parameters, kinks))
        self.__dict__["kinks"] = kinks
        return dstate, dctrl

    def vjp_parameters(
        self, dnext: Any, dsensor: Any = None, *, parameters: Mapping[str, Array]
    ) -> None:
        """Gradients of several losses of each world by its parameters.

        The equations of a step are made once for all of them (but for Runge-Kutta), so further
        losses take little time. With the rows of the identity as losses the gradients are the
        Jacobian of the next state.

        Parameters
        ----------
        dnext
            (n, count, nx), or (count, nx) for all worlds: gradients by the next state, as in
            ``vjp``.
        dsensor
            (n, count, nsensordata), or (count, nsensordata): by the present sensors; None: zero.
        parameters
            Arrays by name, to which the gradients are added, with (n, count) in front of their
            shape in MjModel.
        """
        batch = self._ready()
        count = int(np.shape(dnext)[-2]) if np.ndim(dnext) > 1 else 1
        dnext = self._full("dnext", dnext, count, self._width())
        if dsensor is not None:
            dsensor = self._full("dsensor", dsensor, count, self.model.nsensordata)
        kinks = np.zeros(self.n, dtype=np.int32)
        known = self._known(parameters)
        self._done(batch.adjoints(count, dnext, dsensor, None, None, known, kinks))
        self.__dict__["kinks"] = kinks

    # inside

    def _ready(self) -> _Batch:
        """Return the compiled batch if something may be done with it."""
        if self._batch.closed:
            raise RuntimeError("the batch is closed")
        if self._under_way:
            raise RuntimeError("a step is under way: call wait first")
        return self._batch

    def _done(self, good: bool) -> None:
        if not good and self.raise_errors:
            raise BatchError(self._batch.error, self._batch.errors)

    def _array(self, name: str, make: Callable[[str], NDArray[Any]]) -> NDArray[Any]:
        array = self._arrays.get(name)
        if array is None:
            array = self._arrays[name] = make(name)
        return array

    def _known(self, parameters: Mapping[str, Array]) -> dict[str, Array]:
        """Arrays for gradients by parameters, which must have these names."""
        sizes = self._ready().gradient_sizes()
        for name in parameters:
            if name not in sizes:
                raise KeyError(f"no gradients by {name!r}; there are {sorted(sizes)}")
        return dict(parameters)

    def _width(self) -> int:
        return 2 * self.model.nv + self.model.na

    def _mask(self, mask: Any) -> NDArray[np.uint8] | None:
        if mask is None:
            return None
        array = np.ascontiguousarray(mask)
        if array.dtype != np.bool_ and array.dtype != np.uint8:
            raise TypeError(f"mask must be of bool, got {array.dtype}")
        if array.shape != (self.n,):
            raise ValueError(f"mask must have shape ({self.n},), got {array.shape}")
        return array.view(np.uint8)

    def _ctrl(self, ctrl: Any) -> Array | None:
        return None if ctrl is None else self._full("ctrl", ctrl, self.model.nu)

    def _full(self, name: str, value: Any, *row: int) -> Array:
        """Array of n rows, C-contiguous; a single row is repeated."""
        array = np.asarray(value, dtype=np.float64)
        shape = (self.n, *row)
        if array.shape != shape:
            if array.shape not in (row, (1, *row)):
                raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
            array = np.broadcast_to(array, shape)
        return np.ascontiguousarray(array)

    def _key(self, keyframe: int | str | None) -> int:
        if keyframe is None:
            return -1
        if isinstance(keyframe, str):
            key = int(condyle.mj_name2id(self.model, condyle.mjtObj.mjOBJ_KEY, keyframe))
        else:
            key = check.integer("keyframe", keyframe)
        if not 0 <= key < self.model.nkey:
            raise ValueError(f"there is no keyframe {keyframe!r}; the model has {self.model.nkey}")
        return key


def _steps(nstep: Any) -> int:
    steps = check.integer("nstep", nstep)
    if steps < 0:
        raise ValueError(f"nstep must not be negative, got {steps}")
    return steps


def _processors(n: int) -> int:
    """As many threads as this process may use, and no more than worlds."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return min(n, count, _MOST_THREADS)
