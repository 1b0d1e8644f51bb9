"""Modules that draw import everywhere and check arguments."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from typing import Any

import pytest

import condyle
from condyle import gl_context, renderer
from condyle._support import gl


@pytest.fixture
def model() -> Any:
    return condyle.MjModel.from_xml_string("<mujoco/>")


@pytest.mark.parametrize(
    ("value", "system", "module"),
    [
        ("", "Linux", "glfw"),
        ("glfw", "Linux", "glfw"),
        ("glx", "Linux", "glfw"),
        ("enabled", "Linux", "glfw"),
        ("1", "Linux", "glfw"),
        (" EGL ", "Linux", "egl"),
        ("osmesa", "Linux", "osmesa"),
        ("off", "Linux", None),
        ("False", "Linux", None),
        ("0", "Darwin", None),
        ("wgl", "Windows", "glfw"),
        ("on", "Darwin", "cgl"),
        ("cgl", "Darwin", "cgl"),
    ],
)
def test_the_environment_chooses_the_context(value: str, system: str, module: str | None) -> None:
    assert gl_context.choose(value, system) == module


@pytest.mark.parametrize(
    ("value", "system"), [("foo", "Linux"), ("wgl", "Linux"), ("cgl", "Linux"), ("egl", "Windows")]
)
def test_other_values_are_refused(value: str, system: str) -> None:
    message = f"invalid value for environment variable MUJOCO_GL: {value}"
    with pytest.raises(RuntimeError, match=re.escape(message)):
        gl_context.choose(value, system)


def test_there_is_no_context_if_drawing_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, there in (("off", False), ("glfw", True), ("foo", None)):
        monkeypatch.setenv("MUJOCO_GL", value)
        monkeypatch.delitem(sys.modules, "condyle.gl_context")
        if there is None:
            with pytest.raises(RuntimeError, match="MUJOCO_GL: foo"):
                importlib.import_module("condyle.gl_context")
        else:
            module = importlib.import_module("condyle.gl_context")
            assert hasattr(module, "GLContext") == there


@pytest.mark.parametrize("name", ["egl", "osmesa", "glfw", "cgl"])
def test_contexts_check_their_size(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYOPENGL_PLATFORM", raising=False)
    monkeypatch.delitem(sys.modules, f"condyle.{name}", raising=False)
    module = importlib.import_module(f"condyle.{name}")
    with pytest.raises(TypeError, match="max_width must be an integer, got 2.5"):
        module.GLContext(2.5, 3)
    with pytest.raises(ValueError, match="max_height must be at least 1, got 0"):
        module.GLContext(2, 0)


def test_a_platform_is_claimed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYOPENGL_PLATFORM", "")
    gl.claim_platform("egl")
    gl.claim_platform("egl")
    with pytest.raises(ImportError, match="PYOPENGL_PLATFORM is set to 'egl'"):
        gl.claim_platform("osmesa")
    monkeypatch.delitem(sys.modules, "condyle.osmesa", raising=False)
    with pytest.raises(ImportError, match="should be either unset or 'osmesa'"):
        importlib.import_module("condyle.osmesa")


def test_a_renderer_checks_its_arguments(model: Any) -> None:
    with pytest.raises(ValueError, match="Image width 1000 > framebuffer width 640. Either reduce"):
        renderer.Renderer(model, 100, 1000)
    with pytest.raises(
        ValueError, match=r"Image height 1000 > framebuffer height 480[\s\S]*offhei"
    ):
        renderer.Renderer(model, 1000, 100)
    with pytest.raises(TypeError, match="width must be an integer, got 2.5"):
        renderer.Renderer(model, 2, 2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="model must be an MjModel, got None"):
        renderer.Renderer(None)
    with pytest.raises(ValueError, match="mjtFontScale"):
        renderer.Renderer(model, font_scale=7)


def test_signatures_are_those_that_programs_use() -> None:
    def names(function: Any) -> list[str]:
        return list(inspect.signature(function).parameters)

    assert names(renderer.Renderer) == ["model", "height", "width", "max_geom", "font_scale"]
    assert names(renderer.Renderer.update_scene) == ["self", "data", "camera", "scene_option"]
    assert names(renderer.Renderer.render) == ["self", "out"]
