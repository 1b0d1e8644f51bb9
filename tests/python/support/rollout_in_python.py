"""What the compiled part of rollouts has to do, as loops in Python.

The tests of condyle.rollout run on this where ``condyle._rollout`` is not built, and compare with
it where it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import condyle

STATE = condyle.mjtState


class Pool:
    """The interface of ``condyle._rollout._Pool``, one chunk after the other.

    ``rollout`` gets arrays of full size, C-contiguous and float64: state0 (nbatch, nstate),
    warmstart (nbatch, nv) or None, control (nbatch, nstep, ncontrol) or None, and fills state and
    sensordata, each of which may be None. Rollout r uses models[r] and the MjData of the thread.
    """

    def __init__(self, nthread: int) -> None:
        self.nthread = nthread
        self.closed = False
        self.chunks: list[list[int]] = []

    def close(self) -> None:
        self.closed = True

    def rollout(
        self,
        models: list[Any],
        datas: list[Any],
        nstep: int,
        control_spec: int,
        state0: Any,
        warmstart: Any,
        control: Any,
        state: Any,
        sensordata: Any,
        chunk_size: int,
        lanes: bool,
    ) -> None:
        nbatch = len(models)
        starts = range(0, nbatch, chunk_size)
        self.chunks = [list(range(a, min(a + chunk_size, nbatch))) for a in starts]
        for i, chunk in enumerate(self.chunks):
            # which thread takes which chunk is a matter of luck; here they take turns
            data = datas[i % len(datas)] if self.nthread and nbatch > 1 else datas[0]
            for r in chunk:
                one(
                    models[r],
                    data,
                    nstep,
                    control_spec,
                    state0.reshape(nbatch, -1)[r],
                    None if warmstart is None else warmstart.reshape(nbatch, -1)[r],
                    None if control is None else control.reshape(nbatch, nstep, -1)[r],
                    None if state is None else state.reshape(nbatch, nstep, -1)[r],
                    None if sensordata is None else sensordata.reshape(nbatch, nstep, -1)[r],
                )


def one(
    m: Any,
    d: Any,
    nstep: int,
    control_spec: int,
    state0: Any,
    warmstart: Any,
    control: Any,
    state: Any,
    sensordata: Any,
) -> None:
    """Carry out one rollout."""
    rest(m, d, 0 if control is None else control_spec)
    condyle.mj_setState(m, d, np.array(state0), STATE.mjSTATE_FULLPHYSICS)
    d.qacc_warmstart[:] = 0 if warmstart is None else warmstart
    for i in range(len(d.warning)):
        d.warning[i].number = 0
    for t in range(nstep):
        if control is not None:
            condyle.mj_setState(m, d, np.array(control[t]), control_spec)
        condyle.mj_step(m, d)
        if state is not None:
            now = np.empty(state.shape[1])
            condyle.mj_getState(m, d, now, STATE.mjSTATE_FULLPHYSICS)
            state[t] = now
        if sensordata is not None:
            sensordata[t] = d.sensordata
        if any(d.warning[i].number for i in range(len(d.warning))):
            # a rollout that has gone wrong stands still
            if state is not None:
                state[t + 1 :] = state[t]
            if sensordata is not None:
                sensordata[t + 1 :] = sensordata[t]
            return


def rest(m: Any, d: Any, given: int) -> None:
    """Put all inputs to rest that the controls do not give; userdata are the user's."""
    if not given & STATE.mjSTATE_CTRL.value:
        d.ctrl[:] = 0
    if not given & STATE.mjSTATE_QFRC_APPLIED.value:
        d.qfrc_applied[:] = 0
    if not given & STATE.mjSTATE_XFRC_APPLIED.value:
        d.xfrc_applied[:] = 0
    if not given & STATE.mjSTATE_EQ_ACTIVE.value:
        d.eq_active[:] = m.eq_active0
    for body in range(m.nbody):
        i = m.body_mocapid[body]
        if i >= 0 and not given & STATE.mjSTATE_MOCAP_POS.value:
            d.mocap_pos[i] = m.body_pos[body]
        if i >= 0 and not given & STATE.mjSTATE_MOCAP_QUAT.value:
            d.mocap_quat[i] = m.body_quat[body] / np.linalg.norm(m.body_quat[body])
