"""Parameters: values, bounds, files; what they write into specs."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle

pytest.importorskip("condyle._condyle")

from condyle import sysid
from condyle.sysid import InertiaType, Parameter, ParameterDict

_BODY = """<mujoco><worldbody><body name="b"><freejoint/><geom type="box" size=".1 .2 .3"
pos=".1 0 .2"/></body></worldbody></mujoco>"""
_SERVO = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
<actuator><position name="p" joint="j" kp="10"/><motor name="mo" joint="j"/></actuator></mujoco>"""


def box() -> tuple[Any, Any]:
    spec = condyle.MjSpec.from_string(_BODY)
    return spec, spec.compile()


def two() -> ParameterDict:
    params = ParameterDict()
    params.add(Parameter("a", 1.0, 0.0, 10.0))
    params.add(Parameter("b", [[1, 2], [3, 4]], -5, 5))
    params.add(Parameter("fixed", [7.0, 8.0], 0, 10, frozen=True))
    return params


# values


def test_an_integer_nominal_is_a_real_number_and_a_scalar_bound_holds_for_all() -> None:
    b = two()["b"]
    assert b.value.dtype == np.float64 and b.shape == (2, 2) and b.size == 4
    assert_array_equal(b.get_bounds(), [[-5] * 4, [5] * 4])
    assert_array_equal(Parameter("n", 3, 0, 4).as_vector(), [3.0])


def test_vectors_leave_frozen_parameters_out_and_go_back_in_order() -> None:
    params = two()
    assert params.size == 5 and len(params) == 3 and list(params) == ["a", "b", "fixed"]
    assert_array_equal(params.as_vector(), [1, 1, 2, 3, 4])
    assert_array_equal(params.as_vector(include_frozen=True), [1, 1, 2, 3, 4, 7, 8])
    params.update_from_vector([9, 8, 7, 6, 5])
    assert_array_equal(params["b"].value, [[8, 7], [6, 5]])
    assert_array_equal(params.as_nominal_vector(), [1, 1, 2, 3, 4])
    params.reset()
    assert_array_equal(params.as_vector(), [1, 1, 2, 3, 4])
    names = ["a", "b[0,0]", "b[0,1]", "b[1,0]", "b[1,1]"]
    assert params.get_non_frozen_parameter_names() == names


@pytest.mark.parametrize("length", [4, 6])
def test_a_vector_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"length {length} does not match the 5"):
        two().update_from_vector(np.zeros(length))


def test_samples_are_one_draw_for_each_parameter_within_bounds() -> None:
    params = two()
    params.randomize(np.random.default_rng(3))
    rng = np.random.default_rng(3)
    expected = [*rng.uniform([0], [10]), *rng.uniform([-5] * 4, [5] * 4)]
    assert_array_equal(params.as_vector(), expected)
    assert params["b"].value.shape == (2, 2)


def test_numbers_at_bounds_move_inwards_and_others_stay() -> None:
    p = Parameter("v", [0.0, 0.005, 5.0, 9.995], 0, 10)
    p.move_off_bound()
    assert_allclose(p.value, [0.5, 0.5, 5, 9.5])


def test_a_name_that_is_taken_is_refused_by_update_and_replaced_by_add() -> None:
    params, more = two(), ParameterDict()
    more.add(Parameter("a", 2.0, 0, 3))
    with pytest.raises(ValueError, match=r"Parameter 'a' already exists in the dictionary\."):
        params.update(more)
    params.add(more["a"])
    assert params["a"].value[0] == 2 and len(params) == 3


def test_a_copy_shares_nothing_but_modifiers() -> None:
    params = two()
    params["a"].modifier = print
    other = params.copy()
    other["a"].value[0] = 5
    other["b"].update_from_vector(np.zeros(4))
    assert_array_equal(params.as_vector(), [1, 1, 2, 3, 4])
    assert other["a"].modifier is print


@pytest.mark.parametrize("bounds", [([0, 0], 1), (0, [1, 1, 1]), (2, 1)])
def test_bounds_that_do_not_fit_are_refused_with_the_name(bounds: Any) -> None:
    with pytest.raises(ValueError, match="'v'"):
        Parameter("v", np.zeros(4), *bounds)


# files


def test_files_keep_values_bounds_and_names_that_yaml_would_misread(tmp_path: Path) -> None:
    params = two()
    params.add(Parameter("it's: a", [1e-20, -0.0], -1e300, np.inf))
    params.add(Parameter("no", 1.0, 0, 2))
    params["a"].value[0] = 0.1
    params.save_to_disk(tmp_path / "p.yaml")
    found = ParameterDict.load_from_disk(tmp_path / "p.yaml")
    assert found.keys() == params.keys()
    for name, p in params.items():
        for key in ("nominal", "min_value", "max_value", "value"):
            assert_array_equal(getattr(found[name], key), getattr(p, key))
        assert found[name].frozen == p.frozen and found[name].modifier is None


def test_files_are_what_other_readers_of_yaml_take_them_for(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    params = two()
    params["a"].value[0] = 1e-20
    params.save_to_disk(tmp_path / "p.yaml")
    content = yaml.safe_load((tmp_path / "p.yaml").read_text())
    assert content["a"]["value"] == [1e-20]
    assert content["b"] == {
        "name": "b",
        "nominal": [[1.0, 2.0], [3.0, 4.0]],
        "min_value": [[-5.0, -5.0], [-5.0, -5.0]],
        "max_value": [[5.0, 5.0], [5.0, 5.0]],
        "value": [[1.0, 2.0], [3.0, 4.0]],
        "frozen": False,
    }


def test_files_of_the_reference_are_read(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        "damping:\n  frozen: false\n  max_value:\n  - 2.0\n  min_value:\n  - 0.01\n"
        "  name: damping\n  nominal:\n  - 0.1\n  value:\n  - 0.3\n"
        "'it''s: a':\n  frozen: true\n  max_value: [[10.0, 10.0]]\n  min_value:\n  - - -10.0\n"
        "    - -10.0\n  name: 'it''s: a'\n  nominal:\n  - - 1.0\n    - 1.0e-20\n  value:\n"
        "  - - 3.0\n    - 4.0\n"
    )
    found = ParameterDict.load_from_disk(path)
    assert found["damping"].value[0] == 0.3
    a = found["it's: a"]
    assert a.frozen and a.shape == (1, 2)
    assert_array_equal(a.nominal, [[1, 1e-20]])
    assert_array_equal(a.value, [[3, 4]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:\n  value: [1.0\n", "p.yaml:2: a list in brackets"),
        ("a: &x 1\n", "p.yaml:1: this form of YAML"),
        ("a\n", "p.yaml:1: expected 'key: value'"),
        ("a:\n  name: a\n b: 1\n", "p.yaml:3: its indentation"),
        ("a:\n  name: a\n", "parameter 'a' has no nominal"),
        ("- 1\n", "expected a mapping"),
    ],
)
def test_a_broken_file_is_refused_at_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.yaml").write_text(text)
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        ParameterDict.load_from_disk(tmp_path / "p.yaml")


def test_pickles_drop_the_modifier() -> None:
    params = two()
    params["a"].modifier = lambda spec, p: None
    found = pickle.loads(pickle.dumps(params))
    assert found["a"].modifier is None
    assert_array_equal(found.as_vector(), params.as_vector())


def test_tables_have_a_row_for_each_number() -> None:
    params = two()
    x = params.as_vector()
    text = params.compare_parameters(x, x + 1, x + 2)
    assert [line.split()[0] for line in text.splitlines()[2:7]] == (
        params.get_non_frozen_parameter_names()
    )
    assert "RMSE: 1" in text and "RMS change: 1" in text
    assert "fixed" in params.get_parameter_info() and "(frozen)" in repr(params)


# specs


def test_frozen_parameters_are_not_written() -> None:
    def write(spec: Any, param: Parameter) -> None:
        spec.option.timestep = param.value[0]

    spec, _ = box()
    params = ParameterDict({"h": Parameter("h", 0.01, 0, 1, modifier=write)})
    assert sysid.apply_param_modifiers(params, spec).opt.timestep == 0.01
    params["h"].frozen = True
    params["h"].value[0] = 0.5
    assert sysid.apply_param_modifiers(params, spec).opt.timestep == 0.01


def test_gains_of_servos_are_written() -> None:
    spec = condyle.MjSpec.from_string(_SERVO)
    assert sysid.apply_pgain(spec, "p", np.array([20.0])) is spec
    sysid.apply_dgain(spec, "p", 3.0)
    model = spec.compile()
    assert_allclose(model.actuator_gainprm[0, :3], [20, 0, 0])
    assert_allclose(model.actuator_biasprm[0, :3], [0, -20, -3])
    sysid.apply_pdgain(spec, "p", [5, 1])
    assert_allclose(spec.compile().actuator_biasprm[0, :3], [0, -5, -1])


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("mo", [1, 2], "Actuator mo is not a position actuator."),
        ("zz", [1, 2], "Actuator 'zz' not found in spec."),
        ("p", [1, 2, 3], "pdgain must be a 2-element array, got 3."),
    ],
)
def test_other_actuators_and_gains_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        sysid.apply_pdgain(condyle.MjSpec.from_string(_SERVO), name, value)
    assert str(caught.value) == message


def test_pseudo_inertias_are_the_references() -> None:
    spec, model = box()
    param = sysid.body_inertia_param(spec, model, "b", InertiaType.Pseudo)
    nominal = [1.93560050545, -2.85189123733, -2.15874405677, -1.75327894866, 0, 0, 0, 0.1, 0, 0.2]
    assert_allclose(param.nominal, nominal, rtol=1e-11, atol=1e-14)
    low, high = param.get_bounds()
    assert_allclose(low[0] - nominal[0], np.log(0.1) / 2)
    assert_allclose(high - nominal, [np.log(10) / 2] + [np.log(2) / 2] * 3 + [0.5] * 6)
    param.update_from_vector(param.nominal + 0.01 * np.arange(10))
    param.apply_modifier(spec)
    found = spec.compile()
    assert_allclose(found.body("b").mass, 48)
    assert_allclose(found.body("b").ipos, [0.17, 0.08, 0.29])
    inertia = [2.59169839481, 2.10995194602, 0.754341132998]
    assert_allclose(found.body("b").inertia, inertia, rtol=1e-10)


@pytest.mark.parametrize("kind", list(InertiaType))
def test_a_nominal_inertia_changes_nothing(kind: InertiaType) -> None:
    spec, model = box()
    param = sysid.body_inertia_param(spec, model, "b", kind, scale_rot_inertia=True)
    for _ in range(2):
        param.apply_modifier(spec)
        found = spec.compile()
        for name in ("mass", "ipos"):
            expected = getattr(model.body("b"), name)
            assert_allclose(getattr(found.body("b"), name), expected, atol=1e-12)
        assert_allclose(sorted(found.body("b").inertia), sorted(model.body("b").inertia))


@pytest.mark.parametrize("scaled", [True, False])
def test_moments_of_inertia_follow_the_mass_if_asked_to_and_not_twice(scaled: bool) -> None:
    spec, model = box()
    param = sysid.body_inertia_param(spec, model, "b", InertiaType.Mass, scale_rot_inertia=scaled)
    assert param.name == "b_inertia"
    assert_allclose(param.get_bounds(), [[4.8], [480]])
    param.update_from_vector([24.0])
    for _ in range(2):
        param.apply_modifier(spec)
        found = spec.compile().body("b")
        assert_allclose(found.mass, 24)
        assert_allclose(found.inertia, model.body("b").inertia * (0.5 if scaled else 1))


def test_mass_and_place_are_written_together() -> None:
    spec, model = box()
    param = sysid.body_inertia_param(spec, model, "b", ipos_bound_off=[-0.1, 0.2])
    assert_allclose(param.nominal, [48, 0.1, 0, 0.2])
    assert_allclose(param.get_bounds()[1], [480, 0.3, 0.2, 0.4])
    param.update_from_vector([10, 0, 0.1, 0.2])
    param.apply_modifier(spec)
    found = spec.compile().body("b")
    assert_allclose([*found.mass, *found.ipos], [10, 0, 0.1, 0.2])


def test_a_parameter_that_is_no_inertia_is_refused() -> None:
    spec, model = box()
    with pytest.raises(ValueError, match="has no inertia_type"):
        sysid.apply_body_inertia(spec, "b", Parameter("x", 1.0, 0, 2))
    with pytest.raises(ValueError, match="Body 'zz' not found"):
        sysid.body_inertia_param(spec, model, "zz")


_DRESSED = """<mujoco><asset><material name="red"/>
<mesh name="tip" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset>
<worldbody><body name="b"><freejoint/><geom name="g" size=".1" material="red"/>
<geom name="v" type="mesh" mesh="tip" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


def test_visuals_go_and_inertia_stays() -> None:
    spec = condyle.MjSpec.from_string(_DRESSED)
    before = spec.compile()
    after = sysid.remove_visuals(spec).compile()
    assert (after.ngeom, after.nmesh, after.nmat) == (1, 0, 0)
    assert (spec.compile().ngeom, before.ngeom) == (2, 2)
    assert_allclose(after.body_mass, before.body_mass)
    assert_allclose(after.body("b").inertia, before.body("b").inertia)
