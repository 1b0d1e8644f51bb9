"""Tasks with a humanoid: Humanoid, HumanoidStandup; numbers and names are Gymnasium's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from condyle.gym.runners import between, flat, place, sum_of_squares, uniform_velocity
from condyle.gym.task import Array, Score, Task
from condyle.gym.worlds import Worlds

_INFINITE = float("inf")


@dataclass(kw_only=True)
class _Observed(Task):
    """Observes everything about its bodies."""

    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    first_body = 1  # the world and the free joint are left out
    first_force = 6

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start near the model's pose."""
        return uniform_velocity(self, rng)

    def observe(self, worlds: Worlds) -> Array:
        """Return the pose, velocities, inertias, velocities of bodies, torques and forces."""
        skip = 2 * int(self.exclude_current_positions_from_observation)
        parts = [worlds.qpos[:, skip:], worlds.qvel]
        if self.include_cinert_in_observation is True:
            parts.append(flat(worlds.cinert[:, self.first_body :]))
        if self.include_cvel_in_observation is True:
            parts.append(flat(worlds.cvel[:, self.first_body :]))
        if self.include_qfrc_actuator_in_observation is True:
            parts.append(worlds.qfrc_actuator[:, self.first_force :])
        if self.include_cfrc_ext_in_observation is True:
            parts.append(flat(worlds.cfrc_ext[:, self.first_body :]))
        return np.concatenate(parts, axis=1)


def _tendons(worlds: Worlds) -> dict[str, Array]:
    return {"tendon_length": worlds.ten_length, "tendon_velocity": worlds.ten_velocity}


@dataclass(kw_only=True)
class Humanoid(_Observed):
    """Humanoid-v5."""

    xml_file: str = "humanoid.xml"
    forward_reward_weight: float = 1.25
    ctrl_cost_weight: float = 0.1
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple[float, float] = (-_INFINITE, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (1.0, 2.0)

    def mark(self, worlds: Worlds) -> Any:
        """Return x and y of the center of mass."""
        mass = self.model.body_mass
        return np.einsum("b,nbj->nj", mass, worlds.xipos[:, :, :2]) / mass.sum()

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed and standing, not effort and impacts."""
        velocity = (self.mark(worlds) - before) / self.dt
        forward = self.forward_reward_weight * velocity[:, 0]
        healthy = between(worlds.qpos[:, 2], self.healthy_z_range)
        survive = healthy * self.healthy_reward
        cost = self.ctrl_cost_weight * sum_of_squares(worlds.ctrl)
        contact = self.contact_cost_weight * sum_of_squares(worlds.cfrc_ext)
        contact = np.clip(contact, *self.contact_cost_range)
        info = {
            **self.start_info(worlds),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_survive": survive,
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_contact": -contact,
        }
        reward = forward + survive - (cost + contact)
        return reward, ~healthy & self.terminate_when_unhealthy, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        return {**place(worlds.qpos), **_tendons(worlds)}


class HumanoidV4(Humanoid):
    """Humanoid-v4."""

    first_body = 0
    first_force = 0

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward speed and standing, not effort."""
        position = self.mark(worlds)
        velocity = (position - before) / self.dt
        forward = self.forward_reward_weight * velocity[:, 0]
        healthy = between(worlds.qpos[:, 2], self.healthy_z_range)
        survive = (healthy | self.terminate_when_unhealthy) * self.healthy_reward
        cost = self.ctrl_cost_weight * sum_of_squares(worlds.ctrl)
        info = {
            "reward_linvel": forward,
            "reward_quadctrl": -cost,
            "reward_alive": survive,
            **place(position),
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "forward_reward": forward,
        }
        return forward + survive - cost, ~healthy & self.terminate_when_unhealthy, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return nothing."""
        return {}


@dataclass(kw_only=True)
class HumanoidStandup(_Observed):
    """HumanoidStandup-v5."""

    xml_file: str = "humanoidstandup.xml"
    uph_cost_weight: float = 1.0  # Gymnasium has it, and doesn't use it
    ctrl_cost_weight: float = 0.1
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple[float, float] = (-_INFINITE, 10.0)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward height, not effort and impacts."""
        up = worlds.qpos[:, 2] / self.model.opt.timestep
        cost = self.ctrl_cost_weight * sum_of_squares(worlds.ctrl)
        impact = self.impact_cost_weight * sum_of_squares(worlds.cfrc_ext)
        impact = np.clip(impact, *self.impact_cost_range)
        info = {
            **self.start_info(worlds),
            "reward_linup": up,
            "reward_quadctrl": -cost,
            "reward_impact": -impact,
        }
        return up - cost - impact + 1, False, info

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return where the world starts."""
        result = place(worlds.qpos)
        del result["distance_from_origin"]
        result["z_distance_from_origin"] = worlds.qpos[:, 2] - self.init_qpos[2]
        return {**result, **_tendons(worlds)}


class HumanoidStandupV4(HumanoidStandup):
    """HumanoidStandup-v4."""

    first_body = 0
    first_force = 0

    def start_info(self, worlds: Worlds) -> dict[str, Array]:
        """Return nothing."""
        return {}
