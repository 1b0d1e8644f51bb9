"""Writes the models of dm_control as its tasks compile them, one folder each.   usage: collect_dm_control.py DIRECTORY

The suite's tasks, the composer's (locomotion, soccer, manipulation) and walkers on a bare floor. What a task hands to the compiler
(XML and assets) is caught on its way there, so models made by Python are those that agents see; the state that a task starts from
becomes a keyframe. Tasks of one model are written once.
"""

import os
import pathlib
import re
import sys
import unittest.mock

os.environ.setdefault("MUJOCO_GL", "disable")

import numpy as np
from dm_control import composer, manipulation, suite
from dm_control.locomotion import arenas, soccer, walkers
from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020
from dm_control.mujoco.engine import Physics
from dm_control.mujoco.wrapper import MjModel

SAME = {"dog-trot", "dog-run", "quadruped-run"}  # as another task but for the floor's size
caught: list[tuple[str, dict[str, bytes]]] = []
compile_string = MjModel.from_xml_string.__func__


def catch(cls, xml_string, assets=None):
    caught.append((xml_string, dict(assets or {})))
    return compile_string(cls, xml_string, assets)


MjModel.from_xml_string = classmethod(catch)
# nothing is drawn here: agents with cameras see black, terrain is uploaded to nowhere
Physics.render = lambda self, height=240, width=320, *rest, **more: np.zeros((height, width, 3), np.uint8)
Physics.contexts = property(lambda self: unittest.mock.MagicMock())


def text(content) -> bytes:
    return content.encode() if isinstance(content, str) else content


def words(values) -> str:
    return " ".join(f"{x:.9g}" for x in values)


def write(folder: pathlib.Path, xml: str, assets, physics) -> None:
    """The model's file, and its assets beside it and in the folder where the file looks for meshes and textures."""
    xml = re.sub(r'(<texture [^>]*?) class="[^"]*"', r"\1", text(xml).decode())  # newer than 3.3.7, and of no effect here
    key = f'<keyframe><key qpos="{words(physics.data.qpos)}"/></keyframe>'
    xml = re.sub(r"(<mujoco\b[^>]*>)", rf"\1\n  {key}", xml, count=1)
    if physics.model.nhfield == 1:  # terrain made by the task
        xml = re.sub(r"(<hfield\b(?![^>]*(?:file|elevation)=)[^>]*?)(/?>)", rf'\1 elevation="{words(physics.model.hfield_data)}"\2', xml)
    places = {folder, *(folder / name for name in re.findall(r'(?:mesh|texture|asset)dir="([^"]+)"', xml))}
    for place in places:
        for name, content in assets.items():
            path = place / name.removeprefix("./")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text(content))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.xml").write_text(xml)


class Stand(composer.Task):
    """A walker in its upright pose on a bare floor."""

    def __init__(self, walker) -> None:
        self.arena, self.walker = arenas.floors.Floor(size=(8, 8)), walker
        walker.create_root_joints(self.arena.attach(walker))

    @property
    def root_entity(self):
        return self.arena

    def initialize_episode(self, physics, random_state) -> None:
        self.walker.reinitialize_pose(physics, random_state)

    def get_reward(self, physics) -> float:
        return 0


def tasks():
    """(family, name, the call that makes the task)."""
    for domain, task in suite.ALL_TASKS:
        if f"{domain}-{task}" in SAME:
            continue
        yield "suite", f"{domain}-{task}", lambda domain=domain, task=task: suite.load(domain, task, {"random": 1})
    for name in manipulation.ALL:
        if "vision" not in name:
            yield "manipulation", name, lambda name=name: manipulation.load(name, seed=1)
    for module in (basic_cmu_2019, basic_rodent_2020):
        for name in sorted(vars(module)):
            if name.startswith(("cmu_humanoid_", "rodent_")):
                yield "locomotion", name, lambda task=getattr(module, name): task(1)
    for kind in (soccer.WalkerType.BOXHEAD, soccer.WalkerType.ANT):
        yield "locomotion", f"soccer_{kind.name.lower()}", lambda kind=kind: soccer.load(2, random_state=1, walker_type=kind)
    for name in ("Ant", "JumpingBallWithHead", "Rat", "CMUHumanoidPositionControlledV2020", "FruitFly"):
        if hasattr(walkers, name):
            yield "locomotion", f"floor_{name.lower()}", lambda name=name: composer.Environment(Stand(getattr(walkers, name)()))


def main() -> None:
    out = pathlib.Path(sys.argv[1])
    seen: set[str] = set()
    for family, name, build in tasks():
        caught.clear()
        try:
            environment = build()
            environment.reset()
        except Exception as error:  # one task that fails must not keep the others from being measured
            print(f"{family}/{name}: left out, {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
            continue
        xml, assets = caught[-1]
        key = family + re.sub(r'<mujoco model="[^"]*"', "", text(xml).decode())
        if key not in seen:
            seen.add(key)
            write(out / family / name, xml, assets, environment.physics)


main()
