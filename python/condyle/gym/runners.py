"""Tasks that run: Ant, HalfCheetah, Hopper, Swimmer, Walker2d, with Gymnasium's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import condyle
from condyle.gym.task import Array, Score, Task
from condyle.gym.worlds import Worlds


def normal_velocity(task: Any, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a start with uniform noise of positions and normal noise of velocities."""
    scale = task.reset_noise_scale
    qpos = task.init_qpos + rng.uniform(-scale, scale, task.model.nq)
    return qpos, task.init_qvel + scale * rng.standard_normal(task.model.nv)


def uniform_velocity(task: Any, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a start with uniform noise of positions and velocities."""
    scale = task.reset_noise_scale
    qpos = task.init_qpos + rng.uniform(-scale, scale, task.model.nq)
    return qpos, task.init_qvel + rng.uniform(-scale, scale, task.model.nv)


def between(value: Array, limits: tuple[float, float]) -> Array:
    """Tell which numbers lie inside an open interval."""
    return (limits[0] < value) & (value < limits[1])


def sum_of_squares(value: Array) -> Array:
    """Return the sum of squares of each row, whatever its shape."""
    result: Array = np.square(value).reshape(len(value), -1).sum(axis=1)
    return result


def finite(worlds: Worlds) -> Array:
    """Tell in which worlds all positions and velocities are finite."""
    result: Array = np.isfinite(worlds.qpos).all(axis=1) & np.isfinite(worlds.qvel).all(axis=1)
    return result


def flat(value: Array) -> Array:
    """Return one row of numbers for each world."""
    return value.reshape(len(value), -1)


@dataclass(kw_only=True)
class Planar(Task):
    """Runs along x: the first coordinate is the position."""

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    reset_noise_scale: float = 5e-3
    exclude_current_positions_from_observation: bool = True

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return uniform_velocity(self, rng)

    def mark(self, worlds: Worlds) -> Any:
        """Return x."""
        return worlds.qpos[:, 0].copy()

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose and velocities."""
        skip = int(self.exclude_current_positions_from_observation)
        return np.concatenate((worlds.qpos[:, skip:], worlds.qvel), axis=1)

    def advance(self, worlds: Worlds, actions: Array, before: Array) -> tuple[Array, Array, Array]:
        """Return the velocity along x, the reward for it, and the cost of controls."""
        x_velocity = (worlds.qpos[:, 0] - before) / self.dt
        forward = self.forward_reward_weight * x_velocity
        return x_velocity, forward, self.ctrl_cost_weight * sum_of_squares(actions)


@dataclass(kw_only=True)
class HalfCheetah(Planar):
    """HalfCheetah-v5."""

    xml_file: str = "half_cheetah.xml"
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1

    forward_name = "reward_forward"

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return normal_velocity(self, rng)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed, not effort."""
        x_velocity, forward, cost = self.advance(worlds, actions, before)
        info = {
            "x_position": worlds.qpos[:, 0],
            "x_velocity": x_velocity,
            self.forward_name: forward,
            "reward_ctrl": -cost,
        }
        return forward - cost, False, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        return {"x_position": worlds.qpos[:, 0]}


class HalfCheetahV4(HalfCheetah):
    """HalfCheetah-v4."""

    forward_name = "reward_run"

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return nothing."""
        return {}


@dataclass(kw_only=True)
class Biped(Planar):
    """Runs upright: healthy as long as it does."""

    frame_skip: int = 4
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.0, float("inf"))
    healthy_angle_range: tuple[float, float] = (-1.0, 1.0)

    is_old = False  # v4 rewards survival also in the step that ends it, and tells less

    def healthy(self, worlds: Worlds) -> Array:
        """Tell which worlds are upright."""
        height = between(worlds.qpos[:, 1], self.healthy_z_range)
        return height & between(worlds.qpos[:, 2], self.healthy_angle_range)

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose and velocities, these up to 10."""
        skip = int(self.exclude_current_positions_from_observation)
        velocity = np.clip(worlds.qvel, -10, 10)
        return np.concatenate((worlds.qpos[:, skip:], velocity), axis=1)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed and staying upright, not effort."""
        x_velocity, forward, cost = self.advance(worlds, actions, before)
        healthy = self.healthy(worlds)
        paid = healthy | self.terminate_when_unhealthy if self.is_old else healthy
        survive = paid * self.healthy_reward
        info = {
            **self.start_info(worlds),
            "x_velocity": x_velocity,
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_survive": survive,
        }
        if self.is_old:
            info = {"x_position": worlds.qpos[:, 0], "x_velocity": x_velocity}
        return forward + survive - cost, ~healthy & self.terminate_when_unhealthy, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        if self.is_old:
            return {}
        height = worlds.qpos[:, 1] - self.init_qpos[1]
        return {"x_position": worlds.qpos[:, 0], "z_distance_from_origin": height}


@dataclass(kw_only=True)
class Hopper(Biped):
    """Hopper-v5."""

    xml_file: str = "hopper.xml"
    healthy_state_range: tuple[float, float] = (-100.0, 100.0)
    healthy_z_range: tuple[float, float] = (0.7, float("inf"))
    healthy_angle_range: tuple[float, float] = (-0.2, 0.2)

    def healthy(self, worlds: Worlds) -> Array:
        """Tell which worlds are upright, and all of their state bounded."""
        limits = self.healthy_state_range
        bounded = between(worlds.qpos[:, 2:], limits).all(axis=1)
        bounded &= between(worlds.qvel, limits).all(axis=1)
        return bounded & super().healthy(worlds)


class HopperV4(Hopper):
    """Hopper-v4."""

    is_old = True


@dataclass(kw_only=True)
class Walker2d(Biped):
    """Walker2d-v5."""

    xml_file: str = "walker2d_v5.xml"
    healthy_z_range: tuple[float, float] = (0.8, 2.0)


@dataclass(kw_only=True)
class Walker2dV4(Walker2d):
    """Walker2d-v4."""

    xml_file: str = "walker2d.xml"
    is_old = True


@dataclass(kw_only=True)
class Swimmer(Planar):
    """Swimmer-v5."""

    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1

    def mark(self, worlds: Worlds) -> Any:
        """Return x and y."""
        return worlds.qpos[:, :2].copy()

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose and velocities."""
        skip = 2 * int(self.exclude_current_positions_from_observation)
        return np.concatenate((worlds.qpos[:, skip:], worlds.qvel), axis=1)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed, not effort."""
        velocity = (worlds.qpos[:, :2] - before) / self.dt
        forward = self.forward_reward_weight * velocity[:, 0]
        cost = self.ctrl_cost_weight * sum_of_squares(actions)
        info = {
            **place(worlds.qpos),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            **self.reward_info(forward, cost),
        }
        return forward - cost, False, info

    def reward_info(self, forward: Array, cost: Array) -> dict[str, Array]:
        """Return the parts of the reward."""
        return {"reward_forward": forward, "reward_ctrl": -cost}

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        return place(worlds.qpos)


class SwimmerV4(Swimmer):
    """Swimmer-v4."""

    def reward_info(self, forward: Array, cost: Array) -> dict[str, Array]:
        """Return the parts of the reward by their old names."""
        return {"reward_fwd": forward, "reward_ctrl": -cost, "forward_reward": forward}

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return nothing."""
        return {}


def place(position: Array) -> dict[str, Array]:
    """Return x, y and the distance that they make."""
    return {
        "x_position": position[:, 0],
        "y_position": position[:, 1],
        "distance_from_origin": np.sqrt(sum_of_squares(position[:, :2])),
    }


@dataclass(kw_only=True)
class Ant(Task):
    """Ant-v5."""

    xml_file: str = "ant.xml"
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.2, 1.0)
    contact_force_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def bind(self, model: condyle.MjModel) -> None:
        """Look up the body whose velocity counts."""
        super().bind(model)
        self._main = self.body(self.main_body)

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return normal_velocity(self, rng)

    def mark(self, worlds: Worlds) -> Any:
        """Return x and y of the main body."""
        return worlds.xpos[:, self._main, :2].copy()

    def healthy(self, worlds: Worlds) -> Array:
        """Tell which worlds are finite and within the heights."""
        low, high = self.healthy_z_range
        height = worlds.qpos[:, 2]
        return finite(worlds) & (low <= height) & (height <= high)

    def contact_forces(self, worlds: Worlds) -> Array:
        """Return the forces on bodies (n, nbody, 6), within their range."""
        result: Array = np.clip(worlds.cfrc_ext, *self.contact_force_range)
        return result

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose, velocities and contact forces."""
        skip = 2 * int(self.exclude_current_positions_from_observation)
        parts = [worlds.qpos[:, skip:], worlds.qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(flat(self.contact_forces(worlds)[:, 1:]))
        return np.concatenate(parts, axis=1)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed and health, not effort and impacts."""
        velocity = (worlds.xpos[:, self._main, :2] - before) / self.dt
        forward = velocity[:, 0] * self.forward_reward_weight
        healthy = self.healthy(worlds)
        survive = healthy * self.healthy_reward
        cost = self.ctrl_cost_weight * sum_of_squares(actions)
        contact = self.contact_cost_weight * sum_of_squares(self.contact_forces(worlds))
        info = {
            **place(worlds.qpos),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_contact": -contact,
            "reward_survive": survive,
        }
        reward = forward + survive - (cost + contact)
        return reward, ~healthy & self.terminate_when_unhealthy, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        return place(worlds.qpos)


@dataclass(kw_only=True)
class AntV4(Ant):
    """Ant-v4."""

    main_body: int | str = "torso"
    use_contact_forces: bool = False

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose, velocities and, if they are used, contact forces."""
        skip = 2 * int(self.exclude_current_positions_from_observation)
        parts = [worlds.qpos[:, skip:], worlds.qvel]
        if self.use_contact_forces:
            parts.append(flat(self.contact_forces(worlds)))
        return np.concatenate(parts, axis=1)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed and health, not effort and, if they are used, impacts."""
        position = worlds.xpos[:, self._main, :2]
        velocity = (position - before) / self.dt
        forward = velocity[:, 0]
        healthy = self.healthy(worlds)
        survive = (healthy | self.terminate_when_unhealthy) * self.healthy_reward
        costs = cost = self.ctrl_cost_weight * sum_of_squares(actions)
        if self.use_contact_forces:
            cost = self.contact_cost_weight * sum_of_squares(self.contact_forces(worlds))
            costs = costs + cost
        info = {
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_survive": survive,
            **place(position),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "forward_reward": forward,
        }
        return forward + survive - costs, ~healthy & self.terminate_when_unhealthy, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return nothing."""
        return {}
