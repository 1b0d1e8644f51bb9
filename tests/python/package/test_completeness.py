"""The module has everything that the reference's has; skipped where the reference is not there."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

import condyle

mujoco = pytest.importorskip("mujoco")

MODULES = [
    *("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs"),
    "_structs",
]

# modules of Python and NumPy that the reference's package happens to show
_STRAY = frozenset(
    {
        *("Any", "IO", "Sequence", "TypeAlias", "Union", "ctypes", "np", "os", "platform"),
        *("subprocess", "warnings", "zipfile"),
    }
)


def is_left_out(name: str) -> bool:
    """Names that are no part of the interface: of modules inside, and of the reference's tool."""
    return name in _STRAY or "pybind11" in name


def public(thing: Any) -> list[str]:
    """Public names, and those single-underscored names that other packages use."""
    return [name for name in dir(thing) if not name.startswith("_") and not is_left_out(name)]


def test_every_name_of_the_top_level_is_there() -> None:
    missing = [name for name in public(mujoco) if not hasattr(condyle, name)]
    assert missing == []


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_compiled_module_is_there(module: str) -> None:
    theirs, ours = getattr(mujoco, module), getattr(condyle, module)
    missing = [name for name in public(theirs) if not hasattr(ours, name)]
    assert missing == []


def kind(value: Any) -> str:
    """What a value is, roughly."""
    if inspect.ismodule(value):
        return "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else type(value).__name__


def test_every_name_is_of_the_same_kind() -> None:
    different = {
        name: (kind(getattr(condyle, name)), kind(getattr(mujoco, name)))
        for name in public(mujoco)
        if kind(getattr(condyle, name, None)) != kind(getattr(mujoco, name))
    }
    assert different == {}


def enums() -> list[str]:
    return [name for name in public(mujoco) if name.startswith("mjt")]


@pytest.mark.parametrize("name", enums())
def test_enum_has_the_same_members(name: str) -> None:
    theirs = {k: int(v) for k, v in getattr(mujoco, name).__members__.items()}
    ours = {k: int(v) for k, v in getattr(condyle, name).__members__.items()}
    counts = {k for k in theirs if re.match(r"mjN[A-Z]", k)}
    # later releases append members, which moves the count
    assert {k: v for k, v in theirs.items() if k not in counts and ours.get(k) != v} == {}
    assert counts <= set(ours)
    assert (
        list(theirs)[: len(theirs) - len(counts)]
        == [k for k in ours if k in theirs][: len(theirs) - len(counts)]
    )


def test_constants_are_the_same() -> None:
    for name in public(mujoco._constants):
        theirs, ours = getattr(mujoco, name), getattr(condyle, name)
        if isinstance(theirs, tuple):
            assert ours[: len(theirs)] == theirs, name
        else:
            assert type(ours) is type(theirs) and ours == theirs, name


def classes() -> list[str]:
    return [
        name
        for module in ("_structs", "_render", "_specs")
        for name in dir(getattr(mujoco, module))
        if isinstance(getattr(getattr(mujoco, module), name), type)
        and not is_left_out(name)
        and name[:2] in ("Mj", "_M")
    ]


def same_class(name: str) -> Any:
    for module in ("_structs", "_render", "_specs"):
        found = getattr(getattr(condyle, module), name, None)
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("name", classes())
def test_class_has_the_same_attributes_and_methods(name: str) -> None:
    theirs = next(
        getattr(module, name)
        for module in (mujoco._structs, mujoco._render, mujoco._specs)
        if hasattr(module, name)
    )
    ours = same_class(name)
    assert ours is not None, f"no class {name}"
    wanted = [n for n in dir(theirs) if not n.startswith("__") and not is_left_out(n)]
    assert [n for n in wanted if not hasattr(ours, n)] == []


def arguments(function: Any) -> list[str]:
    """Names of the arguments by the first line of the documentation."""
    line = (function.__doc__ or "").partition("\n")[0]
    inside = line[line.index("(") + 1 : line.rindex(") ->")]
    inside = re.sub(r'"[^"]*"', "", inside)
    while "[" in inside:
        inside = re.sub(r"\[[^\[\]]*\]", "", inside)
    return [part.partition(":")[0].strip() for part in inside.split(",") if part.strip()]


def functions() -> list[str]:
    return [
        name
        for name in public(mujoco)
        if re.match(r"mj[a-z]?_", name) and callable(getattr(mujoco, name))
    ]


@pytest.mark.parametrize("name", functions())
def test_function_has_the_same_arguments(name: str) -> None:
    theirs = arguments(getattr(mujoco, name))
    # later releases tell normals of rays, too
    more = {"normal"} - set(theirs) if "ray" in name.lower() else set()
    assert [a for a in arguments(getattr(condyle, name)) if a not in more] == theirs


def test_lists_of_fields_are_the_same() -> None:
    for cls, lists in {
        "MjModel": ["_all_fields", "_size_fields"],
        "MjData": ["_all_fields"],
        "MjOption": ["_all_fields", "_float_fields", "_int_fields", "_floatarray_fields"],
    }.items():
        for name in lists:
            theirs, ours = (getattr(getattr(m, cls), name) for m in (mujoco, condyle))
            assert ours == theirs, f"{cls}.{name}"


def test_documented_modules_are_there() -> None:
    pytest.importorskip("condyle._rollout")
    for name in ("rollout", "minimize", "viewer", "msh2obj", "introspect", "gl_context"):
        assert inspect.ismodule(getattr(condyle, name))


# arrays and numbers of later releases (condyle/computed.h): names, of data and of the model
_COMPUTED_MODEL = """
actuator_ctrladr actuator_ctrlnum actuator_ctrlspec actuator_outadr actuator_outnum actuator_history
actuator_historyadr actuator_delay actuator_damping actuator_dampingpoly actuator_armature
jnt_actuatorid tendon_actuatorid jnt_stiffnesspoly tendon_stiffnesspoly dof_dampingpoly
tendon_dampingpoly dof_length cam_projection cam_output light_softness geom_surfacevel geom_adhesion
pair_adhesion site_dataid sensor_history sensor_historyadr sensor_delay sensor_interval mesh_extrema
tex_contenttypeadr tree_bodyadr tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy
tendon_treenum tendon_treeid ten_J_rownnz ten_J_rowadr ten_J_colind flexedge_J_rownnz
flexedge_J_rowadr flexedge_J_colind flex_cellnum flex_size flex_stiffnessadr flex_bendingadr
flex_vertedgeadr flex_vertedgenum flex_vertedge flex_vertmetric flexvert_J_rownnz flexvert_J_rowadr
flexvert_J_colind efm0_dofid efm0_L_rownnz efm0_L_rowadr efm0_L_colind efm0_L efmC_perm nactuator
nout nflexstiffness nflexbending nefm0dof nefm0L nefmCvert nJfe nJten nplastic npolygonmax
nmeshdegmax nhistory
""".split()
_COMPUTED_DATA = """
history qfrc_adhesion tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind
dof_awake_ind flexelem_krot flex_hessian_valid flexvert_hessian flexedge_hessian flexvert_lambda
flexvert_conage flexvert_length flexvert_J xiquat geom_xquat site_xquat ntree_awake nbody_awake
nparent_awake nv_awake
""".split()

_MODEL = """
<mujoco>
  <worldbody>
    <body>
      <freejoint/>
      <geom size=".1" quat="1 2 3 4"/>
      <site name="s"/>
      <body pos=".3 0 0"><joint name="j" axis="0 1 0"/><geom type="box" size=".1 .1 .1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>
"""


def test_newest_names_are_there() -> None:
    m = condyle.MjModel.from_xml_string(_MODEL)
    d = condyle.MjData(m)
    assert [name for name in _COMPUTED_MODEL if not hasattr(m, name)] == []
    assert [name for name in _COMPUTED_DATA if not hasattr(d, name)] == []


def test_newest_arrays_have_the_shapes_and_values_of_the_documentation() -> None:
    m = condyle.MjModel.from_xml_string(_MODEL)
    d = condyle.MjData(m)
    condyle.mj_forward(m, d)
    assert m.nactuator == m.nout == 1 and isinstance(m.nactuator, int)
    assert m.actuator_history.shape == (1, 2) and m.actuator_history.dtype == np.int32
    assert m.actuator_historyadr.tolist() == [-1]
    assert m.tree_bodynum.tolist() == [2] and m.tree_dofnum.tolist() == [7]
    assert d.tree_asleep.tolist() == [-11]
    assert m.tree_bodyadr is m.tree_bodyadr and m.tree_bodyadr.tolist() == [1]
    assert m.cam_projection is m.cam_projection and not m.cam_projection.flags.writeable
    assert m.actuator_delay.flags.writeable and m.actuator_delay.tolist() == [0]
    assert d.nv_awake == 7


def test_poses_as_quaternions_are_those_of_the_moment() -> None:
    m = condyle.MjModel.from_xml_string(_MODEL)
    d = condyle.MjData(m)
    d.qpos[3:7] = [0.5, 0.5, 0.5, 0.5]
    condyle.mj_kinematics(m, d)
    before = d.geom_xquat.copy()
    matrix = np.zeros(9)
    for quat, expected in zip(before, d.geom_xmat, strict=True):
        condyle.mju_quat2Mat(matrix, quat)
        np.testing.assert_allclose(matrix, expected, atol=1e-14)
    d.qpos[3:7] = [1, 0, 0, 0]
    condyle.mj_kinematics(m, d)
    assert not np.allclose(d.geom_xquat[0], before[0])
    assert d.xiquat.shape == (m.nbody, 4) and d.site_xquat.shape == (1, 4)
