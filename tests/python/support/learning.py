"""Models, states and differences for the tests of derivatives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import condyle

Array = NDArray[np.float64]
MODELS = Path(__file__).resolve().parents[3] / "models"

# every kind of joint, activations, sensors
CHAIN = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="base" pos="0 0 1">
      <freejoint/>
      <geom type="box" size=".1 .06 .04"/>
      <body pos=".1 0 0">
        <joint name="ball" type="ball" damping=".1"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
        <body pos=".3 0 .1">
          <joint name="slide" type="slide" axis="1 0 1" stiffness="40" damping="1"/>
          <joint name="hinge" axis="0 1 0" damping=".05"/>
          <geom type="capsule" size=".03" fromto="0 0 0 .2 .1 0"/>
          <site name="tip" pos=".2 .1 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hinge" gear="2"/>
    <general joint="slide" dyntype="filter" dynprm=".05" gainprm="30"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="tip"/>
    <gyro site="tip"/>
    <jointpos joint="hinge"/>
  </sensor>
</mujoco>
"""

# a ball that rolls and slides, pushed by a paddle
CONTACT = """
<mujoco>
  <option timestep="0.005" cone="elliptic" tolerance="1e-14" iterations="200"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .098">
      <freejoint/>
      <geom size=".1" mass="1"/>
    </body>
    <body pos="-.195 0 .3">
      <joint name="paddle" axis="0 1 0" damping=".1"/>
      <geom type="capsule" size=".1" fromto="0 0 0 0 0 -.15" mass="2" condim="4"/>
    </body>
  </worldbody>
  <actuator><motor joint="paddle" gear="3"/></actuator>
  <sensor><jointvel joint="paddle"/></sensor>
</mujoco>
"""

PENDULUM = """
<mujoco>
  <option timestep="0.02"/>
  <worldbody>
    <body>
      <joint name="swing" axis="0 1 0" damping=".02"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <actuator><motor joint="swing"/></actuator>
  <sensor><jointpos joint="swing"/></sensor>
</mujoco>
"""


def load(text: str) -> Any:
    """Model of a text, or of a file of the project."""
    if text.endswith(".xml"):
        return condyle.MjModel.from_xml_path(str(MODELS / text))
    return condyle.MjModel.from_xml_string(text)


def states(model: Any, n: int, seed: int = 0) -> tuple[Array, Array]:
    """States (n, nx) near the start, with quaternions of length 1, and controls (n, nu)."""
    random = np.random.default_rng(seed)
    x = np.zeros((n, model.nq + model.nv + model.na))
    for row in x:
        qpos = model.qpos0.copy()
        condyle.mj_integratePos(model, qpos, 0.02 * random.standard_normal(model.nv), 1)
        velocity = 0.3 * random.standard_normal(model.nv)
        row[:] = np.concatenate([qpos, velocity, 0.2 * random.standard_normal(model.na)])
    return x, 0.3 * random.standard_normal((n, model.nu))


def slope(function: Callable[[Array], float], x: Array, width: float = 1e-6) -> Array:
    """Gradient of a function of an array by central differences."""
    gradient = np.zeros_like(x)
    for i in np.ndindex(*x.shape):
        ends = []
        for side in (1, -1):
            moved = x.copy()
            moved[i] += side * width
            ends.append(function(moved))
        gradient[i] = (ends[0] - ends[1]) / (2 * width)
    return gradient


def assert_near(value: Any, expected: Any, tolerance: float) -> None:
    """Compare relative to the largest number of what is expected."""
    value, expected = np.asarray(value), np.asarray(expected)
    np.testing.assert_allclose(
        value, expected, rtol=0, atol=tolerance * max(1.0, float(np.abs(expected).max(initial=0)))
    )
