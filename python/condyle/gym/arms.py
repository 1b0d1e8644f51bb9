"""Tasks that reach: Pusher, Reacher; numbers and names are Gymnasium's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import condyle
from condyle.gym.runners import sum_of_squares
from condyle.gym.task import Array, Score, Task
from condyle.gym.worlds import Worlds


def _distance(vector: Array) -> Array:
    return np.sqrt(sum_of_squares(vector))


@dataclass(kw_only=True)
class Pusher(Task):
    """Pusher-v5."""

    xml_file: str = "pusher_v5.xml"
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 0.1

    max_episode_steps: ClassVar[int | None] = 100

    def bind(self, model: condyle.MjModel) -> None:
        """Look up the bodies that shall meet."""
        super().bind(model)
        self._tip, self._object, self._goal = map(self.body, ("tips_arm", "object", "goal"))

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start with the object anywhere but near the goal."""
        qpos = self.init_qpos.copy()
        while True:
            place = np.concatenate([rng.uniform(-0.3, 0, size=1), rng.uniform(-0.2, 0.2, size=1)])
            if np.linalg.norm(place) > 0.17:
                break
        qpos[-4:-2] = place
        qpos[-2:] = 0
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observe(self, worlds: Worlds) -> Array:
        """Return the arm's state, and where tip, object and goal are."""
        bodies = (worlds.xpos[:, body] for body in (self._tip, self._object, self._goal))
        return np.concatenate((worlds.qpos[:, :7], worlds.qvel[:, :7], *bodies), axis=1)

    def distances(self, worlds: Worlds) -> tuple[Array, Array]:
        """Return how far the object is from the tip and from the goal."""
        there = worlds.xpos[:, self._object]
        near = _distance(there - worlds.xpos[:, self._tip])
        return near, _distance(there - worlds.xpos[:, self._goal])

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward small distances, not effort."""
        near, far = self.distances(worlds)
        reward_near = -near * self.reward_near_weight
        reward_dist = -far * self.reward_dist_weight
        reward_ctrl = -sum_of_squares(actions) * self.reward_control_weight
        info = {"reward_dist": reward_dist, "reward_ctrl": reward_ctrl, "reward_near": reward_near}
        return reward_dist + reward_ctrl + reward_near, False, info


@dataclass(kw_only=True)
class PusherV4(Pusher):
    """Pusher-v4, whose rewards are those of the state before the step.

    Gymnasium refuses it with engines from MuJoCo 3 on, where its model moves in another way.
    """

    xml_file: str = "pusher.xml"

    def mark(self, worlds: Worlds) -> Any:
        """Return the distances."""
        return self.distances(worlds)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward small distances, not effort."""
        near, far = before
        reward_ctrl = -sum_of_squares(actions)
        reward = (
            -far * self.reward_dist_weight
            + self.reward_control_weight * reward_ctrl
            - self.reward_near_weight * near
        )
        return reward, False, {"reward_dist": -far, "reward_ctrl": reward_ctrl}


@dataclass(kw_only=True)
class Reacher(Task):
    """Reacher-v5."""

    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 1.0

    max_episode_steps: ClassVar[int | None] = 50
    axes = 2  # of the vector that is observed

    def bind(self, model: condyle.MjModel) -> None:
        """Look up the bodies that shall meet."""
        super().bind(model)
        self._tip, self._target = map(self.body, ("fingertip", "target"))

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Start with the target anywhere within reach."""
        qpos = rng.uniform(-0.1, 0.1, self.model.nq) + self.init_qpos
        while True:
            goal = rng.uniform(-0.2, 0.2, size=2)
            if np.linalg.norm(goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def vector(self, worlds: Worlds) -> Array:
        """Return the vectors (n, 3) from the target to the tip."""
        result: Array = worlds.xpos[:, self._tip] - worlds.xpos[:, self._target]
        return result

    def observe(self, worlds: Worlds) -> Array:
        """Return the arm's state, the target and the vector to it."""
        theta = worlds.qpos[:, :2]
        arm = (np.cos(theta), np.sin(theta), worlds.qpos[:, 2:], worlds.qvel[:, :2])
        return np.concatenate((*arm, self.vector(worlds)[:, : self.axes]), axis=1)

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward a small distance, not effort."""
        reward_dist = -_distance(self.vector(worlds)) * self.reward_dist_weight
        reward_ctrl = -sum_of_squares(actions) * self.reward_control_weight
        info = {"reward_dist": reward_dist, "reward_ctrl": reward_ctrl}
        return reward_dist + reward_ctrl, False, info


class ReacherV4(Reacher):
    """Reacher-v4, whose rewards are those of the state before the step."""

    axes = 3

    def mark(self, worlds: Worlds) -> Any:
        """Return the distance."""
        return _distance(self.vector(worlds))

    def score(self, worlds: Worlds, actions: Array, before: Any) -> Score:
        """Reward a small distance, not effort."""
        reward_dist = -before * self.reward_dist_weight
        reward_ctrl = -sum_of_squares(actions) * self.reward_control_weight
        info = {"reward_dist": reward_dist, "reward_ctrl": reward_ctrl}
        return reward_dist + reward_ctrl, False, info
