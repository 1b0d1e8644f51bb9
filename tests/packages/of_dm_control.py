"""dm_control: the suite, manipulation from features, locomotion and soccer, without cameras."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from task import SEED, Box, Task


def add_missing_names() -> None:
    """Give the classes of an older reference the arrays that this release reads, all zero.

    And let it take the text that this release writes.

    dm_control indexes every array that its own engine had, also those that no task uses; so a
    release made for one engine does not run with another.
    """
    found = importlib.util.find_spec("dm_control")
    assert found is not None and found.submodule_search_locations
    path = Path(found.submodule_search_locations[0], "mujoco/wrapper/mjbindings/sizes.py")
    spec = importlib.util.spec_from_file_location("dm_control_sizes", path)
    assert spec is not None and spec.loader is not None
    sizes = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sizes)
    stand_ins = {"nactuator": "nu", "nout": "nu"}

    def extent(model: Any, size: int | str) -> int:
        return size if isinstance(size, int) else getattr(model, stand_ins.get(size, size), 0)

    def absent(shape: tuple[int | str, ...]) -> Callable[[Any], np.ndarray]:
        return lambda item: np.zeros([extent(getattr(item, "model", item), size) for size in shape])

    for name, kind in (("mjmodel", mujoco.MjModel), ("mjdata", mujoco.MjData)):
        for field, shape in sizes.array_sizes[name].items():
            if not hasattr(kind, field):
                setattr(kind, field, property(absent(shape)))
    for name, other in stand_ins.items():
        if not hasattr(mujoco.MjModel, name):
            setattr(mujoco.MjModel, name, property(lambda item, other=other: getattr(item, other)))

    # it writes classes of textures, of which none says anything
    read = mujoco.MjModel.from_xml_string

    def read_without_classes(xml: str | bytes, assets: dict[str, bytes] | None = None) -> Any:
        text = xml.decode() if isinstance(xml, bytes) else xml
        return read(re.sub(r'(<texture\b[^>]*) class="[^"]*"', r"\1", text), assets or {})

    if mujoco.mj_version() == 337:
        mujoco.MjModel.from_xml_string = staticmethod(read_without_classes)


if "condyle" not in sys.modules:
    add_missing_names()

from dm_control import composer, manipulation, suite  # noqa: E402
from dm_control.composer.observation import observable  # noqa: E402
from dm_control.locomotion import soccer  # noqa: E402
from dm_control.locomotion.arenas import bowl, corridors, floors  # noqa: E402
from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020  # noqa: E402
from dm_control.locomotion.tasks import corridors as corridor_tasks  # noqa: E402
from dm_control.locomotion.tasks import escape, go_to_target  # noqa: E402
from dm_control.locomotion.walkers import ant, cmu_humanoid, jumping_ball, rodent  # noqa: E402

EXAMPLES = {
    name: getattr(module, name)
    for module in (basic_cmu_2019, basic_rodent_2020)
    for name in vars(module)
    if name.startswith(("cmu_humanoid_", "rodent_"))
}
WALKERS = {
    "ant": ant.Ant,
    "ball": jumping_ball.JumpingBallWithHead,
    "rolling_ball": jumping_ball.RollingBallWithHead,
    "rodent": rodent.Rat,
    "humanoid": cmu_humanoid.CMUHumanoid,
    "humanoid_position": cmu_humanoid.CMUHumanoidPositionControlled,
    "humanoid_2020": cmu_humanoid.CMUHumanoidPositionControlledV2020,
}
PLACES = ("floor", "walls", "gaps")


class ControlTask(Task):
    """An environment of dm_control."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        spec = environment.action_spec()
        specs = spec if isinstance(spec, (list, tuple)) else [spec]
        self.several = specs is spec
        self.boxes = [Box(item.minimum, item.maximum, item.shape) for item in specs]

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.environment.physics.model.ptr

    @property
    def data(self) -> Any:
        """MjData."""
        return self.environment.physics.data.ptr

    def reset(self) -> Any:
        """Begin an episode; return the observation."""
        return {"observation": self.environment.reset().observation}

    def step(self, action: Any) -> Any:
        """Take a step; return observation and reward."""
        seen = self.environment.step(action)
        return {"observation": seen.observation, "reward": seen.reward, "end": seen.last()}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw an action."""
        drawn = [box.draw(rng) for box in self.boxes]
        return drawn if self.several else drawn[0]

    def close(self) -> None:
        """Close the environment."""
        self.environment.close()


def names() -> list[str]:
    """List the tasks as KIND/NAME."""
    bowls = [name for name in WALKERS if name.startswith(("rodent", "humanoid"))]
    return (
        [f"suite/{domain}/{task}" for domain, task in suite.ALL_TASKS]
        + [f"manipulation/{name}" for name in manipulation.ALL if not name.endswith("vision")]
        + [f"locomotion/{name}" for name in sorted(EXAMPLES)]
        + [f"walker/{place}/{walker}" for place in PLACES for walker in WALKERS]
        + [f"walker/bowl/{walker}" for walker in bowls]
        + [f"soccer/{kind.name.lower()}" for kind in soccer.WalkerType]
    )


def without_cameras(task: Any) -> None:
    """Switch off observations of a task that would be drawn when its environment is made."""
    cameras = (observable.MujocoCamera, observable.MJCFCamera)
    for entity in task.root_entity.iter_entities():
        for item in entity.observables.as_dict().values():
            if isinstance(item, cameras):
                item.enabled = False
    for item in task.task_observables.values():
        if isinstance(item, cameras):
            item.enabled = False


def make_without_cameras(environment: Any, task: Any, *arguments: Any, **keywords: Any) -> None:
    """Stand in for ``composer.Environment.__init__``."""
    without_cameras(task)
    make_environment(environment, task, *arguments, **keywords)


make_environment = composer.Environment.__init__
composer.Environment.__init__ = make_without_cameras


def walker_task(place: str, walker: Any) -> Any:
    """Put a walker into an arena with what there is to do in it."""
    small = isinstance(walker, rodent.Rat)
    if place == "floor":
        return go_to_target.GoToTarget(walker=walker, arena=floors.Floor(size=(8, 8)))
    if place == "bowl":
        arena = bowl.Bowl(size=(20.0, 20.0), aesthetic="outdoor_natural")
        return escape.Escape(walker=walker, arena=arena)
    kind = {"walls": corridors.WallsCorridor, "gaps": corridors.GapsCorridor}[place]
    return corridor_tasks.RunThroughCorridor(
        walker=walker,
        arena=kind(),
        walker_spawn_position=(0.5, 0, 0),
        physics_timestep=0.001 if small else 0.005,
        control_timestep=0.02 if small else 0.03,
    )


def make(name: str) -> Task:
    """Make one."""
    kind, _, rest = name.partition("/")
    if kind == "suite":
        domain, _, task = rest.partition("/")
        return ControlTask(suite.load(domain, task, task_kwargs={"random": SEED}))
    random = np.random.RandomState(SEED)
    if kind == "manipulation":
        return ControlTask(manipulation.load(rest, seed=SEED))
    if kind == "locomotion":
        return ControlTask(EXAMPLES[rest](random_state=random))
    if kind == "soccer":
        environment = soccer.load(
            team_size=2, random_state=random, walker_type=soccer.WalkerType[rest.upper()]
        )
        return ControlTask(environment)
    place, _, walker = rest.partition("/")
    task = walker_task(place, WALKERS[walker]())
    return ControlTask(composer.Environment(task, random_state=random))
