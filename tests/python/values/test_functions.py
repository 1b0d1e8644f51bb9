"""Every function of the C interface gives the reference's numbers when it is called from Python."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import numpy as np
import pytest
from function_arguments import MODEL, Maker, table

import condyle

mujoco = pytest.importorskip("mujoco")

_TABLE = table()

# not called with random arguments, with the reason; most of these have a test of their own
_APART = {
    "mj_addM": "needs the pattern of the full matrix",
    "mj_loadPluginLibrary": "needs a library",
    "mj_printModel": "files",
    "mj_printFormattedModel": "files",
    "mj_printData": "files",
    "mj_printFormattedData": "files",
    "mj_setLengthRange": "by hand",
    "mju_printMat": "output",
    "mju_printMatSparse": "output",
    "mju_writeLog": "files",
    "mj_resetDataDebug": "fills with a byte what differs by layout",
    "mj_addContact": "by hand",
    "mj_implicit": "by hand",
    "mj_rayHfield": "by hand",
    "mj_rayMesh": "by hand",
    "mj_ray": "has a normal besides: later/programs",
    "mju_rayGeom": "has a normal besides: later/programs",
    # the reference takes the length of mu for that of the force
    "mju_encodePyramid": "by hand",
    "mju_decodePyramid": "by hand",
    # the reference takes one number where it means an array
    "mj_defaultSolRefImp": "by hand",
    "mju_rayFlex": "by hand",
    "mju_raySkin": "by hand",
    # sizes of the implementation
    "mj_sizeModel": "bytes of a format of our own",
}

_FIELDS = [
    *("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "qacc", "xpos", "xquat"),
    *("xmat", "cinert", "cvel", "cdof", "qM", "qLD", "qfrc_bias", "qfrc_passive", "cfrc_int"),
    *("qfrc_actuator", "qfrc_inverse", "qfrc_constraint", "subtree_com", "sensordata", "energy"),
    *("ten_length", "actuator_force", "efc_force", "efc_pos", "efc_aref", "cacc", "subtree_linvel"),
]


def start(module: Any) -> tuple[Any, Any]:
    """The model and its data after some steps."""
    m = module.MjModel.from_xml_string(MODEL)
    d = module.MjData(m)
    d.ctrl = [0.1, 0.2, 0.3]
    d.qvel = np.linspace(-0.3, 0.3, m.nv)
    module.mj_step(m, d, 20)
    module.mj_forward(m, d)
    return m, d


_OURS, _THEIRS = start(condyle), start(mujoco)


def close(ours: Any, theirs: Any, what: str) -> None:
    """Arrays, numbers and texts are equal up to rounding."""
    if isinstance(theirs, np.ndarray) and theirs.dtype.kind == "S":
        assert (ours == theirs).all(), what
    elif isinstance(theirs, (int, float, np.ndarray)):
        scale = float(np.max(np.abs(theirs), initial=1e-3))
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7 * scale, err_msg=what)
    else:
        assert ours == theirs, what


def fields(thing: Any) -> dict[str, Any]:
    """Members of a struct that are numbers or arrays of numbers."""
    return {
        name: getattr(thing, name)
        for name in dir(thing)
        if not name.startswith("_")
        and isinstance(getattr(thing, name), (int, float, str, np.ndarray))
    }


def names() -> list[str]:
    return [name for name in _TABLE if name not in _APART and hasattr(mujoco, name)]


# what draws needs a context (test_rendering.py); the reference crashes without one
@pytest.mark.parametrize("name", [n for n in names() if not n.startswith("mjr_")])
def test_function_gives_the_numbers_of_the_reference(name: str) -> None:
    results, made = [], []
    for module, (m, d) in ((condyle, _OURS), (mujoco, _THEIRS)):
        maker = Maker(module, copy.copy(m), copy.copy(d), np.random.default_rng(len(name)))
        arguments = maker.arguments(_TABLE[name])
        results.append(getattr(module, name)(*arguments))
        made.append((arguments, maker))
    (ours, mine), (theirs, other) = made
    if results[1] is None or isinstance(results[1], (int, float, str)):
        close(results[0], results[1], "result")
    else:
        for field, value in fields(results[1]).items():
            close(getattr(results[0], field), value, f"result.{field}")
    for argument, a, b in zip(_TABLE[name].arguments, ours, theirs, strict=True):
        if argument.kind == "kStruct":
            for field, value in fields(b).items():
                close(getattr(a, field), value, f"{argument.name}.{field}")
        elif isinstance(b, np.ndarray):
            used = a.size if name != "mju_boxQP" else min(a.size, 16)  # the rest of R is scratch
            close(a.ravel()[:used], b.ravel()[:used], argument.name)
    for field in _FIELDS:
        close(getattr(mine.d, field), getattr(other.d, field), f"data.{field}")


@pytest.mark.parametrize("name", [n for n in names() if _TABLE[n].arguments])
def test_function_refuses_wrong_arguments_with_TypeError(name: str) -> None:
    binding = _TABLE[name]
    m, d = _OURS
    maker = Maker(condyle, copy.copy(m), copy.copy(d), np.random.default_rng(1))
    good = maker.arguments(binding)
    function = getattr(condyle, name)
    with pytest.raises(TypeError):
        function(*good, 1)
    with pytest.raises(TypeError):
        function(*good[:-1])
    for i, argument in enumerate(binding.arguments):
        wrong: list[Any] = [object()]
        if not argument.optional:
            wrong.append(None)
        if argument.kind in ("kInt", "kState"):
            wrong += [1.0, "1", 2**70]
        elif argument.kind == "kDouble":
            wrong.append("1")
        elif argument.kind in ("kModel", "kData", "kStruct"):
            wrong += [condyle.MjStatistic(), 1]
        elif argument.kind == "kInput":
            wrong += ["text", np.zeros((2, 3, 4))]
        elif argument.kind == "kOutput":
            array = good[i]
            wrong += [array.tolist(), array.astype(np.int64), np.zeros((2, 3, 4))]
            fixed = array.copy()
            fixed.flags.writeable = False
            wrong.append(fixed)
            if array.size > 1:
                wrong.append(np.repeat(array, 2, axis=0)[::2])
            if array.ndim == 2 and min(array.shape) > 1:
                wrong.append(np.asfortranarray(array))
        for value in wrong:
            with pytest.raises(TypeError):
                function(*good[:i], value, *good[i + 1 :])
    # keywords under the names of C
    with contextlib.suppress(*([condyle.FatalError] if name.startswith("mjr_") else [])):
        function(**dict(zip([a.name for a in binding.arguments], good, strict=True)))


@pytest.mark.parametrize("name", [n for n in names() if any(a.shape for a in _TABLE[n].arguments)])
def test_function_refuses_arrays_of_another_size(name: str) -> None:
    binding = _TABLE[name]
    m, d = _OURS
    maker = Maker(condyle, copy.copy(m), copy.copy(d), np.random.default_rng(1))
    good = maker.arguments(binding)
    arrays = [i for i, a in enumerate(binding.arguments) if a.shape]
    free = len(arrays) == 1 and not binding.arguments[arrays[0]].c.extents
    if free and not any(a.kind in ("kModel", "kInt", "kState") for a in binding.arguments):
        pytest.skip("its only array may have any size")
    # the first array may tell the length of the others, so one too long is wrong in one of them
    longer = np.concatenate([good[arrays[-1]], good[arrays[-1]]])
    if name in ("mju_dense2sparse", "mju_sparse2dense", "mju_sym2dense", "mju_cholUpdate"):
        longer = np.zeros((3, 3, 3))
    with pytest.raises(TypeError):
        getattr(condyle, name)(*good[: arrays[-1]], longer, *good[arrays[-1] + 1 :])


def test_arguments_of_nameless_classes_are_refused() -> None:
    class Nameless(type):
        @property
        def __name__(cls) -> str:  # type: ignore[override]
            raise ValueError("no name")

    with pytest.raises(TypeError, match="should be an MjModel, not object"):
        condyle.mj_step(Nameless("N", (), {})(), None)


def test_pyramid_and_force_are_inverse() -> None:
    for dim in (3, 4, 6):
        force = np.array([10.0, 1, -2, 0.5, 0.3, -0.1])[:dim]
        mu = np.array([1.0, 0.8, 0.5, 0.4, 0.3])[: dim - 1]
        pyramid = np.zeros(2 * (dim - 1))
        condyle.mju_encodePyramid(pyramid, force, mu)
        again = np.zeros(dim)
        condyle.mju_decodePyramid(again, pyramid, mu)
        np.testing.assert_allclose(again, force, rtol=1e-12, atol=1e-14)


def test_implicit_steps_are_the_same() -> None:
    results = []
    for module, (m, d) in ((condyle, _OURS), (mujoco, _THEIRS)):
        m, d = copy.copy(m), copy.copy(d)
        m.opt.integrator = module.mjtIntegrator.mjINT_IMPLICIT
        module.mj_implicit(m, d)
        results.append(d.qvel)
    close(results[0], results[1], "qvel")


def test_added_contacts_are_counted() -> None:
    m, d = condyle.MjModel.from_xml_string(MODEL), None
    d = condyle.MjData(m)
    contact = condyle.MjContact()
    contact.dim, contact.geom = 3, [0, 1]
    contact.frame[:3] = [0, 0, 1]
    assert condyle.mj_addContact(m, d, contact) == 0
    assert d.ncon == 1 and d.contact[0].dim == 3


_MESH = """
<mujoco>
  <asset>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hill" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 0 0 0 1 0 0 0 0"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="tetra"/>
    <geom type="hfield" hfield="hill" pos="3 0 0"/>
  </worldbody>
</mujoco>
"""


def test_rays_meet_meshes_and_height_fields_at_the_same_distance() -> None:
    results = []
    for module in (condyle, mujoco):
        m = module.MjModel.from_xml_string(_MESH)
        d = module.MjData(m)
        module.mj_forward(m, d)
        down = np.array([0.0, 0, -1])
        results.append(
            [
                module.mj_rayMesh(m, d, 0, np.array([0.2, 0.2, 2]), down),
                module.mj_rayHfield(m, d, 1, np.array([3.1, 0.1, 2]), down),
            ]
        )
    close(np.array(results[0]), np.array(results[1]), "distance")
    assert min(results[0]) > 0


@pytest.mark.parametrize("shape", [(9,), (3, 3), (1, 9)])
def test_derivatives_of_quaternions_take_flat_and_square_arrays(shape: tuple[int, ...]) -> None:
    results = []
    for module in (condyle, mujoco):
        a, b = np.zeros(shape), np.zeros(shape)
        module.mjd_subQuat([1, 0, 0, 0], [0.8, 0.6, 0, 0], a, b)
        results.append([a, b])
    np.testing.assert_allclose(results[0], results[1], rtol=1e-12, atol=1e-12)


def test_default_solver_parameters_are_arrays() -> None:
    solref, solimp = np.zeros(2), np.zeros(5)
    condyle.mj_defaultSolRefImp(solref, solimp)
    np.testing.assert_array_equal(solref, [0.02, 1])
    np.testing.assert_array_equal(solimp, [0.9, 0.95, 0.001, 0.5, 2])
    condyle.mj_defaultSolRefImp(None, solimp)


def test_second_normal_number_comes_back_in_an_array() -> None:
    second = np.full(1, np.nan)
    assert np.isfinite(condyle.mju_standardNormal(second)) and np.isfinite(second[0])
    assert np.isfinite(condyle.mju_standardNormal(None))


def test_full_inertia_takes_both_orders() -> None:
    m, d = _OURS
    old, new = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    condyle.mj_fullM(m, old, d.qM)
    condyle.mj_fullM(m, d, new)
    theirs = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(_THEIRS[0], theirs, _THEIRS[1].qM)
    np.testing.assert_array_equal(old, new)
    close(old, theirs, "M")
    dense = np.zeros((m.nv, m.nv))
    condyle.mju_sym2dense(dense, d.M, m.M_rownnz, m.M_rowadr, m.M_colind)
    np.testing.assert_allclose(dense, old, rtol=1e-13, atol=1e-15)


def test_state_is_extracted_and_copied() -> None:
    m, d = _OURS
    everything, wanted = condyle.mjtState.mjSTATE_FULLPHYSICS, condyle.mjtState.mjSTATE_QVEL
    state = np.zeros(condyle.mj_stateSize(m, everything))
    condyle.mj_getState(m, d, state, everything)
    part = np.zeros(m.nv)
    condyle.mj_extractState(m, state, everything, part, wanted)
    np.testing.assert_array_equal(part, d.qvel)
    with pytest.raises(condyle.FatalError):
        condyle.mj_extractState(m, part, wanted, state, everything)
    other = condyle.MjData(m)
    condyle.mj_copyState(m, d, other, wanted)
    np.testing.assert_array_equal(other.qvel, d.qvel)
    assert other.time == 0
    with pytest.raises(condyle.FatalError):
        condyle.mj_stateSize(m, 1 << 20)


def test_present_controls_and_sensors_are_read_whatever_the_time() -> None:
    m, d = _OURS
    result = np.zeros(1)
    assert condyle.mj_readCtrl(m, d, 1, 0.0, result, -1) is result and result[0] == d.ctrl[1]
    three = np.zeros(3)
    condyle.mj_readSensor(m, d, 1, 0.0, three, -1)
    np.testing.assert_array_equal(three, d.sensordata[1:4])
    with pytest.raises(TypeError):
        condyle.mj_readSensor(m, d, 1, 0.0, result, -1)
    with pytest.raises(condyle.FatalError):
        condyle.mj_readCtrl(m, d, 7, 0.0, result, -1)
    with pytest.raises(condyle.FatalError):
        condyle.mj_initCtrlHistory(m, d, 0, None, np.zeros((1, 1)))


def test_camera_moves_with_and_without_a_scene() -> None:
    m, d = _OURS
    zoom = condyle.mjtMouse.mjMOUSE_ZOOM
    first, second = condyle.MjvCamera(), condyle.MjvCamera()
    scene = condyle.MjvScene(m, 0)
    condyle.mjv_updateCamera(m, d, first, scene)
    condyle.mjv_moveCamera(m, zoom, 0.1, 0.1, scene, first)
    condyle.mjv_moveCamera(m, zoom, 0.1, 0.1, second)
    assert first == second and first != condyle.MjvCamera()
    with pytest.raises(TypeError):
        condyle.mjv_moveCamera(m, zoom, 0.1, 0.1, scene)
    with pytest.raises(TypeError):
        condyle.mjv_moveCamera(m, zoom, 0.1, 0.1, first, scene)


def test_room_for_contacts_and_rows_as_mjx_asks_for_it() -> None:
    model = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/>"
        "<geom size='.1'/></body></worldbody></mujoco>"
    )
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    resize = condyle._functions._realloc_con_efc
    resize(data, ncon=3, nefc=5)
    assert (data.ncon, data.nefc, data.nJ) == (3, 5, 24)
    resize(data, 2, 4, 7)
    assert len(data.contact) == 2 and data.efc_pos.shape == (4,) and data.efc_J.shape == (7,)
    data.efc_force[:] = 1
    data.contact.dist[:] = 2
    assert not data.efc_J.any()
    for wrong in ((-1, 0), (0, -1), (10**8, 0), (1, 10**8)):
        with pytest.raises(condyle.FatalError, match="insufficient arena memory available"):
            resize(data, *wrong)
        assert (data.ncon, data.nefc) == (0, 0)
    condyle.mj_forward(model, data)
    assert data.nefc == 4
