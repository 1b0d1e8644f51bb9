"""Views into the memory of the engine, named objects, lists, structs, callbacks and enums."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from function_arguments import MODEL

import condyle


@pytest.fixture
def m() -> Any:
    return condyle.MjModel.from_xml_string(MODEL)


@pytest.fixture
def d(m: Any) -> Any:
    data = condyle.MjData(m)
    condyle.mj_step(m, data, 5)
    return data


def test_arrays_have_the_types_and_shapes_of_the_reference(m: Any, d: Any) -> None:
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(theirs)
    mujoco.mj_step(theirs, data, 5)
    for ours, other, skip in ((m, theirs, set()), (d, data, {"efc_J", "efc_J_colind", "efc_AR"})):
        for name in dir(other):
            value = getattr(other, name) if not name.startswith("_") else None
            if isinstance(value, np.ndarray):
                mine = getattr(ours, name)
                assert mine.dtype == value.dtype and mine.ndim == value.ndim, name
                if name not in skip and not name.startswith("efc_A"):
                    assert mine.shape == value.shape, f"{name} {mine.shape} {value.shape}"
                assert mine.flags.writeable == value.flags.writeable, name
                assert mine.flags.owndata == value.flags.owndata or not mine.size, name
            elif isinstance(value, (int, float, bytes, str)):
                assert type(getattr(ours, name)) is type(value), name


def test_arrays_are_made_once_and_share_an_owner(m: Any, d: Any) -> None:
    assert d.qpos is d.qpos and m.geom_size is m.geom_size
    assert d.qpos.base is d.xpos.base is d.joint("wrist").qpos.base is d.contact.dist.base
    assert d.efc_force is not d.efc_force
    assert m.plugin.shape == (0,)
    assert m.names is m.names and isinstance(m.names, bytes)


def test_array_lives_on_after_its_data(m: Any) -> None:
    data = condyle.MjData(m)
    data.qpos[0] = 3
    array = data.qpos
    reference = weakref.ref(data)
    del data
    gc.collect()
    assert reference() is None
    assert array[0] == 3
    array[:] = 1
    named = condyle.MjModel.from_xml_string(MODEL).body("box").mass
    gc.collect()
    assert named[0] == pytest.approx(8)


def test_data_keeps_its_model_and_views_do_not() -> None:
    model = condyle.MjModel.from_xml_string(MODEL)
    data = condyle.MjData(model)
    assert data.model is model
    view, reference = data.qpos, weakref.ref(model)
    del model
    gc.collect()
    assert reference() is not None
    del data
    gc.collect()
    assert reference() is None
    assert view.size


def test_assignment_is_that_of_elements(m: Any, d: Any) -> None:
    array = d.ctrl
    d.ctrl = 0.5
    assert d.ctrl is array and (array == 0.5).all()
    d.ctrl = [1, 2, 3]
    assert array.tolist() == [1, 2, 3]
    with pytest.raises(ValueError):
        d.ctrl = [1, 2]
    m.geom_contype = 1.9
    assert (m.geom_contype == 1).all()
    for name in ("efc_force", "contact", "nq"):
        thing = d if hasattr(d, name) else m
        with pytest.raises(AttributeError):
            setattr(thing, name, 0)
    with pytest.raises(AttributeError):
        d.no_such_name = 1
    with pytest.raises(AttributeError):
        del d.qpos


def test_empty_arrays_own_themselves() -> None:
    model = condyle.MjModel.from_xml_string("<mujoco/>")
    data = condyle.MjData(model)
    assert data.qpos.flags.owndata and data.efc_type.flags.owndata
    assert model.geom_user.shape == (0, 0)


def test_calls_keep_no_references(m: Any, d: Any) -> None:
    things = [m, d, d.qpos, np.zeros(m.nv), np.zeros((3, m.nv)), np.zeros(3)]
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(50):
        condyle.mj_mulM(m, d, things[3], d.qvel)
        condyle.mj_jac(m, d, things[4], None, things[5], 1)
        with pytest.raises(TypeError):
            condyle.mj_mulM(m, d, things[3], things[5])
        for name in ("qpos", "contact", "model", "efc_force"):
            getattr(d, name)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in things] == before


def test_named_objects_are_found_and_missing_ones_are_listed(m: Any, d: Any) -> None:
    assert m.body("box") is m.body(1) is m.body(name="box")
    assert m.body("box").id == 1 and m.body("box").name == "box"
    assert m.body(b"box") is m.body("box")
    with pytest.raises(KeyError) as error:
        m.geom("zz")
    assert error.value.args[0] == (
        "Invalid name 'zz'. Valid names: ['arm', 'box', 'floor', 'hand']"
    )
    with pytest.raises(IndexError, match="Invalid index 77. Valid indices from 0 to 4"):
        d.body(77)
    with pytest.raises(IndexError):
        d.body(-1)
    with pytest.raises(TypeError):
        m.body(1.0)
    with pytest.raises(KeyError):
        m.body("")
    with pytest.raises(KeyError) as error:
        m.geom()
    assert error.value.args[0] == "Invalid name ''. Valid names: ['arm', 'box', 'floor', 'hand']"
    with pytest.raises(KeyError):
        d.body()
    with pytest.raises(TypeError):
        m.geom("box", 1)


def test_named_objects_have_rows_of_the_arrays(m: Any, d: Any) -> None:
    assert m.body("box").mass.shape == (1,)
    m.geom("box").rgba = [1, 0, 0, 0.5]
    np.testing.assert_array_equal(m.geom_rgba[1], np.float32([1, 0, 0, 0.5]))
    assert d.joint(0).qpos.shape == (7,) and d.joint(0).cdof.shape == (6, 6)
    assert d.joint("wrist").qvel.shape == (3,)
    assert d.body("box").xmat.shape == (9,)
    assert d.sensor(1).data.shape == (3,)
    np.testing.assert_array_equal(d.body("hand").xpos, d.xpos[3])
    assert m.tendon("rope").range.base is m.tendon("rope")._range.base
    assert m.joint("shoulder").damping[0] == 0.1
    assert m.cam("fixed") is m.camera("fixed") and m.jnt("wrist") is m.joint("wrist")
    assert m.key(0).qpos.shape == (m.nq,)
    dense = np.zeros((m.ntendon, m.nv))
    dense[:] = d.ten_J.reshape(m.ntendon, m.nv) if not condyle.mj_isSparse(m) else 0
    if not condyle.mj_isSparse(m):
        np.testing.assert_array_equal(d.tendon("rope").J, dense[0])
    assert repr(m.body("box")).startswith("<_MjModelBodyViews\n")


def test_named_objects_have_the_attributes_of_the_reference(m: Any, d: Any) -> None:
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(theirs)
    categories = ["body", "joint", "geom", "site", "camera", "light", "actuator", "sensor"]
    for ours, other, more in ((m, theirs, ["tendon", "equality", "key"]), (d, data, ["tendon"])):
        for category in [*categories, *more]:
            mine, reference = getattr(ours, category)(0), getattr(other, category)(0)
            for name in dir(reference):
                if name.startswith("__") or "pybind11" in name:
                    continue
                value = getattr(reference, name)
                # the reference gives the first of two numbers, and a row of a dense layout
                known = "lengthspring" in name or name == "J_colind"
                if isinstance(value, np.ndarray) and not known:
                    view = getattr(mine, name)
                    assert view.shape == value.shape, f"{category}.{name}"
                    assert view.dtype == value.dtype, f"{category}.{name}"


def test_lists_are_live_and_checked(m: Any, d: Any) -> None:
    contacts = d.contact
    assert d.contact is contacts and len(contacts) == d.ncon and d.ncon > 0
    assert contacts[0] is contacts[0] and contacts[np.int64(0)] is contacts[0]
    assert contacts.dist.shape == (d.ncon,) and contacts.frame.shape == (d.ncon, 9)
    contacts.dist[0] = 7
    assert contacts[0].dist == 7
    assert len(contacts[1:3]) == 2 and contacts[1:3].dist.shape == (2,)
    assert type(contacts[1:3]) is type(contacts)
    for index in (-1, d.ncon):
        with pytest.raises(IndexError):
            contacts[index]
    element = contacts[0]
    detached = copy.copy(element)
    detached.dist = 8
    assert element.dist == 7
    assert d.warning[condyle.mjtWarning.mjWARN_BADQACC].number == 0
    assert len(d.warning) == 8 and len(d.timer) == 15 and len(d.solver) == 4000
    assert d.warning.number.shape == (8,)
    assert contacts == d.contact and contacts != 3
    lines = repr(d.warning).splitlines()
    assert lines[0] == "<_MjWarningStatList" and lines[-1] == ">"
    assert [line.split(":")[0] for line in lines[1:-1]] == ["  lastinfo", "  number"]
    assert f"  dist: {contacts.dist!r}" in repr(contacts).splitlines()
    condyle.mj_resetData(m, d)
    assert len(contacts) == 0 and not contacts
    del d, contacts
    gc.collect()
    assert element.dist == element.dist


def test_warnings_of_our_own_are_found_by_their_kind() -> None:
    # one iteration leaves the forces of hard contacts far from their solution
    model = condyle.MjModel.from_xml_string("""
        <mujoco><option timestep="0.01"/><custom><text name="condyle.contact" data="hard"/>
        <numeric name="condyle.iterations" data="1"/></custom><worldbody>
        <geom type="plane" size="9 9 1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".05 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="0 .05 .5"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        </worldbody></mujoco>""")
    data = condyle.MjData(model)
    kinds = condyle.cndtWarning
    assert len(data.cnd_warning) == kinds.cndWARN_END - kinds.cndWARN_FIRST == 8
    unsolved = data.cnd_warning[kinds.cndWARN_UNSOLVED]
    assert unsolved.number == 0
    told: list[str] = []
    condyle.set_mju_user_warning(told.append)
    condyle.mj_step(model, data, 20)
    condyle.set_mju_user_warning(None)
    assert unsolved.number > 0 and "condyle.tolerance" in told[0]
    place = kinds.cndWARN_UNSOLVED - kinds.cndWARN_FIRST
    assert data.cnd_warning[place] is unsolved
    assert data.cnd_warning.number[place] == unsolved.number == data.cnd_warning.number.sum()
    assert [w.number for w in data.cnd_warning] == data.cnd_warning.number.tolist()
    for twin in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        assert twin.cnd_warning == data.cnd_warning and twin.cnd_warning is not data.cnd_warning
    for none in (8, kinds.cndWARN_END, -1):
        with pytest.raises(IndexError):
            data.cnd_warning[none]
    with pytest.raises(IndexError):
        data.cnd_warning[:3][kinds.cndWARN_FIRST]
    condyle.mj_resetData(model, data)
    assert unsolved.number == 0


def test_structs_print_compare_copy_and_pickle(m: Any) -> None:
    option = condyle.MjOption()
    other = copy.deepcopy(option)
    assert option == other and repr(option) == repr(other)
    other.gravity = 0.2
    assert other.gravity.tolist() == [0.2] * 3 and option != other
    with pytest.raises(TypeError):
        option.iterations = 2.0
    with pytest.raises(TypeError):
        hash(option)
    with pytest.raises(AttributeError):
        option.no_such_name = 1
    assert pickle.loads(pickle.dumps(other)) == other
    assert repr(condyle.MjrRect(1, 2, 3, 4)).splitlines()[1] == "  bottom: 2"
    parts = [line.split(":")[0] for line in repr(m.vis).splitlines() if ": <" in line]
    assert parts == ["  global_", "  quality", "  headlight", "  map", "  scale", "  rgba"]
    m.opt.timestep = 0.5
    assert m.opt.timestep == 0.5 and m.opt is m.opt
    held, m.opt = m.opt, other  # copies
    assert m.opt is held and held.gravity.tolist() == [0.2] * 3
    other.gravity = 0.3
    assert m.opt.gravity.tolist() == [0.2] * 3
    for wrong in (None, 3, m.vis):
        with pytest.raises(TypeError):
            m.opt = wrong
    colors, head = m.vis, m.vis.headlight
    head.active = 0
    m.vis = condyle.MjModel.from_xml_string("<mujoco/>").vis
    assert m.vis is colors and head.active == 1
    m.stat = condyle.MjStatistic()
    assert m.stat.extent == 0
    colors.map.znear = 0.3
    m.vis.map = condyle.MjModel.from_xml_string("<mujoco/>").vis.map
    assert round(colors.map.znear, 6) == 0.01
    figure = condyle.MjvFigure()
    figure.title = "speed"
    assert figure.title == "speed" and figure.linename.dtype == "S100"
    with pytest.raises(ValueError, match=r"len\(title\) cannot exceed 999: got length 1000"):
        figure.title = "x" * 1000
    figure.linename[3] = b"line"
    assert figure.linename[3] == b"line" and figure.linedata.shape == (100, 2002)
    geom = condyle.MjvGeom()
    assert geom.mat.shape == (3, 3) and geom.type == condyle.mjtGeom.mjGEOM_NONE
    for name in ("MjModel", "MjVisual"):
        with pytest.raises(TypeError):
            getattr(condyle, name)()


def test_pickled_data_go_on_as_the_original() -> None:
    # one island of all dofs, which shares its inertia with the whole
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09">
      <freejoint/><geom size=".1"/><body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".1"/></body>
      </body></worldbody></mujoco>"""
    m = condyle.MjModel.from_xml_string(xml)
    d = condyle.MjData(m)
    condyle.mj_step(m, d, 5)
    assert d.nisland == 1 and d.nefc > 0
    copied = pickle.loads(pickle.dumps(d))
    assert copied.efc_force.tolist() == d.efc_force.tolist() and copied.contact == d.contact
    condyle.mj_fwdConstraint(m, d)  # with what the arena holds
    condyle.mj_fwdConstraint(copied.model, copied)
    assert copied.qacc.tolist() == d.qacc.tolist()
    condyle.mj_step(m, d, 5)
    condyle.mj_step(copied.model, copied, 5)
    assert copied.qpos.tolist() == d.qpos.tolist()


def test_structs_have_the_defaults_of_the_reference() -> None:
    mujoco = pytest.importorskip("mujoco")
    for name in (
        *("MjOption", "MjStatistic", "MjContact", "MjWarningStat", "MjTimerStat", "MjSolverStat"),
        *("MjvPerturb", "MjvCamera", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption"),
    ):
        ours, theirs = getattr(condyle, name)(), getattr(mujoco, name)()
        wanted = repr(theirs).splitlines()
        assert [line for line in repr(ours).splitlines() if line in wanted] == wanted, name


def test_subclasses_may_shadow_attributes() -> None:
    class Scene(condyle.MjvScene):  # type: ignore[misc]
        def __init__(self, model: Any, count: int) -> None:
            super().__init__(model, count)
            self.more = 1

        @property
        def geoms(self) -> Any:
            return super().geoms[: super().ngeom]

    model = condyle.MjModel.from_xml_string(MODEL)
    scene = Scene(model, 5)
    assert scene.geoms == () and scene.more == 1
    scene.ngeom += 2
    assert len(scene.geoms) == 2


def test_scene_has_geoms_that_alias_and_copies_that_do_not(m: Any) -> None:
    scene = condyle.MjvScene(model=m, maxgeom=3)
    assert len(scene.geoms) == 3 and len(scene.lights) == 100 and len(scene.camera) == 2
    geom = scene.geoms[1]
    geom.size = [1, 2, 3]
    twin = copy.deepcopy(scene)
    assert twin.geoms[1] == geom and twin.maxgeom == 3
    twin.geoms[1].size = 0
    assert geom.size.tolist() == [1, 2, 3]
    del scene
    gc.collect()
    assert geom.size.tolist() == [1, 2, 3]
    with pytest.raises(TypeError):
        condyle.MjvScene(m)
    with pytest.raises(TypeError):
        condyle.MjrRect(1, 2, 3)
    with pytest.raises(condyle.FatalError):
        condyle.MjrContext(m, 150)


def test_sizes_of_a_scene_can_be_lowered_and_arrays_stay() -> None:
    skin = (
        "<skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'>"
        "<bone body='world' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>"
        "</skin>"
    )
    model = condyle.MjModel.from_xml_string(f"<mujoco><asset>{skin}</asset></mujoco>")
    scene = condyle.MjvScene(model, 5)
    scene.maxgeom, scene.nskin = 2, 0
    assert (scene.maxgeom, scene.nskin) == (2, 0)
    assert len(scene.geoms) == len(scene.geomorder) == 5 and scene.skinvert.size == 9
    scene.skinvertnum[0] = 1 << 20
    assert len(copy.copy(scene).geoms) == 5 and copy.copy(scene).skinvert.size == 9
    scene.maxgeom = 5
    for name, value in (("maxgeom", 6), ("maxgeom", -1), ("nskin", 2), ("nflex", 1)):
        with pytest.raises(ValueError, match=f"{name} should be from 0 to"):
            setattr(scene, name, value)
    with pytest.raises(TypeError):
        scene.maxgeom = 1.5
    with pytest.raises(AttributeError):
        del scene.maxgeom


def test_callbacks_get_the_callers_objects_and_their_exceptions_come_out(m: Any, d: Any) -> None:
    seen = []
    condyle.set_mjcb_control(lambda *args: seen.append(args))
    try:
        condyle.mj_forward(m, d)
        assert seen[0][0] is m and seen[0][1] is d

        error = KeyError("mine")

        def fail(*_: object) -> None:
            raise error

        condyle.set_mjcb_control(fail)
        assert condyle.get_mjcb_control() is fail
        with pytest.raises(KeyError) as caught:
            condyle.mj_step(m, d)
        assert caught.value is error
    finally:
        condyle.set_mjcb_control(None)
    assert condyle.get_mjcb_control() is None
    with pytest.raises(TypeError, match="callback is not an Optional"):
        condyle.set_mjcb_control(3)
    pointer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: seen.append(text))
    condyle.set_mju_user_warning(pointer)
    condyle.set_mju_user_warning(None)


def test_time_callback_must_return_a_number(m: Any, d: Any) -> None:
    before = condyle.get_mjcb_time()
    condyle.set_mjcb_time(lambda: "noon")
    try:
        with pytest.raises(TypeError, match="mjcb_time callback did not return a number"):
            condyle.mj_step(m, d)
    finally:
        condyle.set_mjcb_time(before)


def test_data_of_another_model_is_refused(d: Any) -> None:
    other = condyle.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(TypeError, match="data of the model"):
        condyle.mj_step(other, d)
    with pytest.raises(TypeError, match="data of the model"):
        condyle.mj_forward(other, d)
    twin = copy.copy(d.model)
    condyle.mj_step(twin, d)


def test_enums_are_integers_with_names() -> None:
    joint = condyle.mjtJoint
    ball = joint.mjJNT_BALL
    assert repr(ball) == "<mjtJoint.mjJNT_BALL: 1>" and str(ball) == f"{ball}"
    assert str(ball) == "mjtJoint.mjJNT_BALL"
    assert ball.name == "mjJNT_BALL" and ball.value == 1 and int(ball) == float(ball) == 1
    assert hash(ball) == hash(1) and {ball: "x"}[1] == "x" and {1: "x"}[ball] == "x"
    assert joint(1) == joint(value=1) == joint(ball) == joint(np.int32(1)) == ball
    with pytest.raises(TypeError):
        joint("name")
    with pytest.raises(TypeError):
        joint()
    with pytest.raises(ValueError, match="Invalid int value for mjtJoint: 1000"):
        joint(1000)
    assert list(joint.__members__) == ["mjJNT_FREE", "mjJNT_BALL", "mjJNT_SLIDE", "mjJNT_HINGE"]
    assert ball != "x" and ball == condyle.mjtGeom.mjGEOM_HFIELD and ball == 1.0
    assert -ball == -1 and ball + 1 == 2 and 1.5 * ball == 1.5 and ball / 2 == 0.5
    assert ball // 2 == 0 and ball << 3 == 8 and 3 & ball == 1 and type(ball + 1) is int
    assert bool(joint.mjJNT_FREE)
    assert copy.copy(ball) == pickle.loads(pickle.dumps(ball)) == ball
    assert (np.array([0, 1]) == ball).tolist() == [False, True]
    assert list(range(5))[ball] == 1 and f"{ball:d}" == "1" and "%d" % ball == "1"  # noqa: UP031
    assert f"{ball:<20}|" == "mjtJoint.mjJNT_BALL |" and f"{ball:03x}" == "001"
    assert condyle.mjtDisableBit.mjNDISABLE > 0
