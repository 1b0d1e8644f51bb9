"""Writes integers that no size can be into every writable one of a class, and uses the objects.

usage: size_writer.py GROUP...   with GROUP one of `GROUPS`

Several attributes are tried in a process, because contexts of OpenGL take long to make; if a signal
ends it, each in one of its own. One line for each that ends by a signal; the last line counts the
attributes.
"""

from __future__ import annotations

import copy
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import condyle

XML = """
<mujoco>
  <option><flag energy="enable"/></option>
  <visual><global offwidth="64" offheight="48"/></visual>
  <asset>
    <hfield name="hill" nrow="3" ncol="4" size="1 1 .2 .1" elevation="0 0 0 0 0 1 1 0 0 0 0 0"/>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0"/>
    <material name="grid" texture="grid"/>
    <mesh name="rock" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/>
    <skin name="s" vertex="0 0 0 .1 0 0 0 .1 0" face="0 1 2">
      <bone body="link" bindpos="0 0 1" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" material="grid"/>
    <geom type="hfield" hfield="hill" pos="5 0 0"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="link" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1" limited="true" range="-10 10"
        frictionloss=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
      <site name="s1"/>
    </body>
    <body name="ball" pos="0 1 .09"><freejoint/><geom size=".1"/><geom type="mesh" mesh="rock"/>
      <site name="s2"/></body>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="goal" mocap="true" pos="1 1 1"><geom type="box" size=".1 .1 .1" contype="0"/></body>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".01" dim="2"
      mass="1" pos="2 0 .005"><edge equality="true"/></flexcomp>
  </worldbody>
  <tendon><spatial name="t"><site site="s1"/><site site="s2"/></spatial></tendon>
  <equality><weld body1="goal" body2="link"/></equality>
  <actuator><motor name="motor" joint="hinge"/><position tendon="t" kp="1"/></actuator>
  <sensor><jointpos joint="hinge"/><touch site="s1"/></sensor>
  <keyframe><key name="up"/></keyframe>
</mujoco>"""

SECONDS = 60  # for one attribute
MEMORY = 3 << 30  # bytes

TOGETHER = 12  # attributes in one process

# what a program may do with an object after it wrote into it
Use = Callable[[], object]
# an object (None for the context of a process), the name of an attribute, and what it belongs to
Target = tuple[Any, str, Any]


def values(now: int) -> list[int]:
    """What to write in place of a number."""
    return [-1, 0, now - 1, now + 1, 10000, 2**31 - 1, -(2**31), 2**33, 2**62]


def attributes(thing: Any) -> Iterator[tuple[Any, str]]:
    """All writable integers of an object and of those that it consists of."""
    for name in dir(type(thing)):
        if name.startswith("_"):
            continue
        try:
            value = getattr(thing, name)
        except Exception:  # noqa: BLE001, S112
            continue
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            yield thing, name
        elif type(value).__name__.startswith("Mj") and type(value).__module__.startswith("condyle"):
            if hasattr(value, "_all_fields") or "Visual" in type(value).__name__:
                yield from ((value, inner) for _, inner in attributes(value))


class Simulation:
    """A model, its data, and all that draws them."""

    def __init__(self) -> None:
        self.m = condyle.MjModel.from_xml_string(XML)
        self.d = condyle.MjData(self.m)
        for _ in range(3):
            condyle.mj_step(self.m, self.d)
        assert self.d.ncon > 4, self.d.ncon
        self.scene = condyle.MjvScene(self.m, 50)
        self.option, self.perturb = condyle.MjvOption(), condyle.MjvPerturb()
        self.option.flags[:] = 1
        self.camera, self.figure = condyle.MjvCamera(), condyle.MjvFigure()
        self.figure.linepnt[:3] = 5
        self.perturb.select = 1
        self.context: Any = None

    def prepare(self, draws: bool) -> None:
        """Make what belongs to one process."""
        self.update()
        if not draws:
            return
        try:
            from condyle.egl import GLContext

            self.gl = GLContext(64, 48)
            self.gl.make_current()
            self.context = condyle.MjrContext(self.m, 100)
            condyle.mjr_setBuffer(condyle.mjtFramebuffer.mjFB_OFFSCREEN, self.context)
        except (condyle.FatalError, RuntimeError, ImportError):
            self.context = None

    def update(self) -> None:
        condyle.mjv_updateScene(
            self.m, self.d, self.option, self.perturb, self.camera, 7, self.scene
        )

    def uses(self) -> list[Use]:
        m, d, scene = self.m, self.d, self.scene
        nothing = os.devnull
        state = np.empty(condyle.mj_stateSize(m, condyle.mjtState.mjSTATE_INTEGRATION))
        force = np.zeros(6)
        rect = condyle.MjrRect(0, 0, 64, 48)
        geom, flex, skin = (np.zeros(1, np.int32) for _ in range(3))
        con = self.context
        uses: list[Use] = [
            lambda: repr(d),
            lambda: [condyle.mj_contactForce(m, d, i, force) for i in range(min(d.ncon, 50))],
            lambda: condyle.mj_printData(m, d, nothing),
            lambda: condyle.mj_printModel(m, nothing),
            lambda: copy.copy(d),
            lambda: condyle.mj_copyData(condyle.MjData(m), m, d),
            lambda: condyle.mj_getState(m, d, state, condyle.mjtState.mjSTATE_INTEGRATION),
            lambda: condyle.mj_step2(m, d),
            lambda: condyle.mj_constraintUpdate(m, d, np.zeros(d.nefc), None, 0),
            lambda: condyle.mj_mulJacVec(m, d, np.zeros(d.nefc), np.zeros(m.nv)),
            lambda: condyle.mj_rnePostConstraint(m, d),
            lambda: condyle.mj_sensorAcc(m, d),
            self.update,
            lambda: condyle.mjv_addGeoms(m, d, self.option, self.perturb, 7, scene),
            lambda: condyle.mjv_makeLights(m, d, scene),
            lambda: condyle.mjv_applyPerturbForce(m, d, self.perturb),
            lambda: condyle.mjv_initPerturb(m, d, scene, self.perturb),
            lambda: condyle.mjv_moveCamera(m, 1, 0.1, 0.1, scene, self.camera),
            lambda: condyle.mjv_select(
                m, d, self.option, 1, 0.5, 0.5, scene, np.zeros(3), geom, flex, skin
            ),
            lambda: copy.copy(scene),
            lambda: [g.type for g in scene.geoms[: scene.ngeom]],
        ]
        if con is not None:
            uses += [
                lambda: condyle.mjr_render(rect, scene, con),
                lambda: condyle.mjr_figure(rect, self.figure, con),
                lambda: condyle.mjr_readPixels(np.zeros((48, 64, 3), np.uint8), None, rect, con),
                lambda: condyle.mjr_overlay(1, 0, rect, "a", "b", con),
                lambda: condyle.mjr_setBuffer(con.currentBuffer, con),
                lambda: condyle.mjr_addAux(0, con.auxWidth[0], con.auxHeight[0], 0, con),
                lambda: condyle.mjr_resizeOffscreen(con.offWidth, con.offHeight, con),
                lambda: condyle.mjr_uploadMesh(m, con, 0),
                lambda: condyle.mjr_changeFont(con.fontScale, con),
            ]
        uses += [
            lambda: condyle.mj_step(m, d),
            lambda: condyle.mj_inverse(m, d),
            lambda: condyle.mj_step(m, d),
            lambda: condyle.mj_resetData(m, d),
            lambda: condyle.mj_step(m, d),
        ]
        return uses


def of_simulation(pick: Callable[[Simulation], list[Any]]) -> Iterator[Target]:
    simulation = Simulation()
    simulation.update()
    for thing in pick(simulation):
        for holder, name in attributes(thing):
            yield holder, name, simulation


def of_spec() -> Iterator[Target]:
    spec = condyle.MjSpec.from_string(XML)
    things: list[Any] = [spec, spec.compiler, spec.option, spec.visual, spec.stat]
    for name in dir(spec):
        try:
            found = getattr(spec, name)
        except ValueError:
            # some can only be set
            continue
        if isinstance(found, (list, tuple)) and found and name != "diagnostics":
            things.append(found[0])
    for thing in things:
        for holder, name in attributes(thing):
            yield holder, name, spec


GROUPS: dict[str, Callable[[], Iterator[Target]]] = {
    "data": lambda: of_simulation(lambda s: [s.d]),
    "contact": lambda: of_simulation(lambda s: [s.d.contact[0], s.d.warning[0], s.d.timer[0],
                                                s.d.solver[0]]),
    "scene": lambda: of_simulation(lambda s: [s.scene, s.scene.geoms[0], s.scene.lights[0],
                                              s.scene.camera[0]]),
    "option": lambda: of_simulation(lambda s: [s.option, s.perturb, s.camera, s.figure]),
    "model": lambda: of_simulation(lambda s: [s.m, s.m.opt, s.m.vis, s.m.stat]),
    "context": lambda: of_context(),
    "spec": of_spec,
}  # fmt: skip


def of_context() -> Iterator[Target]:
    simulation = Simulation()
    for name, value in vars(condyle.MjrContext).items():
        if not name.startswith("_") and hasattr(value, "__set__"):
            yield None, name, simulation


def attempt(use: Use) -> None:
    """What is refused is no failure."""
    try:
        use()
    except Exception:  # noqa: BLE001, S110
        pass


def prepare(targets: list[Target]) -> list[Use]:
    """Make what belongs to this process, and what is done with what was written to."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    condyle.set_mju_user_warning(lambda _: None)
    owner = targets[0][2]
    if isinstance(owner, Simulation):
        owner.prepare(any(h is None or type(h).__name__.startswith("Mjv") for h, _, _ in targets))
        uses = owner.uses()
    else:
        uses = [owner.compile, owner.to_xml, lambda: copy.copy(owner)]
    # after the drivers have taken their room
    resource.setrlimit(resource.RLIMIT_AS, (virtual_size() + MEMORY, resource.RLIM_INFINITY))
    return uses


def try_attribute(target: Target, uses: list[Use], only: int | None) -> None:
    """Write all values, or the one of a number, and use what was written to."""
    holder, name, owner = target
    holder = owner.context if holder is None else holder
    now = getattr(holder, name, None)
    if not isinstance(now, (int, np.integer)):
        return
    for i, value in enumerate(values(int(now))):
        if only is not None and i != only:
            continue
        try:
            setattr(holder, name, value)
        except (ValueError, TypeError, AttributeError, OverflowError):
            continue
        for use in uses:
            attempt(use)
        attempt(lambda: setattr(holder, name, now))


def virtual_size() -> int:
    """Bytes of memory that this process may touch."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def run(targets: list[Target], only: int | None = None) -> int:
    """Try attributes in a process of their own; returns the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        try:
            uses = prepare(targets)
            for target in targets:
                signal.alarm(SECONDS)
                try_attribute(target, uses, only)
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1] & 127


def main() -> int:
    count = 0
    for group in sys.argv[1:]:
        targets = list(GROUPS[group]())
        count += len(targets)
        for i in range(0, len(targets), TOGETHER):
            together = targets[i : i + TOGETHER]
            # what has ended several is looked for alone
            for target in together if run(together) else []:
                ended = run([target])
                if ended:
                    alone = [i for i in range(len(values(0))) if run([target], i)]
                    kind = group if target[0] is None else type(target[0]).__name__
                    name = f"{kind}.{target[1]}"
                    print(f"{name}: {signal.Signals(ended).name} after values {alone}")
    print(f"{count} attributes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
