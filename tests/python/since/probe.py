"""Loads and steps models, and keeps every public array.

usage: probe.py MODELS.json OUT.pickle [condyle]

Runs under release 4.0.0 of the reference, or under Condyle in its place.
"""

from __future__ import annotations

import json
import pickle
import sys

import numpy

if sys.argv[3:] == ["condyle"]:
    import condyle

    condyle.install_as_mujoco(version="4.0")
import mujoco

STEPS = (1, 10, 20)


def arrays(prefix: str, thing: object) -> dict[str, numpy.ndarray]:
    found = {}
    for name in dir(thing):
        if name.startswith("_"):
            continue
        try:
            value = getattr(thing, name)
        except (AttributeError, TypeError, ValueError, mujoco.FatalError):
            continue
        if isinstance(value, (int, float, numpy.ndarray, numpy.generic)):
            array = numpy.asarray(value)
            if array.dtype.kind in "fiub" and array.size < 100000:
                found[prefix + name] = array.astype(float)
    return found


def start(m: mujoco.MjModel) -> mujoco.MjData:
    """A state away from rest, with controls."""
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    wave = numpy.sin(1 + numpy.arange(m.nv))
    mujoco.mj_integratePos(m, d.qpos, 0.001 * wave, 1)
    d.qvel[:] = 0.3 * numpy.cos(2 * numpy.arange(m.nv))
    return d


def run(xml: str) -> dict[str, numpy.ndarray] | str:
    try:
        m = mujoco.MjModel.from_xml_string(xml)
    except Exception as error:  # noqa: BLE001  (whatever it is, the other side must have it too)
        return str(error)
    m.opt.tolerance = 0
    m.opt.iterations = 200
    m.opt.ls_iterations = 100
    d = start(m)
    found = {**arrays("m.", m), **arrays("m.opt.", m.opt)}
    d.ctrl[:] = numpy.where(d.ctrl, d.ctrl, 0.3 * numpy.sin(3 + numpy.arange(m.nu)))
    mujoco.mj_forward(m, d)
    mujoco.mj_rnePostConstraint(m, d)
    mujoco.mj_subtreeVel(m, d)
    found |= arrays("d.", d)
    for name in ("adhesion", "surfacevel", "dim", "dist", "exclude", "geom", "frame", "pos"):
        found[f"d.contact.{name}"] = numpy.array(
            [getattr(c, name, numpy.nan) for c in d.contact], dtype=float
        )
    for step in range(1, STEPS[-1] + 1):
        d.ctrl[:] = 0.5 * numpy.sin(0.1 * step + numpy.arange(m.nu))
        mujoco.mj_step(m, d)
        if step in STEPS:
            for name in ("time", "qpos", "qvel", "act", "sensordata", "history", "plastic"):
                found[f"{step}.{name}"] = numpy.array(getattr(d, name), dtype=float)
    return found


def main() -> None:
    with open(sys.argv[1]) as file:
        texts = json.load(file)
    found = {name: run(text) for name, text in texts.items()}
    with open(sys.argv[2], "wb") as file:
        pickle.dump(found, file)


main()
