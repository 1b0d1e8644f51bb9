"""Many simulations of one model as rows of arrays: the interface of ``mujoco.batch`` of 3.17.

::

    from condyle import simulations

    b = simulations.Batch(model, nsim=1024)
    qpos, ctrl, xpos = b.bind("qpos"), b.bind("ctrl"), b.bind("xpos")
    b.body("pole").mass = masses  # (1024, 1): each simulation its own
    b.set_const()
    while training:
        ctrl[:] = policy(qpos, xpos)
        b.step(stage=condyle.mjtStage.mjSTAGE_VEL)
        b.reset(b.time > 10)

A simulation is one row of ``b.state``: everything on which its next step depends. Results have the
bits of a loop over one MjData for each simulation, whatever the number of threads.
``condyle.Batch`` has an interface of its own, whose worlds go side by side in vector registers.

After ``condyle.install_as_mujoco()`` this module is ``mujoco.batch``.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle._condyle import _Simulations
from condyle._simulations import fields
from condyle._simulations.fields import DATA_FIELDS as DATA_FIELDS
from condyle._simulations.fields import MODEL_FIELDS as MODEL_FIELDS
from condyle._simulations.named import Named, Parts
from condyle._simulations.selection import Ids, select, spread, whole
from condyle._support import check, translated

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

_NONE = int(condyle.mjtStage.mjSTAGE_NONE)
_ACC = int(condyle.mjtStage.mjSTAGE_ACC)
_NUM = condyle.MJTNUM_DTYPE
_MOST_TOLD = 5  # ids in the text of an error


class SimulationError(RuntimeError):
    """Simulations that ended in an error of the engine; they keep the state they had.

    Attributes
    ----------
    ids
        Which, in ascending order: an array of int64.
    """

    ids: NDArray[np.int64]

    def __init__(self, text: str, ids: Any = ()) -> None:
        super().__init__(text)
        self.ids = np.asarray(ids, dtype=np.int64)

    def __reduce__(self) -> tuple[type[SimulationError], tuple[str, NDArray[np.int64]]]:
        """Pickle it with its ids, as processes that work for others do."""
        return type(self), (str(self), self.ids)


class Batch:
    """Simulations of one model.

    Parameters
    ----------
    model
        The MjModel. The engine keeps a copy: later edits of it have no effect.
    nsim
        Number of simulations; each begins as after ``mj_resetData``.
    nthread
        Threads, the calling one included, at most nsim; 0 or less: one for each processor.
    persistent
        Whether each simulation has an MjData of its own, instead of each thread. A step that
        follows one with ``stage=mjSTAGE_VEL`` then goes on from the stages that are done.

    Attributes
    ----------
    model, nsim, nthread, persistent
        As given, threads as made.
    state
        (nsim, nstate): all rows, which may be written between calls.
    nstate
        Length of a row, ``mj_stateSize(model, mjSTATE_INTEGRATION)``.
    warning
        (nsim, mjNWARNING, 2) int32: information and number of each warning; part of the rows.
    status
        (nsim,) int32: 1 for each simulation whose last call failed.
    models
        What ``set_models`` was given; None: the batch's model.
    NAME
        Fields of MjData, as ``bind(NAME)``; ``b.ctrl = u`` writes all rows.

    Notes
    -----
    ``ids`` of calls are a boolean mask (nsim,), or ascending numbers; None: all. Arguments with a
    row for each simulation have one for each selected, in order.
    """

    _rows: _Simulations
    _model: condyle.MjModel
    _models: condyle.MjModel | tuple[condyle.MjModel, ...] | None
    _bound: dict[str, NDArray[Any]]
    _expanded: dict[str, NDArray[Any]]
    _shapes: condyle.MjData | None
    _places: dict[bool, Parts]
    _state: NDArray[Any]
    _warning: NDArray[np.int32]
    _status: NDArray[np.int32]

    def __init__(
        self, model: condyle.MjModel, nsim: int, nthread: int = 0, persistent: bool = False
    ) -> None:
        if not isinstance(model, condyle.MjModel):
            raise TypeError(f"model must be an MjModel, got {type(model)}")
        nsim, nthread = check.integer("nsim", nsim), check.integer("nthread", nthread)
        rows = _Simulations(model, nsim, nthread, bool(persistent))
        self.__dict__.update(
            _rows=rows,
            _model=model,
            _models=None,
            _bound={},
            _expanded={},
            _shapes=None,
            _places={},
            _state=rows.state(),
            _warning=rows.warning(),
            _status=_read_only(rows.status()),
        )

    # what it is

    @property
    def model(self) -> condyle.MjModel:
        """The model that was given."""
        return self._model

    @property
    def nsim(self) -> int:
        """Number of simulations."""
        return self._rows.nsim

    @property
    def nthread(self) -> int:
        """Number of threads, the calling one included."""
        return self._rows.nthread

    @property
    def nstate(self) -> int:
        """Length of a row of state."""
        return self._rows.nstate

    @property
    def persistent(self) -> bool:
        """Whether each simulation has an MjData of its own."""
        return self._rows.persistent

    @property
    def state(self) -> NDArray[Any]:
        """Rows of state, (nsim, nstate), to be read and written."""
        return self._state

    @property
    def warning(self) -> NDArray[np.int32]:
        """Counters of warnings, (nsim, mjtWarning.mjNWARNING, 2): information, number."""
        return translated.warnings(self._warning)

    @property
    def status(self) -> NDArray[np.int32]:
        """1 for each simulation whose last call failed, (nsim,)."""
        return self._status

    @property
    def models(self) -> condyle.MjModel | tuple[condyle.MjModel, ...] | None:
        """What ``set_models`` was given."""
        return self._models

    def error(self, sim: int) -> str:
        """Text of the error that ended the last call on a simulation; "" if there was none."""
        return self._rows.error(self._sim(sim))

    def __repr__(self) -> str:
        """Tell sizes."""
        return f"<condyle.simulations.Batch of {self.nsim} simulations, {self.nthread} threads>"

    def __dir__(self) -> list[str]:
        """Names of fields, too."""
        return sorted({*super().__dir__(), *DATA_FIELDS})

    # fields of the data

    def bind(self, name: str) -> NDArray[Any]:
        """Return the live array of a field of MjData, (nsim, ...).

        Fields of the state are views of ``state`` and may be written. Others are copied after each
        call that runs a simulation; after ``step`` they belong to the state before the last step
        unless a stage is asked for. What a call doesn't compute keeps its value.
        """
        if _text(name) in fields.STATE:
            return self._state_rows(name).reshape(self.nsim, *self._shape(name))
        array = self._bound.get(name)
        if array is None:
            rows = self._rows.output(name) if name in DATA_FIELDS else None
            if rows is None:
                raise ValueError(fields.cannot_bind(name))
            rows = fields.with_flags(name, rows)
            array = _read_only(rows.reshape(self.nsim, *self._shape(name)))
            self._bound[name] = array
        return array

    def __getattr__(self, name: str) -> Any:
        """Return the array of a field of MjData."""
        if name in DATA_FIELDS and not name.startswith("_"):
            return self.bind(name)
        text = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not name.startswith("_"):
            hint = fields.model_hint(name)
            text += f"; {hint}" if hint else fields.did_you_mean(name, DATA_FIELDS)
        raise AttributeError(text)

    def __setattr__(self, name: str, value: Any) -> None:
        """Assign to all rows of a field of the state."""
        if name in ("state", "warning"):
            raise AttributeError(f"{name} can't be replaced: assign to {name}[...]")
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif name in fields.STATE:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise ValueError(self._computed(name))
        else:
            self.__getattr__(name)

    # fields of the model

    def expand(self, name: str) -> NDArray[Any]:
        """Give each simulation its own values of a field of MjModel, or "opt.NAME".

        Returns (nsim, ...), with the model's values to begin with, to be written. After a change of
        what constants depend on (masses, inertias, poses, sizes ...) call ``set_const``.
        """
        array = self._expanded.get(_text(name))
        if array is None:
            rows = self._rows.expand(name) if name in MODEL_FIELDS else None
            if rows is None:
                raise ValueError(fields.cannot_expand(name))
            array = self._expanded[name] = self._shaped(name, rows)
        return array

    def expanded(self, name: str) -> NDArray[Any] | None:
        """Return what ``expand`` or ``set_const`` gave each simulation, read-only; None: shared."""
        if name not in MODEL_FIELDS:
            raise ValueError(fields.cannot_expand(_text(name)))
        rows = self._rows.expanded(name)
        return None if rows is None else _read_only(self._shaped(name, rows))

    def set_const(self, ids: Any = None) -> None:
        """Compute the constants of each simulation's model (``mj_setConst``).

        Fields that come out different from the model's become those of each simulation.
        """
        selected = select(ids, self.nsim)
        self._done(self._rows.set_const(selected), selected)

    def set_models(self, models: condyle.MjModel | Iterable[condyle.MjModel] | None) -> None:
        """Run each simulation on a model of its own, or all on one; None: the batch's again.

        Data of the models must have the same layout. Call it again after editing one.
        """
        if models is None:
            self._rows.set_models(None)
        elif isinstance(models, condyle.MjModel):
            self._rows.set_models([models] * self.nsim)
        else:
            models = tuple(models)
            for model in models:
                if not isinstance(model, condyle.MjModel):
                    raise TypeError(f"models must be MjModel, got {type(model)}")
            if len(models) != self.nsim:
                raise ValueError(
                    f"set_models needs a model per simulation, got {len(models)} for {self.nsim}"
                )
            self._rows.set_models(list(models))
        self.__dict__["_models"] = models

    def get_model(self, sim: int, model: condyle.MjModel | None = None) -> condyle.MjModel:
        """Return the model of a simulation, written to the given one or a new one."""
        sim = self._sim(sim)
        if model is None:
            model = self._rows.copy_model() if self.models is None else _copy(self._model_of(sim))
        self._rows.get_model(sim, _is("model", model, condyle.MjModel))
        return model

    def get_data(self, sim: int, data: condyle.MjData | None = None) -> condyle.MjData:
        """Return state and warnings of a simulation as MjData, the given one or a new one.

        In a persistent batch it has everything that the simulation's own has; otherwise call
        ``mj_forward`` with ``get_model(sim)`` for what follows from the state.
        """
        sim = self._sim(sim)
        if data is None:
            data = condyle.MjData(self._model_of(sim))
        self._rows.get_data(sim, _is("data", data, condyle.MjData))
        return data

    # running

    def step(self, ids: Any = None, nstep: int = 1, stage: int = _NONE) -> None:
        """Step simulations, then compute the stages of ``mj_forward`` up to stage (mjtStage)."""
        selected = select(ids, self.nsim)
        nstep = check.integer("nstep", nstep)
        self._done(self._rows.step(selected, nstep, int(stage)), selected)

    def forward(self, ids: Any = None, stage: int = _ACC) -> None:
        """Compute the stages of ``mj_forward`` up to stage (mjtStage) at the present states."""
        selected = select(ids, self.nsim)
        self._done(self._rows.forward(selected, int(stage)), selected)

    def reset(self, ids: Any = None, keyframe: Any = -1, stage: int = _ACC) -> None:
        """Reset simulations, then compute the stages of ``mj_forward`` up to stage (mjtStage).

        ``keyframe`` is a number or name for all, or one for each selected; -1: the defaults.
        """
        selected = select(ids, self.nsim)
        if isinstance(keyframe, str):
            keyframe = self.model.keyframe(keyframe).id
        nkey = max((model.nkey for model in self._each_model()), default=self.model.nkey)
        keys = spread(whole("keyframe", keyframe, -1, nkey), np.int32, self._count(selected))
        self._done(self._rows.reset(selected, keys, int(stage)), selected)

    def rollout(
        self,
        nstep: int,
        control: Any = None,
        control_spec: int | None = None,
        record: Sequence[str | int] = ("qpos",),
        ids: Any = None,
        out: Mapping[Any, NDArray[Any]] | None = None,
    ) -> dict[Hashable, NDArray[Any]]:
        """Step simulations with controls of their own, and record each step.

        A simulation that counts a new warning stops, and repeats its last records.

        Parameters
        ----------
        nstep
            Number of steps.
        control
            What is repeated to (n, nstep, ncontrol): inputs before each step; None: as they are.
        control_spec
            Which inputs: bits of mjSTATE_USER; mjSTATE_CTRL if None.
        record
            Names of fields of MjData, or bits of mjtState.
        out
            Arrays to be filled, by items of record; others are made.

        Returns
        -------
        records
            For each item (n, nstep, ...), values after the step as MjData has them.
        """
        if isinstance(nstep, bool):
            raise TypeError("nstep must be an integer, got a bool")
        nstep = operator.index(nstep)
        if nstep < 1:
            raise ValueError("nstep must be positive")
        selected = select(ids, self.nsim)
        n, state = self._count(selected), condyle.mjtState
        spec = int(state.mjSTATE_CTRL if control_spec is None else control_spec)
        ncontrol = condyle.mj_stateSize(self.model, spec)
        if control is not None:
            if spec & ~int(state.mjSTATE_USER):
                raise ValueError("control_spec must be a subset of mjSTATE_USER")
            control = spread(control, _NUM, n, nstep, ncontrol)
        results: dict[Hashable, NDArray[Any]] = {}
        records: list[tuple[str | None, int, NDArray[Any]]] = []
        for item in (record,) if isinstance(record, str) else record:
            if item in results:
                continue
            results[item] = self._record(item, (n, nstep), {} if out is None else out)
            if isinstance(item, str):
                records.append((item, 0, results[item]))
            else:
                records.append((None, int(item), results[item]))
        failed = self._rows.rollout(selected, nstep, control, spec, records)
        self._done(failed, selected)
        return results

    # queries

    def jac(self, body: Any, point: Any, ids: Any = None) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return Jacobians of a point of a body (``mj_jac``), each (n, 3, nv).

        ``body`` is a number or one for each selected simulation, ``point`` (3,) or (n, 3) is in the
        world.
        """
        selected = select(ids, self.nsim)
        n = self._count(selected)
        bodies = spread(whole("body", body, 0, self.model.nbody), np.int32, n)
        points = spread(point, _NUM, n, 3)
        jacp, jacr = (np.zeros((n, 3, self.model.nv), _NUM) for _ in range(2))
        self._done(self._rows.jac(selected, bodies, points, jacp, jacr), selected)
        return jacp, jacr

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: Any = -1,
        ids: Any = None,
        normal: bool = False,
    ) -> tuple[NDArray[Any], ...]:
        """Cast rays in each simulation (``mj_ray``).

        Parameters
        ----------
        pnt, vec
            What is repeated to (n, nray, 3): where rays begin, and where they go.
        geomgroup
            (6,): which groups of geoms are seen; None: all.
        flg_static
            Whether static geoms are.
        bodyexclude
            What is repeated to (n, nray): a body whose geoms are not seen, -1: none.
        normal
            Whether normals are returned.

        Returns
        -------
        dist
            (n, nray): distances in lengths of vec, -1 where nothing is hit.
        geomid
            (n, nray) int32, -1 where nothing is hit.
        normal
            (n, nray, 3), if asked for: outward unit normals of what is hit, zero if nothing is.
        """
        selected = select(ids, self.nsim)
        n = self._count(selected)
        pnt, vec = np.atleast_2d(pnt), np.atleast_2d(vec)
        (nray,) = np.broadcast_shapes(pnt.shape[-2:-1], vec.shape[-2:-1])
        groups = None
        if geomgroup is not None:
            groups = np.ascontiguousarray(geomgroup, dtype=np.uint8)
            if groups.shape != (condyle.mjNGROUP,):
                raise ValueError(
                    f"geomgroup must have shape ({condyle.mjNGROUP},), got {groups.shape}"
                )
        excluded = whole("bodyexclude", bodyexclude, -1, self.model.nbody)
        dist, geomid = np.zeros((n, nray), _NUM), np.zeros((n, nray), np.int32)
        normals = np.zeros((n, nray, 3), _NUM) if normal else None
        failed = self._rows.ray(
            selected,
            spread(pnt, _NUM, n, nray, 3),
            spread(vec, _NUM, n, nray, 3),
            groups,
            bool(flg_static),
            spread(excluded, np.int32, n, nray),
            nray,
            dist,
            geomid,
            normals,
        )
        self._done(failed, selected)
        return (dist, geomid) if normals is None else (dist, geomid, normals)

    # named objects

    def actuator(self, key: int | str) -> Any:
        """Return one actuator of all simulations, by name or number."""
        return Named(self, "actuator", key)

    def body(self, key: int | str) -> Any:
        """Return one body of all simulations, by name or number."""
        return Named(self, "body", key)

    def camera(self, key: int | str) -> Any:
        """Return one camera of all simulations, by name or number."""
        return Named(self, "camera", key)

    def equality(self, key: int | str) -> Any:
        """Return one equality of all simulations, by name or number."""
        return Named(self, "equality", key)

    def geom(self, key: int | str) -> Any:
        """Return one geom of all simulations, by name or number."""
        return Named(self, "geom", key)

    def joint(self, key: int | str) -> Any:
        """Return one joint of all simulations, by name or number."""
        return Named(self, "joint", key)

    def keyframe(self, key: int | str) -> Any:
        """Return one keyframe of all simulations, by name or number."""
        return Named(self, "keyframe", key)

    def light(self, key: int | str) -> Any:
        """Return one light of all simulations, by name or number."""
        return Named(self, "light", key)

    def material(self, key: int | str) -> Any:
        """Return one material of all simulations, by name or number."""
        return Named(self, "material", key)

    def numeric(self, key: int | str) -> Any:
        """Return one numeric of all simulations, by name or number."""
        return Named(self, "numeric", key)

    def pair(self, key: int | str) -> Any:
        """Return one pair of all simulations, by name or number."""
        return Named(self, "pair", key)

    def sensor(self, key: int | str) -> Any:
        """Return one sensor of all simulations, by name or number."""
        return Named(self, "sensor", key)

    def site(self, key: int | str) -> Any:
        """Return one site of all simulations, by name or number."""
        return Named(self, "site", key)

    def tendon(self, key: int | str) -> Any:
        """Return one tendon of all simulations, by name or number."""
        return Named(self, "tendon", key)

    # inside

    def _template(self) -> condyle.MjData:
        """Return data whose arrays have the shapes of one simulation."""
        if self._shapes is None:
            self.__dict__["_shapes"] = condyle.MjData(self.model)
        assert self._shapes is not None
        return self._shapes

    def _parts(self, is_data: bool) -> Parts:
        """Return what finds parts of arrays of the data, or of the model."""
        if is_data not in self._places:
            if is_data:
                parts = Parts(self._template(), DATA_FIELDS | {"actuator_moment"})
            else:
                parts = Parts(self.model, fields.all_model_fields())
            self._places[is_data] = parts
        return self._places[is_data]

    def _shape(self, name: str) -> tuple[int, ...]:
        return np.shape(getattr(self._template(), name))

    def _state_rows(self, name: str) -> NDArray[Any]:
        """Return the part of the rows that holds a field of the state, (nsim, size)."""
        first = 0
        for before in fields.STATE:
            if before == name:
                break
            first += condyle.mj_stateSize(self.model, fields.bit(before))
        return self.state[:, first : first + int(np.prod(self._shape(name)))]

    def _shaped(self, name: str, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows of a field of the model in its shape."""
        owner, _, member = name.rpartition(".")
        shape = np.shape(getattr(self.model.opt if owner else self.model, member))
        if name == "bvh_aabb":
            shape = (rows.shape[1] // 6, 6)
        return fields.with_flags(name, rows).reshape(self.nsim, *shape)

    def _shared(self, name: str) -> NDArray[Any]:
        """Return the batch's own values of a field of the model, (size,)."""
        return self._rows.shared(name)

    def _model_field(self, name: str) -> NDArray[Any] | None:
        """Return the rows of a field of the model, to be written if they were asked for."""
        if name not in MODEL_FIELDS:
            return None
        own = self._expanded.get(name)
        return self.expanded(name) if own is None else own

    def _each_model(self) -> tuple[condyle.MjModel, ...]:
        """Return the callers' models, each simulation's."""
        models = self.models
        if models is None:
            return ()
        return (models,) * self.nsim if isinstance(models, condyle.MjModel) else models

    def _model_of(self, sim: int) -> condyle.MjModel:
        return self.model if self.models is None else self._each_model()[sim]

    def _count(self, selected: Ids | None) -> int:
        return self.nsim if selected is None else len(selected)

    def _sim(self, sim: Any) -> int:
        number = check.integer("sim", sim)
        if not 0 <= number < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {number}")
        return number

    def _record(
        self, item: Any, rows: tuple[int, int], out: Mapping[Any, NDArray[Any]]
    ) -> NDArray[Any]:
        """Return the array for an item of a rollout."""
        if isinstance(item, str):
            if item not in DATA_FIELDS:
                raise ValueError(fields.cannot_bind(item))
            value = np.asarray(getattr(self._template(), item))
            shape, dtype = value.shape, fields.with_flags(item, np.zeros(1, value.dtype)).dtype
        else:
            shape, dtype = (condyle.mj_stateSize(self.model, int(item)),), np.dtype(_NUM)
        shape = (*rows, *shape)
        array: NDArray[Any] | None = out.get(item)
        if array is None:
            return np.zeros(shape, dtype)
        good = isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == shape
        if not (good and array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(
                f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}"
            )
        return np.asarray(array)

    @staticmethod
    def _computed(name: str) -> str:
        return (
            f"{name} is computed by every call and cannot be written; write state fields (qpos,"
            " ctrl, ...) or expand model fields"
        )

    def _done(self, nfailed: int, selected: Ids | None) -> None:
        """Raise the error of a call in which simulations failed."""
        if not nfailed:
            return
        ids = np.arange(self.nsim) if selected is None else selected
        failed = ids[self.status[ids] != 0]
        if not len(failed):
            return
        told = ", ".join(str(sim) for sim in failed[:_MOST_TOLD])
        more = ", ..." if len(failed) > _MOST_TOLD else ""
        raise SimulationError(
            f"MuJoCo raised in {len(failed)} of {len(ids)} simulations ({told}{more}); simulation "
            f"{failed[0]}: {self.error(failed[0])}",
            failed,
        )


def _text(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a field's name must be a str, got {type(name)}")
    return name


def _is(name: str, value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be an {kind.__name__}, got {type(value)}")
    return value


def _copy(model: condyle.MjModel) -> condyle.MjModel:
    import copy  # noqa: PLC0415

    return copy.deepcopy(model)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view: NDArray[Any] = array.view()
    view.flags.writeable = False
    return view
