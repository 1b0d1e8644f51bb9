"""mink: inverse kinematics of robots from other packages: every task, limit and solver."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mink
import mujoco
import numpy as np
import qpsolvers
from task import Box, Task

# robot -> package with its model, file
ROBOTS = {
    "panda": ("robosuite", "models/assets/robots/panda/robot.xml"),
    "spot": ("robosuite", "models/assets/robots/spot/robot.xml"),
    "gr1": ("robosuite", "models/assets/robots/gr1/robot.xml"),
    "hand": ("gymnasium_robotics", "envs/assets/hand/reach.xml"),
    "fetch": ("gymnasium_robotics", "envs/assets/fetch/reach.xml"),
    "aloha": ("gym_aloha", "assets/bimanual_viperx_transfer_cube.xml"),
    "humanoid": ("gymnasium", "envs/mujoco/assets/humanoid.xml"),
    "ant": ("gymnasium", "envs/mujoco/assets/ant.xml"),
}
KINDS = ("frame", "relative", "posture", "damping", "energy", "look", "axis")
LIMITS = ("configuration", "velocity", "collision", "freeze")
# solvers that don't end on it, or find no solution
UNFIT = ("highs", "jaxopt_osqp")
# what only some can do: a first body with mass, equalities, a free root
CENTRED = ("panda", "spot", "gr1", "humanoid", "ant")
COUPLED = ("fetch",)
FREE = ("spot", "gr1", "aloha", "humanoid", "ant")
DT = 0.02


class Inverse(Task):
    """Joint velocities that lead bodies to moving targets, integrated step by step."""

    def __init__(self, robot: str, kinds: list[str], limits: list[str], solver: str) -> None:
        package, file = ROBOTS[robot]
        found = importlib.util.find_spec(package)
        assert found is not None and found.submodule_search_locations
        path = Path(found.submodule_search_locations[0], file)
        self.configuration = mink.Configuration(mujoco.MjModel.from_xml_path(str(path)))
        self.solver = solver
        self.box = Box(-0.05, 0.05, (3,))
        self.tip, self.root = self._bodies()
        self.tasks = [self._task(kind) for kind in kinds]
        self.limits: list[Any] = []
        self.constraints: list[Any] = []
        for name in limits:
            (self.constraints if name == "freeze" else self.limits).append(self._limit(name))

    @property
    def model(self) -> Any:
        """MjModel."""
        return self.configuration.model

    @property
    def data(self) -> Any:
        """MjData."""
        return self.configuration.data

    def _bodies(self) -> tuple[int, int]:
        """Return the body at the end of the longest chain, and the first that moves."""
        model = self.model

        def depth(body: int) -> int:
            return 0 if body == 0 else 1 + depth(model.body_parentid[body])

        moving = [b for b in range(1, model.nbody) if model.body_weldid[b] != 0]
        return max(moving, key=depth), moving[0]

    def _task(self, kind: str) -> Any:
        model = self.model
        make: dict[str, Callable[[], Any]] = {
            "frame": lambda: mink.FrameTask(self.tip, "body", 1.0, 0.1, lm_damping=1e-3),
            "relative": lambda: mink.RelativeFrameTask(
                self.tip, "body", self.root, "body", 1.0, 0.1, lm_damping=1e-3
            ),
            "com": lambda: mink.ComTask(1.0, lm_damping=1e-3),
            "posture": lambda: mink.PostureTask(model, 1e-2),
            "damping": lambda: mink.DampingTask(model, 1e-2),
            "equality": lambda: mink.EqualityConstraintTask(model, 10.0),
            "energy": lambda: mink.KineticEnergyRegularizationTask(1e-4),
            "look": lambda: mink.LookAtTask(self.tip, "body", lm_damping=1e-3),
            "axis": lambda: mink.AxisAlignTask(self.tip, "body", lm_damping=1e-3),
        }
        task = make[kind]()
        if kind == "energy":
            task.set_dt(DT)
        return task

    def _limit(self, name: str) -> Any:
        model = self.model
        scalar = [j for j in range(model.njnt) if model.jnt_type[j] >= 2]
        if name == "configuration":
            return mink.ConfigurationLimit(model)
        if name == "velocity":
            return mink.VelocityLimit(model, {model.joint(j).name: 0.7 for j in scalar})
        if name == "free":
            return mink.FreeJointVelocityLimit(model, 0.3, 0.5)
        if name == "freeze":
            return mink.DofFreezingTask(model, [int(model.jnt_dofadr[scalar[0]])])
        moving = mink.get_subtree_geom_ids(model, self.tip)
        others = [g for g in range(model.ngeom) if g not in moving]
        return mink.CollisionAvoidanceLimit(
            model,
            [(moving, others)],
            minimum_distance_from_collisions=0.01,
            collision_detection_distance=0.2,
        )

    def _aim(self, shift: np.ndarray) -> None:
        configuration = self.configuration
        frame = configuration.get_transform_frame_to_world(self.tip, "body")
        turn = mink.SE3.from_rotation(mink.SO3.exp(shift))
        for task in self.tasks:
            if isinstance(task, mink.RelativeFrameTask):
                root = configuration.get_transform_frame_to_world(self.root, "body")
                task.set_target(root.inverse() @ frame @ turn)
            elif isinstance(task, mink.FrameTask):
                task.set_target(mink.SE3.from_translation(shift) @ frame @ turn)
            elif isinstance(task, mink.ComTask):
                task.set_target(configuration.data.subtree_com[1] + shift)
            elif isinstance(task, mink.LookAtTask):
                task.set_target(frame.translation() + np.array([1.0, 0.5, 0.3]) + shift)
            elif isinstance(task, mink.AxisAlignTask):
                task.set_target(np.array([0.1, 0.2, 1.0]) + shift)

    def reset(self) -> Any:
        """Begin at the model's own pose."""
        q = self.model.qpos0.copy()
        for j in range(self.model.njnt):
            low, high = self.model.jnt_range[j]
            if self.model.jnt_limited[j] and self.model.jnt_type[j] >= 2:
                address = self.model.jnt_qposadr[j]
                q[address] = np.clip(
                    q[address], low + 0.1 * (high - low), high - 0.1 * (high - low)
                )
        self.configuration.update(q)
        for task in self.tasks:
            if type(task) is mink.PostureTask:
                task.set_target(q)
        return {"q": self.configuration.q}

    def step(self, action: Any) -> Any:
        """Move targets, solve, integrate."""
        configuration = self.configuration
        configuration.update()
        self._aim(action)
        velocity = mink.solve_ik(
            configuration,
            self.tasks,
            DT,
            solver=self.solver,
            damping=1e-6,
            limits=self.limits,
            constraints=self.constraints or None,
        )
        errors = [
            task.compute_error(configuration)
            for task in self.tasks
            if not isinstance(task, mink.KineticEnergyRegularizationTask)
        ]
        configuration.integrate_inplace(velocity, DT)
        return {"velocity": velocity, "q": configuration.q, "errors": errors}

    def action(self, rng: np.random.Generator) -> Any:
        """Draw how far targets move."""
        return self.box.draw(rng)


def names() -> list[str]:
    """List ROBOT:TASKS:LIMITS:SOLVER."""
    found = []
    for robot in ROBOTS:
        kinds = KINDS + ("com",) * (robot in CENTRED) + ("equality",) * (robot in COUPLED)
        for kind in kinds:
            extra = "" if kind == "posture" else "+posture"
            found.append(f"{robot}:{kind}{extra}:configuration:daqp")
        for limit in LIMITS + ("free",) * (robot in FREE):
            found.append(f"{robot}:frame+posture:{limit}:daqp")
    for solver in sorted(set(qpsolvers.available_solvers) - set(UNFIT)):
        found.append(f"panda:frame+posture+damping:configuration+velocity:{solver}")
    return found


def make(name: str) -> Task:
    """Make one."""
    robot, kinds, limits, solver = name.split(":")
    return Inverse(robot, kinds.split("+"), limits.split("+"), solver)
