"""Writes the models of dm_control as its tasks compile them, one folder each.   usage: collect_dm_control.py DIRECTORY

The suite's tasks, the composer's (locomotion, soccer, manipulation) and walkers on a bare floor. What a task hands to the compiler
(XML and assets) is caught on its way there, so models made by Python are those that agents see. Tasks of one model are written once.
"""

import os
import pathlib
import re
import sys

os.environ.setdefault("MUJOCO_GL", "disable")

from dm_control import composer, manipulation, suite
from dm_control.locomotion import arenas, soccer, walkers
from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020
from dm_control.mujoco.wrapper import MjModel

SAME = {"dog-trot", "dog-run", "quadruped-run"}  # as another task but for the floor's size
caught: list[tuple[str, dict[str, bytes]]] = []
compile_string = MjModel.from_xml_string.__func__


def catch(cls, xml_string, assets=None):
    caught.append((xml_string, dict(assets or {})))
    return compile_string(cls, xml_string, assets)


MjModel.from_xml_string = classmethod(catch)


def text(content) -> bytes:
    return content.encode() if isinstance(content, str) else content


def write(folder: pathlib.Path, xml: str, assets) -> None:
    """The model's file, and its assets beside it and in the folder where the file looks for meshes and textures."""
    xml = text(xml).decode()
    places = {folder, *(folder / name for name in re.findall(r'(?:mesh|texture|asset)dir="([^"]+)"', xml))}
    for place in places:
        for name, content in assets.items():
            path = place / name.removeprefix("./")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text(content))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.xml").write_text(xml)


def composed(entity) -> None:
    arena = arenas.floors.Floor(size=(8, 8))
    entity.create_root_joints(arena.attach(entity))
    composer.Environment(composer.NullTask(arena)).reset()


def tasks():
    """(family, name, the call that compiles the task's model)."""
    for domain, task in suite.ALL_TASKS:
        if f"{domain}-{task}" in SAME:
            continue
        yield "suite", f"{domain}-{task}", lambda domain=domain, task=task: suite.load(domain, task, {"random": 1})
    for name in manipulation.ALL:
        if "vision" not in name:
            yield "manipulation", name, lambda name=name: manipulation.load(name, seed=1).reset()
    for module in (basic_cmu_2019, basic_rodent_2020):
        for name in sorted(vars(module)):
            if name.startswith(("cmu_humanoid_", "rodent_")):
                yield "locomotion", name, lambda task=getattr(module, name): task(1).reset()
    for kind in (soccer.WalkerType.BOXHEAD, soccer.WalkerType.ANT):
        yield "locomotion", f"soccer_{kind.name.lower()}", lambda kind=kind: soccer.load(2, random_state=1, walker_type=kind).reset()
    for name in ("Ant", "JumpingBallWithHead", "Rat", "CMUHumanoidPositionControlledV2020", "FruitFly"):
        if hasattr(walkers, name):
            yield "locomotion", f"floor_{name.lower()}", lambda name=name: composed(getattr(walkers, name)())


def main() -> None:
    out = pathlib.Path(sys.argv[1])
    seen: set[str] = set()
    for family, name, build in tasks():
        caught.clear()
        try:
            build()
        except Exception as error:  # tasks that render fail where nothing can, after their model is compiled
            if not caught:
                print(f"{family}/{name}: left out, {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
                continue
        xml, assets = caught[-1]
        key = family + re.sub(r'<mujoco model="[^"]*"', "", text(xml).decode())
        if key not in seen:
            seen.add(key)
            write(out / family / name, xml, assets)


main()
