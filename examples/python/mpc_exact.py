"""A cart-pole swings up and balances by model-predictive control with exact derivatives.

    python examples/python/mpc_exact.py [--fast]

iLQR plans 3 s ahead: the motion is linearised at all its steps in one call of a batch
(``Batch.transition``), a backward sweep gives feedback, and a second batch tries all step sizes at
once. The cart that is driven has a heavier pole than the plan believes, and is pushed; every 10
steps the plan begins anew from where it is.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import condyle

Array = NDArray[np.float64]

MODEL = Path(__file__).resolve().parents[1] / "ilqr" / "cart_pole.xml"
LENGTH = 0.6  # of the pole
HORIZON = 150
EVERY = 10  # steps between two plans
SETTLED = 25  # steps before the end: feedback there is that of balancing for ever
SIZES = 0.5 ** np.arange(8.0)  # of steps to try

# weights of the tip's place (x, z), the cart's, of velocities; of the control
RUNNING = np.array([0.3, 1, 0.1, 0.01, 0.01])
FINAL = np.array([300, 300, 100, 30, 30])
CONTROL = 0.02


def residual(x: Array) -> Array:
    """What should be zero, (..., 5), at states (cart, angle, velocities); angle 0 hangs."""
    cart, angle, speed, turn = np.moveaxis(x, -1, 0)
    tip, height = cart - LENGTH * np.sin(angle), -LENGTH * np.cos(angle)
    return np.stack([tip, height - LENGTH, cart, speed, turn], axis=-1)


def residual_slope(x: Array) -> Array:
    """Derivative of the residual, (..., 5, 4)."""
    slope = np.zeros((*x.shape[:-1], 5, 4))
    slope[..., 0, 0] = slope[..., 2, 0] = slope[..., 3, 2] = slope[..., 4, 3] = 1
    slope[..., 0, 1] = -LENGTH * np.cos(x[..., 1])
    slope[..., 1, 1] = LENGTH * np.sin(x[..., 1])
    return slope


class Planner:
    """iLQR for one control with limits; keeps its plan for the next start."""

    def __init__(self, model: condyle.MjModel) -> None:
        self.along = condyle.Batch(model, HORIZON)
        self.tries = condyle.Batch(model, len(SIZES), nthread=1)  # too little to share
        self.low, self.high = model.actuator_ctrlrange[0]
        self.controls = np.full(HORIZON, 0.1)
        self.path = np.zeros((HORIZON + 1, 4))
        self.feedback = np.zeros((HORIZON, 4))
        self.weight = 1e-6  # of the step against the cost, as in Levenberg's method

    def plan(self, x: Array, iterations: int) -> float:
        """Improve the plan from a state; return its cost."""
        costs, states, controls = self._drive(x, np.zeros(HORIZON), self.feedback)
        cost, self.path, self.controls = costs[0], states[0], controls[0]
        for _ in range(iterations):
            k, K = self._sweep(self.path)
            costs, states, controls = self._drive(x, k, K)
            self.feedback = K
            best = int(np.argmin(costs))
            if costs[best] >= cost:
                self.weight *= 10
                if self.weight > 1e6:
                    self.weight = 1e-6
                    break
                continue
            self.weight = max(self.weight / 3, 1e-9)
            done = cost - costs[best] < 1e-5 * cost
            cost, self.path, self.controls = costs[best], states[best], controls[best]
            if done:
                break
        return float(cost)

    def shift(self, steps: int) -> None:
        """Drop what is past; stay at the end of the plan after it."""
        self.controls = np.concatenate([self.controls[steps:], np.zeros(steps)])
        end, settled = self.path[-1:], self.feedback[-SETTLED, None]
        self.path = np.concatenate([self.path[steps:], np.repeat(end, steps, axis=0)])
        self.feedback = np.concatenate([self.feedback[steps:], np.repeat(settled, steps, axis=0)])

    def act(self, t: int, x: Array) -> float:
        """The control at step t of the plan, corrected by feedback."""
        u = self.controls[t] + self.feedback[t] @ (x - self.path[t])
        return float(np.clip(u, self.low, self.high))

    def _drive(self, x: Array, k: Array, K: Array) -> tuple[Array, Array, Array]:
        """Costs, states and controls of the plan changed by k + K dx, for all step sizes."""
        batch = self.tries
        batch.qpos, batch.qvel = x[:2], x[2:]
        costs = np.zeros(len(SIZES))
        states = np.empty((len(SIZES), HORIZON + 1, 4))
        controls = np.empty((len(SIZES), HORIZON))
        for t in range(HORIZON + 1):
            states[:, t] = np.concatenate([batch.qpos, batch.qvel], axis=1)
            weights = RUNNING if t < HORIZON else FINAL
            costs += 0.5 * (weights * residual(states[:, t]) ** 2).sum(axis=1)
            if t < HORIZON:
                u = self.controls[t] + SIZES * k[t] + (states[:, t] - self.path[t]) @ K[t]
                controls[:, t] = np.clip(u, self.low, self.high)
                costs += 0.5 * CONTROL * controls[:, t] ** 2
                batch.step(controls[:, t, None])
        return costs, states, controls

    def _sweep(self, path: Array) -> tuple[Array, Array]:
        """Changes k and feedback K of the controls, from the end to the start."""
        self.along.qpos, self.along.qvel = path[:-1, :2], path[:-1, 2:]
        self.along.ctrl = self.controls[:, None]
        linear = self.along.transition()
        r, J = residual(path), residual_slope(path)
        k, K = np.zeros(HORIZON), np.zeros((HORIZON, 4))
        gradient = J[-1].T @ (FINAL * r[-1])
        hessian = J[-1].T @ (FINAL[:, None] * J[-1])
        for t in reversed(range(HORIZON)):
            A, B, u = linear.A[t], linear.B[t, :, 0], self.controls[t]
            by_x = J[t].T @ (RUNNING * r[t]) + A.T @ gradient
            by_u = CONTROL * u + B @ gradient
            by_xx = J[t].T @ (RUNNING[:, None] * J[t]) + A.T @ hessian @ A
            by_ux = B @ hessian @ A
            by_uu = CONTROL + B @ hessian @ B
            step = -by_u / (by_uu + self.weight)
            k[t] = np.clip(u + step, self.low, self.high) - u
            if self.low < u + step < self.high:  # a control at its limit does not react
                K[t] = -by_ux / (by_uu + self.weight)
            gradient = by_x + K[t] * (by_u + by_uu * k[t]) + by_ux * k[t]
            hessian = by_xx + by_uu * np.outer(K[t], K[t]) + np.outer(K[t], by_ux)
            hessian += np.outer(by_ux, K[t])
        return k, K


def main() -> None:
    parser = argparse.ArgumentParser(description="Model-predictive control of a cart-pole.")
    parser.add_argument("--fast", action="store_true", help="fewer iterations")
    options = parser.parse_args()
    first, later = (60, 2) if options.fast else (200, 4)

    model = condyle.MjModel.from_xml_path(str(MODEL))
    planner = Planner(model)
    begin = time.perf_counter()
    cost = planner.plan(np.zeros(4), first)
    print(f"first plan: cost {cost:.2f} after {time.perf_counter() - begin:.2f} s")

    # what is driven: its pole is heavier by a twentieth, and it is pushed after 4 s
    real = condyle.MjModel.from_xml_path(str(MODEL))
    real.body_mass[2] *= 1.05
    real.body_inertia[2] *= 1.05
    data = condyle.MjData(real)
    condyle.mj_setConst(real, data)
    condyle.mj_resetData(real, data)
    off = 0.0
    begin = time.perf_counter()
    for t in range(300):
        x = np.concatenate([data.qpos, data.qvel])
        if t % EVERY == 0 and t:
            planner.shift(EVERY)
            planner.plan(x, later)
        data.ctrl[0] = planner.act(t % EVERY, x)
        data.qfrc_applied[0] = 2.0 if 200 <= t < 210 else 0.0
        condyle.mj_step(real, data)
        off = np.degrees(np.arccos(np.clip(-np.cos(data.qpos[1]), -1, 1)))
        if t % 50 == 49:
            print(f"{data.time:4.1f} s: cart at {data.qpos[0]:5.2f} m, pole {off:5.1f} deg off")
    lasted = (time.perf_counter() - begin) / data.time
    print(f"planning takes {lasted:.2f} s for each second")
    print(f"after 6 s and a push the pole is {off:.1f} degrees off upright")


if __name__ == "__main__":
    main()
