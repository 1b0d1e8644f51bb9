#!/usr/bin/env python3
"""Teaches a quadruped to walk by joystick, by proximal policy optimization in NumPy alone.

usage: train_walker.py [--task QuadrupedFlat-v0] [--steps 4e6] [--seed 1] [--svg FILE] [--save FILE]
                       [--target 0.9] [--load FILE] [--film FILE.gif] [--fast]

Schulman et al.: Proximal policy optimization algorithms (2017), with generalized advantages
(Schulman et al. 2016) and a learning rate that keeps the change of the policy near a target. Policy
and value are networks of two hidden layers; gradients are written out (``Net.backward``). All
worlds step at once in condyle.gym, each with masses, friction, delays and pushes of its own.

It stops when the share --target of worlds walks within a fifth of the commanded speed. The last
line tells how well the policy walks where nothing pushes.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from condyle.gym import TaskVectorEnv, make_vec

Array = NDArray[Any]

WORLDS = 256
HORIZON = 24  # actions of each world between two updates
EPOCHS, PARTS = 5, 4  # passes over the samples of an update, and steps of each pass
HIDDEN = (64, 64)
DISCOUNT, SMOOTHING = 0.975, 0.95  # gamma and lambda of the advantages
CLIP, ENTROPY, CHANGE = 0.2, 0.002, 0.02  # limit of ratios, bonus, target of the divergence
GRADIENT = 1.0  # longest gradient
JUDGED = 10  # updates between two looks at how the policy does
# options of worlds that only walk on
QUIET = {"noise": 0, "push_interval": 0, "command_interval": 1e6, "max_episode_steps": -1}
COLORS = ("#2471a3", "#b9770e")


class Net:
    """Layers y = tanh(W x + b), the last one linear, and what Adam remembers of them."""

    def __init__(self, sizes: tuple[int, ...], last: float, rng: np.random.Generator) -> None:
        self.parameters: list[Array] = []
        for k, (a, b) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
            scale = last if k == len(sizes) - 2 else 1.0
            weights = rng.standard_normal((a, b)) * scale / np.sqrt(a)
            self.parameters += [weights.astype(np.float32), np.zeros(b, dtype=np.float32)]

    def forward(self, x: Array) -> tuple[Array, list[Array]]:
        """Return the output and what each layer got."""
        inputs = []
        last = len(self.parameters) - 2
        for k in range(0, last + 1, 2):
            inputs.append(x)
            x = x @ self.parameters[k] + self.parameters[k + 1]
            if k < last:
                np.tanh(x, out=x)
        return x, inputs

    def backward(self, inputs: list[Array], slope: Array) -> list[Array]:
        """Return the gradients of parameters, given that by the output."""
        gradients: list[Array] = []
        for k in reversed(range(len(inputs))):
            x = inputs[k]
            gradients[:0] = [x.T @ slope, slope.sum(axis=0)]
            if k:
                slope = (slope @ self.parameters[2 * k].T) * (1 - x * x)
        return gradients


class Adam:
    """Kingma, Ba: Adam, a method for stochastic optimization (2015)."""

    def __init__(self, parameters: list[Array]) -> None:
        self.parameters = parameters
        self.mean = [np.zeros_like(p) for p in parameters]
        self.square = [np.zeros_like(p) for p in parameters]
        self.count = 0

    def step(self, gradients: list[Array], rate: float) -> None:
        """Move along gradients, which are shortened if they are too long."""
        self.count += 1
        length = float(np.sqrt(sum(float(np.vdot(g, g)) for g in gradients)))
        shorter = min(1.0, GRADIENT / (length + 1e-8))
        rate *= np.sqrt(1 - 0.999**self.count) / (1 - 0.9**self.count)
        for p, g, m, s in zip(self.parameters, gradients, self.mean, self.square, strict=True):
            m += 0.1 * (shorter * g - m)
            s += 0.001 * (np.square(shorter * g) - s)
            p -= np.float32(rate) * m / (np.sqrt(s) + np.float32(1e-8))


class Normal:
    """Mean and deviation of all observations so far (Chan, Golub, LeVeque 1979)."""

    def __init__(self, size: int) -> None:
        self.count, self.mean, self.square = 1e-4, np.zeros(size), np.ones(size)

    def add(self, rows: Array) -> None:
        """Take rows into account."""
        n, mean, square = len(rows), rows.mean(axis=0), rows.var(axis=0)
        total, gap = self.count + n, mean - self.mean
        weight = n / total
        self.square += weight * (square - self.square) + gap**2 * weight * (1 - weight)
        self.mean += gap * weight
        self.count = total

    def __call__(self, rows: Array) -> Array:
        """Return rows of mean 0 and deviation 1, cut off at 5."""
        scaled = (rows - self.mean) / np.sqrt(self.square + 1e-6)
        return np.clip(scaled, -5, 5).astype(np.float32)


@dataclass
class Samples:
    """What the worlds have seen and done, a row for each."""

    seen: Array
    actions: Array
    chances: Array  # log of the density of actions
    means: Array
    advantages: Array
    returns: Array


class Learner:
    """Policy N(mean(x), deviation), value, and how they improve."""

    def __init__(self, size: int, actions: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.normal = Normal(size)
        self.policy = Net((size, *HIDDEN, actions), 0.05, self.rng)
        self.value = Net((size, *HIDDEN, 1), 1.0, self.rng)
        self.log_deviation = np.full(actions, np.log(0.35), dtype=np.float32)
        self.adam = Adam([*self.policy.parameters, self.log_deviation])
        self.value_adam = Adam(self.value.parameters)
        self.rate = 1e-3

    def chance(self, actions: Array, mean: Array) -> Array:
        """Return the log of the density of actions, without its constant."""
        scaled = (actions - mean) * np.exp(-self.log_deviation)
        return np.asarray(-0.5 * np.square(scaled).sum(axis=1) - self.log_deviation.sum())

    def act(self, seen: Array) -> tuple[Array, Array, Array]:
        """Return actions, the log of their density, and the means."""
        mean, _ = self.policy.forward(seen)
        noise = self.rng.standard_normal(mean.shape, dtype=np.float32)
        actions = mean + noise * np.exp(self.log_deviation)
        return actions, self.chance(actions, mean), mean

    def worth(self, seen: Array) -> Array:
        """Return the value of states."""
        return self.value.forward(seen)[0][:, 0]

    def learn(self, samples: Samples) -> None:
        """Improve policy and value by samples."""
        s, n = samples, len(samples.seen)
        s.advantages = (s.advantages - s.advantages.mean()) / (s.advantages.std() + 1e-8)
        for _ in range(EPOCHS):
            for rows in np.array_split(self.rng.permutation(n), PARTS):
                self.improve_policy(s, rows)
                self.improve_value(s, rows)

    def improve_policy(self, s: Samples, rows: Array) -> None:
        """Climb mean(min(r A, clip(r) A)) + bonus of the entropy, r = new by old density."""
        mean, inputs = self.policy.forward(s.seen[rows])
        actions, advantages = s.actions[rows], s.advantages[rows]
        inverse = np.exp(-self.log_deviation)
        scaled = (actions - mean) * inverse
        ratio = np.exp(self.chance(actions, mean) - s.chances[rows])
        # no slope where the ratio has left the limits on the side the advantage drives it to
        free = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        slope = (free * ratio * advantages / len(rows))[:, None]
        gradients = self.policy.backward(inputs, -slope * scaled * inverse)
        gradients.append(-(slope * (np.square(scaled) - 1)).sum(axis=0) - ENTROPY)
        # divergence of the new means from the old ones; the rate keeps it near the target
        change = 0.5 * np.square((mean - s.means[rows]) * inverse).sum(axis=1).mean()
        if change > 2 * CHANGE:
            self.rate = max(self.rate / 1.5, 1e-5)
        elif change < CHANGE / 2:
            self.rate = min(self.rate * 1.5, 3e-3)
        self.adam.step(gradients, self.rate)

    def improve_value(self, s: Samples, rows: Array) -> None:
        """Descend the mean square of value minus return."""
        worth, inputs = self.value.forward(s.seen[rows])
        error = (worth[:, 0] - s.returns[rows])[:, None] / len(rows)
        self.value_adam.step(self.value.backward(inputs, error), 1e-3)

    def save(self, path: Path) -> None:
        """Write what acting needs."""
        named = {f"p{k}": p for k, p in enumerate(self.policy.parameters)}
        np.savez(path, mean=self.normal.mean, square=self.normal.square, **named)

    def load(self, path: Path) -> None:
        """Read what acting needs."""
        file = np.load(path)
        self.normal.mean, self.normal.square = file["mean"], file["square"]
        self.policy.parameters = [file[f"p{k}"] for k in range(len(self.policy.parameters))]


def collect(
    env: TaskVectorEnv, learner: Learner, observations: Array
) -> tuple[Samples, Array, Array]:
    """Let the worlds go on for a while; return samples, rewards, and the last observations."""
    n, size = observations.shape
    seen = np.empty((HORIZON, n, size), dtype=np.float32)
    actions = np.empty((HORIZON, n, env.single_action_space.shape[0]), dtype=np.float32)
    means, chances = np.empty_like(actions), np.empty((HORIZON, n), dtype=np.float32)
    rewards, ended = np.empty((HORIZON, n)), np.empty((HORIZON, n), dtype=bool)
    for t in range(HORIZON):
        learner.normal.add(observations)
        seen[t] = learner.normal(observations)
        actions[t], chances[t], means[t] = learner.act(seen[t])
        observations, rewards[t], fell, cut, infos = env.step(actions[t])
        ended[t] = fell | cut
        if cut.any():  # an episode that is cut off would have gone on from where it was
            last = np.stack(infos["final_obs"][cut])
            rewards[t, cut] += DISCOUNT * learner.worth(learner.normal(last))
    worth = np.append(
        learner.worth(seen.reshape(-1, size)).reshape(HORIZON, n),
        learner.worth(learner.normal(observations))[None],
        axis=0,
    )
    # A_t = d_t + gamma lambda A_t+1 with d_t = r_t + gamma V_t+1 - V_t, within an episode
    advantages, ahead = np.empty((HORIZON, n), dtype=np.float32), np.zeros(n)
    for t in reversed(range(HORIZON)):
        going = DISCOUNT * ~ended[t]
        ahead = rewards[t] + going * worth[t + 1] - worth[t] + SMOOTHING * going * ahead
        advantages[t] = ahead
    returns = (advantages + worth[:-1]).astype(np.float32)
    rows = (
        a.reshape(-1, *a.shape[2:]) for a in (seen, actions, chances, means, advantages, returns)
    )
    return Samples(*rows), rewards, observations


@dataclass
class Walk:
    """How episodes of a policy go: means over worlds."""

    speed: float  # along the command, by the commanded speed, of those that don't fall
    close: float  # share of worlds within a fifth of their command
    fallen: float  # share of worlds that fall


def judge(task: str, learner: Learner, worlds: int = 64, actions: int = 250) -> Walk:
    """Return how a policy walks without pushes and noise.

    Each world has one command, 0.4 m/s or more forward and a turn; the last 3 s count.
    """
    env = make_vec(task, worlds, **QUIET)
    env.reset(seed=9)
    rng = np.random.default_rng(9)
    speed = rng.uniform(0.4, env.task.speed_range[1], worlds)
    turn = rng.uniform(-0.5, 0.5, worlds)
    env.task.command[:] = np.stack((speed, np.zeros(worlds), turn), axis=1)
    observations = env.task.observe(env.worlds)
    along, fallen = np.zeros(worlds), np.zeros(worlds, dtype=bool)
    for t in range(actions):
        mean, _ = learner.policy.forward(learner.normal(observations))
        observations, _, fell, _, infos = env.step(mean)
        fallen |= fell
        if t >= actions - 150:
            along += infos["velocity"][:, 0] / 150
    env.close()
    share = along / speed
    close = (np.abs(share - 1) < 0.2) & ~fallen
    standing = share[~fallen] if not fallen.all() else np.zeros(1)
    return Walk(float(standing.mean()), float(close.mean()), float(fallen.mean()))


def train(arguments: argparse.Namespace) -> Learner:
    """Return what has learned; tell now and then how it does, and draw it."""
    env = make_vec(arguments.task, arguments.worlds, autoreset_mode="SameStep")
    observations, _ = env.reset(seed=arguments.seed)
    learner = Learner(observations.shape[1], env.single_action_space.shape[0], arguments.seed)
    curve: list[tuple[float, ...]] = []
    done, updates, start, busy = 0, 0, time.perf_counter(), time.process_time()
    good = False
    while done < arguments.steps and not good:
        samples, rewards, observations = collect(env, learner, observations)
        learner.learn(samples)
        done += rewards.size
        updates += 1
        if updates % JUDGED and done < arguments.steps:
            continue
        spent, passed = time.process_time() - busy, time.perf_counter() - start
        walk = judge(arguments.task, learner)
        curve.append((spent, 100 * walk.speed, 100 * walk.close))
        good = walk.close >= arguments.target
        if arguments.save:
            learner.save(arguments.save)
        if arguments.svg:
            arguments.svg.write_text(draw(arguments.task, np.array(curve)), encoding="utf-8")
        print(
            f"{done / 1e6:5.2f} million actions, processors {spent:4.0f} s, clock {passed:4.0f} s: "
            f"{told(walk)}, reward {rewards.mean():.4f}",
            flush=True,
        )
    env.close()
    return learner


def told(walk: Walk) -> str:
    """Return a sentence about a policy."""
    return (
        f"it walks at {100 * walk.speed:.0f} % of the command, {100 * walk.close:.0f} % of worlds "
        f"within a fifth of it, {100 * walk.fallen:.0f} % fall"
    )


def draw(task: str, curve: Array) -> str:
    """Return how well the policy walks over processor time as SVG."""
    width, height, left, top, high = 560, 280, 60, 40, 120
    right = curve[:, 0].max()

    def place(x: Any, y: Any) -> str:
        y = np.clip(y, 0, high)
        rows = zip(left + width * x / right, top + height * (1 - y / high), strict=True)
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in rows)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} '
        f'{top + height + 50}" font-family="sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="white"/>'
        f'<text x="{left}" y="24" font-weight="bold">{task}: how it keeps commands, in %</text>'
        f'<rect x="{left}" y="{top}" width="{width}" height="{height / 3:.1f}" fill="{COLORS[0]}" '
        f'opacity="0.1"/>'
    ]
    for value in range(0, high + 1, 20):
        at = top + height * (1 - value / high)
        parts.append(
            f'<path d="M{left} {at:.1f}h{width}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{value}</text>'
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
    names = ("speed by commanded speed", "worlds within a fifth of their command")
    for k, (name, color) in enumerate(zip(names, COLORS, strict=True)):
        x, y = left + width - 290, top + height - 50 + 22 * k
        parts.append(
            f'<polyline points="{place(curve[:, 0], curve[:, 1 + k])}" fill="none" '
            f'stroke="{color}" stroke-width="2"/>'
            f'<path d="M{x} {y}h24" stroke="{color}" stroke-width="2"/>'
            f'<text x="{x + 32}" y="{y + 4}">{name}</text>'
        )
    return "\n".join(parts) + "\n</svg>\n"


def film(task: str, learner: Learner, path: Path, seconds: float = 6.0) -> None:
    """Write a film (.gif, .mp4) of worlds that walk as commanded, by the program ffmpeg."""
    options = {**QUIET, "render_mode": "rgb_array", "width": 400, "height": 224}
    env = make_vec(task, 1, **options)
    env.reset(seed=3)
    every, frames = 4, []
    turn = np.array([[0.8, 0, 0], [0.8, 0, 0.8], [0, 0.35, 0], [-0.5, 0, 0]])
    steps = int(seconds / env.task.dt)
    for t in range(steps):
        env.task.command[:] = turn[t * len(turn) // steps]
        seen = learner.normal(env.task.observe(env.worlds))
        env.step(learner.policy.forward(seen)[0])
        if t % every == 0:
            frames.append(env.render()[0])
    env.close()
    size, rate = f"{frames[0].shape[1]}x{frames[0].shape[0]}", round(1 / env.task.dt / every)
    palette = ["-vf", "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none"]
    command = (
        f"ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {size} -r {rate} -i -".split()
    )
    command += [*(palette if path.suffix == ".gif" else []), str(path)]
    subprocess.run(command, input=np.stack(frames).tobytes(), check=True)


def main() -> None:
    """Train or load, and tell how well it walks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--task", default="QuadrupedFlat-v0", help="or BipedFlat-v0, ...Rough-v0")
    parser.add_argument("--steps", type=float, default=4e6, help="actions of all worlds together")
    parser.add_argument("--target", type=float, default=0.9, help="stop if so many walk well")
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, help="draw the curve into a file")
    parser.add_argument("--save", type=Path, help="keep the policy in a file (.npz)")
    parser.add_argument("--load", type=Path, help="take the policy of a file instead of training")
    parser.add_argument("--film", type=Path, help="film it (.gif or .mp4); needs ffmpeg")
    parser.add_argument("--fast", action="store_true", help="stop after a few updates")
    arguments = parser.parse_args()
    if arguments.fast:
        arguments.steps, arguments.worlds = 3 * HORIZON * 64, 64
    if arguments.load:
        env = make_vec(arguments.task, 1)
        size, actions = env.observation_space.shape[1], env.action_space.shape[1]
        env.close()
        learner = Learner(size, actions, arguments.seed)
        learner.load(arguments.load)
    else:
        learner = train(arguments)
    if arguments.film:
        film(arguments.task, learner, arguments.film)
    print(told(judge(arguments.task, learner)))


if __name__ == "__main__":
    main()
