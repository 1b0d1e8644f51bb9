"""Work that a program repeats, and what it must leave behind: nothing.

``python endurance.py [COUNT [NAME ...]]`` repeats each kind of work, or those named, and prints how
the memory grew. Run under the address sanitizer it ends with a search for lost memory.
"""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import condyle
from condyle import rollout

__all__ = ["WORK", "growth", "resident"]

CUBE = b"""
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5
f 4 5 8
"""

MODEL = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .1">
      <freejoint/>
      <geom name="ball" size=".1"/>
      <site name="top"/>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="arm" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>
"""

WITH_FILES = """
<mujoco>
  <asset><mesh name="cube" file="cube.obj"/></asset>
  <worldbody><include file="body.xml"/></worldbody>
</mujoco>
"""
FILES = {
    "cube.obj": CUBE,
    "body.xml": b"<mujoco><body><freejoint/><geom type='mesh' mesh='cube'/></body></mujoco>",
}

BROKEN = (
    "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
    "<mujoco><worldbody><geom size='a'/></worldbody></mujoco>",
    "<mujoco><worldbody><geom mesh='none' type='mesh'/></worldbody></mujoco>",
    "<mujoco><worldbody>",
)

m = condyle.MjModel.from_xml_string(MODEL)
d = condyle.MjData(m)


def refused(call: Callable[..., Any], *arguments: Any) -> None:
    """Make a call that must end in an exception."""
    try:
        call(*arguments)
    except Exception as error:
        assert str(error)
    else:
        raise AssertionError(f"{call} took {arguments}")


def models() -> None:
    """Load a model, look at it, drop it."""
    model = condyle.MjModel.from_xml_string(MODEL)
    assert model.geom_size.size and model.opt.timestep and model.names
    assert model.vis.global_.fovy and model.stat.extent and model.body("ball").mass.size


def models_with_files() -> None:
    """Load a model whose files lie in memory."""
    assert condyle.MjModel.from_xml_string(WITH_FILES, FILES).nmesh == 1


def data() -> None:
    """Make data of a shared model, step, look at it."""
    one = condyle.MjData(m)
    condyle.mj_step(m, one, 2)
    one.qpos[:] = one.qpos
    one.ctrl = 0.1
    assert one.contact.dist.size and one.efc_force.size and one.contact[0].geom.size
    assert one.warning[0].number == 0 and len(one.solver) and one.solver[0].neval >= 0


def copies() -> None:
    """Copy models and data, shallow and deep."""
    model = copy.copy(m)
    assert copy.deepcopy(model).nq == copy.copy(d).qpos.size == copy.deepcopy(d).qpos.size
    assert copy.deepcopy([model, condyle.MjData(model)])[1].model.nq == m.nq


def pickles() -> None:
    """Pickle models, data and structs."""
    model, one, option = pickle.loads(pickle.dumps((m, d, m.opt)))
    assert model.nq == one.qpos.size and option.timestep == m.opt.timestep


def specs() -> None:
    """Make, edit, compile, copy, write, attach and recompile specs."""
    spec = condyle.MjSpec()
    body = spec.worldbody.add_body(name="body", pos=[0, 0, 1])
    body.add_freejoint()
    geom = body.add_geom(name="geom", type=condyle.mjtGeom.mjGEOM_BOX, size=[1, 2, 3])
    geom.userdata = [1, 2, 3]
    geom.name = "another"
    mesh = spec.add_mesh(name="cube", uservert=np.eye(4, 3).ravel())
    body.add_site(name="site").quat = [1, 0, 0, 0]
    spec.delete(spec.add_material(name="material"))
    spec.option.timestep = 0.01
    model = spec.compile()
    spec.worldbody.add_body().add_geom(size=[0.1, 0, 0])
    assert spec.recompile(model, condyle.MjData(model))[0].nbody == 3
    other = spec.copy()
    child = condyle.MjSpec.from_string(MODEL)
    other.worldbody.add_frame().attach_body(child.body("arm"), "pre-", "")
    other.assets["none"] = b"1"
    assert "pre-arm" in other.to_xml() and mesh.name and len(geom.userdata) == 3
    assert pickle.loads(pickle.dumps(spec)).body("body").pos[2] == 1
    assert len(spec.bodies) == 3 and spec.geoms[0].parent is not None
    refused(spec.body("body").add_geom, {})
    refused(setattr, geom, "size", "text")
    refused(setattr, geom, "userdata", [1, "x"])


def spec_files() -> None:
    """Read a spec with files in memory, and compile it with them."""
    spec = condyle.MjSpec.from_string(WITH_FILES, include={"body.xml": FILES["body.xml"]})
    spec.assets = {"cube.obj": CUBE}
    assert spec.compile().nmesh == 1


def names() -> None:
    """Get objects by name and bind elements, in and out of what there is."""
    model = condyle.MjModel.from_xml_string(MODEL)
    one = condyle.MjData(model)
    assert model.body("ball").mass.size and one.joint("hinge").qpos.size
    assert one.body(1).xpos.size and model.geom("arm").size.size
    assert one.sensor("angle").data.size and one.actuator("motor").ctrl.size
    refused(model.body, "none")
    refused(one.site, 99)


def bindings() -> None:
    """Bind elements of a spec to a model and data."""
    spec = condyle.MjSpec.from_string(MODEL)
    model = spec.compile()
    one = condyle.MjData(model)
    assert model.bind(spec.geoms[1]).size.size and one.bind(spec.joint("hinge")).qpos.size
    one.bind(spec.actuators).ctrl = [0.5]


def errors() -> None:
    """Raise each kind of exception."""
    for text in BROKEN:
        refused(condyle.MjModel.from_xml_string, text)
        refused(lambda text: condyle.MjSpec.from_string(text).compile(), text)
    refused(condyle.MjModel.from_xml_path, "none.xml")
    condyle.set_mju_user_warning(lambda text: None)
    try:
        refused(condyle.MjModel.from_binary_path, "none.mjb")
    finally:
        condyle.set_mju_user_warning(None)
    refused(condyle.mj_step, d, m)
    refused(condyle.mj_mulM, m, d, np.zeros(2), np.zeros(m.nv))
    refused(condyle.mj_integratePos, m, np.zeros(m.nq), [1, "x"], 0.1)
    refused(condyle.mj_setConst, m)
    refused(condyle.mj_setKeyframe, m, d, 99)
    refused(setattr, d, "qpos", [1, 2])
    refused(setattr, m.opt, "timestep", "x")
    refused(getattr, d, "none")


def structs() -> None:
    """Make structs that stand alone, copy and print them."""
    scene = condyle.MjvScene(m, 20)
    assert scene.geoms[1].size.size and scene.lights[0].pos.size and scene.geomorder.size
    assert copy.copy(scene).geoms[0].rgba.size and copy.deepcopy(m.opt) == m.opt
    for kind in (condyle.MjvCamera, condyle.MjvOption, condyle.MjvPerturb, condyle.MjvFigure):
        copy.copy(kind())
    assert repr(condyle.MjvCamera())
    scene.maxgeom = 3
    refused(setattr, scene, "maxgeom", 30)


def callbacks() -> None:
    """Set callbacks, call them, and let them raise."""
    one = condyle.MjData(m)

    def control(model: Any, got: Any) -> None:
        assert model is m
        got.ctrl[:] = 0.25

    def fails(model: Any, got: Any) -> None:
        raise ValueError("a callback")

    try:
        condyle.set_mjcb_control(control)
        condyle.mj_step(m, one)
        assert condyle.get_mjcb_control() is control
        condyle.set_mjcb_control(fails)
        refused(condyle.mj_step, m, one)
    finally:
        condyle.set_mjcb_control(None)


def functions() -> None:
    """Call functions with arrays, lists, texts and structs."""
    jac, force = np.zeros((3, m.nv)), np.zeros(6)
    condyle.mj_jac(m, d, jac, None, [0, 0, 1], 1)
    condyle.mj_contactForce(m, d, 0, force)
    assert condyle.mj_name2id(m, condyle.mjtObj.mjOBJ_BODY, "ball") == 1
    assert condyle.mj_id2name(m, condyle.mjtObj.mjOBJ_BODY, 1) == "ball"
    full = np.zeros((m.nv, m.nv))
    condyle.mj_fullM(m, full, d.qM)
    condyle.mju_mulMatVec(np.zeros(3), np.eye(3), [1, 2, 3])
    condyle.mj_geomDistance(m, d, 0, 1, 1, force)


def batches() -> None:
    """Step a batch of worlds, and roll out."""
    with condyle.Batch(m, 3, 0) as batch:
        batch.step(np.zeros((3, m.nu)), 2)
        batch.reset()
        assert batch.qpos.shape == (3, m.nq)
    size = condyle.mj_stateSize(m, condyle.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros((2, size))
    start[:, 1 : 1 + m.nq] = m.qpos0
    state, sensors = rollout.rollout(m, condyle.MjData(m), start, nstep=3)
    assert state.shape == (2, 3, size) and sensors.size


WORK: dict[str, Callable[[], None]] = {
    work.__name__: work
    for work in (
        models,
        models_with_files,
        data,
        copies,
        pickles,
        specs,
        spec_files,
        names,
        bindings,
        errors,
        structs,
        callbacks,
        functions,
        batches,
    )
}


class _Heap(ctypes.Structure):
    """The C library's struct mallinfo2."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")),
        *((name, ctypes.c_size_t) for name in ("usmblks", "fsmblks", "uordblks", "fordblks")),
        ("keepcost", ctypes.c_size_t),
    ]


def _in_use() -> int | None:
    """Bytes that are allocated from the C library; None where it doesn't tell."""
    try:
        information = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return None
    information.restype = _Heap
    heap = information()
    return int(heap.uordblks + heap.hblkhd)


def resident() -> int:
    """Bytes of memory that the process holds; 0 where the system doesn't tell."""
    try:
        text = Path("/proc/self/statm").read_text()
    except OSError:
        return 0
    return int(text.split()[1]) * 4096


def growth(work: Callable[[], None], count: int) -> tuple[float, float]:
    """Bytes of C memory and blocks of Python memory that stay, for each repetition of the work."""
    for _ in range(3 + count // 10):
        work()
    gc.collect()
    bytes_before, blocks_before = _in_use(), sys.getallocatedblocks()
    for _ in range(count):
        work()
    gc.collect()
    bytes_after, blocks_after = _in_use(), sys.getallocatedblocks()
    stay = bytes_after - bytes_before if bytes_after and bytes_before else 0
    return stay / count, (blocks_after - blocks_before) / count


def main() -> int:
    """Repeat the work; 1 if the address sanitizer finds lost memory."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for name in sys.argv[2:] or WORK:
        work = WORK[name]
        before, start = resident(), time.perf_counter()
        stays, blocks = growth(work, count)
        print(
            f"{name:18s}{count} times in {time.perf_counter() - start:.1f} s: {stays:.2f} bytes and"
            f" {blocks:.4f} blocks each; {before >> 10} -> {resident() >> 10} KiB resident",
            flush=True,
        )
    search = getattr(ctypes.CDLL(None), "__lsan_do_recoverable_leak_check", None)
    return search() if search else 0


if __name__ == "__main__":
    sys.exit(main())
