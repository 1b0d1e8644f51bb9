"""How well each integrator keeps the energy of a double pendulum.

    python examples/python/pendulum_energy.py [--svg FILE] [--fast]

Nothing brakes the pendulum, so its energy should stay what it was; what changes is the integrator's
error. The table has the largest change in a run, as a part of what gravity does to the pendulum on
its way from top to bottom, for several time steps. --svg draws the changes over time for the middle
one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import condyle

Array = NDArray[np.float64]

LENGTH = 0.5
MODEL = f"""
<mujoco model="double pendulum">
  <option><flag energy="enable" contact="disable"/></option>
  <worldbody>
    <body>
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -{LENGTH}" size="0.02" mass="1"/>
      <body pos="0 0 -{LENGTH}">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -{LENGTH}" size="0.02" mass="1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

INTEGRATORS = {
    "Euler": condyle.mjtIntegrator.mjINT_EULER,
    "implicit": condyle.mjtIntegrator.mjINT_IMPLICIT,
    "implicitfast": condyle.mjtIntegrator.mjINT_IMPLICITFAST,
    "RK4": condyle.mjtIntegrator.mjINT_RK4,
}


def energy_changes(model: condyle.MjModel, duration: float) -> tuple[Array, Array]:
    """Let the straight pendulum swing from 60 degrees.

    Returns
    -------
    times
        Of all states, in seconds.
    changes
        Of the energy since the start, as a part of the work of gravity.
    """
    data = condyle.MjData(model)
    data.joint("shoulder").qpos[0] = np.pi / 3
    steps = round(duration / model.opt.timestep)
    times, energies = np.empty(steps + 1), np.empty(steps + 1)
    for k in range(steps + 1):
        # positions and velocities of one moment: the step below moves them on
        condyle.mj_forward(model, data)
        times[k], energies[k] = data.time, data.energy.sum()
        condyle.mj_step(model, data)
    # work of gravity from the highest to the lowest place
    scale = (
        -2
        * model.opt.gravity[2]
        * (model.body_mass[1] * LENGTH / 2 + model.body_mass[2] * 1.5 * LENGTH)
    )
    return times, (energies - energies[0]) / scale


def draw(path: Path, curves: dict[str, tuple[Array, Array]]) -> None:
    """Write a drawing of the changes over time, on a logarithmic scale."""
    width, height, left, top = 640, 320, 60, 20
    lowest, highest = -14, 0
    end = max(times[-1] for times, _ in curves.values())
    colours = ["#4477aa", "#228833", "#ccbb44", "#ee6677"]

    def x_of(time: Array) -> Array:
        return left + time / end * (width - left - 110)

    def y_of(change: Array) -> Array:
        power = np.log10(np.maximum(np.abs(change), 10.0**lowest))
        y: Array = top + (highest - power) / (highest - lowest) * (height - top - 40)
        return y

    def text(x: float, y: float, content: str, anchor: str = "start", fill: str = "#333") -> str:
        return (
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{content}</text>'
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    ends = x_of(np.array([0.0, end]))
    for power in range(lowest, highest + 1, 2):
        y = float(y_of(np.array(10.0**power)))
        parts.append(f'<path d="M{ends[0]:.1f} {y:.1f}H{ends[1]:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 6, y + 4, f"1e{power}", "end"))
    for time in np.linspace(0, end, 6):
        parts.append(text(float(x_of(time)), height - 22, f"{time:g}", "middle"))
    parts.append(text(float(ends.mean()), height - 6, "time, s", "middle"))
    for k, (name, (times, changes)) in enumerate(curves.items()):
        every = max(1, len(times) // 600)
        points = zip(x_of(times[::every]), y_of(changes[::every]), strict=True)
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        # wider below, so that curves on top of each other are all seen
        style = f'fill="none" stroke="{colours[k]}" stroke-width="{5 - 1.2 * k:.1f}"'
        parts.append(f'<path d="M{line}" {style}/>')
        parts.append(text(float(ends[1]) + 10, top + 20 + 20 * k, name, fill=colours[k]))
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Energy drift of the integrators.")
    parser.add_argument("--svg", type=Path, help="draw the changes over time into this file")
    parser.add_argument("--fast", action="store_true", help="a short run")
    options = parser.parse_args()
    duration = 2.0 if options.fast else 20.0

    steps = [0.004, 0.002, 0.001]
    model = condyle.MjModel.from_xml_string(MODEL)
    worst: dict[tuple[str, float], float] = {}
    curves = {}
    print("change of energy   " + "".join(f"h = {1000 * step:g} ms".rjust(12) for step in steps))
    for name, integrator in INTEGRATORS.items():
        model.opt.integrator = integrator
        for step in steps:
            model.opt.timestep = step
            times, changes = energy_changes(model, duration)
            worst[name, step] = float(np.abs(changes).max())
            if step == steps[1]:
                curves[name] = times, changes
        print(f"{name:19}" + "".join(f"{worst[name, step]:12.1e}" for step in steps))
    if options.svg:
        draw(options.svg, curves)
        print(f"drawn into {options.svg}")

    # halving a step twice divides the error by 2 to the power of twice the order
    order = {
        name: np.log2(worst[name, steps[0]] / worst[name, steps[-1]]) / 2 for name in INTEGRATORS
    }
    print(f"order: Euler {order['Euler']:.1f}, RK4 {order['RK4']:.1f}")


if __name__ == "__main__":
    main()
