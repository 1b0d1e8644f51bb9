"""A robot built in code: a centipede of as many segments as you like, with a gait.

    python examples/python/edit_model.py [--segments N] [--out FILE.xml] [--fast]

A segment is a model of its own (MjSpec): a box with two legs, each on two hinges with servos. It is
attached again and again, each time behind the last one and under names of its own. The finished
model is then edited: the same robot with legs half as long again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import condyle

HALF = 0.06  # half of a segment's length, m
GAP = 0.02  # between segments


def segment(leg: float) -> condyle.MjSpec:
    """Return a segment with a frame for the next one behind it."""
    spec = condyle.MjSpec()
    spec.modelname = "segment"
    body = spec.worldbody.add_body(name="segment")
    body.add_geom(name="box", type=condyle.mjtGeom.mjGEOM_BOX, size=[HALF, 0.05, 0.025], mass=0.2)
    for side, sign in (("left", 1), ("right", -1)):
        thigh = body.add_body(name=side, pos=[0, 0.05 * sign, 0])
        thigh.add_joint(name=f"{side}_swing", axis=[0, 0, 1], range=[-0.7, 0.7], damping=0.02)
        thigh.add_joint(name=f"{side}_lift", axis=[sign, 0, 0], range=[-0.7, 0.7], damping=0.02)
        thigh.add_geom(
            name=f"{side}_leg",
            type=condyle.mjtGeom.mjGEOM_CAPSULE,
            fromto=[0, 0, 0, 0, 0.6 * leg * sign, -0.8 * leg],
            size=[0.012, 0, 0],
            mass=0.02,
            friction=[1, 0.005, 0.0001],
        )
        for motion in ("swing", "lift"):
            servo = spec.add_actuator(name=f"{side}_{motion}", target=f"{side}_{motion}")
            servo.trntype = condyle.mjtTrn.mjTRN_JOINT
            servo.set_to_position(kp=2)
            servo.ctrlrange = [-0.7, 0.7]
    body.add_frame(name="behind", pos=[-2 * HALF - GAP, 0, 0])
    return spec


def centipede(count: int, leg: float = 0.1) -> condyle.MjSpec:
    """Return a robot of ``count`` segments above a floor."""
    spec = condyle.MjSpec()
    spec.modelname = "centipede"
    spec.compiler.degree = False
    spec.option.timestep = 0.002
    spec.copy_during_attach = True
    spec.worldbody.add_geom(
        name="floor", type=condyle.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], condim=3
    )
    spec.worldbody.add_light(pos=[0, 0, 3])
    part = segment(leg)
    place = spec.worldbody.add_frame(pos=[0, 0, 0.8 * leg + 0.02])
    for k in range(count):
        spec.attach(part, frame=place, prefix=f"{k}_")
        body = spec.body(f"{k}_segment")
        if k == 0:
            body.add_freejoint()
        else:
            for name, axis in (("yaw", [0, 0, 1]), ("pitch", [0, 1, 0])):
                body.add_joint(
                    name=f"{k}_{name}",
                    axis=axis,
                    pos=[HALF + GAP / 2, 0, 0],
                    stiffness=1,
                    damping=0.05,
                )
        place = spec.frame(f"{k}_behind")
    return spec


def walk(model: condyle.MjModel, count: int, duration: float) -> float:
    """Let the robot walk, a wave of steps running along its body.

    Returns
    -------
    distance
        How far the first segment has come along x, in metres.
    """
    data = condyle.MjData(model)
    swing = [model.actuator(f"{k}_{s}_swing").id for k in range(count) for s in ("left", "right")]
    lift = [model.actuator(f"{k}_{s}_lift").id for k in range(count) for s in ("left", "right")]
    # neighbours a quarter of a period apart, legs of a pair in opposition
    phase = np.array([k * np.pi / 2 + s * np.pi for k in range(count) for s in (0, 1)])
    sign = np.tile([1, -1], count)
    while data.time < duration:
        angle = 2 * np.pi * 1.5 * data.time + phase
        data.ctrl[swing] = 0.4 * sign * np.cos(angle)
        data.ctrl[lift] = 0.4 * np.maximum(0, np.sin(angle))
        condyle.mj_step(model, data)
    return float(data.body("0_segment").xpos[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds a centipede and lets it walk.")
    parser.add_argument("--segments", type=int, default=6)
    parser.add_argument("--out", type=Path, help="save the model as MJCF")
    parser.add_argument("--fast", action="store_true", help="a short walk")
    options = parser.parse_args()
    count, duration = options.segments, 1.0 if options.fast else 5.0

    spec = centipede(count)
    model = spec.compile()
    print(f"{count} segments: {model.nbody} bodies, {model.nv} dofs, {model.nu} servos")
    if options.out:
        options.out.write_text(spec.to_xml())
        print(f"saved as {options.out}")
    distance = walk(model, count, duration)

    # any element can be changed and the model compiled again
    for geom in spec.geoms:
        if geom.name.endswith("_leg"):
            geom.fromto = 1.5 * np.asarray(geom.fromto)
    spec.body("0_segment").pos[2] += 0.04
    longer = walk(spec.compile(), count, duration)
    print(f"in {duration:g} s it walks {distance:.2f} m, with longer legs {longer:.2f} m")


if __name__ == "__main__":
    main()
