"""What hard contacts change: a stack of boxes and an arch of stones, soft and hard.

    python examples/python/hard_contacts.py [--fast]

A custom element of the model chooses (docs/theory/contact/hard-contacts.md, Options):

    <custom> <text name="condyle.contact" data="hard"/> </custom>

Soft contacts give way under load, so the lowest box of a stack sinks in, and stones that friction
alone should hold creep. Hard ones leave at most the slop of 0.1 mm.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

import condyle

KINDS = ("soft", "hard")


def stack(kind: str, count: int = 10) -> str:
    """Return a model of boxes of 20 cm and 1 kg on top of each other."""
    return f"""
<mujoco model="stack">
  <option timestep="0.001"/>
  <custom><text name="condyle.contact" data="{kind}"/></custom>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <replicate count="{count}" offset="0 0 0.2">
      <body pos="0 0 0.1">
        <freejoint/>
        <geom type="box" size="0.1 0.1 0.1" mass="1" friction="0.5"/>
      </body>
    </replicate>
  </worldbody>
</mujoco>"""


def arch(kind: str, count: int = 9, radius: float = 0.525, thickness: float = 0.15) -> str:
    """Return a model of wedge-shaped stones in half a circle between two blocks, without mortar."""
    half = np.pi / count / 2
    inner, outer = radius - thickness / 2, radius + thickness / 2
    corners = [
        (side * r * np.sin(half), y, r * np.cos(half) - radius)
        for side in (-1, 1)
        for r in (inner, outer)
        for y in (-thickness / 2, thickness / 2)
    ]
    vertex = "  ".join(" ".join(f"{number:.9f}" for number in corner) for corner in corners)
    stones = ""
    for k in range(count):
        angle = (2 * k + 1) * half - np.pi / 2
        x, z = radius * np.sin(angle), radius * np.cos(angle)
        stones += f"""
    <body pos="{x:.9f} 0 {z:.9f}" euler="0 {np.degrees(angle):.9f} 0">
      <freejoint/>
      <geom type="mesh" mesh="stone"/>
    </body>"""
    return f"""
<mujoco model="arch">
  <option timestep="0.001"><flag multiccd="enable"/></option>
  <custom><text name="condyle.contact" data="{kind}"/></custom>
  <default><geom density="2000" friction="0.8"/></default>
  <asset><mesh name="stone" vertex="{vertex}"/></asset>
  <worldbody>
    <geom type="box" size="0.3 0.2 0.1" pos="{-radius - 0.1} 0 -0.1"/>
    <geom type="box" size="0.3 0.2 0.1" pos="{radius + 0.1} 0 -0.1"/>{stones}
  </worldbody>
</mujoco>"""


@dataclass(frozen=True)
class Outcome:
    """What became of the bodies of a model; lengths in mm."""

    depth: float  #: deepest penetration at the end
    sunk: float  #: farthest that a body has gone from its place
    creep: float  #: fastest body at the end, mm/s
    step: float  #: microseconds for a step


def simulate(xml: str, duration: float) -> Outcome:
    """Let a structure stand for a while."""
    model = condyle.MjModel.from_xml_string(xml)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    places = data.xpos.copy()
    steps = round(duration / model.opt.timestep)
    start = time.perf_counter()
    condyle.mj_step(model, data, nstep=steps)
    elapsed = time.perf_counter() - start
    speed = np.linalg.norm(data.qvel.reshape(-1, 6)[:, :3], axis=1).max()
    return Outcome(
        depth=-1000 * data.contact.dist.min(initial=0),
        sunk=1000 * np.linalg.norm(data.xpos - places, axis=1).max(),
        creep=1000 * speed,
        step=1e6 * elapsed / steps,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Soft and hard contacts side by side.")
    parser.add_argument("--fast", action="store_true", help="a short run")
    duration = 0.5 if parser.parse_args().fast else 5.0

    print(f"after {duration:g} s        deepest, mm   moved, mm   moves, mm/s   us per step")
    depths = {}
    for name, build in {"stack of 10": stack, "arch of 9": arch}.items():
        for kind in KINDS:
            outcome = simulate(build(kind), duration)
            depths[name, kind] = outcome.depth
            print(
                f"{name + ', ' + kind:20}{outcome.depth:11.3f}{outcome.sunk:12.2f}"
                f"{outcome.creep:14.4f}{outcome.step:14.0f}"
            )
    soft, hard = (depths["stack of 10", kind] for kind in KINDS)
    print(f"contacts of the stack: {soft:.3f} mm deep if soft, {hard:.3f} mm if hard")


if __name__ == "__main__":
    main()
