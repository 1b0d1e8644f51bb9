"""Wrong arguments to simulations as rows: types and texts of the errors, as release 4.0.0 has them.

What 4.0.0 lets pass silently though it is wrong is refused here: other attributes, structure.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import condyle
from condyle import simulations
from condyle.simulations import Batch

PEND = """<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
<actuator><motor joint="j"/></actuator><keyframe><key/><key qpos="1"/></keyframe></mujoco>"""


@pytest.fixture
def m() -> Any:
    return condyle.MjModel.from_xml_string(PEND)


@pytest.fixture
def b(m: Any) -> Any:
    return Batch(m, 4, 1)


SCALARS = "nA, nJ, ncon, ne, nefc, nf, nidof, nisland, nl"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("body_mass", "body_mass is an MjModel field: use expand('body_mass')"),
        ("opt.timestep", "opt.timestep is an MjModel field: use expand('opt.timestep')"),
        (
            "timestep",
            "timestep is not an MjData array field; timestep is an MjOption field: use "
            "expand('opt.timestep')",
        ),
        (
            "efc_force",
            "efc_force is in the arena, whose size changes from step to step, and cannot be bound",
        ),
        ("maxuse_con", f"maxuse_con is not one of the MjData scalars bind() accepts: {SCALARS}"),
        ("narena", f"narena is not one of the MjData scalars bind() accepts: {SCALARS}"),
        ("foo", "foo is not an MjData array field"),
        ("xqos", "xqos is not an MjData array field (did you mean 'xpos', 'qpos', 'xipos'?)"),
        ("contact", "contact is not an MjData array field (did you mean 'act'?)"),
        ("warning", "warning is not an MjData array field"),
        ("timer", "timer is not an MjData array field (did you mean 'time'?)"),
    ],
)
def test_names_that_cannot_be_bound(b: Any, name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        b.bind(name)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("body_mass", "; body_mass is an MjModel field: use expand('body_mass')"),
        ("timestep", "; timestep is an MjOption field: use expand('opt.timestep')"),
        ("xqos", " (did you mean 'xpos', 'qpos', 'xipos'?)"),
        ("nv", ""),
    ],
)
def test_attributes_that_are_none(b: Any, name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(b, name)
    assert str(caught.value) == f"'Batch' object has no attribute {name!r}{hint}"
    with pytest.raises(AttributeError):
        setattr(b, name, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mesh_vert", "mesh_vert is asset data, shared by all simulations, and cannot be expanded"),
        ("bvh_child", "bvh_child is asset data, shared by all simulations, and cannot be expanded"),
        ("qpos", "qpos is an MjData field: use bind('qpos')"),
        ("xpos", "xpos is an MjData field: use bind('xpos')"),
        ("nq", "nq is not an expandable MjModel field"),
        ("opt", "opt is not an expandable MjModel field"),
        (
            "timestep",
            "timestep is not an expandable MjModel field; timestep is an MjOption field: use "
            "expand('opt.timestep')",
        ),
        (
            "body_mas",
            "body_mas is not an expandable MjModel field (did you mean 'body_mass', 'body_pos', "
            "'body_margin'?)",
        ),
        (
            "opt.gravit",
            "opt.gravit is not an expandable MjModel field (did you mean 'opt.gravity', "
            "'opt.integrator', 'opt.impratio'?)",
        ),
        ("body_parentid", "body_parentid is structural: it cannot differ between simulations"),
    ],
)
def test_names_that_cannot_be_expanded(b: Any, name: str, text: str) -> None:
    for call in (b.expand, b.expanded):
        with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
            call(name)


COMPUTED = (
    "xpos is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or "
    "expand model fields"
)

CALLS = [
    (lambda b: setattr(b, "xpos", 1), ValueError, COMPUTED),
    (lambda b: setattr(b, "nsim", 1), AttributeError, None),
    (lambda b: setattr(b, "state", 1), AttributeError, None),
    (lambda b: b.step([2, 1]), ValueError, "ids must be sorted and unique, got 2 before 1"),
    (lambda b: b.step([1, 1]), ValueError, "ids must be sorted and unique, got 1 before 1"),
    (lambda b: b.step([-1]), ValueError, "ids must be in [0, 4), got -1"),
    (lambda b: b.step([0, 7]), ValueError, "ids must be in [0, 4), got 7"),
    (lambda b: b.step([0.5]), ValueError, "ids must be integers, got float64"),
    (lambda b: b.step([[0]]), ValueError, "ids must be one-dimensional"),
    (lambda b: b.step(1), ValueError, "ids must be one-dimensional"),
    (lambda b: b.step([True, False]), ValueError, "a boolean mask must have shape (4,)"),
    (lambda b: b.step([0, None]), ValueError, "ids must be integers, got object"),
    (lambda b: b.step(nstep=0), condyle.FatalError, "mjb_step: nstep must be positive"),
    (lambda b: b.step(nstep=1.5), TypeError, None),
    (
        lambda b: b.step(stage=4),
        condyle.FatalError,
        "mjb_step: stage must be in [mjSTAGE_NONE, mjSTAGE_ACC] = [0, 3], got 4",
    ),
    (
        lambda b: b.reset(stage=9),
        condyle.FatalError,
        "mjb_reset: stage must be in [mjSTAGE_NONE, mjSTAGE_ACC] = [0, 3], got 9",
    ),
    (lambda b: b.reset(keyframe=2), ValueError, "keyframe must be in [-1, 2), got 2"),
    (lambda b: b.reset(keyframe=0.0), ValueError, "keyframe must be integers, got float64"),
    (lambda b: b.reset(keyframe=True), ValueError, "keyframe must be integers, got bool"),
    (lambda b: b.reset(keyframe=[0, 1]), ValueError, None),
    (lambda b: b.get_model(4), IndexError, "sim must be in [0, 4), got 4"),
    (lambda b: b.get_data(-1), IndexError, "sim must be in [0, 4), got -1"),
    (lambda b: b.error(4), IndexError, "sim must be in [0, 4), got 4"),
    (lambda b: b.error(1.0), TypeError, None),
    (lambda b: b.get_model(0, 3), TypeError, None),
    (
        lambda b: b.set_models([b.model] * 2),
        ValueError,
        "set_models needs a model per simulation, got 2 for 4",
    ),
    (lambda b: b.set_models([b.model, 3]), TypeError, None),
    (lambda b: b.set_models(3), TypeError, None),
    (lambda b: b.rollout(0), ValueError, "nstep must be positive"),
    (lambda b: b.rollout(1.5), TypeError, None),
    (lambda b: b.rollout(True), TypeError, None),
    (lambda b: b.rollout(2, np.zeros((2, 2, 1))), ValueError, None),
    (
        lambda b: b.rollout(2, 0, control_spec=condyle.mjtState.mjSTATE_QPOS),
        ValueError,
        "control_spec must be a subset of mjSTATE_USER",
    ),
    (lambda b: b.rollout(2, record=("foo",)), ValueError, "foo is not an MjData array field"),
    (lambda b: b.rollout(2, record=None), TypeError, None),
    (
        lambda b: b.rollout(2, out={"qpos": np.zeros((4, 2, 1), np.float32)}),
        ValueError,
        "out['qpos'] must be a writable C-contiguous float64 array of shape (4, 2, 1)",
    ),
    (lambda b: b.jac(9, [0, 0, 0]), ValueError, "body must be in [0, 2), got 9"),
    (lambda b: b.jac(1.0, [0, 0, 0]), ValueError, "body must be integers, got float64"),
    (lambda b: b.jac([1, 1], [0, 0, 0]), ValueError, None),
    (lambda b: b.jac(1, [0, 0]), ValueError, None),
    (
        lambda b: b.ray([0, 0, 3], [0, 0, -1], geomgroup=[1, 0, 1]),
        ValueError,
        "geomgroup must have shape (6,), got (3,)",
    ),
    (
        lambda b: b.ray([0, 0, 3], [0, 0, -1], bodyexclude=2),
        ValueError,
        "bodyexclude must be in [-1, 2), got 2",
    ),
    (
        lambda b: b.ray([0, 0, 3], [0, 0, 0]),
        simulations.SimulationError,
        "MuJoCo raised in 4 of 4 simulations (0, 1, 2, 3); simulation 0: mj_ray: vector length is "
        "too small",
    ),
    (lambda b: b.ray(np.zeros((5, 3)), np.ones((4, 3))), ValueError, None),
]


@pytest.mark.parametrize(("call", "error", "text"), CALLS)
def test_wrong_calls(b: Any, call: Any, error: type[Exception], text: str | None) -> None:
    with pytest.raises(error) as caught:
        call(b)
    assert text is None or str(caught.value) == text
    assert not b.state[:, 0].any()


def test_caller_models_and_expanded_fields_exclude_each_other(b: Any, m: Any) -> None:
    other = condyle.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(condyle.FatalError, match="model 2 does not give mjData the batch model's"):
        b.set_models([m, m, other, m])
    b.set_models(m)
    for call in (lambda: b.expand("body_mass"), b.set_const):
        with pytest.raises(condyle.FatalError, match="the batch runs on caller models"):
            call()
    b.set_models(None)
    b.expand("body_mass")
    with pytest.raises(condyle.FatalError, match="the batch has per-simulation model fields"):
        b.set_models(m)
    b.set_models(None)
    with pytest.raises(condyle.FatalError, match="model sizes differ from the simulation's"):
        b.get_model(0, other)
    with pytest.raises(condyle.FatalError, match="data sizes differ from the batch's"):
        b.get_data(0, condyle.MjData(other))


def test_keyframes_are_those_of_each_model(m: Any) -> None:
    less = condyle.MjModel.from_xml_string(PEND.replace('<key qpos="1"/>', ""))
    b = Batch(m, 2, 1)
    b.set_models([m, less])
    with pytest.raises(condyle.FatalError, match=r"keyframes must be in \[-1, 1\), got 1"):
        b.reset(keyframe=1)
    with pytest.raises(ValueError, match=r"keyframe must be in \[-1, 2\), got 2"):
        b.reset(keyframe=2)
    b.reset(keyframe=[1, 0])
    assert b.qpos.ravel().tolist() == [1, 0]


@pytest.mark.parametrize("nsim", [0, -1])
def test_no_simulations(m: Any, nsim: int) -> None:
    with pytest.raises(ValueError, match="nsim must be positive"):
        Batch(m, nsim)


@pytest.mark.parametrize("arguments", [("x", 1), (3, 2), (None, 1.5), (None, "a")])
def test_wrong_makings(m: Any, arguments: Any) -> None:
    first, second = arguments
    with pytest.raises(TypeError):
        Batch(m if first is None else first, second)
