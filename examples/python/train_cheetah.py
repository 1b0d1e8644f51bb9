#!/usr/bin/env python3
"""Teaches HalfCheetah to run by augmented random search, in NumPy alone, and draws how it learns.

usage: train_cheetah.py [--minutes 5] [--target 2500] [--seed 1] [--svg FILE] [--compare] [--fast]

Mania, Guy, Recht: Simple random search provides a competitive approach to reinforcement learning
(2018), algorithm 2, version V2-t. The policy is a matrix M: actions = M (observation - mean) /
deviation. Each iteration tries n random directions D_i, both ways, each in a world of its own, and
moves along the best b of them, weighted by the difference of returns:

    M <- M + a / (b s) sum_i (R(M + v D_i) - R(M - v D_i)) D_i       s: deviation of the 2b returns

All 2n worlds run at once, each with its own matrix, and some more with M, to see how it does. With
--compare they do so twice: side by side in lanes of vector registers, and one by one.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from condyle.gym import TaskVectorEnv, make_vec

Array = NDArray[np.float64]

TASK = "HalfCheetah-v5"
DIRECTIONS = 8  # n
BEST = 4  # b
STEP = 0.02  # a
NOISE = 0.03  # v
STEPS = 1000  # of an episode
JUDGED = 8  # episodes of M itself
COLORS = ("#2471a3", "#b9770e")

# seconds, processor seconds and steps so far; mean return of the policy and its deviation
Row = tuple[float, float, int, float, float]


@dataclass
class Normal:
    """Mean and deviation of all observations so far."""

    count: float = 0.0
    mean: Array = field(default_factory=lambda: np.zeros(0))
    squares: Array = field(default_factory=lambda: np.zeros(0))

    def add(self, rows: Array) -> None:
        """Take rows into account (Chan, Golub, LeVeque 1979)."""
        n, mean = len(rows), rows.mean(axis=0)
        squares = np.square(rows - mean).sum(axis=0)
        if not self.count:
            self.count, self.mean, self.squares = n, mean, squares
            return
        total, gap = self.count + n, mean - self.mean
        self.squares = self.squares + squares + np.square(gap) * self.count * n / total
        self.mean = self.mean + gap * n / total
        self.count = total

    def deviation(self) -> Array:
        """Return the deviation; where there is none, 1."""
        deviation = np.sqrt(self.squares / max(self.count - 1, 1))
        return np.where(deviation < 1e-7, 1.0, deviation)


def play(env: TaskVectorEnv, policies: Array, normal: Normal) -> Array:
    """Return the return of an episode for each policy (n, nu, nobs), one in each world."""
    observations, _ = env.reset()
    mean, scale = normal.mean, 1 / normal.deviation()
    returns = np.zeros(env.num_envs)
    all_seen = np.empty((STEPS, *observations.shape))
    for step in range(STEPS):
        all_seen[step] = observations
        seen = (observations - mean) * scale
        actions = np.einsum("nij,nj->ni", policies, seen)
        actions = np.minimum(np.maximum(actions, -1), 1)
        observations, rewards, _, _, _ = env.step(actions)
        returns += rewards
    normal.add(all_seen.reshape(-1, observations.shape[1]))
    return returns


def train(seed: int, minutes: float, target: float, lanes: bool) -> list[Row]:
    """Return how the policy does as it learns."""
    rng = np.random.default_rng(seed)
    env = make_vec(TASK, 2 * DIRECTIONS + JUDGED, lanes=lanes)
    observations, _ = env.reset(seed=seed)
    shape = (env.single_action_space.shape[0], observations.shape[1])
    policy, normal = np.zeros(shape), Normal()
    normal.add(observations)
    curve: list[Row] = []
    start, busy, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - start < 60 * minutes:
        directions = rng.standard_normal((DIRECTIONS, *shape))
        judged = np.broadcast_to(policy, (JUDGED, *shape))
        tried = (policy + NOISE * directions, policy - NOISE * directions, judged)
        returns = play(env, np.concatenate(tried), normal)
        plus, minus, own = np.split(returns, [DIRECTIONS, 2 * DIRECTIONS])
        steps += env.num_envs * STEPS
        clocks = (time.perf_counter() - start, time.process_time() - busy)
        curve.append((*clocks, steps, float(own.mean()), float(own.std())))
        print(
            f"{clocks[0]:6.1f} s (processors {clocks[1]:.1f} s) {steps:8d} steps, "
            f"return {own.mean():7.1f} +- {own.std():.1f}",
            flush=True,
        )
        if own.mean() > target:
            break
        best = np.argsort(-np.maximum(plus, minus))[:BEST]
        deviation = np.concatenate((plus[best], minus[best])).std()
        slope = np.einsum("i,ijk->jk", plus[best] - minus[best], directions[best])
        policy = policy + STEP / (BEST * deviation) * slope
    env.close()
    return curve


def draw(curves: dict[str, list[Row]]) -> str:
    """Return learning curves over processor time as SVG."""
    width, height, left, top = 560, 300, 60, 40
    tables = {name: np.array(curve) for name, curve in curves.items()}
    both = np.concatenate(list(tables.values()))
    right = both[:, 1].max()
    low = min(0.0, 500 * np.floor((both[:, 3] - both[:, 4]).min() / 500))
    high = 500 * np.ceil((both[:, 3] + both[:, 4]).max() / 500)

    def place(seconds: Array, value: Array) -> list[str]:
        x = left + width * seconds / right
        y = top + height * (high - value) / (high - low)
        return [f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True)]

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} '
        f'{top + height + 50}" font-family="sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="{left}" y="24" font-weight="bold">{TASK}: mean return and deviation of '
        f"{JUDGED} episodes</text>"
    ]
    for value in np.arange(low, high + 1, 500):
        y = top + height * (high - value) / (high - low)
        parts.append(
            f'<path d="M{left} {y:.1f}h{width}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.0f}</text>'
        )
    for part in range(5):
        parts.append(
            f'<text x="{left + width * part / 4:.0f}" y="{top + height + 18}" '
            f'text-anchor="middle">{right * part / 4:.0f} s</text>'
        )
    parts.append(
        f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle" '
        f'fill="#777">time of processors</text>'
    )
    for k, ((name, table), color) in enumerate(zip(tables.items(), COLORS, strict=False)):
        upper = place(table[:, 1], table[:, 3] + table[:, 4])
        lower = place(table[::-1, 1], table[::-1, 3] - table[::-1, 4])
        middle = " ".join(place(table[:, 1], table[:, 3]))
        parts.append(
            f'<polygon points="{" ".join(upper + lower)}" fill="{color}" opacity="0.2"/>'
            f'<polyline points="{middle}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
        if len(tables) > 1:
            x, y = left + 16, top + 20 + 20 * k
            parts.append(
                f'<path d="M{x} {y}h24" stroke="{color}" stroke-width="2"/>'
                f'<text x="{x + 32}" y="{y + 4}">{name}</text>'
            )
    return "\n".join(parts) + "\n</svg>\n"


def main() -> None:
    """Train, and draw the curve if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5, help="give up after")
    parser.add_argument("--target", type=float, default=2500, help="mean return to stop at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, help="draw the curve into a file")
    parser.add_argument("--compare", action="store_true", help="learn a second time one by one")
    parser.add_argument("--fast", action="store_true", help="stop after one iteration")
    arguments = parser.parse_args()
    target = float("-inf") if arguments.fast else arguments.target
    curves: dict[str, list[Row]] = {}
    for name in ("in lanes", "one by one") if arguments.compare else ("in lanes",):
        curve = train(arguments.seed, arguments.minutes, target, name == "in lanes")
        curves[name] = curve
        print(f"{name}: return {curve[-1][3]:.1f} after {curve[-1][2]} steps, {curve[-1][1]:.1f} s")
    if arguments.svg:
        arguments.svg.write_text(draw(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
