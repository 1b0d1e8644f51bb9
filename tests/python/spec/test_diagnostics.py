"""Problems of models: all of them, with places, from every way of reading and compiling."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from typing import Any

import pytest

import condyle

pytest.importorskip("condyle._condyle")

# a geom and a site that the compiler refuses, in lines 3 and 5
BAD = """<mujoco>
  <worldbody>
    <geom name="ball" size="0"/>
    <body name="arm">
      <site zaxis="0 0 0"/>
    </body>
  </worldbody>
</mujoco>"""
UNKNOWN = "<mujoco>\n<worldbody>\n<geom typ='box'/>\n<bod/>\n</worldbody>\n</mujoco>"


def raised(call: Any, *args: Any) -> condyle.ModelError:
    """The ModelError that a call ends in."""
    with pytest.raises(condyle.ModelError) as caught:
        call(*args)
    return caught.value


def places(problems: list[condyle.Diagnostic]) -> list[tuple[int, str]]:
    """Lines and elements of problems."""
    return [(problem.line, problem.element) for problem in problems]


def test_reading_tells_all_problems_with_hints(tmp_path: Path) -> None:
    file = tmp_path / "model.xml"
    file.write_text(UNKNOWN)
    for call, argument in (
        (condyle.MjModel.from_xml_string, UNKNOWN),
        (condyle.MjSpec.from_string, UNKNOWN),
        (condyle.MjModel.from_xml_path, str(file)),
        (condyle.MjSpec.from_file, file),
    ):
        error = raised(call, argument)
        assert [problem.line for problem in error.diagnostics] == [3, 4]
        assert "type" in error.diagnostics[0].hint and "body" in error.diagnostics[1].hint
        assert error.line == 3 and len(str(error).splitlines()) == 2
        assert error.file.endswith("model.xml") or argument == UNKNOWN


def test_a_spec_tells_the_places_of_its_file_whenever_it_is_compiled() -> None:
    spec = condyle.MjSpec.from_string(BAD)
    assert spec.diagnostics == []
    for _ in range(2):
        error = raised(spec.compile)
        assert places(error.diagnostics) == [(3, "geom 'ball'"), (5, "site")]
        assert (error.line, error.element) == (3, "geom 'ball'")
        assert spec.diagnostics == error.diagnostics
        assert str(error).startswith("Error: size 0 must be positive")
        assert "Element name 'ball', id 0, line 3" in str(error)
        assert str(error).splitlines()[-1] == str(error.diagnostics[1])
    copied = pickle.loads(pickle.dumps(error))
    assert copied.diagnostics == error.diagnostics and str(copied) == str(error)
    spec.geom("ball").size[0] = 1
    assert places(raised(spec.to_xml).diagnostics) == [(5, "site")]
    spec.delete(spec.sites[0])
    spec.compile()
    assert spec.diagnostics == []


def test_elements_without_a_place_are_told_by_kind_and_name() -> None:
    spec = condyle.MjSpec()
    arm = spec.worldbody.add_body(name="arm")
    arm.add_geom(name="ball")
    arm.add_geom()
    spec.worldbody.add_geom()
    assert places(raised(spec.compile).diagnostics) == [
        (0, "geom in body 'world'"),
        (0, "geom 'ball'"),
        (0, "geom in body 'arm'"),
    ]


def test_recompiling_and_attaching_keep_places() -> None:
    child = condyle.MjSpec.from_string(BAD)
    parent = condyle.MjSpec()
    parent.attach(child, prefix="left_", frame=parent.worldbody.add_frame())
    assert places(raised(parent.compile).diagnostics) == [(3, "geom 'left_ball'"), (5, "site")]
    spec = condyle.MjSpec()
    model = spec.compile()
    spec.worldbody.add_geom(name="ball")
    error = raised(spec.recompile, model, condyle.MjData(model))
    assert places(error.diagnostics) == [(0, "geom 'ball'")]


def test_warnings_are_told_too() -> None:
    text = "<mujoco>\n<option timestep='nan'/>\n</mujoco>"
    spec = condyle.MjSpec.from_string(text)
    assert [(p.severity, p.line) for p in spec.diagnostics] == [("warning", 2)]
    error = raised(condyle.MjModel.from_xml_string, text.replace("</mujoco>", "<bod/></mujoco>"))
    assert sorted(p.severity for p in error.diagnostics) == ["error", "warning"]
    assert error.line == 3
    spec.diagnostics.clear()
    assert len(spec.diagnostics) == 1


LINES = """<mujoco>
<worldbody>
<geom name="floor" size=".1"/>
<frame name="shift">
<body name="arm"><joint name="hinge"/>
<geom name="tip" size=".1"/><site name="end"/></body>
</frame></worldbody>
<tendon><fixed name="rope">
<joint joint="hinge" coef="1"/></fixed></tendon>
<actuator><motor joint="hinge"/></actuator>
</mujoco>"""


def lines(module: Any) -> Any:
    """The info of all elements of a model, and an error that ends with it."""
    spec = module.MjSpec.from_string(LINES)
    kinds = "bodies frames geoms joints sites tendons actuators".split()
    found = [(e.name, e.info) for kind in kinds for e in getattr(spec, kind)]
    spec.geom("tip").size[0] = -1
    with pytest.raises(ValueError) as caught:
        spec.compile()
    # our error goes on with the value behind the reference's words
    return found, str(caught.value).replace(": it is -1\n", "\n")


@pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="no reference")
def test_elements_of_files_know_their_line_as_in_the_reference() -> None:
    import mujoco  # type: ignore[import-untyped, unused-ignore]

    assert lines(condyle) == lines(mujoco)
