"""Masses and damping of an arm from a recorded motion, by exact derivatives.

    python examples/python/identify.py [--fast]

A two-link arm is moved by known torques and its state is measured every 20 ms, with noise. A model
with wrong masses and damping predicts each measurement from the one before. Its derivatives by
these parameters are exact (``Dynamics.vjp``), all pieces of the motion at once, so a few steps of
Gauss-Newton find them.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import condyle
from condyle.autodiff import Dynamics

Array = NDArray[np.float64]

ARM = """
<mujoco model="arm">
  <option timestep="0.002" integrator="implicitfast"/>
  <default>
    <geom type="capsule" size="0.02" contype="0" conaffinity="0"/>
    <joint axis="0 1 0" damping="0.1"/>
  </default>
  <worldbody>
    <body name="upper">
      <joint name="shoulder"/>
      <geom fromto="0 0 0 0 0 -0.4" mass="1"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow"/>
        <geom fromto="0 0 0 0 0 -0.3" mass="1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder"/>
    <motor joint="elbow"/>
  </actuator>
</mujoco>
"""
NAMES = ("mass of upper", "mass of lower", "damping of shoulder", "damping of elbow")
UNITS = ("kg", "kg", "N m s/rad", "N m s/rad")
TRUTH = np.array([1.6, 0.7, 0.25, 0.06])
STEPS = 10  # of the engine between two measurements
NOISE = 1e-4  # of positions (rad) and velocities (rad/s)


def put(model: condyle.MjModel, parameters: Array) -> None:
    model.body_mass[1:] = parameters[:2]
    model.dof_damping[:] = parameters[2:]
    condyle.mj_setConst(model, condyle.MjData(model))


def record(pieces: int) -> tuple[Array, Array]:
    """States (pieces + 1, nx) as measured, and the torques (pieces, nu) between them."""
    model = condyle.MjModel.from_xml_string(ARM)
    put(model, TRUTH)
    random = np.random.default_rng(0)
    time = STEPS * model.opt.timestep * np.arange(pieces)[:, None]
    torques = 3 * np.sin(time * [2.1, 3.7]) + [0.5, 0.2] * random.standard_normal((pieces, 2))
    dynamics = Dynamics(model, 1)
    states = [dynamics.initial()]
    for torque in torques:
        states.append(dynamics.step(states[-1], torque, STEPS))
    measured = np.array(states)
    return measured + NOISE * random.standard_normal(measured.shape), torques


def linearise(
    model: condyle.MjModel, dynamics: Dynamics, states: Array, torques: Array
) -> tuple[Array, Array]:
    """Errors of prediction (pieces * nx), and their derivatives by the parameters."""
    error = dynamics.step(states[:-1], torques, STEPS) - states[1:]
    slope = np.empty((*error.shape, len(TRUTH)))
    for i in range(error.shape[1]):
        unit = np.zeros_like(error)
        unit[:, i] = 1
        pieces = len(error)
        by = {
            "body_mass": np.zeros((pieces, model.nbody)),
            "dof_damping": np.zeros((pieces, model.nv)),
        }
        dynamics.vjp(states[:-1], torques, unit, nstep=STEPS, parameters=by)
        slope[:, i] = np.concatenate([by["body_mass"][:, 1:], by["dof_damping"]], axis=1)
    return error.ravel(), slope.reshape(error.size, -1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Parameters of an arm from its motion.")
    parser.add_argument("--fast", action="store_true", help="a short motion")
    options = parser.parse_args()
    states, torques = record(150 if options.fast else 500)

    model = condyle.MjModel.from_xml_string(ARM)
    dynamics = Dynamics(model)
    # logarithms keep masses and damping positive
    guess = np.log([1.0, 1.0, 0.1, 0.1])
    print("iteration   error of prediction   parameters")
    for iteration in range(8):
        put(model, np.exp(guess))
        error, slope = linearise(model, dynamics, states, torques)
        print(f"{iteration:9}{np.sqrt((error**2).mean()):22.3e}   {np.exp(guess).round(5)}")
        change = np.linalg.lstsq(slope * np.exp(guess), -error, rcond=None)[0]
        guess += np.clip(change, -1, 1)
        if np.abs(change).max() < 1e-6:
            break

    found = np.exp(guess)
    for name, value, truth, unit in zip(NAMES, found, TRUTH, UNITS, strict=True):
        print(f"{name:20} {value:.5f} {unit}, truly {truth}")
    off = 100 * float(np.abs(found / TRUTH - 1).max())
    print(f"masses and damping are {off:.3f} % off at most")


if __name__ == "__main__":
    main()
