"""Every function of the C interface gives the reference's numbers when it is called from Python."""

from __future__ import annotations

import copy
from typing import Any

import condyle
import numpy as np
import pytest
from function_arguments import MODEL, Maker, table

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
    "mju_Halton": "by hand",
    "mj_versionString": "texts",
    "mj_version": "numbers",
    "mju_mulMatVec3": "covered",
    # the reference takes one number where it means an array
    "mj_defaultSolRefImp": "by hand",
    "mju_rayFlex": "by hand",
    "mju_raySkin": "by hand",
    # sizes of the implementation
    "mj_sizeModel": "bytes of a format of our own",
    "mj_contactForce": "by hand",
    "mj_kinematics": "covered by mj_forward",
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
    if isinstance(theirs, (int, float, np.ndarray)):
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


@pytest.mark.parametrize("name", names())
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
            close(a, b, argument.name)
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
        if argument.kind == "kInt":
            wrong += [1.0, "1", 2**70]
        elif argument.kind == "kDouble":
            wrong.append("1")
        elif argument.kind in ("kModel", "kData", "kStruct"):
            wrong += [condyle.MjLROpt(), 1]
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
    function(**dict(zip([a.name for a in binding.arguments], good, strict=True)))


@pytest.mark.parametrize("name", [n for n in names() if any(a.shape for a in _TABLE[n].arguments)])
def test_function_refuses_arrays_of_another_size(name: str) -> None:
    binding = _TABLE[name]
    m, d = _OURS
    maker = Maker(condyle, copy.copy(m), copy.copy(d), np.random.default_rng(1))
    good = maker.arguments(binding)
    arrays = [i for i, a in enumerate(binding.arguments) if a.shape]
    free = len(arrays) == 1 and not binding.arguments[arrays[0]].c.extents
    if free and not any(a.kind in ("kModel", "kInt") for a in binding.arguments):
        pytest.skip("its only array may have any size")
    # the first array may tell the length of the others, so one too long is wrong in one of them
    longer = np.concatenate([good[arrays[-1]], good[arrays[-1]]])
    if name in ("mju_dense2sparse", "mju_sparse2dense", "mju_sym2dense", "mju_cholUpdate"):
        longer = np.zeros((3, 3, 3))
    with pytest.raises(TypeError):
        getattr(condyle, name)(*good[: arrays[-1]], longer, *good[arrays[-1] + 1 :])
