"""A program that uses the public names as users do; tests check its types and run it.

``reveal`` calls say what a checker must find an expression to be; when the program runs they check
what it is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle import autodiff, minimize, rollout, simulations

if sys.version_info >= (3, 11):
    from typing import assert_type
else:
    from typing_extensions import assert_type

XML = """
<mujoco model="arm">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="link" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
      <site name="tip" pos=".3 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>"""


def models_and_data(folder: Path) -> condyle.MjModel:
    """Loading, arrays, sizes, options, functions."""
    m = condyle.MjModel.from_xml_string(XML, assets={"nothing.txt": b""})
    path = folder / "arm.mjb"
    condyle.mj_saveModel(m, str(path))
    assert condyle.MjModel.from_binary_path(path).nq == m.nq
    d = condyle.MjData(m)
    assert_type(m.nv, int)
    assert_type(m.opt.timestep, float)
    assert_type(m.opt.gravity, NDArray[np.float64])
    assert_type(d.qpos, NDArray[np.float64])
    assert_type(m.geom_type, NDArray[np.int32])
    assert_type(m.geom_rgba, NDArray[np.float32])
    assert_type(d.time, float)
    assert_type(m.names, bytes)
    assert_type(m.vis.global_.offwidth, int)

    m.opt.integrator = condyle.mjtIntegrator.mjINT_IMPLICITFAST
    m.opt.gravity = [0, 0, -1]
    d.ctrl = 0.5
    d.qpos[0] = np.float32(0.1)
    d.time = 1
    condyle.mj_step(m, d)
    condyle.mj_step(m, d, nstep=np.int64(3))
    condyle.mj_resetData(m, d)
    condyle.mj_forward(m, d)

    jacobian = np.zeros((3, m.nv))
    condyle.mj_jacSite(m, d, jacobian, None, m.site("tip").id)
    assert_type(condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_BODY, "link"), int)
    assert_type(condyle.mj_id2name(m, condyle.mjtObj.mjOBJ_BODY, 1), "str | None")
    quaternion = np.zeros(4)
    condyle.mju_axisAngle2Quat(quaternion, [0, 0, 1], 0.3)
    condyle.mj_fullM(m, np.zeros((m.nv, m.nv)), d.qM)
    state = np.empty(condyle.mj_stateSize(m, condyle.mjtState.mjSTATE_INTEGRATION))
    condyle.mj_getState(m, d, state, condyle.mjtState.mjSTATE_INTEGRATION)
    distance = condyle.mj_geomDistance(m, d, 0, 1, 10.0, None)
    assert_type(distance, float)
    return m


def named_access_and_lists(m: condyle.MjModel) -> None:
    """Objects by name, contacts, warnings."""
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    body = m.body("link")
    assert_type(body.mass, NDArray[np.float64])
    assert_type(body.name, str)
    m.geom(1).rgba = [1, 0, 0, 1]
    assert_type(d.joint("hinge").qpos, NDArray[np.float64])
    d.actuator("motor").ctrl = 0.2
    assert_type(d.contact.dist, NDArray[np.float64])
    for contact in d.contact:
        assert_type(contact.frame, NDArray[np.float64])
        assert_type(contact.exclude, int)
    assert_type(d.warning[condyle.mjtWarning.mjWARN_BADQACC].number, int)
    option = condyle.MjOption()
    option.timestep = 0.01
    camera = condyle.MjvCamera()
    camera.lookat = (0, 0, 1)
    assert_type(int(condyle.mjtGeom.mjGEOM_BOX), int)
    assert condyle.mjtGeom(6) is condyle.mjtGeom.mjGEOM_BOX


def specs(folder: Path) -> condyle.MjModel:
    """Editing, attaching, compiling, errors."""
    spec = condyle.MjSpec()
    spec.option.timestep = 0.005
    body = spec.worldbody.add_body(name="box", pos=[0, 0, 1])
    joint = body.add_freejoint(name="free")
    geom = body.add_geom(type=condyle.mjtGeom.mjGEOM_BOX, size=(0.1, 0.1, 0.1), rgba=[1, 0, 0, 1])
    assert_type(geom.type, condyle.mjtGeom)
    assert_type(geom.size, NDArray[np.float64])
    geom.userdata = [1, 2]
    assert_type(list(geom.userdata), "list[float]")
    geom.mass = 2
    geom.name = "box"
    motor = spec.add_actuator(name="motor", target="free", trntype=condyle.mjtTrn.mjTRN_JOINT)
    motor.set_to_position(kp=10, kv=1)
    spec.delete(motor)
    frame = spec.worldbody.add_frame(pos=[1, 0, 0])
    child = condyle.MjSpec.from_string(XML)
    assert_type(spec.attach(child, prefix="left_", frame=frame), condyle.MjsFrame)
    found = spec.body("left_link")
    assert found is not None and isinstance(found, condyle.MjsElement)
    assert_type([b.name for b in spec.bodies], "list[str]")
    model = spec.compile()
    assert_type(model.bind(body).mass, NDArray[np.float64])
    assert_type(condyle.MjData(model).bind(joint).qpos, NDArray[np.float64])
    spec.to_zip(folder / "spec.zip")
    again = condyle.MjSpec.from_zip(folder / "spec.zip")
    assert len(again.geoms) == len(spec.geoms)
    again.worldbody.add_geom(name="empty")
    try:
        again.compile()
    except condyle.ModelError as error:
        assert_type(error.line, int)
        assert_type([problem.hint for problem in error.diagnostics], "list[str]")
    return model


def many_worlds(m: condyle.MjModel) -> None:
    """Rollouts and batches."""
    datas = [condyle.MjData(m) for _ in range(2)]
    size = condyle.mj_stateSize(m, condyle.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros((4, size))
    state, sensordata = rollout.rollout(m, datas, start, nstep=5)
    assert_type(state, NDArray[np.float64])
    assert sensordata.shape == (4, 5, m.nsensordata)
    with condyle.Batch(m, 8, raise_errors=False) as batch:
        xpos = batch.expose("xpos")
        batch.vary("body_mass")
        batch.step(np.zeros(m.nu), nstep=2)
        batch.reset(mask=batch.time > 1)
        assert_type(batch.errors, "dict[int, str]")
        derivative = batch.transition()
        assert_type(derivative.A, NDArray[np.float64])
        assert xpos.shape == (8, m.nbody, 3)
    rows = simulations.Batch(m, 8, nthread=2)
    rows.step(stage=condyle.mjtStage.mjSTAGE_VEL)
    assert_type(rows.status, NDArray[np.int32])
    jacp, _ = rows.jac(0, [0, 0, 0], ids=[1, 3])
    assert jacp.shape == (2, 3, m.nv)
    assert_type(rows.get_model(3), condyle.MjModel)


def gradients(m: condyle.MjModel) -> None:
    """Exact derivatives, and least squares."""
    dynamics = autodiff.Dynamics(m)
    x, u = np.zeros((3, dynamics.nx)), np.zeros((3, dynamics.nu))
    after = dynamics.step(x, u)
    assert_type(after, NDArray[np.float64])
    dx, du = dynamics.vjp(x, u, np.ones_like(after))
    assert dx.shape == x.shape and du.shape == u.shape

    def residual(z: NDArray[np.float64]) -> NDArray[np.float64]:
        return z - 2

    best, trace = minimize.least_squares(np.zeros(2), residual, verbose=minimize.Verbosity.SILENT)
    assert_type(best, NDArray[np.float64])
    assert trace[-1].objective < 1e-6


def callbacks(m: condyle.MjModel) -> None:
    """Python functions that the engine calls."""

    def control(model: condyle.MjModel, data: condyle.MjData) -> None:
        data.ctrl = model.nu

    condyle.set_mjcb_control(control)
    condyle.mj_step(m, condyle.MjData(m))
    condyle.set_mjcb_control(None)


def as_the_reference() -> None:
    """The drop-in replacement."""
    module: Any = condyle.install_as_mujoco()
    assert module.MjModel is condyle.MjModel
    condyle.uninstall_as_mujoco()


def main() -> None:
    """Runs everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        m = models_and_data(folder)
        named_access_and_lists(m)
        specs(folder)
        many_worlds(m)
        gradients(m)
        callbacks(m)
        as_the_reference()


if __name__ == "__main__":
    main()
