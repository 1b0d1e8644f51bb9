"""Functions that the generator leaves to hand-written code do what the reference's do.

Each case runs in both modules, in a folder of its own; what it returns must agree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import condyle

mujoco = pytest.importorskip("mujoco")

BEHAVIOURS = Path(__file__).parents[3] / "include" / "condyle" / "behaviour_table.h"

XML = """
<mujoco>
  <asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 1">
      <joint name="slide" type="slide" axis="1 0 0" range="-1 2" limited="true" damping="1"/>
      <geom type="box" size=".1 .2 .3"/>
    </body>
    <body pos="0 2 1"><geom type="mesh" mesh="tetra"/></body>
  </worldbody>
  <actuator><motor joint="slide"/></actuator>
  <sensor><jointpos joint="slide"/></sensor>
</mujoco>"""

CASES: dict[str, Callable[[Any, Any, Any], Any]] = {}


def case(function: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    """Notes a case: a function of a module, a model and data."""
    CASES[function.__name__] = function
    return function


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, or the class of its error."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__


@case
def steps(mj: Any, m: Any, d: Any) -> Any:
    """Any number of steps, and what is no number."""
    counts = [0, -3, 1, True, np.int32(4), mj.mjtGeom.mjGEOM_SPHERE, 2.0, "2", None]
    return [(outcome(lambda n=n: mj.mj_step(m, d, n)), round(d.time, 6)) for n in counts] + [
        outcome(lambda: mj.mj_step(m, d, nstep=2)),
        outcome(lambda: mj.mj_step(m=m, d=d)),
        outcome(lambda: mj.mj_step(m)),
        outcome(lambda: mj.mj_step(d, m)),
        outcome(lambda: mj.mj_step(m, d, steps=1)),
        d.time,
        d.qpos.tolist(),
    ]


@case
def full_inertia(mj: Any, m: Any, d: Any) -> Any:
    """The matrix, and arrays that don't fit."""
    dense = np.zeros((m.nv, m.nv))
    return [
        outcome(lambda: mj.mj_fullM(m, dense, d.qM)),
        dense,
        outcome(lambda: mj.mj_fullM(m, np.zeros((m.nv, m.nv + 1)), d.qM)),
        outcome(lambda: mj.mj_fullM(m, dense, d.qM[1:])),
        outcome(lambda: mj.mj_fullM(m, dense.astype(np.float32), d.qM)),
        outcome(lambda: mj.mj_fullM(m, dense, d.qM.tolist())),
    ]


@case
def saved_models(mj: Any, m: Any, d: Any) -> Any:
    """To a file, to a buffer, to neither, to places that are none."""
    room = np.zeros(mj.mj_sizeModel(m), np.uint8)
    return [
        outcome(lambda: mj.mj_saveModel(m, "model.mjb")),
        mj.MjModel.from_binary_path("model.mjb").nv,
        outcome(lambda: mj.mj_saveModel(m, None, room)),
        mj.MjModel.from_binary_path("other.mjb", {"other.mjb": room.tobytes()}).ngeom,
        outcome(lambda: mj.mj_saveModel(m, buffer=room[:-1])),
        outcome(lambda: mj.mj_saveModel(m, buffer=room.astype(np.int8))),
        outcome(lambda: mj.mj_saveModel(m, buffer=[0] * room.size)),
        outcome(lambda: mj.mj_saveModel(m, "no/such/folder.mjb")),
        outcome(lambda: mj.mj_saveModel(m)),
        outcome(lambda: mj.mj_saveModel(None, "model.mjb")),
    ]


@case
def last_model_as_text(mj: Any, m: Any, d: Any) -> Any:
    """The last one that was loaded, with the numbers of the one that is given."""
    m = mj.MjModel.from_xml_string(XML)
    m.geom("floor").friction = [0.7, 0.01, 0.002]
    m.body("ball").pos[2] = 3
    results = [
        outcome(lambda: mj.mj_saveLastXML("last.xml", m)),
        outcome(lambda: mj.mj_saveLastXML("no/such/folder.xml", m)),
        outcome(lambda: mj.mj_saveLastXML(None, m)),
    ]
    again = mj.MjModel.from_xml_path("last.xml")
    return [*results, again.geom("floor").friction, again.body_pos, again.nq]


@case
def length_ranges(mj: Any, m: Any, d: Any) -> Any:
    """Of an actuator whose joint has no limits that count."""
    options = mj.MjLROpt()
    options.mode, options.useexisting, options.uselimit = 2, 0, 0
    options.accel, options.maxforce, options.timeconst = 20, 0, 1
    options.timestep, options.inttotal, options.interval, options.tolrange = 0.01, 10, 2, 0.05
    return [
        outcome(lambda: mj.mj_setLengthRange(m, d, 0, options)),
        np.round(m.actuator_lengthrange, 2),
        outcome(lambda: mj.mj_setLengthRange(m, d, 0, d)),
        outcome(lambda: mj.mj_setLengthRange(m, d, 0.0, options)),
    ]


@case
def grammar(mj: Any, m: Any, d: Any) -> Any:
    """Elements and attributes that MJCF has, in all four forms; defaults of textures are newer."""
    texts = [mj.mj_printSchema(html, pad) for html in (False, True) for pad in (False, True)]
    words = [re.findall(r"[a-z_][a-z0-9_]+", text) for text in texts]
    later = set(re.findall(r'BEHAVIOUR\((\w+), "', BEHAVIOURS.read_text()))
    later.update(
        """
        actlimited actuatorfrclimited actuatorfrcrange adhesion armature behaviour builtin
        camera castshadow cell cellcount class cogging colorspace conflict controller
        cranklength cranksite ctrllimited ctrlrange cutoff damping data dcmotor delay diagexact
        dialect dof embed enclosed ffrange flexstrain forcelimited forcerange frame fuse gear
        gridlayout gridsize group height hflip imax inductance inheritrange input interp ipc
        interval joint jointinparent ki kp kv layer lengthrange lugre mark markrgb massscale
        mesh motorconst name nchannel nodecoord noise nominal nsample orientation output
        passthrough pid plastic posrange projection random refsite resistance rgb1 rgb2 role
        saturation savecanonical savecompiled scale scaling section sectionsize shear simple
        site sleep sleep_tolerance slewmax slidersite softness speculative springyield
        surfacevel tendon texture thermal type user velrange vflip width yield
        """.split()
    )
    return [sorted(set(found) - later) for found in words]


@case
def dependencies(mj: Any, m: Any, d: Any) -> Any:
    """Files of a model."""
    Path("part.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    Path("all.xml").write_text(
        "<mujoco><asset><mesh file='a.obj'/><texture type='2d' name='t' file='b.png'/></asset>"
        "<include file='part.xml'/></mujoco>"
    )
    found = mj.mju_getXMLDependencies("all.xml")
    return [
        sorted(os.path.basename(name) for name in found),
        outcome(lambda: len(mj.mju_getXMLDependencies("part.xml"))),
        outcome(lambda: mj.mju_getXMLDependencies(3)),
    ]


@case
def plugin_libraries(mj: Any, m: Any, d: Any) -> Any:
    """Folders without libraries."""
    return [
        outcome(lambda: mj.mj_loadAllPluginLibraries("no/such/folder")),
        outcome(lambda: mj.mj_loadAllPluginLibraries(".")),
        outcome(lambda: mj.mj_loadAllPluginLibraries(None)),
    ]


@case
def geom_distances(mj: Any, m: Any, d: Any) -> Any:
    """Of all pairs, with and without the points, and arguments that don't fit."""
    mj.mj_forward(m, d)
    found = []
    for first in range(m.ngeom):
        for second in range(m.ngeom):
            for most in (0.5, 3.0) if first != second else ():
                points = np.zeros(6)
                plain = mj.mj_geomDistance(m, d, first, second, most, None)
                with_points = mj.mj_geomDistance(m, d, first, second, most, points)
                found.append((plain, with_points, np.linalg.norm(points[3:] - points[:3])))
    shapes = [np.zeros(5), [0.0] * 6, np.zeros(6, np.float32), np.zeros((2, 3)), np.zeros((6, 1))]
    return np.array(found), [
        *(outcome(lambda s=s: mj.mj_geomDistance(m, d, 1, 2, 9, s)) for s in shapes),
        outcome(lambda: mj.mj_geomDistance(m, d, 1, 2.0, 9, None)),
        outcome(lambda: mj.mj_geomDistance(m, d, 1, 2, -1, None)),
        outcome(lambda: mj.mj_geomDistance(m, d, 1, 2, 9)),
    ]


@case
def asset_cache(mj: Any, m: Any, d: Any) -> Any:
    """Its capacity, and what is no cache."""
    cache = mj.mj_getCache()
    before = mj.mj_getCacheCapacity(cache)
    results = [
        type(cache).__name__,
        before,
        mj.mj_setCacheCapacity(cache, 1000),
        mj.mj_getCacheCapacity(cache),
        outcome(lambda: mj.mj_clearCache(cache)),
        mj.mj_getCacheSize(cache),
        outcome(lambda: mj.mj_setCacheCapacity(cache, -1)),
        outcome(lambda: mj.mj_setCacheCapacity(cache, 1.5)),
        outcome(lambda: mj.mj_getCacheSize(3)),
        outcome(lambda: mj.mj_getCacheSize()),
    ]
    mj.mj_setCacheCapacity(cache, before)
    return results


@case
def callbacks_that_are_reset(mj: Any, m: Any, d: Any) -> Any:
    """They are called until then."""
    calls: list[int] = []
    mj.set_mjcb_control(lambda model, data: calls.append(1))
    mj.mj_step(m, d)
    mj.mj_resetCallbacks()
    mj.mj_step(m, d)
    mj.set_mjcb_control(None)
    return len(calls)


@case
def cameras_that_move(mj: Any, m: Any, d: Any) -> Any:
    """By every action of the mouse."""
    mj.mj_forward(m, d)
    results = []
    for action in range(8):
        camera, scene = mj.MjvCamera(), mj.MjvScene(m, 10)
        mj.mjv_defaultFreeCamera(m, camera)
        mj.mjv_updateCamera(m, d, camera, scene)
        done = outcome(lambda a=action, c=camera, s=scene: mj.mjv_moveCamera(m, a, 0.1, 0.2, s, c))
        pose = [camera.azimuth, camera.elevation, camera.distance, *camera.lookat]
        results.append((done, np.round(pose, 9)))
    return results


@case
def normal_numbers(mj: Any, m: Any, d: Any) -> Any:
    """What it takes: the numbers themselves are random."""
    return [
        isinstance(outcome(lambda: mj.mju_standardNormal(None)), float),
        isinstance(outcome(lambda: mj.mju_standardNormal(1.5)), float),
        outcome(mj.mju_standardNormal),
    ]


@case
def added_contacts(mj: Any, m: Any, d: Any) -> Any:
    """A contact that nobody found, and the forces that it gives."""
    mj.mj_fwdPosition(m, d)
    contact = mj.MjContact()
    contact.dim, contact.geom, contact.dist = 3, [0, 1], -0.01
    contact.geom1, contact.geom2 = 0, 1
    contact.frame = [0, 0, 1, 1, 0, 0, 0, 1, 0]
    contact.friction, contact.solref = [1, 1, 0.005, 1e-4, 1e-4], [0.02, 1]
    contact.solimp = [0.9, 0.95, 0.001, 0.5, 2]
    before = d.ncon
    done = mj.mj_addContact(m, d, contact)
    mj.mj_makeConstraint(m, d)
    return done, d.ncon - before, d.nefc, np.round(d.efc_J, 9)


@case
def added_inertia(mj: Any, m: Any, d: Any) -> Any:
    """Into a matrix of its own pattern."""
    mj.mj_forward(m, d)
    dst = np.full(m.nM, 0.5)
    rownnz, rowadr = np.zeros(m.nv, np.int32), np.zeros(m.nv, np.int32)
    colind = np.zeros(m.nM, np.int32)
    adr = 0
    for i in range(m.nv):
        chain, j = [], i
        while j >= 0:
            chain.append(j)
            j = m.dof_parentid[j]
        rownnz[i], rowadr[i] = len(chain), adr
        colind[adr : adr + len(chain)] = sorted(chain)
        adr += len(chain)
    mj.mj_addM(m, d, dst, rownnz, rowadr, colind)
    return dst, rownnz, colind


def compare(ours: Any, theirs: Any) -> None:
    """Equal, numbers up to rounding."""
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            compare(a, b)
    elif isinstance(theirs, (float, np.ndarray)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    else:
        assert ours == theirs


@pytest.mark.parametrize("name", CASES)
def test_both_modules_agree_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for module in (condyle, mujoco):
        folder = tmp_path / module.__name__
        folder.mkdir()
        monkeypatch.chdir(folder)
        m = module.MjModel.from_xml_string(XML)
        results.append(CASES[name](module, m, module.MjData(m)))
    compare(*results)


@pytest.mark.parametrize("rows", [3, 1])
def test_printed_matrices_are_the_same(rows: int, capfd: pytest.CaptureFixture[str]) -> None:
    texts = []
    matrix = np.arange(2.0 * rows).reshape(rows, 2) / 3
    for module in (condyle, mujoco):
        module.mju_printMat(matrix)
        if module is condyle:  # the reference takes the matrix's size for that of the pattern
            counts = np.full(rows, 2, np.int32)
            module.mju_printMatSparse(
                matrix.ravel(), counts, np.arange(rows, dtype=np.int32) * 2, np.tile([0, 1], rows)
            )
        capfd.readouterr()
        module.mju_printMat(matrix)
        texts.append(capfd.readouterr().out)
    assert texts[0] == texts[1]


def test_length_ranges_without_options_take_those_of_the_compiler() -> None:
    m = condyle.MjModel.from_xml_string(XML)
    d = condyle.MjData(m)
    condyle.mj_setLengthRange(m, d, 0, None)
    with pytest.raises(condyle.FatalError, match="there is no actuator 7"):
        condyle.mj_setLengthRange(m, d, 7, None)
